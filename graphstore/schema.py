"""Labels, keys, constraints and indexes of the graph.

The reference library's constraints carry its names, so that whoever comes
second finds them there; on labels of the library we never put a plain index on
`id`, which would stop it from opening the graph.
"""

from dataclasses import dataclass

__all__ = ["COLUMNS", "CONSTRAINTS", "FULLTEXT", "RANGE_INDEXES", "Unique", "pattern"]

MARKER = "_agrag_history_record"
CTX_MARKER = "_ctx_record"

_HISTORY = {"Task", "Event", "Step", "Request", "Decision", "DecisionSupport"}


def pattern(variable: str, label: str, value: str) -> str:
    """A node pattern that seeks `label` by its key; `value` is a Cypher expression.

    The history labels need the marker beside the key: it is the first component
    of their composite constraint, and other nodes may share the label.
    """
    if label == "Project":
        return f"({variable}:Project {{{MARKER}: true, project_id: {value}}})"
    if label in _HISTORY:
        return f"({variable}:{label} {{{MARKER}: true, id: {value}}})"
    return f"({variable}:{label} {{id: {value}}})"


@dataclass(frozen=True)
class Unique:
    label: str
    properties: tuple[str, ...]

    @property
    def name(self) -> str:
        """The library's name on Neo4j for a constraint of the history layer."""
        if self.label in _KNOWLEDGE:
            return f"node_{len(self.label)}_{self.label}_id_unique"
        return f"{self.label.lower()}_{'_'.join(self.properties)}_unique"


_KNOWLEDGE = {"_Node", "Document", "Chunk", "DocumentActivation"}

CONSTRAINTS = (
    Unique("Project", (MARKER, "project_id")),
    Unique("Task", (MARKER, "id")),
    Unique("Task", (MARKER, "project_id", "name")),
    Unique("Event", (MARKER, "id")),
    Unique("Event", (MARKER, "task_id", "seq")),
    Unique("Step", (MARKER, "id")),
    Unique("Step", (MARKER, "task_id", "name")),
    Unique("Request", (MARKER, "id")),
    Unique("Request", (MARKER, "project_id", "request_id")),
    Unique("Decision", (MARKER, "id")),
    Unique("Decision", (MARKER, "task_id", "choice_key", "revision")),
    Unique("DecisionSupport", (MARKER, "id")),
    Unique("_Node", ("id",)),
    Unique("Document", ("id",)),
    Unique("Chunk", ("id",)),
    Unique("DocumentActivation", ("id",)),
    Unique("CtxTrace", ("id",)),
    Unique("CtxTrace", ("project_id", "sequence_number")),
    Unique("CtxChain", ("id",)),
    Unique("CtxChoice", ("id",)),
    Unique("CtxStance", ("id",)),
    Unique("CtxJob", ("id",)),
    Unique("CtxVerdict", ("id",)),
    Unique("CtxTombstone", ("id",)),
    Unique("CtxScope", ("id",)),
)

RANGE_INDEXES = (
    ("Task", ("project_id", "created_at")),
    ("Decision", ("project_id", "review_pending")),
    ("Decision", ("project_id", "review_epoch")),
    ("Decision", ("project_id", "review_state", "created_at")),
    ("Decision", ("project_id", "status", "review_state", "created_at")),
    ("Decision", ("project_id", "author", "created_at")),
    ("Decision", ("project_id", "choice_key")),
    ("Decision", ("task_id", "created_at")),
    ("DecisionSupport", ("document_node_id",)),
    ("DecisionSupport", ("event_id",)),
    ("Chunk", ("document_id", "content_hash")),
    ("DocumentActivation", ("activated_at",)),
    ("Event", ("redacted_at",)),
    ("Document", ("document_key",)),
    ("Request", ("ctx_task_id",)),
    ("Request", ("payload_sha256",)),
    ("CtxTrace", ("project_id", "ctx_open")),
    ("CtxTrace", ("project_id", "ctx_erased_us")),
    ("CtxTrace", ("project_id", "ctx_unsealed")),
    ("CtxTrace", ("project_id", "us")),
    ("CtxTrace", ("task_id", "us")),
    ("CtxJob", ("ctx_open",)),
    ("CtxJob", ("state",)),
    ("CtxVerdict", ("decision_id",)),
    ("CtxVerdict", ("task_id", "us")),
    ("CtxVerdict", ("project_id", "us")),
    ("CtxVerdict", ("project_id", "decision_author", "us")),
    ("CtxScope", ("project_id", "document_key")),
    ("CtxChoice", ("project_id", "stances", "choice_key")),
    ("CtxStance", ("choice_id",)),
)
"""Composite on Neo4j; FalkorDB indexes each property and intersects."""

FULLTEXT = ("Decision", ("conclusion", "rationale"))
"""The library's search index; on FalkorDB over newline-free copies, `_ft_…`."""
FULLTEXT_NAME = "idx_8_Decision_10_conclusion_9_rationale_fulltext"

COLUMNS: dict[str, tuple[str, ...]] = {
    "task": (
        "id", "project_id", "name", "goal", "status", "event_seq", "author",
        "created_at",
    ),
    "event": (
        "id", "task_id", "seq", "kind", "role", "name", "payload", "payload_sha256",
        "truncated", "author", "at", "redacted_at",
    ),
    "step": (
        "name", "kind", "state", "result_event_seq", "result_basis", "id", "task_id",
        "updated_seq", "result_supports", "ctx_author", "ctx_at", "ctx_version",
        "ctx_as_set",
    ),
    "decision": (
        "id", "task_id", "project_id", "choice_key", "revision", "conclusion",
        "rationale", "assumptions", "open_questions", "author", "created_at", "status",
        "review_state", "review_reason", "rejection_reason", "rejected_by",
        "supersession_explanation", "review_pending", "review_epoch", "ctx_version",
        "ctx_causes", "ctx_flagged_us", "ctx_stance", "ctx_rejected_at",
        "ctx_reviewed_by", "ctx_reviewed_at", "ctx_review_explanation", "ctx_task_gone",
    ),
    "support": (
        "id", "kind", "ordinal", "current", "reviewed_by", "reviewed_at",
        "review_explanation", "evidence_id", "document_key", "document_node_id",
        "content_hash_prefix", "content_hash", "reference_kind", "char_start",
        "char_end", "chunk_id", "recorded_activation_seq", "event_id", "task_name",
        "seq", "decision_id", "ctx_gone_at",
    ),
    "document": (
        "id", "document_key", "title", "uri", "current_content_hash", "activation_seq",
        "updated_at",
    ),
    "version": (
        "activation_seq", "verb", "content_hash", "previous_content_hash",
        "activated_at",
    ),
    "chunk": (
        "id", "content_hash", "index", "text", "char_start", "char_end", "provenance",
        "chunker_hash", "schema_fingerprint",
    ),
    "verdict": (
        "id", "kind", "decision_id", "task_id", "choice_key", "revision",
        "decision_author", "by", "at", "us", "why", "ground", "new_decision_id",
        "withdraws", "withdrawn_by", "withdrawn_at", "exhibit_json", "undo_json",
    ),
    "job": (
        "id", "kind", "project_id", "task_id", "event_id", "cause", "whole", "entry_id",
        "request_node", "created_at", "finished_at", "by", "state", "ctx_open", "step",
        "phase", "high", "last_seq", "after", "batch_events", "batch_decisions",
        "total_events", "total_decisions", "total_steps", "total_requests",
        "erased_events", "erased_decisions", "erased_steps", "erased_requests", "flagged",
        "flagged_count", "outcome", "log_job", "begun",
    ),
    "entry": (
        "id", "project_id", "schema_version", "action", "task_id", "agent_id",
        "principal", "on_behalf_of", "session_id", "parent_trace", "door", "created_at",
        "us", "manifest_json", "content_hash", "mac", "mac_key_id", "last_seq", "late",
        "gone", "sequence_number", "parent_hash", "signature", "signing_key_id",
        "sealed_at", "arrived_mac",
    ),
    "request": (
        "operation", "payload_sha256", "result_json", "ctx_digest", "ctx_author",
    ),
}  # fmt: skip
"""What `{{name:x}}` in a statement returns of the node `x`, in this order."""
