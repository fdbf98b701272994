"""Invented logs and steps of tasks, drawn by the code that draws recorded ones."""

import json
from datetime import datetime, timedelta
from typing import Any

from graphstore.records import (
    BlockCause,
    DecisionStatus,
    DecisionSupport,
    DocumentSupport,
    Event,
    EventKind,
    EventSupport,
    Ground,
    ResultBlock,
    StepKind,
    StepResultBasis,
    StepResultValidity,
    StepState,
    StepSummary,
    TaskStatus,
    VerdictKind,
    VerdictRecord,
)
from graphstore.results import ConflictGroup, Moments, TaskView
from graphstore.task_log import LogMap, LogSample
from reviewconsole import words
from reviewconsole.log_check import Checked
from reviewconsole.log_map import Drawing, draw
from reviewconsole.steps import new_run, state_choices, step_groups, step_line
from reviewconsole.task_log import LogPage, Place
from reviewconsole.timeline import Lifted, timeline
from tests.look.samples import (
    CLEAR,
    ENDLESS,
    HOSTILE,
    LIMIT,
    PERSON,
    Context,
    Page,
    ago,
    decision,
    event,
    frame,
    ident,
    task,
)

PROJECT = "tarnica-cold-chain"
WHO = f"person:{PERSON}"
START = ago(days=21, hours=6)
SHIPPERS = decision("Use passive shippers below 18 h door to door.", choice_key="lane/packaging")
OLD = decision("Hold times above 40 h need two coolant sets.", status=DecisionStatus.SUPERSEDED)
NEW = decision("Hold times above 36 h need two coolant sets.", **CLEAR)


def minutes(count: float) -> datetime:
    return START + timedelta(minutes=count)


def logged(seq: int, at: float, kind: EventKind, payload: object, **more: Any) -> Event:
    text = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
    fields = {"id": ident(f"e{seq}"), "seq": seq, "at": minutes(at), "kind": kind, "payload": text}
    return event(**fields | more)


def log(*, hostile: bool = False) -> list[Event]:
    """Messages, a call with its answer, one that was erased, one that was cut."""
    said = HOSTILE + ENDLESS if hostile else "search_evidence"
    call_id = HOSTILE if hostile else "call-17"
    results = [{"document": "sop-021", "section": n, "text": said * 3} for n in range(6)]
    call, answer = EventKind.TOOL_CALL, EventKind.TOOL_RESULT
    spoken = "Checking which logger the carrier uses before the excursion limit is set."
    return [
        logged(16, 0, EventKind.MESSAGE, said if hostile else spoken, role="assistant", name=None),
        logged(17, 1, call, {"tool_call_id": call_id, "arguments": {"query": said}}, name=said),
        logged(18, 1.7, answer, {"tool_call_id": call_id, "content": results}, name=said),
        logged(19, 2, call, {"tool_call_id": "other", "arguments": {}}, role=said),
        logged(20, 140, answer, "[erased]", redacted_at=ago(days=5)),
        logged(21, 141, answer, "word " * 200, truncated=True),
        logged(22, 142, EventKind.NOTE, "", role=None, name=None, author=WHO),
    ]


def judged(kind: VerdictKind, at: float, **more: Any) -> VerdictRecord:
    fields: dict[str, Any] = {
        "id": str(ident(f"{kind}-{at}")),
        "kind": kind,
        "decision_id": SHIPPERS.id,
        "task_id": task().id,
        "choice_key": "lane/packaging",
        "revision": 1,
        "decision_author": "lane-planner",
        "by": WHO,
        "at": minutes(at),
        "why": "Same wording in version 2; only the section number moved.",
    }
    return VerdictRecord(**fields | more)


def items(*, hostile: bool = False) -> list[Context]:
    """A log in which everything happened that can."""
    after = {"created_at": minutes(160)}
    waits = decision(
        HOSTILE + ENDLESS if hostile else "Every hub has a cage.", choice_key="hub/cage"
    )
    flagged = [
        waits.model_copy(update={"id": ident(f"flagged {n}"), "flagged_at": minutes(400)})
        for n in range(5)
    ]
    moments = Moments(
        decisions=[
            LIMIT.model_copy(update={"created_at": minutes(5)}),
            waits.model_copy(update={"created_at": minutes(6)}),
            NEW.model_copy(update=after),
        ],
        verdicts=[
            judged(VerdictKind.ASK, 150, why="Is 18 h still what the maker says?"),
            judged(VerdictKind.REAFFIRM, 155, ground=Ground.STILL_HOLDS),
            judged(
                VerdictKind.SUPERSEDE,
                160,
                decision_id=OLD.id,
                new_decision_id=NEW.id,
                ground=Ground.WRONG_WHEN_MADE,
            ),
            judged(
                VerdictKind.REJECT,
                200,
                why=HOSTILE * 5 if hostile else "Nobody flies it.",
                withdrawn_by=WHO,
                withdrawn_at=minutes(210),
            ),
            judged(VerdictKind.WITHDRAW, 210, why="It was another lane."),
        ],
        others={SHIPPERS.id: SHIPPERS, OLD.id: OLD},
    )
    lifted = [Lifted(minutes(300), "source_changed", SHIPPERS)]
    shown = timeline(PROJECT, task().name, log(hostile=hostile), moments, flagged, lifted)
    for item in shown:
        event = item["event"]
        item["check_url"] = "event-check.html" if event and event.redacted_at else None
    return shown


def supports(name: str) -> list[Any]:
    return [
        DocumentSupport(
            evidence_id="x",
            document_key=name,
            document_node_id=ident(name),
            content_hash_prefix="0" * 12,
            content_hash="0" * 64,
            reference_kind="span",
        ),
        EventSupport(event_id=ident("e18"), task_name=task().name, seq=18),
        DecisionSupport(decision_id=LIMIT.id),
    ]


def steps(name: str = "") -> dict[StepState, list[StepSummary]]:
    """One step in each state, completed ones in each validity."""

    def done(said: str, validity: StepResultValidity, block: ResultBlock | None) -> StepSummary:
        return StepSummary(
            name=said + name,
            kind=StepKind.ANALYSIS,
            state=StepState.COMPLETED,
            result_event_seq=18,
            result_basis=StepResultBasis.SUPPORTED,
            result_validity=validity,
            result_supports=supports(name or "sop-021"),
            result_blocked_by=block,
            set_by="lane-planner",
            set_at=minutes(150),
        )

    def other(said: str, state: StepState) -> StepSummary:
        return StepSummary(name=said + name, kind=StepKind.OTHER, state=state)

    sop = str(ident(name or "sop-021"))
    changed = ResultBlock(
        cause=BlockCause.DOCUMENT_CHANGED, kind="document", ref=sop, label=name or "SOP-021"
    )
    return {
        StepState.IN_PROGRESS: [other("choose the packaging", StepState.IN_PROGRESS)],
        StepState.FAILED: [other("quote the carriers", StepState.FAILED)],
        StepState.UNKNOWN: [other("read the tariff", StepState.UNKNOWN)],
        StepState.NOT_STARTED: [other("write the summary", StepState.NOT_STARTED)],
        StepState.COMPLETED: [
            done("collect the loggers", StepResultValidity.REUSABLE, None),
            done("set the limits", StepResultValidity.NEEDS_REVIEW, changed),
            done(
                "talk to the drivers",
                StepResultValidity.UNAVAILABLE,
                ResultBlock(cause=BlockCause.RESULT_REDACTED),
            ),
            done(
                "plan the route",
                StepResultValidity.UNKNOWN,
                ResultBlock(cause=BlockCause.BASIS_UNKNOWN),
            ),
        ],
    }


def view(**changes: Any) -> TaskView:
    states = changes.pop("steps", steps())
    shown = [LIMIT, decision("Use passive shippers.", **CLEAR), NEW]
    fields: dict[str, Any] = {
        "task_name": task().name,
        "goal": task().goal,
        "status": TaskStatus.OPEN,
        "last_event_seq": 412,
        "steps": states,
        "step_counts": dict.fromkeys(StepState, 0) | {s: len(found) for s, found in states.items()},
        "decisions": shown,
        "decision_count": 14,
        "conflicts": [ConflictGroup(choice_key="lane/packaging")],
        "task": task(),
    }
    return TaskView(**fields | changes)


def drawn(name: str, last_seq: int = 412) -> Drawing:
    """The map of a log with two silences, two decisions, a verdict and a flag."""
    pauses = [2_880 * (seq > 150) + 4_300 * (seq > 300) for seq in range(last_seq + 1)]
    samples = [LogSample(n, minutes(n + pauses[n]), "lane-planner") for n in range(1, last_seq)]
    known = LogMap(samples, [minutes(40), minutes(3_000)], [minutes(3_010)], capped=True)
    drawing = draw(PROJECT, name, last_seq, known, [minutes(3_100)], Place(), (16, 22))
    assert drawing is not None
    return drawing


def context(
    of: TaskView, shown: list[Context], log_page: LogPage, show: str = "", wanted: str = ""
) -> Context:
    """What the view of a task gives its template."""
    known = {LIMIT.id: LIMIT}
    choices = [
        {"value": value, "label": label, "url": f"task.html?show={value}", "active": value == show}
        for value, label in words.SHOWN.items()
    ]
    return frame("Tasks") | {
        "view": of,
        "tasks_url": "tasks.html",
        "log": log_page,
        "log_url": "task.html",
        "events": shown,
        "show": show,
        "place": Place(show, words=wanted, by=wanted),
        "clear_url": "task.html" if wanted else None,
        "map": drawn(of.task_name) if log_page.first else None,
        "authors": ["lane-planner", WHO, wanted or ENDLESS],
        "markdown_url": "log-markdown.html",
        "export_url": "task.html",
        "show_choices": choices,
        "step_groups": step_groups(PROJECT, of, known),
        "steps_url": "steps.html",
        "new_run": new_run(of),
        "decisions": [{"decision": one, "url": "decision.html"} for one in of.decisions],
        "waits": {"count": 3 if of.decisions else 0, "capped": False, "url": "queue.html"},
        "active": {"count": of.decision_count, "url": "decisions.html"},
        "retired": [{"label": "superseded", "count": 2, "url": "decisions.html"}] if shown else [],
        "conflicts": [{"key": one.choice_key, "url": "conflict.html"} for one in of.conflicts],
    }


def steps_context(of: TaskView, state: StepState | None, *, more: bool = False) -> Context:
    shown = [one for found in of.steps.values() for one in found if state in (None, one.state)]
    known = {LIMIT.id: LIMIT}
    return frame(
        "Tasks",
        view=of,
        tasks_url="tasks.html",
        task_url="task.html",
        state=state or "",
        state_choices=state_choices(PROJECT, of, state),
        new_run=new_run(of),
        steps=[step_line(PROJECT, of.task_name, one, known) for one in shown],
        first_url="steps.html" if more else None,
        next_url="steps.html?after=x" if more else None,
    )


def markdown_context() -> Context:
    """A page of a log as text, with all that may stand in it."""
    return frame(
        "Tasks",
        view=view(),
        markdown=f"# `task`\n\n````text\n```\n</textarea>{HOSTILE}\n{ENDLESS * 9}\n````\n" * 9,
        log_url="task.html",
        plain_url="task.html",
    )


def check_context(found: Checked) -> Context:
    """A text that was compared with an erased one."""
    erased = log(hostile=found is Checked.ANOTHER)[4]
    return frame(
        "Tasks",
        task_name=HOSTILE + ENDLESS,
        event=erased,
        event_url="task.html",
        post_url="event-check.html",
        checked=found,
        missing=False,
    )


def task_pages() -> dict[str, Page]:
    """A task in each state that its page can be in, and its steps."""
    pages: dict[str, Any] = {
        "next_url": "task.html?after=22",
        "previous_url": "task.html",
        "first_url": "task.html",
    }
    quiet = view(steps={}, decisions=[], decision_count=0, conflicts=[], last_event_seq=0)
    hostile = view(
        steps=steps(HOSTILE + ENDLESS),
        goal=HOSTILE * 5,
        conflicts=[ConflictGroup(choice_key=HOSTILE + ENDLESS)],
    )
    middle = LogPage([], 16, 22, cut_url="task.html?show=decisions", **pages)
    return {
        "task": Page("task.html", context(view(), items(), middle)),
        "task-empty": Page("task.html", context(quiet, [], LogPage([]))),
        "task-hostile": Page(
            "task.html",
            context(hostile, items(hostile=True), LogPage([], 16, 22), wanted=HOSTILE + ENDLESS),
        ),
        "task-nothing-decided": Page("task.html", context(view(), [], LogPage([]), "decisions")),
        "task-none-of-a-kind": Page("task.html", context(view(), [], LogPage([], 1, 400), "notes")),
        "task-nothing-like-that": Page(
            "task.html",
            context(view(), [], LogPage([], 1, 10_000, next_url="task.html"), wanted="pallet"),
        ),
        "log-markdown": Page("log_markdown.html", markdown_context()),
        "event-check": Page("event_check.html", check_context(Checked.ANOTHER)),
        "event-check-same": Page("event_check.html", check_context(Checked.SAME)),
        "task-beyond": Page("task.html", context(view(), [], LogPage([], 0, 900, **pages))),
        "steps": Page("steps.html", steps_context(view(), None, more=True)),
        "steps-hostile": Page("steps.html", steps_context(hostile, None)),
        "steps-none-of-a-state": Page("steps.html", steps_context(quiet, StepState.FAILED)),
        "steps-empty": Page("steps.html", steps_context(quiet, None)),
    }
