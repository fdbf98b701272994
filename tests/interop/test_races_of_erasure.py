"""Erasing, updating and retrying while the library writes, each side in threads of its own.

What is promised beside a writer that takes other locks: whoever is refused hears why,
numbers have no gap, nothing counts twice, and after the next look and sweep no clear
decision stands on what is outdated, redacted or gone. This is Neo4j, where the library's
writes are transactions; on FalkorDB it writes statement by statement, and what may be
left there is mended by the sweep.
"""

from collections.abc import Callable
from typing import Any

import pytest
from neo4j.exceptions import ClientError

from graphstore.records import EventKind
from graphstore.sweep import sweep
from tests.contract.standing import Standing
from tests.interop.console import Index
from tests.interop.test_races import together
from tests.interop.world import (
    Side,
    World,
    decision,
    document,
    event,
    our_decision,
    our_document,
    our_event,
)
from tests.servers import RawGraph

ROUNDS = 8


@pytest.fixture(scope="module")
def engine() -> str:
    """Neo4j alone."""
    return "neo4j"


ONE = "Refunds are paid within 30 days."


def standing(side: Side, raw: RawGraph) -> list[str]:
    """What does not hold once the console has looked and swept, as it does each minute."""
    Index(side).look()
    sweep(side.store, side.project)
    broken = Standing(raw, side.project).broken()
    # The library's own flags raise the epoch without an entry.
    return [line for line in broken if "epoch" not in line]


def answers(*results: Any) -> set[str | None]:
    """The different answers, from either side."""
    return {result.error and str(result.error) for result in results}


def test_one_request_id_on_both_sides(world: World, raw_graph: RawGraph) -> None:
    """A retry that reaches the record through both sides at once writes one event."""
    side = world.side
    ours = Side(side.store, side.peer, side.project, reviewer="library-agent")
    for number in range(ROUNDS):
        request_id = f"only-{number}"

        def theirs(request_id: str = request_id) -> Any:
            return side.library.record_event("audit", "Said once.", request_id=request_id)

        def mine(request_id: str = request_id) -> Any:
            return ours.history.record_event(
                "audit",
                EventKind.MESSAGE,
                payload="Said once.",
                request_id=request_id,
            )

        told = together(theirs, mine, mine)
        assert answers(*told) == {None}
        assert len({str(one.event.id) for one in told}) == 1
    assert len(side.library.list_events("audit", limit=200).events) == 2 + ROUNDS
    assert standing(side, raw_graph) == []


def test_one_decision_judged_differently(world: World, raw_graph: RawGraph) -> None:
    """Of their rejection and ours, reaffirmations beside them, one retires the decision."""
    side = world.side
    for number in range(ROUNDS):
        made = side.library.record_decision(
            "audit", f"judged-{number}", "c", supports=[event("audit", 1)]
        ).decision
        assert made is not None
        their, mine, again = together(
            lambda made=made: side.library.reject_decision(made.id, "theirs"),
            lambda made=made: side.traces.reject_decision(made.id, "ours"),
            lambda made=made: side.traces.reaffirm_decision(made.id, []),
        )
        assert answers(their, mine) == {None, "decision_not_active"}
        assert answers(again) <= {None, "decision_not_active"}
        stands = side.traces.get_decision(made.id).decision
        assert stands.rejection_reason == ("theirs" if their.recorded else "ours")
    assert standing(side, raw_graph) == []


def raced(first: Callable[[], Any], second: Callable[[], Any]) -> tuple[Any, Any]:
    """Both at once."""
    one, two = together(first, second)
    return one, two


def test_our_redaction_against_their_reaffirmation(world: World, raw_graph: RawGraph) -> None:
    """The body is gone, and whoever was reaffirmed on it is flagged at the next look."""
    side = world.side
    for number in range(ROUNDS):
        heard = side.library.record_event("audit", f"heard {number}").event
        made = side.traces.record_decision(
            "audit", f"heard-{number}", "c", "r", supports=[our_event("audit", heard.seq)]
        ).decision
        assert side.traces.ask_for_review(made.id, "Really?").recorded
        redacted, reaffirmed = raced(
            lambda heard=heard: side.retention.redact_event(heard.id),
            lambda made=made: side.library.reaffirm_decision(made.id, []),
        )
        assert answers(redacted) == {None}
        assert answers(reaffirmed) <= {None, "cannot_revalidate"}
        assert side.library.fetch_event("audit", heard.seq).event.payload == "[REDACTED]"
    assert standing(side, raw_graph) == []


def test_their_redaction_against_our_reaffirmation(world: World, raw_graph: RawGraph) -> None:
    """The same the other way round."""
    side = world.side
    for number in range(ROUNDS):
        heard = side.library.record_event("audit", f"heard {number}").event
        made = side.traces.record_decision(
            "audit", f"heard-{number}", "c", "r", supports=[our_event("audit", heard.seq)]
        ).decision
        redacted, reaffirmed = raced(
            lambda heard=heard: side.library.redact_event(heard.id),
            lambda made=made: side.traces.reaffirm_decision(made.id, []),
        )
        assert redacted.recorded
        assert answers(reaffirmed) <= {None, "cannot_revalidate"}
    assert standing(side, raw_graph) == []


def test_our_deletion_against_their_events(world: World, raw_graph: RawGraph) -> None:
    """An event of theirs goes with the task, or is refused, or fails; nothing of it is left."""
    side = world.side

    def said(name: str) -> set[str | None]:
        try:
            return answers(side.library.record_event(name, "Meanwhile."))
        except (ClientError, IndexError):
            # It does not expect that the task that it found is gone when it has the lock.
            return {"failed"}

    for number in range(ROUNDS):
        name = f"gone-{number}"
        assert side.library.create_task(name, "Go.").recorded
        assert side.library.record_event(name, "Before.").recorded
        made = side.library.record_decision(
            "letters", f"cites-{number}", "c", supports=[event(name, 1)]
        )
        assert made.recorded
        deleted, told = raced(
            lambda name=name: side.retention.delete_task(name),
            lambda name=name: said(name),
        )
        assert answers(deleted) == {None}
        assert told <= {None, "task_not_found", "failed"}
        assert not side.library.list_events(name).found
    left = raw_graph.run("MATCH (e:Event {payload: 'Meanwhile.'}) RETURN count(e)")
    assert left == [[0]]
    assert standing(side, raw_graph) == []


def test_their_deletion_against_our_events(world: World, raw_graph: RawGraph) -> None:
    """Our event is refused, or was recorded first; no reader of ours finds the task or its log again.

    The library deletes events before the task and locks neither, so that it can leave the
    node of an event behind that was recorded in between.
    """
    side = world.side
    for number in range(ROUNDS):
        name = f"gone-{number}"
        assert side.library.create_task(name, "Go.").recorded
        deleted, recorded = raced(
            lambda name=name: side.library.delete_task(name),
            lambda name=name: side.history.record_event(name, EventKind.NOTE, payload="Meanwhile."),
        )
        assert deleted.recorded
        assert answers(recorded) <= {None, "task_not_found"}
        assert not side.history.list_events(name).found
        again = side.history.record_event(name, EventKind.NOTE, payload="Later.")
        assert answers(again) == {"task_not_found"}
    assert standing(side, raw_graph) == []


def test_our_update_against_their_records(world: World, raw_graph: RawGraph) -> None:
    """What they record on the version before is flagged, by them, by us, or at the next look."""
    side = world.side
    key = f"{side.project}-rules"
    for number in range(ROUNDS):
        now = f"{ONE} Version {number}."
        assert side.documents.put_document(key, now).recorded
        cited = side.cite(now, ONE, key)
        fetched = side.their_fetch(cited)
        put, made = raced(
            lambda number=number: side.documents.put_document(key, f"{ONE} Then {number}."),
            lambda number=number, cited=cited, fetched=fetched: side.library.record_decision(
                "letters",
                f"rule-{number}",
                "c",
                supports=[document(cited), decision(world.scope)],
                fetched_evidence=fetched,
            ),
        )
        assert answers(put) == {None}
        assert made.recorded
    assert standing(side, raw_graph) == []


def test_their_update_against_our_records(world: World, raw_graph: RawGraph) -> None:
    """What we record or reaffirm on the version before is flagged, whoever comes first."""
    side = world.side
    for number in range(ROUNDS):
        text = side.our_document(side.policy).text or ""
        cited = side.cite(text, "Shipping is never refunded")
        fetched = side.our_fetch(cited)
        _, made, again = together(
            lambda number=number: side.library.put_document(
                side.policy, f"{ONE}\n\nShipping is never refunded.\n\nSince {number}."
            ),
            lambda number=number, cited=cited, fetched=fetched: side.traces.record_decision(
                "letters",
                f"ship-{number}",
                "No.",
                "r",
                supports=[our_document(cited), our_decision(world.scope)],
                fetched_evidence=fetched,
            ),
            lambda cited=cited, fetched=fetched: side.traces.reaffirm_decision(
                world.days, [our_document(cited)], fetched_evidence=fetched
            ),
        )
        assert made.recorded
        assert answers(again) <= {None, "cannot_revalidate"}
    assert standing(side, raw_graph) == []
