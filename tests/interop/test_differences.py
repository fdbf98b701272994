"""Where we differ from the library on purpose: each entry of `docs/differences.md` that can be seen."""

import pytest

from graphstore.results import BlockedBy
from tests.interop.world import (
    POLICY,
    POLICY_SHORTER,
    Side,
    World,
    decision,
    document,
    event,
    our_decision,
    our_document,
    our_event,
)

WORDS = "Refunds are paid within 15 days"


def test_a_forged_fetch_is_refused(world: World) -> None:
    """The library believes what it is handed; we read the passage again."""
    side = world.side
    cited = side.cite(POLICY, "second signature")
    their = side.their_fetch(cited)[0].model_copy(update={"text": "no signature"})
    mine = side.our_fetch(cited)[0].model_copy(update={"text": "no signature"})
    believed = side.library.record_decision(
        "letters", "forged", "c", supports=[document(cited)], fetched_evidence=[their]
    )
    refused = side.traces.record_decision(
        "letters", "forged too", "c", "r", supports=[our_document(cited)], fetched_evidence=[mine]
    )
    assert believed.recorded
    assert refused.error == "support_not_fetched"


def test_a_rejected_choice_can_be_decided_again(world: World) -> None:
    """To the library it is a dead end; to us it is open, and the same conclusion says so."""
    side = world.side
    assert side.library.reject_decision(world.letter, "No.").recorded
    again = ("letters", "letter", "Use  the mail.", "r")
    their = side.library.record_decision(*again, supports=[event("audit", 1)])
    assert their.error == "choice_exists"
    mine = side.traces.record_decision(*again, supports=[our_event("audit", 1)])
    assert mine.recorded
    assert mine.decision is not None
    assert mine.decision.revision == 2
    assert mine.warnings == [f"rejected_before:{world.letter}"]


def test_flags_elsewhere_do_not_touch_a_new_decision(world: World) -> None:
    """While anything travels the library flags each new dependent; we only under a parent not clear."""
    side = world.changed().side
    side.library.record_decision("letters", "theirs", "c", supports=[decision(world.scope)])
    side.traces.record_decision("letters", "ours", "c", "r", supports=[our_decision(world.scope)])
    side.library.drain()
    stored = {
        node["choice_key"]: node["review_state"]
        for node in side.peer.nodes("Decision", project_id=side.project)
    }
    assert (stored["theirs"], stored["ours"]) == ("needs_review", "clear")


def test_flags_elsewhere_do_not_block_a_reaffirmation(world: World) -> None:
    """While anything travels the library refuses every reaffirmation of the project."""
    side = world.changed().side
    cited = side.cite(POLICY_SHORTER, WORDS)
    their = side.library.reaffirm_decision(
        world.days, [document(cited)], fetched_evidence=side.their_fetch(cited)
    )
    mine = side.traces.reaffirm_decision(
        world.days, [our_document(cited)], fetched_evidence=side.our_fetch(cited)
    )
    assert their.error == "cannot_revalidate"
    assert mine.recorded
    side.library.drain()
    assert side.library.get_decision(world.mail).decision.review_state == "needs_review"


def test_a_refused_reaffirmation_names_what_stands_in_its_way(world: World) -> None:
    """The library has one code for seven causes; ours says which support and which cause."""
    side = world.changed().drained().side
    mine = side.traces.reaffirm_decision(world.days, [])
    assert mine.error == "cannot_revalidate"
    assert [(b.support_kind, b.cause) for b in mine.blockers] == [
        ("document", BlockedBy.DOCUMENT_NOT_REAFFIRMED)
    ]
    parent = side.traces.reaffirm_decision(world.mail, [])
    assert [(b.ref, b.cause) for b in parent.blockers] == [
        (str(world.days), BlockedBy.PARENT_NEEDS_REVIEW)
    ]


def test_the_flag_says_what_caused_it(world: World) -> None:
    """The library stores a reason; we add the causes, also for its flags, and when."""
    side = world.changed().side
    side.traces.continue_decision_review()
    document_id = side.peer.node("Document", document_key=side.policy)["id"]
    for decision_id in (world.days, world.letter):
        flagged = side.traces.get_decision(decision_id).decision
        assert flagged is not None
        assert list(flagged.causes) == [f"document:{document_id}:2"]
        assert flagged.flagged_at is not None


def test_dependents_of_our_verdict_are_flagged_in_its_commit(world: World) -> None:
    """After the library's verdict everything reads unknown until somebody drains; after ours nothing does."""
    side = world.side
    assert side.traces.reject_decision(world.days, "No.").recorded
    states = {
        decision_id: side.library.get_decision(decision_id).decision.review_state
        for decision_id in (world.scope, world.mail, world.letter, world.signature)
    }
    assert states == {
        world.scope: "clear",
        world.mail: "needs_review",
        world.letter: "needs_review",
        world.signature: "clear",
    }


def test_a_redaction_leaves_settled_decisions_alone(world: World) -> None:
    """The library flags superseded and rejected ones too, and goes on from them."""
    side = world.side
    assert side.traces.reject_decision(world.days, "No.").recorded
    first = side.library.list_events("audit").events[0].id
    assert side.retention.redact_event(str(first)).affected_decision_ids == []
    assert side.library.get_decision(world.days).decision.review_state == "clear"
    assert side.library.redact_event(first).affected_decision_ids == [str(world.days)]
    assert side.peer.node("Decision", id=str(world.days))["review_state"] == "needs_review"


def test_a_redacted_body_is_gone_from_stored_results(world: World) -> None:
    """The library leaves a copy in its request, and ours removes it there too."""
    side = world.side
    made = side.library.record_event("audit", "secret-4711", request_id="r-1").event
    assert made is not None
    stored = {"project_id": side.project, "request_id": "r-1"}
    assert "secret-4711" in side.peer.node("Request", **stored)["result_json"]
    assert side.retention.redact_event(str(made.id)).recorded
    assert "secret-4711" not in str(side.peer.rows("MATCH (n) RETURN properties(n) AS n"))


def test_one_decision_cited_twice_is_one_dependence(world: World) -> None:
    """The library creates a relationship for each support row."""
    side = world.side
    side.library.record_decision(
        "letters", "theirs", "c", supports=[decision(world.scope), decision(world.scope)]
    )
    side.traces.record_decision(
        "letters", "ours", "c", "r", supports=[our_decision(world.scope), our_decision(world.scope)]
    )
    rows = side.peer.rows(
        "MATCH (d:Decision {project_id: $p})-[r:DEPENDS_ON]->() WHERE d.choice_key IN ['ours', 'theirs'] "
        "RETURN d.choice_key AS choice, count(r) AS n",
        p=side.project,
    )
    assert {row["choice"]: row["n"] for row in rows} == {"theirs": 2, "ours": 1}


def test_every_page_of_the_review_list_can_be_reached(both: Side) -> None:
    """The library shows twenty and says that there are more."""
    both.history.create_task("many", "Many.")
    both.history.record_event("many", "note", payload="x")
    root = both.traces.record_decision("many", "root", "c", "r", supports=[our_event("many", 1)])
    assert root.decision is not None
    for number in range(45):
        both.traces.record_decision(
            "many", f"c{number:02}", "c", "r", supports=[our_decision(root.decision.id)]
        )
    assert both.traces.reject_decision(root.decision.id, "No.").recorded
    their = both.library.list_decisions_for_review(limit=100)
    assert (len(their.decisions), their.count, their.truncated) == (20, 45, True)
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(3):
        page = both.traces.list_decisions_for_review(limit=20, cursor=cursor)
        seen += [d.choice_key for d in page.decisions]
        cursor = page.next_cursor
    assert cursor is None
    assert sorted(seen) == [f"c{number:02}" for number in range(45)]


def test_a_list_of_a_graph_that_nobody_wrote_is_empty(both: Side) -> None:
    """The library raises for a project that is not there on FalkorDB."""
    assert both.traces.list_decisions_for_review().decisions == []
    assert not both.history.list_events("nothing").found
    assert both.history.list_tasks().tasks == []


def test_a_verdict_on_what_moved_is_refused(world: World) -> None:
    """The library judges whatever is there now; ours can be bound to what was shown."""
    side = world.changed().drained().side
    stale = side.traces.reject_decision(world.days, "No.", seen="shown.long.ago.now")
    assert (stale.recorded, stale.error) == (False, "moved")
    assert side.library.get_decision(world.days).decision.status == "active"


def test_an_explanation_of_a_supersession_can_be_read(world: World) -> None:
    """The library stores it and has no read that returns it."""
    side = world.side
    new = side.library.supersede_decision(
        world.mail, "Say it.", explanation="Shorter.", supports=[event("audit", 1)]
    ).decision
    assert new is not None
    mine = side.traces.get_decision(new.id).decision
    assert mine is not None
    assert mine.supersession_explanation == "Shorter."


@pytest.mark.parametrize("text", ["nul \0 inside", "half \ud83d of a pair"])
def test_a_text_that_no_engine_keeps_is_refused_at_the_door(both: Side, text: str) -> None:
    """The same code on every engine, and nothing is written."""
    assert both.history.create_task("t", text).error == "invalid_text"
    assert both.history.create_task("t", "A goal.").recorded
    assert both.history.record_event("t", "note", payload=text).error == "invalid_text"
    assert both.library.list_events("t").events == []


def test_what_a_decision_that_was_never_there_answers(both: Side) -> None:
    """Unknown ids are refusals with the library's codes."""
    both.history.create_task("t", "A goal.")
    nobody = "00000000-0000-5000-8000-000000000000"
    assert both.traces.reject_decision(nobody, "No.").error == "decision_not_found"
    assert both.traces.reaffirm_decision(nobody, []).error == "decision_not_found"
    assert (
        both.traces.supersede_decision(nobody, "a", "b", explanation="c", supports=[]).error
        == "supersede_target_invalid"
    )
    assert both.traces.get_decision(nobody).found is False
    assert both.retention.redact_event(nobody).error == "event_not_found"
