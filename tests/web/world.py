"""A small project for the console's tests, recorded through the product's operations.

`days` cites a passage of the policy, an event and the decision `scope`; `letter`, in
another task, cites `days`; `signature` cites another paragraph of the policy.
"""

from dataclasses import dataclass, field
from uuid import UUID

from graphstore import ConversationHistory, DecisionTraces, Documents
from graphstore.ids import evidence_id, named_id, sha256
from graphstore.records import (
    Decision,
    DecisionSupportInput,
    DocumentSupportInput,
    EventSupportInput,
    SupportInput,
)
from graphstore.results import RecordDecisionResult
from graphstore.store import GraphStore

PROJECT = "refunds"
AGENT = "support-agent"

POLICY_KEY = "policy"
POLICY = """Refunds are paid within 30 days of the request.

A refund above 500 euro needs a second signature.

Shipping is never refunded."""
SHORTER = POLICY.replace("30 days", "15 days")
"""The first paragraph changed, the second stands word for word."""


MAY_CITE = frozenset({POLICY_KEY, "bad", "other"})
"""Documents that an agent of these tests may cite before anybody else did."""


def passage(text: str, words: str, key: str = POLICY_KEY) -> str:
    """The evidence id of `words` in a version of a document."""
    start = text.index(words)
    return evidence_id(named_id("Document", key), sha256(text), start, start + len(words))


@dataclass
class World:
    """The project before anybody flagged anything. Decisions are first revisions."""

    store: GraphStore
    project: str = PROJECT
    history: ConversationHistory = field(init=False)
    traces: DecisionTraces = field(init=False)
    documents: Documents = field(init=False)
    scope: Decision = field(init=False)
    days: Decision = field(init=False)
    letter: Decision = field(init=False)
    signature: Decision = field(init=False)

    def __post_init__(self) -> None:
        self.history = ConversationHistory(self.store, project_id=self.project, agent_id=AGENT)
        self.traces = DecisionTraces(self.store, project_id=self.project, agent_id=AGENT)
        self.documents = Documents(self.store, project_id=self.project, agent_id=AGENT)
        self.documents.put_document(POLICY_KEY, POLICY, title="Refund policy")
        self.history.create_task("audit", "Find out how refunds work.")
        self.history.create_task("letters", "Write to the customers.")
        self.history.record_event(
            "audit", "message", role="user", payload="How long do refunds take?"
        )
        self.history.record_event(
            "audit", "tool_result", name="search", payload="The shop sells in the EU only."
        )
        event = EventSupportInput(task_name="audit", seq=2)
        self.scope = self.decide("scope", "Only the EU matters.", [event])
        first = self.cite("Refunds are paid within 30 days of the request.")
        supports: list[SupportInput] = [first, event, self.on(self.scope)]
        self.days = self.decide("days", "Refunds take at most 30 days.", supports)
        second = self.cite("A refund above 500 euro needs a second signature.")
        self.signature = self.decide("signature", "Two people sign above 500 euro.", [second])
        self.letter = self.decide(
            "wording", "The letter promises 30 days.", [self.on(self.days)], task="letters"
        )

    def cite(self, words: str, text: str = POLICY) -> DocumentSupportInput:
        return DocumentSupportInput(evidence_id=passage(text, words))

    def cite_from(self, key: str, text: str, words: str) -> DocumentSupportInput:
        """A passage of another document."""
        return DocumentSupportInput(evidence_id=passage(text, words, key))

    def on(self, decision: Decision) -> DecisionSupportInput:
        return DecisionSupportInput(decision_id=str(decision.id))

    def decide(
        self, choice: str, conclusion: str, supports: list[SupportInput], *, task: str = "audit"
    ) -> Decision:
        """Record a decision that must be accepted."""
        cited = [one.evidence_id for one in supports if isinstance(one, DocumentSupportInput)]
        fetched = self.documents.fetch_evidence(cited, scope=MAY_CITE) if cited else []
        result: RecordDecisionResult = self.traces.record_decision(
            task,
            choice,
            conclusion,
            f"Because of what is cited for {choice}.",
            supports=supports,
            fetched_evidence=fetched,
        )
        assert result.decision is not None, result
        return result.decision

    def shorten_policy(self) -> None:
        """Change the policy: `days`, `letter` and `signature` are flagged."""
        assert self.documents.put_document(POLICY_KEY, SHORTER, title="Refund policy").recorded

    def now(self, decision: Decision | UUID) -> Decision:
        """A decision as it stands."""
        ident = decision if isinstance(decision, UUID) else decision.id
        found = self.traces.get_decision(str(ident)).decision
        assert found is not None
        return found
