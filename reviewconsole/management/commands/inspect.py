"""Look at the record from a shell: a task, a decision, or what waits for review."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from pydantic import BaseModel

from graphstore import ConversationHistory, DecisionTraces
from graphstore.faults import StoreFault
from graphstore.records import Decision, DocumentSupport, EventSupport, Support
from graphstore.results import DecisionReviewList, TaskView
from reviewconsole import words
from reviewconsole.stores import store

AGENT = "inspect"
"""Whoever only reads writes nothing, so nobody is its author."""
CUT = 100


class Command(BaseCommand):
    help = "Show a task, a decision, or the decisions that need review."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["task", "decision", "queue"])
        parser.add_argument("name", nargs="?", help="the task's name, or the decision's id")
        parser.add_argument("--project", required=True)
        parser.add_argument("--json", action="store_true", help="as the API would answer")
        parser.add_argument("--limit", type=int, default=20, help="of the queue, at most 100")

    def handle(self, *_args: Any, **options: Any) -> None:
        what, name = options["what"], options["name"]
        if (name is None) != (what == "queue"):
            raise CommandError("Name the task or the decision; the queue takes no name.")
        try:
            shown = _read(what, name, options["project"], options["limit"])
        except StoreFault as fault:
            raise CommandError(str(fault)) from None
        if shown is None:
            raise CommandError(f"There is no {what} {name!r} in {options['project']}.")
        text = shown.model_dump_json(indent=2) if options["json"] else "\n".join(_lines(shown))
        self.stdout.write(text)


def _read(what: str, name: str, project: str, limit: int) -> BaseModel | None:
    if what == "task":
        history = ConversationHistory(store(), project_id=project, agent_id=AGENT)
        return history.get_task(name).view
    traces = DecisionTraces(store(), project_id=project, agent_id=AGENT)
    if what == "decision":
        return traces.get_decision(name).decision
    return traces.list_decisions_for_review(limit=limit)


def _lines(shown: BaseModel) -> Iterator[str]:
    match shown:
        case TaskView():
            yield from _task(shown)
        case Decision():
            yield from _decision(shown)
        case DecisionReviewList():
            yield f"{shown.count} need review" + (", newest first:" if shown.decisions else ".")
            yield from map(_short, shown.decisions)
        case _:
            pass


def _task(view: TaskView) -> Iterator[str]:
    yield f"{_plain(view.task_name)} ({view.status}, {view.last_event_seq} events)"
    yield f"  {_plain(view.goal)}"
    for state, steps in view.steps.items():
        yield f"  {state}: {view.step_counts.get(state, 0)}"
        for step in steps:
            yield f"    {_plain(step.name)}  {step.result_validity}"
    yield f"  decisions: {view.decision_count}"
    for decision in view.decisions:
        yield f"  {_short(decision)}"


def _decision(decision: Decision) -> Iterator[str]:
    yield _short(decision)
    yield f"  in {_plain(decision.task_name) or 'a deleted task'}, by {_plain(decision.author)}"
    yield f"  because {_plain(decision.rationale)}"
    for support in decision.supports:
        yield f"  rests on {_support(support)}"
    if decision.review_reason:
        yield f"  waits because {words.reason_words(decision.review_reason)}"


def _support(support: Support) -> str:
    match support:
        case DocumentSupport():
            return f"{_plain(support.document_key)}  {support.evidence_id}"
        case EventSupport():
            return f"event {support.seq} of {_plain(support.task_name) or 'a deleted task'}"
        case _:
            return f"decision {support.decision_id}"


def _short(decision: Decision) -> str:
    state = f"{decision.status}, {decision.review_state}"
    return (
        f"{decision.id}  {_plain(decision.choice_key)} r{decision.revision} ({state})"
        f"  {_plain(decision.conclusion)}"
    )


def _plain(text: str) -> str:
    """One line without what a terminal would act on: what agents wrote is not ours."""
    line = "".join(char if char.isprintable() else " " for char in text)
    return line if len(line) <= CUT else f"{line[: CUT - 1]}…"
