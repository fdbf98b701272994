"""What nobody should pass, for each argument of each public method, and what it is answered.

`CALLS` holds for every method one call with every argument that it takes, so that a
method or an argument without a row here fails a test.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, get_type_hints

from graphstore import (
    ConversationHistory,
    DecisionTraces,
    Documents,
    HistoryRetention,
    NewEvent,
)
from graphstore.erasures import Receipt
from graphstore.records import (
    DocumentSupportInput,
    EventKind,
    Exhibit,
    Ground,
)
from graphstore.results import WriteResult
from graphstore.retention import Bounds
from tests.contract.scenario import FLAGGED, Scene
from tests.contract.seeding import START, Heard, Seed, derived
from tests.contract.world import Work, evidence, on

CLASSES = {
    "history": ConversationHistory,
    "traces": DecisionTraces,
    "documents": Documents,
    "retention": HistoryRetention,
}
HERE, ELSEWHERE = Scene("p", FLAGGED), Scene("q", FLAGGED)
ALIEN = "only in q"
"""A task and a choice that only the other project has."""
NOTE = EventKind.NOTE
Arguments = Callable[[Scene], dict[str, Any]]


def build_elsewhere(seed: Seed) -> None:
    """The other project, with what is only there."""
    ELSEWHERE.build(seed)
    seed.task(ALIEN, "Nothing for others.")
    seed.decision(ALIEN, Heard(ALIEN, 1), task=ALIEN)


def methods() -> Iterator[str]:
    """Every public method of the public classes."""
    for part, kind in CLASSES.items():
        yield from (f"{part}.{name}" for name in vars(kind) if not name.startswith("_"))


def hints(method: str) -> dict[str, Any]:
    """The arguments of a method with their types."""
    part, name = method.split(".")
    found = get_type_hints(getattr(CLASSES[part], name))
    return {argument: hint for argument, hint in found.items() if argument != "return"}


def bound(work: Work, method: str) -> Callable[..., Any]:
    """The method of one project and author."""
    part, name = method.split(".")
    return getattr(getattr(work, part), name)


def writes() -> list[str]:
    """The methods that write, which answer with what they recorded or why not."""

    def answers(method: str) -> object:
        part, name = method.split(".")
        return get_type_hints(getattr(CLASSES[part], name))["return"]

    kinds = {method: answers(method) for method in methods() if ".plan_" not in method}
    return [m for m, k in kinds.items() if isinstance(k, type) and issubclass(k, WriteResult)]


def _judges(s: Scene, *, ground: bool = True) -> dict[str, Any]:
    seen = {"decision_id": s.decision("days"), "request_id": "r", "seen": None}
    return seen | ({"ground": Ground.STILL_HOLDS, "exhibit": Exhibit()} if ground else {})


def _concludes(s: Scene) -> dict[str, Any]:
    said = {"conclusion": "c", "rationale": "r", "assumptions": ["a"], "open_questions": ["q"]}
    return said | on(s.current, Heard("t", 1), s.decision("scope"))


DELETION = "deletion"
"""The request id of a deletion that goes on in a job."""


def job(s: Scene) -> str:
    """The job of that deletion."""
    return derived("CtxJob", derived("CtxTrace", s.project, DELETION), "delete_task")


def leave_job(work: Work) -> None:
    """Delete the task, which is too large for what one commit takes."""
    bounds = Bounds(at_once=1)
    retention = HistoryRetention(work.store, work.project, work.agent, bounds=bounds)
    assert retention.delete_task("t", request_id=DELETION).left_to_job


CALLS: dict[str, Arguments] = {
    "history.create_task": lambda _: {"task_name": "new", "goal": "g", "request_id": "r"},
    "history.record_event": lambda _: {
        "task_name": "t", "kind": NOTE, "role": "r", "name": "n", "payload": "p",
        "request_id": "r",
    },
    "history.record_events": lambda _: {
        "task_name": "t", "events": [NewEvent(NOTE, "p", "r", "n")], "request_id": "r",
    },
    "history.set_step": lambda s: {
        "task_name": "t", "name": "new", "state": "completed", "kind": "other",
        "result_event_seq": 1, "result_basis": "supported", "request_id": "r",
        **on(s.current, Heard("t", 2), s.decision("scope")),
    },
    "history.resume_task": lambda _: {"task_name": "t", "request_id": "r"},
    "history.get_task": lambda _: {"task_name": "t"},
    "history.find_task": lambda s: {"task_id": derived(s.project, "t")},
    "history.list_tasks": lambda _: {"cursor": None, "limit": 9},
    "history.list_events": lambda _: {"task_name": "t", "after_seq": 0, "limit": 9},
    "history.fetch_event": lambda _: {"task_name": "t", "seq": 1},
    "history.list_steps": lambda _: {
        "task_name": "t", "state": None, "after_name": None, "limit": 9,
    },
    "traces.record_decision": lambda s: {
        "task_name": "t", "choice_key": "new", "request_id": "r", **_concludes(s),
    },
    "traces.supersede_decision": lambda s: {
        **_judges(s), **_concludes(s), "explanation": "e",
    },
    "traces.reject_decision": lambda s: {**_judges(s), "reason": "r"},
    "traces.reaffirm_decision": lambda s: {
        **_judges(s), **evidence(s.current), "explanation": "e",
    },
    "traces.ask_for_review": lambda s: {**_judges(s, ground=False), "reason": "r"},
    "traces.withdraw_verdict": lambda s: {
        "verdict_id": s.verdict, "explanation": "e", "request_id": "r",
    },
    "traces.plan_withdrawal": lambda s: {"verdict_id": s.verdict},
    "traces.list_verdicts": lambda _: {
        "agent_id": None, "since": None, "decision_id": None, "task_id": None, "by": None,
        "kind": None, "cursor": None, "limit": 9,
    },
    "traces.get_verdict": lambda s: {"verdict_id": s.verdict},
    "traces.continue_decision_review": lambda _: {"limit": 1},
    "traces.get_decision": lambda s: {"decision_id": s.decision("days")},
    "traces.list_decisions_for_review": lambda _: {"task_name": "t", "limit": 9, "cursor": None},
    "traces.list_moments": lambda s: {
        "task_id": derived(s.project, "t"), "after": None, "until": None, "also": [], "limit": 9,
    },
    "traces.list_dependents": lambda s: {"decision_id": s.decision("days"), "limit": 9},
    "traces.list_decisions": lambda _: {
        "task_name": "t", "include_history": True, "limit": 9, "cursor": None,
    },
    "traces.browse_decisions": lambda _: {
        "words": "", "choice_key": "", "author": "", "status": "", "review_state": "",
        "task_name": "", "cursor": None, "limit": 9,
    },
    "traces.search_decisions": lambda _: {"query": "Conclusion", "task_name": None, "limit": 9},
    "traces.list_support_history": lambda s: {
        "decision_id": s.decision("days"), "after_ordinal": -1, "limit": 9,
    },
    "traces.list_conflicts": lambda _: {"cursor": None, "limit": 9},
    "traces.get_conflict": lambda _: {"choice_key": "days"},
    "traces.count_conflicts": lambda _: {},
    "traces.get_lineage": lambda s: {"decision_id": s.decision("days"), "limit": 9},
    "documents.put_document": lambda s: {
        "document_key": s.policy, "text": "t", "title": "t", "uri": "u", "request_id": "r",
        "seen": None,
    },
    "documents.remove_document": lambda s: {
        "document_key": s.policy, "request_id": "r", "seen": None,
    },
    "documents.plan_put_document": lambda s: {
        "document_key": s.policy, "text": "t", "title": "t", "uri": "u",
    },
    "documents.plan_remove_document": lambda s: {"document_key": s.policy},
    "documents.grant_document": lambda s: {"document_key": s.policy, "request_id": "r"},
    "documents.revoke_document": lambda s: {"document_key": s.policy, "request_id": "r"},
    "documents.get_document": lambda s: {"document_key": s.policy, "scope": frozenset()},
    "documents.list_documents": lambda _: {"cursor": None, "limit": 9},
    "documents.list_citers": lambda s: {
        "document_key": s.policy, "cursor": None, "limit": 9, "scope": frozenset(),
    },
    "documents.get_version": lambda s: {
        "document_key": s.policy, "seq": 1, "scope": frozenset(),
    },
    "documents.list_versions": lambda s: {
        "document_key": s.policy, "before_seq": None, "limit": 9, "scope": frozenset(),
    },
    "documents.fetch_evidence": lambda s: {
        "evidence_ids": [s.current.evidence_id], "max_chars": 900, "scope": frozenset(),
    },
    "retention.redact_event": lambda s: {"event_id": s.event, "request_id": "r", "seen": None},
    "retention.plan_redaction": lambda s: {"event_id": s.event},
    "retention.delete_task": lambda _: {
        "name": "t", "include_decisions": True, "request_id": "r", "seen": None,
    },
    "retention.plan_deletion": lambda _: {"name": "t", "include_decisions": True},
    "retention.pause_job": lambda s: {"job_id": job(s)},
    "retention.resume_job": lambda s: {"job_id": job(s)},
    "retention.cancel_job": lambda s: {"job_id": job(s)},
    "retention.get_job": lambda s: {"job_id": job(s)},
    "retention.list_jobs": lambda _: {},
    "retention.finish_jobs": lambda _: {},
    "retention.get_receipt": lambda s: {"entry_id": derived("CtxTrace", s.project, DELETION)},
    "retention.flagged_by": lambda s: {
        "receipt": Receipt(
            entry_id="e", action="redact_event", at=START, by="a", door="python",
            flagged=[s.decision("days")],
        ),
    },
    "retention.list_receipts": lambda _: {"cursor": None, "limit": 9},
}  # fmt: skip

Values = dict[str, Any]
UNHELD: Values = {"NUL": "a\0b", "high surrogate": "a\ud800", "low surrogate": "\udfffb"}
LONG: Values = {"1,002 bytes": "é" * 501, "1 MB": "x" * 1_000_000}
UNKEYABLE = ["", " ", "a ", " a", "\ta", "a\n", "\x0ba", "a\x0c", "a\r", "a\x01b", "\x01"]
ODD: Values = {
    "quotes": """'single' "double" `back` ''' \"\"\"""",
    "backslashes": "\\ \\\\ \\n \\u0041 \\' \\",
    "line ends": "a\nb\r\nc\rd\u2028e\u2029f\x85g\x0bh\x0ci",
    "controls": "".join(map(chr, range(1, 32))) + "\x7f\u200b\ufeff",
    "right to left": "\u202eabc\u202c שלום \u200fمرحبا",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 \U0010ffff",
    "combining": "e\u0301 é ﬃ ẛ̣",
    "Cypher": "$p {x: 1} // -- /* */ '}) MATCH (n) DETACH DELETE n //",
    "Lucene": 'a AND (b OR "c~ ^2 * ? : \\ [1 TO 2] {x} +-!/re/ @x:(y) $w',
    "markup": "<script>alert(1)</script>{{7*7}}{% now %}{# #}&amp;<!--",
    "JSON": '{"id": null, "seq": 0} [] \\"',
    "zero ids": '00000000-0000-0000-0000-000000000000 "seq": 0',
    "blank": " \t\n ",
    "almost empty": " ",
}
NOWHERE: Values = ODD | {
    "empty": "",
    "nil": "00000000-0000-0000-0000-000000000000",
    "braced": "{00000000-0000-0000-0000-000000000000}",
    "number": "9" * 900,
}
"""Texts that name nothing."""
NUMBERS: Values = {
    str(number): number for number in (-1, 0, 2**31, 2**53, 2**63 - 1, 2**63, -(2**63) - 1, 10**100)
}
TIMES: Values = {
    "first": datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
    "last": datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))),
    "without a zone": datetime.min.replace(tzinfo=UTC).replace(tzinfo=None),
}
WRONG: dict[str, Any] = {
    "None": None,
    "true": True,
    "number": 7,
    "fraction": 7.0,
    "not a number": float("nan"),
    "infinite": float("inf"),
    "bytes": b"7",
    "text": "7",
    "list": [7],
    "texts": ["7"],
    "bytes in a list": [b"7"],
    "tuple": (7, "7"),
    "set": {7},
    "dictionary": {"evidence_id": "7"},
    "object": object(),
    "type": str,
    "record": DocumentSupportInput(evidence_id="7"),
    "damaged record": [DocumentSupportInput.model_construct(evidence_id=7)],
    "damaged event": [NewEvent(NOTE, 7)],  # type: ignore[arg-type]
}
