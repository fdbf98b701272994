"""The library leaves damage behind, by its own operations, races and deaths; the sweep mends it.

Its races are brought about as they happen: another writer comes in where it has checked and
not yet written. It dies where its process would: on FalkorDB between two statements, since
there each stands alone. What no writer of the library can do is in `tests/contract/test_sweep.py`.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from agrag.common.data_models.task import StepResultBasis, StepState
from agrag.decisions import DecisionTraces as TheirTraces

from graphstore.sweep import Swept, sweep
from tests.interop.console import Index
from tests.interop.library import Peer
from tests.interop.world import (
    HANDBOOK,
    POLICY,
    POLICY_SHORTER,
    Side,
    World,
    decision,
    document,
    event,
    our_event,
)
from tests.servers import GraphSettings

SECRET = "secret-4711"


@pytest.fixture(scope="module")
def other(shared_graph: GraphSettings) -> Iterator[Peer]:
    """A second process of the library on the same graph."""
    peer = Peer.on(shared_graph)
    yield peer
    peer.close()


class Dies(Exception):
    """The library's process ends here."""


def dies(*_: Any) -> str:
    """In place of the text of a statement that is never sent."""
    raise Dies


def swept(side: Side) -> Swept:
    """Sweep as a process that never did; then again, which finds nothing."""
    first = sweep(side.store, side.project)
    again = sweep(side.store, side.project)
    assert (again.mended, again.left, again.more) == ({}, {}, False)
    return first


def level(world: World) -> Side:
    """The project once the console has taken in what the library recorded."""
    Index(world.side).look()
    return world.side


def state(side: Side, decision_id: object) -> tuple[str, str | None]:
    """What is stored of a decision's review."""
    node = side.peer.node("Decision", id=str(decision_id))
    return node["review_state"], node.get("review_reason")


def interposed(monkeypatch: pytest.MonkeyPatch, side: Side, act: Callable[[], object]) -> None:
    """Let somebody else act once, when the library has checked what a decision cites."""
    checked = TheirTraces.resolve_supports
    acts = [act]

    async def resolve(self: TheirTraces, *args: Any, **named: Any) -> Any:
        found = await checked(self, *args, **named)
        while acts:
            await asyncio.to_thread(acts.pop())
        return found

    monkeypatch.setattr(TheirTraces, "resolve_supports", resolve)


def test_a_recording_that_missed_an_update(
    world: World, other: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays clear on a version that is gone, and the library never looks at it again."""
    side = level(world)
    update = other.library(side.project)
    interposed(monkeypatch, side, lambda: update.put_document(side.policy, POLICY_SHORTER))
    cited = side.cite(POLICY, "Shipping is never refunded")
    made = side.library.record_decision(
        "letters",
        "ship",
        "No.",
        supports=[document(cited)],
        fetched_evidence=side.their_fetch(cited),
    ).decision
    assert made is not None
    side.library.drain()
    assert state(side, made.id) == ("clear", None)
    assert swept(side).mended["outdated_version"] == 1
    assert state(side, made.id) == ("needs_review", "source_changed")


@pytest.mark.parametrize("engine", ["embedded"], indirect=True)
def test_a_reaffirmation_that_missed_an_update(
    world: World, other: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a recording; the console has long taken this decision in, so nothing about it is new."""
    side = level(world.changed().drained())
    Index(side).look()
    update = other.library(side.project)
    interposed(monkeypatch, side, lambda: update.put_document(side.policy, POLICY))
    cited = side.cite(POLICY_SHORTER, "Refunds are paid within 15 days")
    assert side.library.reaffirm_decision(
        world.days, [document(cited)], fetched_evidence=side.their_fetch(cited)
    ).recorded
    side.library.drain()
    assert state(side, world.days) == ("clear", None)
    assert swept(side).mended["outdated_version"] == 1
    assert state(side, world.days) == ("needs_review", "source_changed")


@pytest.mark.parametrize("engine", ["embedded"], indirect=True)
def test_a_drain_that_died_between_claim_and_expansion(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The queue looks empty, and dependents of a rejected decision stay clear."""
    side = level(world)
    assert side.library.reject_decision(world.days, "No.").recorded
    with monkeypatch.context() as patched:
        patched.setattr("agrag.decisions.expand_review_unit_query", dies)
        with pytest.raises(Dies):
            side.library.continue_decision_review()
    assert side.library.continue_decision_review() == 0
    assert state(side, world.mail) == ("clear", None)
    assert swept(side).mended["fallen_parent"] == 1
    assert (
        state(side, world.mail)
        == state(side, world.letter)
        == (
            "needs_review",
            "dependency_review",
        )
    )


@pytest.mark.parametrize("engine", ["embedded"], indirect=True)
def test_a_second_drain_that_lifts_the_mark_too_soon(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Children are queued while the project reads as finished: a grandchild would read clear."""
    side = level(world)
    world.changed()
    with monkeypatch.context() as patched:
        patched.setattr("agrag.decisions.expand_review_unit_query", dies)
        with pytest.raises(Dies):
            side.library.continue_decision_review()
    side.library.continue_decision_review()
    side.peer.write(
        "MATCH (d:Decision {id: $id}) SET d.review_state = 'needs_review', "
        "d.review_reason = 'dependency_review', d.review_pending = true RETURN d.id",
        id=str(world.mail),
    )
    assert not side.peer.node("Project", project_id=side.project)["review_incomplete"]
    assert swept(side).mended["mark_missing"] == 1
    assert state(side, world.letter) == ("needs_review", "dependency_review")


@pytest.mark.parametrize("engine", ["embedded"], indirect=True)
def test_an_event_whose_writer_died(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its id was never set, and the library's own list fails on the whole page."""
    side = level(world)
    with monkeypatch.context() as patched:
        patched.setattr("agrag.history.tasks.set_event_id_query", dies)
        with pytest.raises(Dies):
            side.library.record_event("audit", "half written")
    assert swept(side).mended == {"event_without_id": 1}
    assert [e.payload for e in side.library.list_events("audit").events][-1] == "half written"


def test_a_redaction_leaves_the_body_in_its_request(world: World) -> None:
    """Of the library's request and of ours."""
    side = level(world)
    theirs = side.library.record_event("audit", SECRET, request_id="r-1").event
    ours = side.history.record_event("audit", "note", payload=SECRET, request_id="r-2").event
    assert theirs is not None
    assert ours is not None
    assert side.library.redact_event(theirs.id).recorded
    assert side.library.redact_event(ours.id).recorded
    assert SECRET in str(side.peer.nodes("Request", project_id=side.project))
    assert swept(side).mended == {"kept_body": 2}
    assert SECRET not in str(side.peer.nodes("Request", project_id=side.project))
    assert side.library.record_event("audit", SECRET, request_id="r-1").event is not None


def test_a_deletion_leaves_the_bodies_in_requests(world: World) -> None:
    """A late retry answers that there is no such task, on either side, and tells nothing."""
    side = level(world)
    assert side.library.create_task("gone", "A goal.", request_id="r-0").recorded
    side.library.record_event("gone", SECRET, request_id="r-1")
    side.history.record_event("gone", "note", payload=SECRET, request_id="r-2")
    assert side.library.delete_task("gone").recorded
    assert swept(side).mended == {"kept_body": 3}
    assert SECRET not in str(side.peer.nodes("Request", project_id=side.project))
    again = side.library.record_event("gone", SECRET, request_id="r-1")
    assert (again.recorded, str(again.error)) == (False, "task_not_found")


def test_decisions_whose_task_the_library_deleted(world: World) -> None:
    """They say that their task is gone, and what they cited of it is marked for good."""
    side = level(world)
    assert side.library.delete_task("audit", include_decisions=False).recorded
    found = swept(side).mended
    assert (found["orphan"], found["gone_unsaid"]) == (3, 2)
    read = side.traces.get_decision(world.days).decision
    assert read is not None
    assert read.task_deleted
    assert side.peer.node("Decision", id=str(world.scope))["ctx_task_gone"]
    side.library.create_task("audit", "Another goal.")
    side.library.record_event("audit", "another")
    side.library.record_event("audit", "and another")
    assert not side.traces.reaffirm_decision(world.scope, []).recorded
    assert state(side, world.scope) == ("needs_review", "source_removed")


def test_a_conflict_that_the_library_deleted(world: World) -> None:
    """The count of conflicts beside the page's name falls again."""
    side = level(world)
    for task, says in (("one", "30"), ("two", "15")):
        side.library.create_task(task, "A goal.")
        side.traces.record_decision(task, "days", says, "r", supports=[our_event("audit", 1)])
    assert side.traces.count_conflicts() == 1
    assert side.library.delete_task("two").recorded
    assert side.library.delete_task("one").recorded
    assert swept(side).mended == {"choice_count": 1}
    assert side.traces.count_conflicts() == 0


def test_a_step_that_the_library_set_opens_its_document(world: World) -> None:
    """Its source comes into the project's scope, and leaves it with the next result."""
    side = level(world)
    side.library.put_document(f"{side.project}-leaflet", HANDBOOK)
    cited = side.cite(HANDBOOK, "Two people sign", f"{side.project}-leaflet")
    done: dict[str, Any] = {"result_event_seq": 1, "result_basis": StepResultBasis.SUPPORTED}
    assert side.library.set_step(
        "audit",
        "read",
        StepState.COMPLETED,
        supports=[document(cited)],
        fetched_evidence=side.their_fetch(cited),
        **done,
    ).recorded
    assert side.documents.get_document(cited.document_key).document is None
    assert swept(side).mended == {"step_sources": 1}
    assert side.documents.get_document(cited.document_key).document is not None
    assert side.library.set_step(
        "audit", "read", StepState.COMPLETED, supports=[event("audit", 1)], **done
    ).recorded
    assert swept(side).mended == {"step_sources": 1}


def test_flags_of_the_library_are_dated_and_carried(world: World) -> None:
    """Without any page being looked at, and without the console's database."""
    level(world)
    side = world.changed().side
    found = swept(side)
    assert found.more is False
    for identity in (world.days, world.mail, world.letter):
        node = side.peer.node("Decision", id=str(identity))
        assert node["review_state"] == "needs_review"
        assert node["ctx_flagged_us"] > 0


def test_what_the_library_recorded_is_taken_in(world: World) -> None:
    """A project that no console has looked at: its decisions are counted, once each."""
    side = world.side
    assert swept(side).mended == {"uncounted": 5}
    assert side.library.record_decision(
        "letters", "more", "c", supports=[decision(world.scope)]
    ).recorded
    assert swept(side).mended == {"uncounted": 1}
    assert side.library.get_decision(world.days).decision.review_state == "clear"
