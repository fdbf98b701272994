"""Mend logs, steps, stored results and counts that another writer left wrong."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry
from graphstore.changeset import Change, Changeset, Cites, Guard, Scope
from graphstore.ids import derived_id
from graphstore.operations.redact_event import REDACTED
from graphstore.operations.set_step import step_guard
from graphstore.refusals import WriteErrorCode
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import MEND_RECORDS

MAX_NUMBERS = 1000
"""How many lost numbers of one log are looked at; more are left as they are."""
EMPTIED = json.dumps({"recorded": False, "error": WriteErrorCode.TASK_NOT_FOUND})
"""The stored result of a request whose task is gone."""


class Mended(NamedTuple):
    """What a commit mended, by kind, and what it had to leave, by reason."""

    kinds: Counter[str]
    left: Counter[str]


Plan = Callable[[Call, Row, Changeset, Mended], None]


def mend_tasks(store: GraphStore, project_id: str, call: Call, ids: Sequence[str]) -> Mended:
    """Mend last numbers, events without id, and what steps rest on.

    A log whose last events are lost gets its last number back unless something still cites
    them: their numbers would then name other events.
    """
    step = Call("mended", project_id, call.actor, {})
    seen = store.read("mend_tasks", {**step.keys(), "ids": list(ids), "lost": []}, leader=True)[0]
    lost = {
        task_id: [derived_id("Event", task_id, seq) for seq in range(last + 1, told + 1)]
        for task_id, told, last, _, _ in seen[1]
        if last < told <= last + MAX_NUMBERS
    }
    more = {"ids": list(ids), "lost": [i for own in lost.values() for i in own]}
    plan = partial(_tasks, lost)
    return _mend(store, "mend_tasks", project_id, call, more, plan)


def mend_choices(store: GraphStore, project_id: str, call: Call, ids: Sequence[str]) -> Mended:
    """Count the active decisions of choices anew."""
    return _mend(store, "mend_choices", project_id, call, {"ids": list(ids)}, _choices)


def erase_copies(
    store: GraphStore, project_id: str, call: Call, events: Sequence[str], tasks: Sequence[str]
) -> Mended:
    """Erase bodies of redacted events and results of deleted tasks from stored results."""
    more = {"events": list(events), "tasks": list(tasks), "words": [*events, *tasks]}
    plan = partial(_copies, list(tasks))
    return _mend(store, "mend_copies", project_id, call, more, plan)


def _mend(
    store: GraphStore,
    name: str,
    project_id: str,
    call: Call,
    more: Mapping[str, Any],
    plan: Plan,
) -> Mended:
    step = Call("mended", project_id, call.actor, {})
    p = {**step.keys(), **more}
    tried = [Mended(Counter(), Counter())]

    def planned(seen: Row) -> Planned[Mended] | Mended:
        if rows.found(seen[0]):
            # An earlier try landed and its answer was lost.
            return tried[0]
        mended = Mended(Counter(), Counter())
        tried[0] = mended
        changes = Changeset()
        plan(step, seen, changes, mended)
        if mended.kinds:
            touched = [*(c.id for c in changes.changes), *(i for _, _, i in changes.identified)]
            own = {identity: {"mended": [None, True]} for identity in touched}
            changes.entries = [step.entry(Entry(changed=own, cause=",".join(sorted(mended.kinds))))]
        if not (changes.changes or changes.cites or changes.identified):
            return mended
        return Planned(changes, lambda _: mended)

    return write(store, MEND_RECORDS, lambda: store.read(name, p, leader=True)[0], planned)


def _tasks(
    lost: Mapping[str, Sequence[str]], call: Call, seen: Row, changes: Changeset, mended: Mended
) -> None:
    cited = set[str](seen[2])
    for task_id, told, last, nameless, steps in seen[1]:
        before = mended.kinds.total()
        for seq in nameless:
            mended.kinds["event_without_id"] += 1
            changes.identified.append((task_id, seq, derived_id("Event", task_id, seq)))
        own = lost.get(task_id, ())
        if told > last and (len(own) != told - last or cited.intersection(own)):
            mended.left["numbers_cited"] += 1
        elif told != last:
            mended.kinds["event_number"] += 1
            changes.changes.append(Change("Task", task_id, {"event_seq": last}))
        for row, project_id, joined in steps:
            _step(call, row, project_id, joined, changes, mended)
        if mended.kinds.total() > before:
            changes.guards.append(Guard("Task", task_id, low=told, high=told))


def _step(
    call: Call,
    row: Row,
    project_id: str | None,
    joined: Sequence[str],
    changes: Changeset,
    mended: Mended,
) -> None:
    """Join a step that the library set to the documents that its result rests on."""
    step = rows.named("step", row)
    try:
        supports = json.loads(step["result_supports"])
    except ValueError:
        mended.left["step_unreadable"] += 1
        return
    documents = [s for s in supports if s.get("document_node_id")]
    rests = {s["document_node_id"] for s in documents}
    if rests == set(joined) and (not rests or project_id == call.project_id):
        return
    mended.kinds["step_sources"] += 1
    changes.guards.append(step_guard(step["id"], step))
    changes.changes.append(
        Change("Step", step["id"], {"ctx_project_id": call.project_id}, revises=False)
    )
    changes.cites.append(Cites(step["id"], tuple(sorted(rests))))
    changes.scopes += Scope.cited(call.project_id, documents)


def _copies(
    tasks: Sequence[str], call: Call, seen: Row, changes: Changeset, mended: Mended
) -> None:
    del call
    _, redacted, there, requests = seen
    deleted = set(tasks).difference(there)
    for identity, operation, task_id, text in requests:
        if operation != "delete_task" and _tells_of(text, task_id, deleted):
            mended.kinds["kept_body"] += 1
            changes.changes.append(Change("Request", identity, {"result_json": EMPTIED}))
            continue
        try:
            before, after = json.loads(text), text
            for event_id, at in redacted:
                after = scrubbed(after, event_id, at)
        except ValueError:
            mended.left["result_unreadable"] += 1
            continue
        if json.loads(after) != before:
            mended.kinds["kept_body"] += 1
            changes.changes.append(Change("Request", identity, {"result_json": after}))
    # Once is enough: nobody makes a copy of a body that is gone.
    changes.changes += [Change("Event", i, {"ctx_emptied": True}) for i, _ in redacted]


def _tells_of(text: str, task_id: str | None, deleted: set[str]) -> bool:
    """Whether a stored result is about a task that is gone and was not emptied with it."""
    if text == EMPTIED or not text.startswith(('{"recorded":true', '{"recorded": true')):
        return False
    return task_id in deleted or any(
        f'"task_id":"{i}"' in text or f'"task":{{"id":"{i}"' in text for i in deleted
    )


def _choices(call: Call, seen: Row, changes: Changeset, mended: Mended) -> None:
    del call
    for choice_id, stances, sides, decided in seen[1]:
        counts = Counter[str](side for _, side in decided)
        wrong = [(i, active) for i, active in sides if active != counts[i]]
        if stances == len(counts) and not wrong and len(counts) <= len(sides):
            continue
        known = {i for i, _ in sides}
        if not known.issuperset(counts):
            # Whoever takes the decision in makes its side; nothing is made up here.
            mended.left["side_unknown"] += 1
            continue
        mended.kinds["choice_count"] += 1
        changes.guards.append(Guard("CtxChoice", choice_id, {"stances": stances}))
        changes.guards += [Guard("CtxStance", i, {"active": active}) for i, active in sides]
        changes.guards += [
            Guard("Decision", i, {"status": "active", "ctx_stance": side}) for i, side in decided
        ]
        changes.changes += [Change("CtxStance", i, {"active": counts[i]}) for i, _ in wrong]
        changes.changes.append(Change("CtxChoice", choice_id, {"stances": len(counts)}))


def scrubbed(text: str, event_id: str, redacted_at: str) -> str:
    """A stored result without the body of one event."""

    def scrub(fields: dict[str, Any]) -> dict[str, Any]:
        if fields.get("id") == event_id and "payload" in fields:
            return {**fields, "payload": REDACTED, "redacted_at": redacted_at}
        return fields

    return json.dumps(json.loads(text, object_hook=scrub))
