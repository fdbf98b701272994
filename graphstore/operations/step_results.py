"""Whether the results of completed steps may be used again, checked for many steps in one read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graphstore import rows
from graphstore.records import (
    BlockCause,
    DecisionSupport,
    DocumentSupport,
    EventSupport,
    ResultBlock,
    StepResultBasis,
    StepResultValidity,
    StepState,
    StepSummary,
    Support,
    Task,
)
from graphstore.rows import Row
from graphstore.store import GraphStore, steady

VALIDITY = {
    BlockCause.BASIS_UNKNOWN: StepResultValidity.UNKNOWN,
    BlockCause.DOCUMENT_CHANGED: StepResultValidity.NEEDS_REVIEW,
    BlockCause.DECISION_REJECTED: StepResultValidity.NEEDS_REVIEW,
    BlockCause.DECISION_SUPERSEDED: StepResultValidity.NEEDS_REVIEW,
    BlockCause.DECISION_NEEDS_REVIEW: StepResultValidity.NEEDS_REVIEW,
}
"""What a cause makes of the result; any other makes it unavailable."""


@dataclass(frozen=True)
class Standing:
    """What results rest on, as one read saw it."""

    travelling: bool
    """Whether flags still travel: then a decision stored as clear may not be."""
    results: dict[int, Row]
    """Events of the task by number: number, id, redacted_at, truncated."""
    events: dict[tuple[str, int], Row]
    """Cited events by task name and number: name, number, id, redacted_at, truncated."""
    documents: dict[str, tuple[dict[str, Any], bool]]
    """Cited documents by id, with whether they have a current text."""
    decisions: dict[str, Row]
    """Cited decisions by id: id, status, review_state, choice_key."""


def check_steps(
    store: GraphStore,
    project_id: str,
    task: Task,
    steps: Sequence[StepSummary],
    *,
    leader: bool = False,
) -> list[StepSummary]:
    """The steps with `result_validity` and what blocks it, at the price of one read at most.

    As in the reference library: the result's event comes first, then the basis, then the
    supports in their order; the first that fails decides.
    """
    asked = [s for s in steps if _has_result(s)]
    if not asked:
        return [_judged(step, task, None) for step in steps]
    supports = [x for s in asked if s.result_basis is SUPPORTED for x in s.result_supports]
    p: dict[str, Any] = {
        "project_id": project_id,
        "task_id": str(task.id),
        "seqs": _distinct(s.result_event_seq for s in asked),
        **_asked(supports),
    }
    found = steady(lambda: store.read("check_results", p, leader=leader))
    standing = _standing(found[0]) if found else Standing(False, {}, {}, {}, {})
    return [_judged(step, task, standing) for step in steps]


def standing_of(store: GraphStore, project_id: str, supports: Sequence[Support]) -> Standing:
    """How what results rest on stands now, of steps of whatever tasks; one read."""
    nothing: dict[str, Any] = {"project_id": project_id, "task_id": "", "seqs": []}
    p = nothing | _asked(supports)
    found = steady(lambda: store.read("check_results", p))
    return _standing(found[0]) if found else Standing(False, {}, {}, {}, {})


def _asked(supports: Sequence[Support]) -> dict[str, Any]:
    """What `check_results` has to look up for the supports."""
    return {
        "events": [
            {"task": name, "seq": seq}
            for name, seq in _distinct(
                (x.task_name, x.seq) for x in supports if isinstance(x, EventSupport)
            )
        ],
        "documents": _distinct(
            str(x.document_node_id) for x in supports if isinstance(x, DocumentSupport)
        ),
        "decisions": _distinct(
            str(x.decision_id) for x in supports if isinstance(x, DecisionSupport)
        ),
    }


SUPPORTED = StepResultBasis.SUPPORTED


def _has_result(step: StepSummary) -> bool:
    return step.state is StepState.COMPLETED and step.result_event_seq is not None


def _distinct[V](values: Iterable[V]) -> list[V]:
    return list(dict.fromkeys(values))


def _standing(row: Row) -> Standing:
    _, after, results, events, documents, decisions = row
    return Standing(
        travelling=bool(after[0]),
        results={r[0]: r for r in results},
        events={(e[0], e[1]): e for e in events},
        documents={d[0][0]: (rows.named("document", d[0]), bool(d[1])) for d in documents},
        decisions={d[0]: d for d in decisions},
    )


def _judged(step: StepSummary, task: Task, standing: Standing | None) -> StepSummary:
    if step.state is not StepState.COMPLETED:
        return step
    block = _block(step, task, standing)
    validity = StepResultValidity.REUSABLE
    if block is not None:
        validity = VALIDITY.get(block.cause, StepResultValidity.UNAVAILABLE)
    return step.model_copy(update={"result_validity": validity, "result_blocked_by": block})


def _block(step: StepSummary, task: Task, standing: Standing | None) -> ResultBlock | None:
    """The first thing that keeps a completed step's result from being used."""
    seq = step.result_event_seq
    if seq is None or standing is None:
        return ResultBlock(cause=BlockCause.NO_RESULT)
    result = standing.results.get(seq)
    cause = _event_cause(result[1:] if result is not None and result[1] is not None else None)
    if cause is not None:
        label = f"{task.name}, event {seq}"
        return ResultBlock(cause=_OF_RESULT[cause], ref=f"{task.name}/{seq}", label=label)
    if step.result_basis is StepResultBasis.INDEPENDENT:
        return None
    if step.result_basis is not SUPPORTED:
        return ResultBlock(cause=BlockCause.BASIS_UNKNOWN)
    if not step.result_supports:
        return ResultBlock(cause=BlockCause.NO_SUPPORTS)
    blocks = (support_block(support, standing) for support in step.result_supports)
    return next((block for block in blocks if block is not None), None)


_OF_RESULT = {
    BlockCause.EVENT_GONE: BlockCause.RESULT_GONE,
    BlockCause.EVENT_REDACTED: BlockCause.RESULT_REDACTED,
    BlockCause.EVENT_TRUNCATED: BlockCause.RESULT_TRUNCATED,
}


def _event_cause(row: Row | None) -> BlockCause | None:
    """Why an event, its id, redacted_at and truncated, cannot be read as it was."""
    if row is None:
        return BlockCause.EVENT_GONE
    _, redacted_at, truncated = row
    if redacted_at is not None:
        return BlockCause.EVENT_REDACTED
    return BlockCause.EVENT_TRUNCATED if truncated else None


def support_block(support: Support, standing: Standing) -> ResultBlock | None:
    """What keeps a result from being used that rests on this support, if anything."""
    match support:
        case DocumentSupport():
            return _document_block(support, standing)
        case EventSupport():
            return _event_block(support, standing)
        case DecisionSupport():
            return _decision_block(support, standing)


def _document_block(support: DocumentSupport, standing: Standing) -> ResultBlock | None:
    ref = str(support.document_node_id)
    document, live = standing.documents.get(ref, ({}, False))
    cause = None
    if not live:
        cause = BlockCause.DOCUMENT_REMOVED
    elif (
        document.get("activation_seq") != support.recorded_activation_seq
        or document.get("current_content_hash") != support.content_hash
    ):
        cause = BlockCause.DOCUMENT_CHANGED
    if cause is None:
        return None
    label = document.get("title") or support.document_key
    return ResultBlock(cause=cause, kind="document", ref=ref, label=label)


def _event_block(support: EventSupport, standing: Standing) -> ResultBlock | None:
    """An event that took a deleted one's place, with another id, is not what was cited."""
    row = standing.events.get((support.task_name, support.seq))
    same = row is not None and row[2] in (None, str(support.event_id))
    cause = _event_cause(row[2:] if row is not None and same else None)
    if cause is None:
        return None
    return ResultBlock(
        cause=cause,
        kind="event",
        ref=f"{support.task_name}/{support.seq}",
        label=f"{support.task_name}, event {support.seq}",
    )


def _decision_block(support: DecisionSupport, standing: Standing) -> ResultBlock | None:
    ref = str(support.decision_id)
    row = standing.decisions.get(ref)
    if row is None:
        return ResultBlock(
            cause=BlockCause.DECISION_GONE, kind="decision", ref=ref, label="a deleted decision"
        )
    _, status, review_state, choice_key = row
    cause = {
        "rejected": BlockCause.DECISION_REJECTED,
        "superseded": BlockCause.DECISION_SUPERSEDED,
    }.get(status)
    if cause is None and (review_state != "clear" or standing.travelling):
        cause = BlockCause.DECISION_NEEDS_REVIEW
    if cause is None:
        return None
    return ResultBlock(cause=cause, kind="decision", ref=ref, label=choice_key)
