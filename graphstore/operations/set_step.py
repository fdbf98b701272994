"""Set a step: a named piece of work of a task, its state and what its result rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset, Cites, Create, Guard, Props, Scope
from graphstore.ids import derived_id, sha256
from graphstore.operations import citing
from graphstore.operations.flagging import unchanged
from graphstore.records import (
    FetchOutcome,
    Step,
    StepKind,
    StepResultBasis,
    StepState,
    SupportInput,
)
from graphstore.refusals import WriteErrorCode
from graphstore.results import SetStepResult
from graphstore.rows import Row
from graphstore.schema import MARKER
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import SET_STEP


@dataclass(frozen=True)
class NewStep:
    """What a step is to be from now on."""

    name: str
    state: StepState
    kind: StepKind
    result_event_seq: int | None
    result_basis: StepResultBasis
    supports: Sequence[SupportInput]
    fetched: Sequence[FetchOutcome]

    @property
    def completed(self) -> bool:
        return self.state is StepState.COMPLETED

    @property
    def supported(self) -> bool:
        """Whether it keeps its supports; otherwise they are dropped, as in the library."""
        return self.completed and self.result_basis is StepResultBasis.SUPPORTED

    def arguments(self, task_name: str) -> dict[str, Any]:
        """What the reference library's digest covers."""
        return {
            "task_name": task_name,
            "name": self.name,
            "state": self.state.value,
            "kind": self.kind.value,
            "result_event_seq": self.result_event_seq,
            "result_basis": self.result_basis.value,
            "supports": [s.model_dump(mode="json") for s in self.supports],
            "fetched_evidence": [f.model_dump(mode="json") for f in self.fetched],
        }

    def cited(self, task_name: str) -> dict[str, Any]:
        """As `arguments`, without fetched evidence that no support cites."""
        evidence = citing.cited_evidence(self.supports, self.fetched)
        return {**self.arguments(task_name), "fetched_evidence": evidence}


class Gathered(NamedTuple):
    request: Row
    entry: Row
    task: Row
    step: Row
    event: Row
    documents: list[Row]
    chunks: list[Row]
    events: list[Row]
    decisions: list[Row]


def set_step(store: GraphStore, call: Call, task_name: str, new: NewStep) -> SetStepResult:
    """Create the step or set it anew; any state may follow any other.

    Supports count only for a completed step of basis `supported`, whose sources must be
    as they were fetched. Refusals, in this order: `task_not_found`, `support_required`
    (no supports), `support_invalid` (a support that cannot be cited, or a source that
    changed), `event_not_found` (the result), `support_invalid` (a completed step whose
    result is redacted or truncated), and before all `request_id_reused`,
    `invalid_request_id`, `invalid_text`, `invalid_name`, `name_too_long`. Seed: history and
    decisions, Steps.
    """
    if error := call.invalid():
        return _refuse(error)
    keys = {
        **call.keys(),
        "task_name": task_name,
        "step": new.name,
        "seq": -1 if new.result_event_seq is None else new.result_event_seq,
        **citing.keys(new.supports if new.supported else ()),
    }
    return write(
        store,
        SET_STEP,
        lambda: Gathered(*store.read("set_step", keys, leader=True)[0]),
        lambda seen: plan(call, new, seen),
    )


def plan(call: Call, new: NewStep, seen: Gathered) -> Planned[SetStepResult] | SetStepResult:
    """What setting the step changes, given what was read."""
    replayed = call.replay(seen.request, SetStepResult.model_validate_json, _refuse)
    if replayed is not None:
        return replayed
    if call.landed(seen.request, seen.entry):
        step = rows.step_record(seen.step) if rows.found(seen.step) else None
        return SetStepResult(recorded=True, step=step)
    if not rows.found(seen.task):
        return _refuse(WriteErrorCode.TASK_NOT_FOUND)
    cited, elsewhere = citing.Cited(), set[str]()
    if new.supported:
        resolved = _resolve(new, seen)
        if isinstance(resolved, WriteErrorCode):
            return _refuse(resolved)
        cited = resolved
        elsewhere = {row[3] for row in seen.events} - {seen.task[0]}
    result_guards = _result(new, seen.event)
    if isinstance(result_guards, WriteErrorCode):
        return _refuse(result_guards)
    task = rows.task(seen.task)
    guards = [Guard("Task", str(task.id)), *cited.guards, *result_guards]
    # The log may have grown since the task was read, but not beyond what is named here.
    props = _props(new, cited, max(task.event_seq, new.result_event_seq or 0))
    return _planned(call, new, seen, guards, props, cited, elsewhere)


def _planned(
    call: Call,
    new: NewStep,
    seen: Gathered,
    guards: list[Guard],
    props: Props,
    cited: citing.Cited,
    elsewhere: set[str],
) -> Planned[SetStepResult]:
    task_id = seen.task[0]
    before = rows.named("step", seen.step) if rows.found(seen.step) else {}
    step_id = before.get("id") or derived_id("Step", task_id, new.name)
    own: Props = {**props, **own_props(call, props)}
    documents = [s["document_node_id"] for s in cited.props if s["kind"] == "document"]
    changes = Changeset(
        guards=guards,
        cites=[Cites(step_id, tuple(documents))],
        scopes=Scope.cited(call.project_id, cited.props),
        changes=[names_task(call, task) for task in sorted(elsewhere)],
    )
    if before:
        guards.append(step_guard(step_id, before))
        changes.changes.append(Change("Step", step_id, own))
    else:
        named = {MARKER: True, "id": step_id, "task_id": task_id, "name": new.name}
        changes.creates.append(Create("Step", {**named, **own, "ctx_version": 1}, task_id))
    record = Step.model_validate(
        {
            **props,
            "id": step_id,
            "task_id": task_id,
            "name": new.name,
            "result_supports": cited.props,
        }
    )
    result = SetStepResult(recorded=True, step=record)
    enumerated = ("state", "kind", "result_basis", "result_event_seq", "updated_seq")
    changes.entries = [
        call.entry(
            Entry(
                task_id=task_id,
                created=() if before else (step_id,),
                changed={step_id: {key: [before.get(key), props[key]] for key in enumerated}},
                hashes={step_id: sha256(new.name), f"{step_id}/supports": _hash(props)},
            )
        )
    ]
    changes.request = call.request(dump(result), task_id)
    return Planned(changes, lambda _: result)


def _resolve(new: NewStep, seen: Gathered) -> citing.Cited | WriteErrorCode:
    if not new.supports:
        return WriteErrorCode.SUPPORT_REQUIRED
    cited = citing.resolve(
        new.supports, new.fetched, seen.documents, seen.chunks, seen.events, seen.decisions
    )
    if isinstance(cited, WriteErrorCode) or cited.changed:
        return WriteErrorCode.SUPPORT_INVALID
    return cited


def _result(new: NewStep, event: Row) -> list[Guard] | WriteErrorCode:
    """What must stay true of the event that holds the result."""
    if new.result_event_seq is None:
        return []
    if not rows.found(event):
        return WriteErrorCode.EVENT_NOT_FOUND
    _, event_id, redacted_at, truncated = event
    if not new.completed:
        return []
    if redacted_at is not None or truncated:
        return WriteErrorCode.SUPPORT_INVALID
    # The library, killed between its two statements, leaves an event without its id.
    return [Guard("Event", event_id, absent=("redacted_at",))] if event_id else []


def _props(new: NewStep, cited: citing.Cited, updated_seq: int) -> Props:
    return {
        "kind": new.kind.value,
        "state": new.state.value,
        "result_event_seq": new.result_event_seq,
        "updated_seq": updated_seq,
        "result_basis": new.result_basis.value,
        "result_supports": rows.canonical([_stored(s) for s in cited.props]),
    }


def _stored(support: Props) -> Props:
    """A support as the library keeps it in a step: every field of its record, and no more."""
    reviewed = ("reviewed_by", "reviewed_at", "review_explanation")
    kept = {key: value for key, value in support.items() if key != "target_decision_id"}
    return {**dict.fromkeys(reviewed), "current": True, **kept}


def _hash(props: Props) -> str:
    return sha256(props["result_supports"])


def own_props(call: Call, props: Props) -> Props:
    """Who set the step so, when, in which project, and a digest that shows whether it still is so."""
    return {
        "ctx_author": call.actor.agent_id,
        "ctx_at": rows.iso(call.at),
        "ctx_project_id": call.project_id,
        "ctx_as_set": rows.as_set(props),
    }


def step_guard(step_id: str, before: Props) -> Guard:
    """The step as it was read, whoever sets it next."""
    watched = (*rows.STEP_PROPERTIES, "ctx_version")
    seen, absent = unchanged({key: before.get(key) for key in watched})
    return Guard("Step", step_id, seen, absent)


def names_task(call: Call, task_id: str) -> Change:
    """Leave a mark on a task whose name is stored elsewhere from now on.

    A step has no relationship to what it cites, so a deletion that has looked for the name
    guards this mark.
    """
    return Change("Task", task_id, {"ctx_cited_by": call.entry_id})


def _refuse(error: WriteErrorCode) -> SetStepResult:
    return SetStepResult(recorded=False, error=error)
