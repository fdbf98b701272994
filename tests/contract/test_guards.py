"""Every kind of guard is seen to fail and to hold, on every verb, and a failed commit leaves nothing.

Changesets are written by hand here and given to the engine; what they meet was put
there past it. Since a failed commit leaves nothing, which each test proves, they
share one graph.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from graphstore.changeset import (
    Append,
    Changeset,
    CitersHeld,
    Create,
    Erase,
    Guard,
    LivesHeld,
    SupportsHeld,
)
from graphstore.store import GraphStore
from graphstore.verbs import (
    CREATE_TASK,
    DELETE_TASK,
    PUT_DOCUMENT,
    RECORD_DECISION,
    RECORD_EVENTS,
    VERBS,
    Verb,
)
from tests.contract.committing import ENTRY, IDS, goes_in, name_of, small, stays_out, written
from tests.contract.conftest import opened
from tests.contract.seeding import MARK, Seed, derived, named
from tests.servers import RawGraph


class Shared(NamedTuple):
    """A store and its graph, which is the same after each test."""

    store: GraphStore
    raw: RawGraph


@pytest.fixture(scope="module")
def shared(engine: str, request: pytest.FixtureRequest) -> Iterator[Shared]:
    """One small graph for all tests here."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as raw:
        store = opened(raw.settings)
        seed = small(Seed(raw))
        seed.decision("bare")
        seed.create("Event", [MARK | {"id": "e", "task_id": "taken", "seq": 3}])
        seed.create("Request", [MARK | {"id": "r", "project_id": "p", "request_id": "r"}])
        seed.create("CtxTrace", [{"id": "taken"}])
        seed.create("CtxTrace", [{"id": IDS["CtxTrace"], "action": "create_task"}])
        seed.create("CtxChain", [{"id": IDS["CtxChain"], "sequence_number": 1, "head_hash": "h"}])
        seed.create("CtxJob", [{"id": "job"}])
        seed.create("CtxTombstone", [{"id": "buried", "project_id": "p", "lives": 2}])
        seed.create("_Node:Chunk", [{"id": "chunk"}])
        yield Shared(store, raw)
        store.close()


RIGHT: dict[str, dict[str, Any]] = {
    "Project": {"review_epoch": 3, "review_incomplete": False},
    "Document": {"activation_seq": 1, "document_key": "policy"},
    "Task": {"event_seq": 2, "name": "t"},
    "Event": {"seq": 1, "kind": "message", "truncated": False},
    "Decision": {"status": "active", "review_state": "clear", "revision": 1},
    "Step": {"state": "not_started", "updated_seq": 0},
    "CtxScope": {"granted": False, "document_key": "policy"},
    "CtxJob": {"step": 0, "kind": "delete_task"},
    "CtxChoice": {"stances": 1, "choice_key": "days"},
    "CtxStance": {"active": 1},
    "CtxChain": {"sequence_number": 1, "head_hash": "h"},
    "CtxTrace": {"action": "create_task"},
}
WRONG: dict[str, dict[str, Any]] = {
    "Project": {"review_epoch": 4},
    "Document": {"activation_seq": 2},
    "Task": {"event_seq": 1},
    "Event": {"truncated": True},
    "Decision": {"status": "rejected"},
    "Step": {"state": "completed"},
    "CtxScope": {"granted": True},
    "CtxJob": {"step": 1},
    "CtxChoice": {"stances": 2},
    "CtxStance": {"active": 2},
    "CtxChain": {"sequence_number": 2},
    "CtxTrace": {"action": "reject_decision"},
}
PRESENT = {
    "Project": "review_epoch",
    "Document": "current_content_hash",
    "Task": "goal",
    "Event": "payload",
    "Decision": "review_state",
    "Step": "kind",
    "CtxScope": "granted",
    "CtxJob": "kind",
    "CtxChoice": "stances",
    "CtxStance": "active",
    "CtxChain": "head_hash",
    "CtxTrace": "action",
}
MISSING = {
    "Project": "review_lock",
    "Document": "uri",
    "Task": "ctx_deleting",
    "Event": "redacted_at",
    "Decision": "review_reason",
    "Step": "result_event_seq",
    "CtxScope": "document_id",
    "CtxJob": "ctx_open",
    "CtxChoice": "document_id",
    "CtxStance": "document_id",
    "CtxChain": "document_id",
    "CtxTrace": "sequence_number",
}

GUARDED = [(verb, label) for verb in VERBS for label in verb.guards]
BOUNDED = [verb for verb in VERBS if "Task" in verb.guards]
COUNTED = [verb for verb in VERBS if verb.supports_held]
CITERS = [verb for verb in VERBS if verb.citers_held]
BURYING = [verb for verb in VERBS if verb.lives_held]


@pytest.mark.parametrize(("verb", "label"), GUARDED, ids=name_of)
def test_a_property_that_equals_what_was_seen_holds(verb: Verb, label: str, shared: Shared) -> None:
    """A guard on what is there, and on what is not there, lets the commit through."""
    guard = Guard(label, IDS[label], RIGHT[label], (MISSING[label],))
    goes_in(*shared, verb, written(guard))


@pytest.mark.parametrize(("verb", "label"), GUARDED, ids=name_of)
def test_a_property_that_differs_fails(verb: Verb, label: str, shared: Shared) -> None:
    """A guard on another value than the node has stops the commit."""
    guard = Guard(label, IDS[label], RIGHT[label] | WRONG[label])
    stays_out(*shared, verb, written(guard))


@pytest.mark.parametrize(("verb", "label"), GUARDED, ids=name_of)
def test_a_property_that_is_gone_fails(verb: Verb, label: str, shared: Shared) -> None:
    """A guard on a value that the node no longer has at all stops the commit."""
    guard = Guard(label, IDS[label], {MISSING[label]: "something"})
    stays_out(*shared, verb, written(guard))


@pytest.mark.parametrize(("verb", "label"), GUARDED, ids=name_of)
def test_a_property_that_appeared_fails(verb: Verb, label: str, shared: Shared) -> None:
    """A guard on absence stops the commit when the property is there."""
    guard = Guard(label, IDS[label], {}, (MISSING[label], PRESENT[label]))
    stays_out(*shared, verb, written(guard))


@pytest.mark.parametrize(("verb", "label"), GUARDED, ids=name_of)
def test_a_node_that_is_gone_fails(verb: Verb, label: str, shared: Shared) -> None:
    """A guard that asks for nothing but the node stops the commit when there is none."""
    stays_out(*shared, verb, written(Guard(label, "nowhere")))


@pytest.mark.parametrize(("verb", "label"), GUARDED, ids=name_of)
def test_one_failing_guard_among_many_fails(verb: Verb, label: str, shared: Shared) -> None:
    """All guards of all labels must hold, in one group or in several."""
    rights = [Guard(x, IDS[x], RIGHT[x]) for x in verb.guards]
    extra = [Guard(label, IDS[label], RIGHT[label] | WRONG[label])]
    stays_out(*shared, verb, written(*rights, *extra))


@pytest.mark.parametrize("verb", BOUNDED, ids=name_of)
@pytest.mark.parametrize(("low", "high"), [(3, 9), (0, 1)])
def test_event_numbers_outside_the_bounds_fail(
    verb: Verb, low: int, high: int, shared: Shared
) -> None:
    """A task whose last number the commit has no ids for stops it, from above and from below."""
    guard = Guard("Task", IDS["Task"], low=low, high=high)
    stays_out(*shared, verb, written(guard))


@pytest.mark.parametrize("verb", BOUNDED, ids=name_of)
@pytest.mark.parametrize(("low", "high"), [(2, 2), (0, 2), (2, 17)])
def test_event_numbers_within_the_bounds_hold(
    verb: Verb, low: int, high: int, shared: Shared
) -> None:
    """Both bounds are inclusive."""
    goes_in(*shared, verb, written(Guard("Task", IDS["Task"], low=low, high=high)))


@pytest.mark.parametrize("verb", COUNTED, ids=name_of)
@pytest.mark.parametrize("count", [0, 2, 4])
def test_another_number_of_supports_fails(verb: Verb, count: int, shared: Shared) -> None:
    """A judged decision that has more or fewer supports than seen stops the commit."""
    held = [SupportsHeld(IDS["Decision"], count)]
    stays_out(*shared, verb, written(supports_held=held))


@pytest.mark.parametrize("verb", COUNTED, ids=name_of)
def test_the_number_of_supports_seen_holds(verb: Verb, shared: Shared) -> None:
    """As many supports as seen let the commit through, also when there are none."""
    bare = derived("Decision", IDS["Task"], "bare", 1)
    held = [SupportsHeld(IDS["Decision"], 3), SupportsHeld(bare, 0)]
    goes_in(*shared, verb, written(supports_held=held))


@pytest.mark.parametrize("verb", COUNTED, ids=name_of)
def test_supports_of_a_missing_decision_fail(verb: Verb, shared: Shared) -> None:
    """A judged decision that is gone stops the commit, whatever number was seen."""
    stays_out(*shared, verb, written(supports_held=[SupportsHeld("nowhere", 0)]))


@pytest.mark.parametrize("verb", BURYING, ids=name_of)
def test_the_number_of_lives_seen_holds(verb: Verb, shared: Shared) -> None:
    """As many lives of a name as seen let the commit through, also when it had none."""
    held = [LivesHeld("buried", 2), LivesHeld("nowhere", 0)]
    goes_in(*shared, verb, written(lives_held=held))


@pytest.mark.parametrize("seen", [("buried", 0), ("buried", 1), ("buried", 3), ("nowhere", 1)])
@pytest.mark.parametrize("verb", BURYING, ids=name_of)
def test_another_number_of_lives_fails(verb: Verb, seen: tuple[str, int], shared: Shared) -> None:
    """A name that was buried since, or whose burial was half seen, stops the commit."""
    stays_out(*shared, verb, written(lives_held=[LivesHeld("nowhere", 0), LivesHeld(*seen)]))


def _support(ordinal: int) -> str:
    return derived("Support", IDS["Decision"], ordinal)


SCOPE_SUPPORT = derived("Support", derived("Decision", IDS["Task"], "scope", 1), 0)
ERASED = Erase(IDS["Task"], "p", whole=True, made=0, support_ids=(), choice_ids=(), emptied="{}")


@pytest.mark.parametrize(
    "seen",
    [
        {"made": 2, "support_ids": ("else",)},
        {"made": 4},
        {"support_ids": (_support(1), _support(2))},
        {"support_ids": (_support(1), _support(2), "else")},
        {"task_id": "nowhere"},
    ],
    ids=["others", "a decision more", "a support less", "another support", "no task"],
)
def test_a_task_that_is_not_as_it_was_seen_is_not_erased(
    seen: dict[str, Any], shared: Shared
) -> None:
    """A decision made in it, or a support that cites it, stops the deletion when it came or went."""
    known = {"made": 3, "support_ids": (*(_support(k) for k in (1, 2)), SCOPE_SUPPORT)}
    erase = replace(ERASED, **{**known, **seen})
    stays_out(*shared, DELETE_TASK, written(erase=erase))


CITED_BY = [
    ("document_node_id", IDS["Document"], _support(0)),
    ("event_id", IDS["Event"], _support(1)),
]


@pytest.mark.parametrize("verb", CITERS, ids=name_of)
@pytest.mark.parametrize(("key", "ref", "support"), CITED_BY, ids=["document", "event", ""][:2])
@pytest.mark.parametrize("seen", ["none", "another", "one more"])
def test_other_citers_than_those_seen_fail(
    verb: Verb, key: str, ref: str, support: str, seen: str, shared: Shared
) -> None:
    """A support that came, went or was replaced stops the commit."""
    ids = {"none": (), "another": ("else",), "one more": (support, "else")}[seen]
    stays_out(*shared, verb, written(citers_held=[CitersHeld(key, ref, ids)]))


@pytest.mark.parametrize("verb", CITERS, ids=name_of)
@pytest.mark.parametrize(("key", "ref", "support"), CITED_BY, ids=["document", "event"])
def test_a_citer_that_appeared_elsewhere_in_the_changeset_fails(
    verb: Verb, key: str, ref: str, support: str, shared: Shared
) -> None:
    """One set that still holds does not excuse another that does not."""
    held = [CitersHeld(key, ref, (support,)), CitersHeld(key, "uncited", ("else",))]
    stays_out(*shared, verb, written(citers_held=held))


@pytest.mark.parametrize("verb", CITERS, ids=name_of)
@pytest.mark.parametrize(("key", "ref", "support"), CITED_BY, ids=["document", "event"])
def test_exactly_the_citers_seen_hold(
    verb: Verb, key: str, ref: str, support: str, shared: Shared
) -> None:
    """The same supports let the commit through, and so does a source that nobody cites."""
    held = [CitersHeld(key, ref, (support,)), CitersHeld(key, "uncited", ())]
    goes_in(*shared, verb, written(citers_held=held))


TAKEN: dict[str, tuple[Verb, Changeset]] = {
    "Project": (
        CREATE_TASK,
        Changeset(creates=[Create("Project", MARK | {"project_id": "p"})]),
    ),
    "Task by id": (
        CREATE_TASK,
        Changeset(
            creates=[Create("Task", MARK | {"id": IDS["Task"], "project_id": "p", "name": "other"})]
        ),
    ),
    "Task by name": (
        CREATE_TASK,
        Changeset(creates=[Create("Task", MARK | {"id": "other", "project_id": "p", "name": "t"})]),
    ),
    "Decision by id": (
        RECORD_DECISION,
        Changeset(
            creates=[
                Create(
                    "Decision",
                    MARK
                    | {
                        "id": IDS["Decision"],
                        "task_id": IDS["Task"],
                        "choice_key": "other",
                        "revision": 1,
                        "conclusion": "c",
                        "rationale": "r",
                    },
                    IDS["Task"],
                )
            ]
        ),
    ),
    "Decision by choice and revision": (
        RECORD_DECISION,
        Changeset(
            creates=[
                Create(
                    "Decision",
                    MARK
                    | {
                        "id": "other",
                        "task_id": IDS["Task"],
                        "choice_key": "days",
                        "revision": 1,
                        "conclusion": "c",
                        "rationale": "r",
                    },
                    IDS["Task"],
                )
            ]
        ),
    ),
    "DecisionSupport": (
        RECORD_DECISION,
        Changeset(creates=[Create("DecisionSupport", MARK | {"id": _support(0)}, IDS["Decision"])]),
    ),
    "Document": (
        PUT_DOCUMENT,
        Changeset(creates=[Create("Document", {"id": IDS["Document"], "document_key": "other"})]),
    ),
    "Chunk": (
        PUT_DOCUMENT,
        Changeset(creates=[Create("Chunk", {"id": "chunk"}, IDS["Document"])]),
    ),
    "DocumentActivation": (
        PUT_DOCUMENT,
        Changeset(
            creates=[
                Create(
                    "DocumentActivation",
                    {"id": named("DocumentActivation", "policy:1")},
                    IDS["Document"],
                )
            ]
        ),
    ),
    "Event by id": (
        RECORD_EVENTS,
        Changeset(
            appends=[Append(IDS["Task"], 2, [IDS["Event"]], [MARK | {"task_id": IDS["Task"]}])]
        ),
    ),
    "Event by number": (
        RECORD_EVENTS,
        Changeset(appends=[Append(IDS["Task"], 2, ["new"], [MARK | {"task_id": "taken"}])]),
    ),
    "Request": (
        CREATE_TASK,
        Changeset(request=MARK | {"id": "other", "project_id": "p", "request_id": "r"}),
    ),
    "CtxJob": (PUT_DOCUMENT, Changeset(creates=[Create("CtxJob", {"id": "job"})])),
    "CtxTrace": (CREATE_TASK, Changeset(entries=[ENTRY | {"id": "taken"}])),
}


@pytest.mark.parametrize("key", TAKEN)
def test_a_key_that_is_taken_fails(key: str, shared: Shared) -> None:
    """Whoever creates what somebody else created meanwhile is stopped by the key."""
    verb, changes = TAKEN[key]
    stays_out(*shared, verb, replace(changes, entries=changes.entries or [dict(ENTRY)]))
