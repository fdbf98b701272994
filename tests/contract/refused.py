"""Which code each argument of each write is refused with, and for what."""

from collections.abc import Mapping, Sequence
from typing import Any

from graphstore import NewEvent
from graphstore.records import (
    DecisionSupportInput,
    DocumentSupportInput,
    EventSupportInput,
    Exhibit,
    ExhibitSupport,
    FetchOutcome,
)
from tests.contract.bad_input import (
    ALIEN,
    ELSEWHERE,
    HERE,
    LONG,
    NOTE,
    NOWHERE,
    NUMBERS,
    UNHELD,
    UNKEYABLE,
    Values,
)
from tests.contract.seeding import Heard

Refused = Sequence[tuple[Values, str]]
"""Values of one argument, and the code that answers each of them."""


def each(values: Values, make: Any) -> Values:
    """The same bad values within something else."""
    return {name: make(value) for name, value in values.items()}


def listed(refused: Refused) -> Refused:
    """The same of a list of them, behind a good one."""
    return [(each(values, lambda value: ["good", value]), code) for values, code in refused]


def existing(code: str, foreign: str) -> Refused:
    """The name of something that must be there."""
    there = {"of another project": foreign}
    return [(NOWHERE | there, code), (LONG, "name_too_long"), *TEXT]


def identity(code: str, **foreign: str) -> Refused:
    """The id of something that must be there."""
    return [(NOWHERE | LONG | foreign, code), *TEXT]


KEYS = {repr(name): name for name in UNKEYABLE}
BLANK = {"empty": "", "blank": " \t\n "}
TEXT: Refused = [(UNHELD, "invalid_text")]
NAME: Refused = [(LONG, "name_too_long"), *TEXT]
NEW: Refused = [(KEYS, "invalid_name"), *NAME]
REASON: Refused = [(BLANK, "explanation_required"), *TEXT]
REQUEST: Refused = [
    (KEYS | LONG | {"65 letters": "x" * 65}, "invalid_request_id"),
    *TEXT,
]
GOOD = HERE.current
MARKED = ".".join(["0" * 16] * 4)
SEEN: Refused = [(NOWHERE | LONG | UNHELD | {"another": MARKED, "more": MARKED + ".x"}, "moved")]
NOTHING: Refused = []
"""Whatever is passed, of the right type, is taken."""


def _passages(ids: Values) -> Values:
    return each(ids, lambda text: [DocumentSupportInput(evidence_id=text)])


def _heard(task_name: str, seq: int) -> list[EventSupportInput]:
    return [EventSupportInput(task_name=task_name, seq=seq)]


def _decided(ids: Values) -> Values:
    return each(ids, lambda text: [DecisionSupportInput(decision_id=text)])


MALFORMED = NOWHERE | LONG
BEYOND = GOOD.evidence_id.rpartition(":")[0] + ":0-999999999999"
EVENTS = {
    "of another project": _heard(ALIEN, 1),
    "a task without a name": _heard("", 1),
    **each(NUMBERS, lambda number: _heard("t", number)),
}
DECISIONS = _decided(MALFORMED | {"of another project": ELSEWHERE.decision("days")})
UNHELD_SUPPORTS = {
    **{f"passage, {k}": v for k, v in _passages(UNHELD).items()},
    **{f"decision, {k}": v for k, v in _decided(UNHELD).items()},
    **{f"event, {k}": _heard(text, 1) for k, text in UNHELD.items()},
}
SUPPORTS: Refused = [
    ({"none": [], "21": [Heard("t", 1).support] * 21}, "support_required"),
    (_passages(MALFORMED), "support_malformed"),
    (_passages({"not fetched": HERE.cited.evidence_id, "beyond": BEYOND}), "support_not_fetched"),
    (EVENTS, "support_event_not_found"),
    (DECISIONS, "support_decision_not_found"),
    (UNHELD_SUPPORTS, "invalid_text"),
]
STEP_SUPPORTS: Refused = [
    ({"none": []}, "support_required"),
    (
        {
            "21": [Heard("t", 1).support] * 21,
            **{f"passage, {k}": v for k, v in _passages(MALFORMED).items()},
            **{f"event, {k}": v for k, v in EVENTS.items()},
            **{f"decision, {k}": v for k, v in DECISIONS.items()},
        },
        "support_invalid",
    ),
    (UNHELD_SUPPORTS, "invalid_text"),
]
EVIDENCE: Refused = [
    ({"none": []}, "cannot_revalidate"),
    (_passages({"beyond": BEYOND, "outdated": HERE.cited.evidence_id}), "cannot_revalidate"),
    (_passages({"of another document": ELSEWHERE.current.evidence_id}), "cannot_revalidate"),
    ({"21": [GOOD.support] * 21}, "support_required"),
    (_passages(MALFORMED), "support_malformed"),
    (_passages(UNHELD), "invalid_text"),
]


def _told(**changed: Any) -> list[FetchOutcome]:
    """An outcome that says something else than what is there."""
    return [GOOD.outcome.model_copy(update=changed)]


LIES = {
    "none": [],
    "of others": [ELSEWHERE.current.outcome],
    "no text": _told(text=None),
    "another text": _told(text="x" * 1_000_000),
    "another hash": _told(content_hash=HERE.cited.outcome.content_hash),
    "no hash": _told(content_hash=""),
    "no version": _told(observed_activation_seq=None),
    **{
        f"version {number}": _told(observed_activation_seq=value)
        for number, value in NUMBERS.items()
        if value != 0
    },
}
OTHER_KEYS = {"another document": _told(document_key="x"), "no document": _told(document_key=None)}
UNHELD_OUTCOMES = {
    **each(UNHELD, lambda text: _told(text=text)),
    **{f"title, {k}": _told(title=text) for k, text in UNHELD.items()},
}


def fetched(lie: str, other: str) -> Refused:
    """What an invented outcome is answered with, and one about another document."""
    return [(LIES, lie), (OTHER_KEYS, other), (UNHELD_OUTCOMES, "invalid_text")]


def _exhibit(text: str) -> Exhibit:
    shown = ExhibitSupport(support_id="s", kind="document", ref="r", comparison=text)
    return Exhibit(causes=["good"], supports=[shown])


EXHIBIT: Refused = [
    (each(UNHELD, lambda text: Exhibit(algorithm=text)), "invalid_text"),
    ({f"support, {k}": _exhibit(text) for k, text in UNHELD.items()}, "invalid_text"),
]
GOOD_EVENT = NewEvent(NOTE, "good")
EVENT_LISTS: Refused = [
    ({"101": [GOOD_EVENT] * 101}, "too_many_events"),
    (each(LONG, lambda text: [GOOD_EVENT, NewEvent(NOTE, "p", text)]), "name_too_long"),
    (each(LONG, lambda text: [NewEvent(NOTE, "p", None, text)]), "name_too_long"),
    (each(UNHELD, lambda text: [GOOD_EVENT, NewEvent(NOTE, text)]), "invalid_text"),
    (each(UNHELD, lambda text: [NewEvent(NOTE, "-" * 40_000 + text)]), "invalid_text"),
    (each(UNHELD, lambda text: [NewEvent(NOTE, "p", text)]), "invalid_text"),
    (each(UNHELD, lambda text: [NewEvent(NOTE, "p", None, text)]), "invalid_text"),
]
TASK = existing("task_not_found", ALIEN)
DOCUMENT: Refused = [(NOWHERE, "document_not_found"), *NAME]
ANOTHER = {"a_task": "t", "a_document": HERE.policy_id, "the_project": "p"}
"""Good ids of something else."""

REFUSED: Mapping[str, Refused] = {
    "task_name": TASK,
    "history.create_task task_name": NEW,
    "goal": TEXT,
    "kind": NOTHING,
    "role": NAME,
    "name": NAME,
    "history.set_step name": NEW,
    "retention.delete_task name": TASK,
    "payload": TEXT,
    "events": EVENT_LISTS,
    "state": NOTHING,
    "result_event_seq": [(NUMBERS, "event_not_found")],
    "result_basis": NOTHING,
    "request_id": REQUEST,
    "choice_key": NEW,
    "conclusion": TEXT,
    "rationale": TEXT,
    "reason": TEXT,
    "traces.ask_for_review reason": REASON,
    "explanation": REASON,
    "traces.reaffirm_decision explanation": TEXT,
    "assumptions": listed(TEXT),
    "open_questions": listed(TEXT),
    "supports": SUPPORTS,
    "history.set_step supports": STEP_SUPPORTS,
    "evidence": EVIDENCE,
    "fetched_evidence": fetched("support_not_fetched", "support_document_not_found"),
    "history.set_step fetched_evidence": fetched("support_invalid", "support_invalid"),
    "traces.reaffirm_decision fetched_evidence": fetched("cannot_revalidate", "cannot_revalidate"),
    "seen": SEEN,
    "ground": NOTHING,
    "exhibit": EXHIBIT,
    "decision_id": identity(
        "decision_not_found", foreign=ELSEWHERE.decision("days"), an_event=HERE.event, **ANOTHER
    ),
    "traces.supersede_decision decision_id": identity(
        "supersede_target_invalid", foreign=ELSEWHERE.decision("days"), **ANOTHER
    ),
    "verdict_id": identity(
        "verdict_not_found", foreign=ELSEWHERE.verdict, judged=HERE.decision("old"), **ANOTHER
    ),
    "event_id": identity(
        "event_not_found",
        foreign=ELSEWHERE.event,
        a_decision=HERE.decision("days"),
        **ANOTHER,
    ),
    "document_key": DOCUMENT,
    "documents.put_document document_key": NAME,
    "title": TEXT,
    "uri": TEXT,
    "text": [(BLANK, "document_empty"), *TEXT],
    "include_decisions": NOTHING,
    "job_id": identity(
        "job_not_found", a_decision=HERE.decision("days"), an_event=HERE.event, **ANOTHER
    ),
}
"""By argument, or by method and argument where a method differs."""


def refused(method: str, argument: str) -> Refused:
    """The bad values of an argument, which are a KeyError for one that nobody thought of."""
    own = f"{method} {argument}"
    return REFUSED[own] if own in REFUSED else REFUSED[argument]
