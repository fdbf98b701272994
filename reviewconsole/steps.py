"""The steps of a task as pages show them: where each stands, and what its result is worth."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from graphstore.records import (
    BlockCause,
    Decision,
    DecisionSupport,
    DocumentSupport,
    EventSupport,
    ResultBlock,
    StepResultBasis,
    StepResultValidity,
    StepState,
    StepSummary,
    Support,
)
from graphstore.results import TaskView
from reviewconsole import words
from reviewconsole.addresses import decision_url, document_url, event_url, steps_url
from reviewconsole.directions import closed
from reviewconsole.said import Said

__all__ = [
    "BLOCKS",
    "STATES",
    "cited_decisions",
    "new_run",
    "state_choices",
    "step_groups",
    "step_line",
]

STATES = (
    StepState.IN_PROGRESS,
    StepState.FAILED,
    StepState.UNKNOWN,
    StepState.NOT_STARTED,
    StepState.COMPLETED,
)
"""What needs work comes first."""
MOST_OF_A_STATE = 6
"""How many steps of one state stand beside the log; the page of steps has them all."""

Line = dict[str, Any]
Known = Mapping[UUID, Decision | None]
"""Decisions that were looked up, None for one that is gone."""

BLOCKS: Mapping[BlockCause, str] = Said(
    {
        BlockCause.NO_RESULT: gettext_noop("No event holds its result."),
        BlockCause.RESULT_GONE: gettext_noop("The event that held its result is gone."),
        BlockCause.RESULT_REDACTED: gettext_noop("The text of its result was erased."),
        BlockCause.RESULT_TRUNCATED: gettext_noop("Its result was cut when it was recorded."),
        BlockCause.BASIS_UNKNOWN: gettext_noop("Nobody recorded what its result rests on."),
        BlockCause.NO_SUPPORTS: gettext_noop(
            "It should rest on something, and nothing is recorded."
        ),
        BlockCause.DOCUMENT_REMOVED: gettext_noop("{label} was removed."),
        BlockCause.DOCUMENT_CHANGED: gettext_noop("{label} changed since."),
        BlockCause.EVENT_GONE: gettext_noop("{label} is gone."),
        BlockCause.EVENT_REDACTED: gettext_noop("The text of {label} was erased."),
        BlockCause.EVENT_TRUNCATED: gettext_noop("{label} was cut when it was recorded."),
        BlockCause.DECISION_GONE: gettext_noop("A decision that it rests on is gone."),
        BlockCause.DECISION_REJECTED: gettext_noop("The decision on {label} was rejected."),
        BlockCause.DECISION_SUPERSEDED: gettext_noop("The decision on {label} was superseded."),
        BlockCause.DECISION_NEEDS_REVIEW: gettext_noop("The decision on {label} waits for review."),
    }
)
GONE = {BlockCause.EVENT_GONE, BlockCause.DECISION_GONE}
"""Of these nothing is left to look at."""
_UNSAID: Mapping[StepResultValidity, str] = Said(
    {
        StepResultValidity.NEEDS_REVIEW: gettext_noop("Something that it rests on changed."),
        StepResultValidity.UNAVAILABLE: gettext_noop("Its result cannot be read in full."),
        StepResultValidity.UNKNOWN: gettext_noop("Nothing says whether its result still holds."),
    }
)
_BASIS: Mapping[StepResultBasis, str] = Said(
    {
        StepResultBasis.INDEPENDENT: gettext_noop("Rests on nothing that can change."),
    }
)


def step_line(project: str, task_name: str, step: StepSummary, known: Known) -> Line:
    """One step; `known` are the decisions that were looked up."""
    done = step.state is StepState.COMPLETED
    seq = step.result_event_seq
    return {
        "step": step,
        "validity": step.result_validity.value if done else "",
        "why": _why(step) if done else "",
        "why_url": _block_url(project, step) if done else None,
        "basis": _BASIS.get(step.result_basis, "") if done else "",
        "result_url": event_url(project, task_name, seq) if seq is not None else None,
        "supports": [_support(project, support, known) for support in step.result_supports],
    }


def _why(step: StepSummary) -> str:
    """Why the result may not be used again; nothing where it may."""
    if step.result_validity is StepResultValidity.REUSABLE:
        return ""
    if block := step.result_blocked_by:
        said = BLOCKS[block.cause].format(label=_block_label(step, block))
        return said[:1].upper() + said[1:]
    return _UNSAID[step.result_validity]


def _block_label(step: StepSummary, block: ResultBlock) -> str:
    found = next((one for one in step.result_supports if _ref(one) == block.ref), None)
    if isinstance(found, EventSupport):
        return _("%(task)s, event %(number)s") % {
            "task": closed(found.task_name),
            "number": found.seq,
        }
    return closed(block.label) or _("Something that it rests on")


def _block_url(project: str, step: StepSummary) -> str | None:
    """Where to look at what keeps a result from being used; the result has a link of its own."""
    block = step.result_blocked_by
    if block is None or block.cause in GONE:
        return None
    by_ref = {_ref(support): support for support in step.result_supports}
    found = by_ref.get(block.ref)
    return _support_url(project, found) if found else None


def _ref(support: Support) -> str:
    """How a block names this support."""
    match support:
        case DocumentSupport():
            return str(support.document_node_id)
        case EventSupport():
            return f"{support.task_name}/{support.seq}"
        case DecisionSupport():
            return str(support.decision_id)


def _support(project: str, support: Support, known: Known) -> Line:
    url = _support_url(project, support)
    match support:
        case DocumentSupport():
            said = support.document_key
        case EventSupport() if not support.task_name:
            said = _("an event of a deleted task")
        case EventSupport():
            said = _("event %(number)s of %(task)s") % {
                "number": support.seq,
                "task": support.task_name,
            }
        case DecisionSupport():
            cited = known.get(support.decision_id)
            gone = support.decision_id in known and cited is None
            said = cited.conclusion if cited else _("a decision")
            said, url = (_("a decision that is gone"), None) if gone else (said, url)
    return {"kind": support.kind, "words": said, "url": url}


def _support_url(project: str, support: Support) -> str | None:
    match support:
        case DocumentSupport():
            return document_url(project, support.document_key)
        case EventSupport():
            named = support.task_name
            return event_url(project, named, support.seq) if named else None
        case DecisionSupport():
            return decision_url(project, support.decision_id)


def cited_decisions(steps: Iterable[StepSummary]) -> list[UUID]:
    """The decisions that results of these steps rest on."""
    found = [
        support.decision_id
        for step in steps
        for support in step.result_supports
        if isinstance(support, DecisionSupport)
    ]
    return list(dict.fromkeys(found))


def step_groups(project: str, view: TaskView, known: Known) -> list[Line]:
    """The steps beside the log by state, a few of each, with how many there are."""
    name = view.task_name
    return [
        {
            "state": state.value,
            "label": words.STEP_STATES[state],
            "count": view.step_counts[state],
            "url": steps_url(project, name, state=state.value),
            "more": view.step_counts[state] - len(steps),
            "steps": [step_line(project, name, step, known) for step in steps],
        }
        for state in STATES
        if view.step_counts.get(state)
        for steps in [_pressing(view.steps.get(state, []))[:MOST_OF_A_STATE]]
    ]


def _pressing(steps: Iterable[StepSummary]) -> list[StepSummary]:
    """Results that cannot be used as they are before those that can, else as they came."""
    return sorted(steps, key=lambda step: step.result_validity is StepResultValidity.REUSABLE)


def state_choices(project: str, view: TaskView, chosen: StepState | None) -> list[Line]:
    """The filters of the page of steps; states without a step are left out."""
    total = sum(view.step_counts.values())
    listed = [("", _("All"), total)]
    listed += [
        (state.value, words.STEP_STATES[state], view.step_counts.get(state, 0)) for state in STATES
    ]
    return [
        {
            "label": label,
            "count": count,
            "url": steps_url(project, view.task_name, state=value),
            "active": value == (chosen.value if chosen else ""),
        }
        for value, label, count in listed
        if count or not value or chosen == value
    ]


def new_run(view: TaskView) -> str:
    """What an agent that resumed the task would do, in a sentence."""
    total = sum(view.step_counts.values())
    if not total:
        return ""
    completed = view.steps.get(StepState.COMPLETED, [])
    to_do = total - view.step_counts.get(StepState.COMPLETED, 0)
    again = _unusable(completed)
    if not to_do and not again:
        return _("A new run would have nothing to do.")
    steps = ngettext("%(number)s step", "%(number)s steps", to_do) % {"number": f"{to_do:,}"}
    if not again:
        return _("A new run would take up %(steps)s.") % {"steps": steps}
    results = _results(again, least=view.steps_truncated)
    if not to_do:
        return _("A new run would check %(results)s again.") % {"results": results}
    both = {"steps": steps, "results": results}
    return _("A new run would take up %(steps)s and check %(results)s again.") % both


def _results(number: int, *, least: bool) -> str:
    said = (
        ngettext("at least %(number)s result", "at least %(number)s results", number)
        if least
        else ngettext("%(number)s result", "%(number)s results", number)
    )
    return said % {"number": f"{number:,}"}


def _unusable(completed: Sequence[StepSummary]) -> int:
    return sum(step.result_validity is not StepResultValidity.REUSABLE for step in completed)
