"""The library sets flags; our feed and queue show them with no command run in between."""

from graphstore.records import ReviewReason, ReviewState
from graphstore.review_feed import list_projects
from graphstore.store import counting
from tests.interop.console import Index
from tests.interop.world import (
    POLICY,
    POLICY_LONGER,
    POLICY_SHORTER,
    Side,
    World,
    decision,
    document,
    event,
    our_decision,
)

CHAIN = {
    "days": ReviewReason.SOURCE_CHANGED,
    "mail": ReviewReason.DEPENDENCY_REVIEW,
    "letter": ReviewReason.DEPENDENCY_REVIEW,
}


def test_the_next_look_shows_the_flags_of_an_update(world: World) -> None:
    """The cited decision and everything that relies on it, although nobody drained anything."""
    index = Index(world.side)
    assert index.look() == {}
    world.changed()
    assert index.look() == CHAIN
    assert not world.side.peer.node("Project", project_id=world.side.project)["review_incomplete"]


def test_a_console_that_has_never_looked_finds_old_flags(world: World) -> None:
    """Flags that were set and drained before our first look are there too."""
    world.changed().drained()
    assert Index(world.side).look() == CHAIN


def test_flags_that_the_library_drained_are_shown(world: World) -> None:
    """Between two looks the library set flags and carried all of them on: the pair moved."""
    index = Index(world.side)
    index.look()
    world.changed().drained()
    assert index.look() == CHAIN


def test_flags_that_the_library_half_drained_are_shown(world: World) -> None:
    """One unit by the library, the rest by us."""
    index = Index(world.side)
    index.look()
    world.changed()
    assert world.side.library.continue_decision_review(limit=1) == 1
    assert index.look() == CHAIN


def test_a_second_look_costs_one_read(world: World) -> None:
    """When nothing happened, asking costs one round trip."""
    index = Index(world.side)
    world.changed()
    index.look()
    with counting() as trips:
        batch = index.take()
    assert (batch.states, batch.entry_ids, batch.more, trips.count) == ([], [], False, 1)


def test_a_removal_is_shown_with_its_reason(world: World) -> None:
    """The library removes the document that `days` cites."""
    index = Index(world.side)
    world.side.library.remove_document(world.side.policy)
    assert index.look() == CHAIN | {"days": ReviewReason.SOURCE_REMOVED}


def test_a_purge_is_shown_as_a_removal(world: World) -> None:
    """Its text is gone for good; the decision stays in the queue and readable."""
    index = Index(world.side)
    world.side.library.purge_document(world.side.policy)
    assert index.look() == CHAIN | {"days": ReviewReason.SOURCE_REMOVED}
    assert world.side.our_document(world.side.policy).text is None


def test_a_reason_that_the_library_overwrote_is_shown(world: World) -> None:
    """Removed and then added again: the flag says what happened last, as the library has it."""
    index = Index(world.side)
    world.side.library.remove_document(world.side.policy)
    index.look()
    world.side.library.put_document(world.side.policy, POLICY_LONGER)
    assert index.look() == CHAIN


def test_the_same_text_in_another_format_is_shown(world: World) -> None:
    """The library flags a version whose text is equal; so do we show it."""
    index = Index(world.side)
    index.look()
    text = world.side.our_document(world.side.policy).text
    assert text is not None
    world.side.library.put_document(world.side.policy, text, schema_fingerprint="f" * 64)
    assert index.look() == CHAIN


def test_verdicts_of_the_library_leave_the_queue(world: World) -> None:
    """What it reaffirmed, superseded or rejected is gone from our next look, what that flagged is there."""
    index = Index(world.side)
    world.changed()
    assert index.look() == CHAIN
    side, library = world.side, world.side.library
    cited = side.cite(POLICY_SHORTER, "Refunds are paid within 15 days")
    assert library.reaffirm_decision(
        world.days, [document(cited)], fetched_evidence=side.their_fetch(cited)
    ).recorded
    assert set(index.look()) == {"mail", "letter"}
    assert library.reject_decision(world.mail, "No mail.").recorded
    assert set(index.look()) == {"letter"}
    assert library.supersede_decision(
        world.letter, "No letter.", explanation="No mail.", supports=[event("audit", 1)]
    ).recorded
    assert index.look() == {}


def test_a_redaction_by_the_library_is_shown(world: World) -> None:
    """`scope` stands on the second event; everything else relies on `scope`."""
    index = Index(world.side)
    event_id = world.side.library.list_events("audit").events[1].id
    world.side.library.redact_event(event_id)
    assert index.look() == {
        "scope": ReviewReason.SOURCE_REMOVED,
        "days": ReviewReason.DEPENDENCY_REVIEW,
        "mail": ReviewReason.DEPENDENCY_REVIEW,
        "letter": ReviewReason.DEPENDENCY_REVIEW,
    }


def test_a_decision_that_the_library_flagged_while_recording_is_shown(world: World) -> None:
    """It cites a version that had moved on, so it was recorded flagged; the project's counters did not move."""
    index = Index(world.side)
    side = world.side
    old = side.cite(POLICY, "second signature")
    fetched = side.their_fetch(old)
    world.changed()
    assert index.look() == CHAIN
    before = side.peer.node("Project", project_id=side.project)
    made = side.library.record_decision(
        "letters", "late", "Two sign.", supports=[document(old)], fetched_evidence=fetched
    )
    assert made.warnings == ["source_changed_during_recording"]
    assert side.peer.node("Project", project_id=side.project) == before
    assert index.look() == CHAIN | {"late": ReviewReason.SOURCE_CHANGED_DURING_RECORDING}


def test_flags_reach_every_project_that_cites_the_document(world: World) -> None:
    """One update, two projects, two queues."""
    other = Side(world.side.store, world.side.peer, f"{world.side.project}-returns")
    other.library.create_task("other", "Another goal.")
    cited = world.side.cite(POLICY, "Shipping")
    other.library.record_decision(
        "other",
        "ship",
        "No.",
        supports=[document(cited)],
        fetched_evidence=world.side.their_fetch(cited),
    )
    here, there = Index(world.side), Index(other)
    here.look()
    there.look()
    world.changed()
    assert here.look() == CHAIN
    assert there.look() == {"ship": ReviewReason.SOURCE_CHANGED}
    projects = {p.project_id for p in list_projects(world.side.store)}
    assert {world.side.project, other.project} <= projects


def test_a_wide_flag_is_shown_whole(world: World) -> None:
    """More dependents than one page of the library's drain or one batch of ours."""
    side = world.side
    for number in range(230):
        side.traces.record_decision(
            "letters", f"w{number:03}", "c", "r", supports=[our_decision(world.days)]
        )
    index = Index(side)
    index.look()
    world.changed()
    assert side.library.continue_decision_review(limit=1) == 1
    assert len(index.look()) == 233
    assert side.library.continue_decision_review() == 0


def test_both_drain_one_queue(world: World) -> None:
    """Unit by unit in turn, each takes what the other left, and the mark falls once, at the end."""
    side = world.changed().side
    for _ in range(10):
        side.library.continue_decision_review(limit=1)
        side.traces.continue_decision_review(limit=1)
    assert set(Index(side).look()) == set(CHAIN)
    project = side.peer.node("Project", project_id=side.project)
    assert not project["review_incomplete"]
    pending = side.peer.nodes("Decision", project_id=side.project, review_pending=True)
    assert pending == []
    for decision_id in (world.scope, world.signature):
        mine = side.traces.get_decision(decision_id).decision
        assert mine is not None
        assert mine.review_state is ReviewState.CLEAR


def test_we_drain_what_the_librarys_verdict_left(world: World) -> None:
    """A rejection by the library leaves its dependents clear until somebody drains; we do."""
    side = world.side
    assert side.library.reject_decision(world.days, "Wrong.").recorded
    assert side.library.get_decision(world.mail).decision.review_state == "unknown"
    assert side.traces.continue_decision_review() > 0
    assert side.library.get_decision(world.letter).decision.review_state == "needs_review"
    assert side.library.continue_decision_review() == 0


def test_the_library_goes_on_after_our_drain(world: World) -> None:
    """A second round of flags, after ours was drained by us, still reaches the end of the chain."""
    side = world.changed().side
    side.traces.continue_decision_review()
    cited = side.cite(POLICY_SHORTER, "Refunds are paid within 15 days")
    side.library.reaffirm_decision(
        world.days, [document(cited)], fetched_evidence=side.their_fetch(cited)
    )
    side.library.reaffirm_decision(world.mail, [])
    side.library.reaffirm_decision(world.letter, [])
    assert Index(side).look() == {}
    side.library.put_document(side.policy, POLICY_LONGER)
    side.library.drain()
    assert Index(side).look() == CHAIN


def test_a_stale_mark_is_taken_down(world: World) -> None:
    """Somebody died between two statements: marked unfinished with nothing queued."""
    side = world.side
    side.peer.write(
        "MATCH (p:Project {project_id: $p}) SET p.review_incomplete = true RETURN p.project_id",
        p=side.project,
    )
    assert Index(side).look() == {}
    assert not side.peer.node("Project", project_id=side.project)["review_incomplete"]


def test_a_dependent_recorded_under_pending_flags_is_right_in_the_end(world: World) -> None:
    """The library flags it at once, we only if its own parent is not clear; both end flagged or clear alike."""
    side = world.changed().side
    ours = side.traces.record_decision(
        "letters", "after", "c", "r", supports=[our_decision(world.mail)]
    )
    calm = side.traces.record_decision(
        "letters", "calm", "c", "r", supports=[our_decision(world.scope)]
    )
    theirs = side.library.record_decision("letters", "theirs", "c", supports=[decision(world.mail)])
    assert ours.recorded
    assert calm.recorded
    assert theirs.recorded
    assert set(Index(side).look()) == set(CHAIN) | {"after", "theirs"}
