"""Two writers at once, for a little while, each in a thread of its own."""

import threading
from collections.abc import Callable
from typing import Any
from uuid import UUID

from agrag.common.data_models.task import StepResultBasis as TheirBasis
from agrag.common.data_models.task import StepState as TheirState

from graphstore.records import EventKind
from tests.interop.console import Index
from tests.interop.world import (
    POLICY,
    Side,
    World,
    decision,
    event,
    our_decision,
    our_document,
    our_event,
)

ROUNDS = 12


def together(*works: Callable[[], Any]) -> list[Any]:
    """Runs each in a thread, all starting at once; what they return, or the first error."""
    start = threading.Barrier(len(works))
    results: list[Any] = [None] * len(works)
    errors: list[BaseException] = []

    def run(index: int, work: Callable[[], Any]) -> None:
        try:
            start.wait(timeout=30)
            results[index] = work()
        except BaseException as error:  # noqa: BLE001 - carried to the test below
            errors.append(error)

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    if errors:
        raise errors[0]
    return results


def test_one_log_two_writers(world: World) -> None:
    """Events of both sides stand in one log without a gap, each under its own number."""
    side = world.side

    def theirs() -> None:
        for number in range(ROUNDS):
            assert side.library.record_event("audit", f"theirs {number}").recorded

    def ours() -> None:
        for number in range(ROUNDS):
            assert side.history.record_event(
                "audit", EventKind.NOTE, payload=f"ours {number}"
            ).recorded

    together(theirs, ours, ours)
    events = side.library.list_events("audit", limit=200).events
    assert [e.seq for e in events] == list(range(1, len(events) + 1))
    assert len({e.id for e in events}) == 2 + 3 * ROUNDS
    assert len([e for e in events if e.payload.startswith("theirs")]) == ROUNDS


def test_one_choice_two_writers(world: World) -> None:
    """Of two that record the same choice one succeeds, and the other is told that it exists."""
    side = world.side
    for number in range(ROUNDS):
        choice = f"choice-{number}"
        their, mine = together(
            lambda choice=choice: side.library.record_decision(
                "audit", choice, "theirs", supports=[decision(world.scope)]
            ),
            lambda choice=choice: side.traces.record_decision(
                "audit", choice, "ours", "r", supports=[our_decision(world.scope)]
            ),
        )
        assert sorted([their.recorded, mine.recorded]) == [False, True]
        assert {their.error, mine.error} == {None, "choice_exists"}


def test_one_step_two_writers(world: World) -> None:
    """A step that both sides set at once is one step, as one of them set it."""
    side = world.side
    for number in range(ROUNDS):
        name = f"step-{number}"
        their, mine = together(
            lambda name=name: side.library.set_step(
                "audit",
                name,
                TheirState.COMPLETED,
                result_event_seq=1,
                result_basis=TheirBasis.SUPPORTED,
                supports=[event("audit", 1)],
            ),
            lambda name=name: side.history.set_step("audit", name, "failed", result_event_seq=2),
        )
        assert their.recorded
        assert mine.recorded
    steps = [s for state in TheirState for s in side.library.list_steps("audit", state).steps]
    assert len(steps) == ROUNDS
    assert {(s.state.value, s.result_event_seq, len(s.result_supports)) for s in steps} <= {
        ("completed", 1, 1),
        ("failed", 2, 0),
    }
    told = side.history.list_steps("audit").steps
    assert {s.state.value for s in told if s.set_by} <= {"failed"}


def test_resuming_while_the_library_works(world: World) -> None:
    """What it completes stays completed; what it left in progress is unknown at the end."""
    side = world.side
    names = [f"step-{number:02}" for number in range(ROUNDS)]
    for name in names:
        side.library.set_step("audit", name, TheirState.IN_PROGRESS)

    def theirs() -> None:
        for name in names[::2]:
            assert side.library.set_step(
                "audit", name, TheirState.COMPLETED, result_event_seq=1
            ).recorded

    together(theirs, lambda: side.history.resume_task("audit"))
    side.history.resume_task("audit")
    completed = side.library.list_steps("audit", TheirState.COMPLETED).steps
    unknown = side.library.list_steps("audit", TheirState.UNKNOWN).steps
    assert [s.name for s in completed] == names[::2]
    assert [s.name for s in unknown] == names[1::2]


def test_one_flag_two_verdicts(world: World) -> None:
    """A decision that both sides judge at once is judged once."""
    side = world.side
    for number in range(ROUNDS):
        made = side.library.record_decision(
            "audit", f"twice-{number}", "c", supports=[decision(world.scope)]
        ).decision
        assert made is not None
        together(
            lambda made=made: side.library.reject_decision(made.id, "theirs"),
            lambda made=made: side.traces.supersede_decision(
                made.id, "new", "r", explanation="ours", supports=[our_event("audit", 1)]
            ),
        )
        side.library.drain()
        assert _active_revisions(side, made.id) <= 1


def test_recording_while_the_document_changes(world: World) -> None:
    """However recordings of ours and the library's updates fall, nothing ends clear on an old version."""
    side = world.side

    def ours() -> None:
        for number in range(ROUNDS):
            text = side.our_document(side.policy).text or POLICY
            cited = side.cite(text, "Shipping is never refunded")
            assert side.traces.record_decision(
                "letters",
                f"ship-{number}",
                "No.",
                "r",
                supports=[our_document(cited)],
                fetched_evidence=side.our_fetch(cited),
            ).recorded

    def theirs() -> None:
        for number in range(ROUNDS // 2):
            side.library.put_document(side.policy, POLICY.replace("30", str(100 + number)))

    together(ours, theirs)
    side.library.drain()
    assert _clear_on_an_old_version(side) == []


def test_judging_while_the_document_changes(world: World) -> None:
    """However our verdicts and the library's updates fall, no clear decision stands on an old version."""
    side = world.changed().drained().side

    def ours() -> None:
        for _ in range(ROUNDS):
            text = side.our_document(side.policy).text or POLICY
            cited = side.cite(text, "Shipping is never refunded")
            side.traces.reaffirm_decision(
                world.days, [our_document(cited)], fetched_evidence=side.our_fetch(cited)
            )

    def theirs() -> None:
        for number in range(ROUNDS // 2):
            side.library.put_document(side.policy, POLICY.replace("30", str(100 + number)))

    together(ours, theirs)
    side.library.drain()
    assert _clear_on_an_old_version(side) == []


def test_dependents_recorded_while_we_reject(world: World) -> None:
    """Whatever the library records on a decision that we reject is refused, or flagged by the next look.

    On FalkorDB it checks the parent in one statement and records in another, so
    our commit can fall between them; on Neo4j it cannot.
    """
    side = world.side
    for number in range(ROUNDS):
        parent = side.library.record_decision(
            "audit", f"root-{number}", "c", supports=[decision(world.scope)]
        ).decision
        assert parent is not None
        together(
            lambda parent=parent: side.traces.reject_decision(parent.id, "No."),
            lambda parent=parent, number=number: side.library.record_decision(
                "letters", f"leaf-{number}", "c", supports=[decision(parent.id)]
            ),
        )
    Index(side).look()
    assert _clear_under_a_parent_that_fell(side) == []


def test_both_drain_at_once(world: World) -> None:
    """Two drains of one queue reach everything, and the mark is only down when nothing is queued."""
    side = world.side
    for number in range(40):
        side.traces.record_decision(
            "letters", f"w{number}", "c", "r", supports=[our_decision(world.mail)]
        )
    world.changed()

    def theirs() -> None:
        while side.library.continue_decision_review(limit=1):
            pass

    def ours() -> None:
        while side.traces.continue_decision_review(limit=1):
            pass

    together(theirs, ours)
    together(theirs, ours)
    flagged = side.peer.rows(
        "MATCH (d:Decision {project_id: $p, review_state: 'needs_review'}) RETURN count(d) AS n",
        p=side.project,
    )
    assert flagged[0]["n"] == 43
    assert not side.peer.node("Project", project_id=side.project)["review_incomplete"]
    assert side.peer.nodes("Decision", project_id=side.project, review_pending=True) == []


def _active_revisions(side: Side, decision_id: UUID) -> int:
    rows = side.peer.rows(
        "MATCH (a:Decision {id: $id}) WITH a.task_id AS task, a.choice_key AS choice "
        "MATCH (d:Decision {task_id: task, choice_key: choice, status: 'active'}) RETURN count(d) AS n",
        id=str(decision_id),
    )
    return rows[0]["n"]


def _clear_on_an_old_version(side: Side) -> list[str]:
    rows = side.peer.rows(
        "MATCH (d:Decision {project_id: $p, status: 'active', review_state: 'clear'})"
        "-[:HAS_SUPPORT]->(s:DecisionSupport {kind: 'document', current: true}) "
        "MATCH (doc:Document) WHERE doc.id = s.document_node_id "
        "AND s.recorded_activation_seq <> doc.activation_seq RETURN d.choice_key AS choice",
        p=side.project,
    )
    return [row["choice"] for row in rows]


def _clear_under_a_parent_that_fell(side: Side) -> list[str]:
    rows = side.peer.rows(
        "MATCH (d:Decision {project_id: $p, status: 'active', review_state: 'clear'})"
        "-[:DEPENDS_ON]->(x:Decision) WHERE x.status <> 'active' RETURN d.choice_key AS choice",
        p=side.project,
    )
    return [row["choice"] for row in rows]
