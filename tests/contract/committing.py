"""Changesets written by hand, and a small graph that they meet."""

from dataclasses import replace
from typing import Any

import pytest

from graphstore.changeset import Changeset, Create, Guard
from graphstore.store import GraphStore, Stale
from graphstore.verbs import Verb
from tests.contract.looking import dump
from tests.contract.seeding import Heard, Passage, Seed, derived, digest, named
from tests.contract.world import DAYS, POLICY
from tests.servers import RawGraph

ENTRY = {"_ctx_record": True, "id": "entry", "project_id": "p", "us": 1, "ctx_open": True}
CITED = Passage("policy", POLICY, DAYS)

IDS = {
    "Project": "p",
    "Document": named("Document", "policy"),
    "Task": derived("p", "t"),
    "Event": derived("Event", derived("p", "t"), 1),
    "Decision": derived("Decision", derived("p", "t"), "days", 1),
    "Step": derived("Step", derived("p", "t"), "read"),
    "CtxJob": derived("CtxJob", "p", "1"),
    "CtxScope": derived("CtxScope", "p", named("Document", "policy")),
    "CtxChoice": derived("CtxChoice", "p", "days"),
    "CtxStance": derived("CtxStance", derived("CtxChoice", "p", "days"), digest("30")),
    "CtxChain": derived("CtxChain", "p"),
    "CtxTrace": derived("CtxTrace", "p", "earlier"),
}
"""The records of `small` that guards are about."""


def small(seed: Seed) -> Seed:
    """A task with two events and a step, a document, and a decision on one of each and on another."""
    seed.project_node(review_epoch=3)
    seed.task("t")
    seed.events("t", "first", "second")
    seed.step("read")
    seed.document("policy", POLICY)
    scope = {"id": IDS["CtxScope"], "project_id": "p", "document_key": "policy", "granted": False}
    seed.create("CtxScope", [scope])
    seed.create(
        "CtxJob", [{"id": IDS["CtxJob"], "project_ids": ["p"], "kind": "delete_task", "step": 0}]
    )
    seed.counted("days", "30")
    parent = seed.decision("scope", Heard("t", 2))
    seed.decision("days", CITED, Heard("t", 1), parent)
    return seed


def written(*guards: Guard, **more: Any) -> Changeset:
    """A changeset whose only effect, besides `more`, is a ledger entry."""
    return Changeset(guards=list(guards), entries=[dict(ENTRY)], **more)


def stays_out(store: GraphStore, raw: RawGraph, verb: Verb, changes: Changeset) -> None:
    """The commit is refused, and the graph is to the letter as it was."""
    before = dump(raw)
    with pytest.raises(Stale):
        store.commit(verb, _seen(verb, changes))
    assert dump(raw) == before


def goes_in(store: GraphStore, raw: RawGraph, verb: Verb, changes: Changeset) -> None:
    """The commit is accepted and writes its ledger entry, which is taken away again."""
    before = dump(raw)
    store.commit(verb, _seen(verb, changes))
    (found,) = set(dump(raw)) - set(before)
    assert '"id": "entry"' in found
    raw.run("MATCH (n {id: 'entry'}) DELETE n")
    assert dump(raw) == before


def _seen(verb: Verb, changes: Changeset) -> Changeset:
    """Changes that leave something to be seen; a verb without ledger entry begins a chain instead."""
    if verb.entry:
        return changes
    return replace(changes, entries=[], creates=[*changes.creates, Create("CtxChain", ENTRY)])


def name_of(value: object) -> str:
    """The name of a verb or a label in a test's id."""
    return value.name if isinstance(value, Verb) else str(value)
