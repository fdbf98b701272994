"""What the library wrote, our reads return field by field."""

import re
from dataclasses import replace
from typing import Any
from uuid import UUID

from agrag.common.data_models.task import EventKind, StepResultBasis, StepState
from agrag.history.tasks import MAX_PAYLOAD_CHARACTERS

from graphstore.adoption import adopt_slice
from graphstore.records import FetchStatus, ReviewReason, ReviewState, VersionStatus
from tests.interop.console import Index
from tests.interop.library import Passage
from tests.interop.world import (
    HANDBOOK,
    POLICY,
    POLICY_SHORTER,
    Side,
    World,
    decision,
    differences,
    document,
    event,
)


def test_a_task_reads_the_same(world: World) -> None:
    """The library's task, its counts and its newest decisions are in our view of it."""
    side = world.side
    their = side.library.get_task("audit").view
    mine = side.history.get_task("audit").view
    assert their is not None
    assert mine is not None
    assert differences(mine, their, ignore=OUR_VIEW_LEAVES_OUT) == []


OUR_VIEW_LEAVES_OUT = ("conflicts", "conflicts_truncated")
"""Conflicts have a page of their own and are counted as they arise, not searched."""


def test_a_task_that_is_not_there_reads_the_same(world: World) -> None:
    """Both sides say that they found nothing."""
    assert not world.side.library.get_task("nobody").found
    assert not world.side.history.get_task("nobody").found


def test_steps_that_the_library_set_are_in_the_task(world: World) -> None:
    """In its order, with every field; who set them, and when, the library does not say."""
    side = world.side
    side.library.set_step("audit", "read", StepState.COMPLETED, result_event_seq=2)
    side.library.set_step("audit", "ask", StepState.IN_PROGRESS)
    side.library.set_step("audit", "answer", StepState.NOT_STARTED)
    mine, their = side.history.get_task("audit").view, side.library.get_task("audit").view
    assert mine is not None
    assert their is not None
    assert differences(mine, their, ignore=OUR_VIEW_LEAVES_OUT) == []
    steps = [step for state in mine.steps.values() for step in state]
    assert [step.name for step in steps] == ["ask", "answer", "read"]
    assert {(step.set_by, step.set_at) for step in steps} == {(None, None)}


def test_a_step_that_the_library_sets_again_forgets_who_set_it(world: World) -> None:
    """Our own marks stay on it and are not believed; set by us once more it says so again."""
    side = world.side
    side.history.set_step("audit", "ask", "in_progress")
    (ours,) = side.history.list_steps("audit").steps
    assert ours.set_by == side.reviewer
    assert ours.set_at is not None
    side.library.set_step("audit", "ask", StepState.FAILED)
    (theirs,) = side.history.list_steps("audit").steps
    assert (theirs.state, theirs.set_by, theirs.set_at) == ("failed", None, None)
    side.history.set_step("audit", "ask", "failed")
    (again,) = side.history.list_steps("audit").steps
    assert again.set_by == side.reviewer


def test_why_a_result_of_the_librarys_may_not_be_used(world: World) -> None:
    """As valid as the library says at every stage, and the first cause with it."""
    side = world.side
    _supported_steps(world)
    assert _steps_differ(side) == []
    assert _causes(side) == {
        "cut": "result_truncated",
        "guess": "basis_unknown",
        "nothing": "no_result",
    }
    world.changed().drained()
    assert _steps_differ(side) == []
    assert _causes(side) == {
        "cut": "result_truncated",
        "guess": "basis_unknown",
        "nothing": "no_result",
        "on a decision": "decision_needs_review",
        "on a passage": "document_changed",
    }
    side.library.remove_document(side.policy)
    side.library.reject_decision(world.mail, "No.")
    side.library.redact_event(side.library.list_events("audit").events[0].id)
    world.drained()
    assert _steps_differ(side) == []
    assert _causes(side) == {
        "by itself": "result_redacted",
        "cut": "result_truncated",
        "guess": "basis_unknown",
        "nothing": "no_result",
        "on a decision": "decision_rejected",
        "on an event": "event_redacted",
        "on a passage": "document_removed",
    }


def test_while_flags_travel_no_result_on_a_decision_may_be_used(world: World) -> None:
    """A decision that reads unknown supports nothing, on either side."""
    side = world.side
    side.library.set_step(
        "audit",
        "conclude",
        StepState.COMPLETED,
        result_event_seq=2,
        result_basis=StepResultBasis.SUPPORTED,
        supports=[decision(world.signature)],
    )
    assert _causes(side) == {}
    world.changed()
    assert _causes(side) == {"conclude": "decision_needs_review"}
    assert _steps_differ(side) == []
    world.drained()
    assert _causes(side) == {}
    assert _steps_differ(side) == []


def test_our_list_of_tasks_holds_the_librarys(world: World) -> None:
    """The library has no such list; ours gives its tasks, newest first."""
    page = world.side.history.list_tasks()
    assert [task.name for task in page.tasks] == ["letters", "audit"]
    assert page.next_cursor is None


def test_events_read_the_same_page_by_page(world: World) -> None:
    """Every kind of event, with and without role and name, cut and redacted ones included."""
    side = world.side
    for kind in EventKind:
        side.library.record_event("audit", f"a {kind}", kind=kind, role="agent", name="tool")
    side.library.record_event("audit", "long " * MAX_PAYLOAD_CHARACTERS)
    secret = side.library.record_event("audit", "a secret").event
    assert secret is not None
    side.library.redact_event(secret.id)
    after = 0
    seen = 0
    while True:
        their = side.library.list_events("audit", after_seq=after, limit=3)
        mine = side.history.list_events("audit", after_seq=after, limit=3)
        assert differences(mine, their) == []
        seen += len(mine.events)
        if mine.next_after_seq is None:
            break
        after = mine.next_after_seq
    assert seen == 8


def test_a_decision_with_every_kind_of_support_reads_the_same(world: World) -> None:
    """Supports by passage, event and decision come back in their order with every field."""
    side = world.side
    for decision_id in (world.scope, world.days, world.mail, world.letter, world.signature):
        their = side.library.get_decision(decision_id)
        mine = side.traces.get_decision(decision_id)
        assert differences(mine, their) == []


def test_a_flagged_decision_reads_the_same_at_every_stage(world: World) -> None:
    """Flagged with flags still travelling, flagged after that, and its dependents."""
    side = world.changed().side
    assert _decisions_differ(world) == []
    travelling = side.traces.get_decision(world.signature).decision
    assert travelling is not None
    assert travelling.review_state is ReviewState.UNKNOWN
    world.drained()
    assert _decisions_differ(world) == []
    settled = side.traces.get_decision(world.letter).decision
    assert settled is not None
    assert settled.review_reason is ReviewReason.DEPENDENCY_REVIEW


def test_decisions_that_the_library_judged_read_the_same(world: World) -> None:
    """Reaffirmed, superseded and rejected ones, with who did it and why."""
    library, side = world.side.library, world.changed().drained().side
    cited = side.cite(POLICY_SHORTER, "Refunds are paid within 15 days")
    fetched = side.their_fetch(cited)
    assert library.reaffirm_decision(
        world.days, [document(cited)], fetched_evidence=fetched
    ).recorded
    new = library.supersede_decision(
        world.mail,
        "Say 15 days.",
        explanation="The policy changed.",
        supports=[decision(world.days)],
    )
    assert new.recorded
    assert new.decision is not None
    library.drain()
    assert library.reject_decision(world.letter, "No letter is sent.").recorded
    library.drain()
    assert _decisions_differ(world) == []
    mine = side.traces.get_decision(new.decision.id).decision
    assert mine is not None
    assert differences(mine, library.get_decision(new.decision.id).decision or mine) == []
    assert mine.supersession_explanation == "The policy changed."


def test_the_review_list_holds_the_same_decisions(world: World) -> None:
    """With and without a task, while flags travel and afterwards."""
    side = world.changed().side
    for _ in range(2):
        for task_name in (None, "letters"):
            their = side.library.list_decisions_for_review(task_name=task_name)
            mine = side.traces.list_decisions_for_review(task_name)
            assert differences(mine, their) == []
        world.drained()


def test_fetched_evidence_reads_the_same(both: Side) -> None:
    """A span in one chunk, a span over several, an old version, one past the end, one cut short."""
    long = "\n\n".join(
        f"Clause {n}. " + "The carrier answers for the parcel. " * 8 for n in range(9)
    )
    both.library.put_document(both.policy, long, title="Carrier [v1]", uri="https://example.org/c")
    one = both.cite(long, "Clause 4.")
    over = both.cite(long, long[300:1400])
    assert _outcomes_differ(both, one, over) == []
    both.library.put_document(both.policy, long.replace("parcel", "letter"))
    mine = both.our_fetch(one)[0]
    assert mine.status_of_version is VersionStatus.SUPERSEDED
    assert _outcomes_differ(both, one, over) == []
    beyond = both.cite(long.replace("parcel", "letter"), "Clause 8.")
    beyond = replace(beyond, evidence_id=re.sub("-[0-9]+$", "-999999", beyond.evidence_id))
    short = both.documents.fetch_evidence(
        [over.evidence_id], max_chars=10, scope=frozenset([both.policy])
    )
    assert _outcomes_differ(both, beyond) == []
    assert differences(short[0], both.library.fetch_evidence(over, max_chars=10)[0]) == []


def test_an_id_that_is_none_and_a_document_out_of_scope_read_the_same(both: Side) -> None:
    """A malformed id says so; what may not be read looks like what is not there."""
    both.library.put_document(both.policy, POLICY)
    cited = both.cite(POLICY, "Shipping")
    other = replace(cited, document_key="something-else")
    broken = replace(cited, evidence_id="ev1:s:nothing")
    for named in (other, broken):
        mine, their = both.our_fetch(named)[0], both.their_fetch(named)[0]
        assert (mine.status, mine.text, mine.title) == (their.status, their.text, their.title)


def test_a_chunk_reads_the_same(both: Side) -> None:
    """An evidence id that names a chunk gives the chunk's text on both sides."""
    both.library.put_document(both.handbook, HANDBOOK)
    document_id = both.peer.node("Document", document_key=both.handbook)["id"]
    chunk = both.peer.node("Chunk", document_id=document_id)
    evidence_id = f"ev1:c:{chunk['document_id']}:{chunk['content_hash'][:16]}:{chunk['id']}"
    named = both.cite(HANDBOOK, HANDBOOK, both.handbook)
    named = replace(named, evidence_id=evidence_id)
    assert _outcomes_differ(both, named) == []


def test_a_document_and_its_versions_are_read_from_its_chunks(world: World) -> None:
    """The library stores no whole text; ours is put together from the version's chunks."""
    side = world.changed().side
    lookup = side.our_document(side.policy)
    assert lookup.text == POLICY_SHORTER
    assert lookup.document is not None
    assert (lookup.document.title, lookup.document.activation_seq) == ("Refund policy", 2)
    versions = side.our_versions(side.policy).versions
    assert [(v.activation_seq, v.verb) for v in versions] == [(2, "update"), (1, "add")]
    side.library.remove_document(side.policy)
    removed = side.our_document(side.policy)
    assert removed.text is None
    assert removed.document is not None
    assert removed.document.removed
    adopt_slice(side.store, side.project)
    keys = [d.document_key for d in side.documents.list_documents().documents]
    assert sorted(keys) == sorted([side.policy, side.handbook])


def test_an_old_passage_stays_readable_for_a_person(world: World) -> None:
    """A cited passage of a removed document: the library hides it, its decision still shows what it said."""
    side = world.side
    cited = side.cite(POLICY, "Refunds are paid within 30 days")
    side.library.remove_document(side.policy)
    assert side.their_fetch(cited)[0].text is None
    assert side.our_fetch(cited)[0].status is FetchStatus.UNAVAILABLE


def test_a_choice_is_listed_with_all_its_dependents(world: World) -> None:
    """Dependents in other tasks are found through others, with their distance."""
    page = world.side.traces.list_dependents(world.scope)
    depths = {d.choice_key: page.depths[str(d.id)] for d in page.decisions}
    assert depths == {"days": 1, "mail": 2, "letter": 3}


def test_events_of_one_project_are_nobody_elses(world: World) -> None:
    """The same names in another project read as not there, on both sides."""
    other = Side(world.side.store, world.side.peer, f"{world.side.project}-other")
    other.library.create_task("audit", "Another goal.")
    assert other.history.list_events("audit").events == []
    assert not other.traces.get_decision(world.days).found
    assert not other.library.get_decision(world.days).found
    assert other.library.record_decision("audit", "k", "c", supports=[event("audit", 1)]).error


def test_a_conflict_of_the_librarys_counts_once_it_was_taken_in(world: World) -> None:
    """Then the list, the task and the number have it, with the decisions that the library names."""
    side = world.side
    _rivals(side)
    assert side.traces.list_conflicts().groups == []
    assert side.traces.count_conflicts() == 0
    Index(side).look()
    assert _conflicts(side.traces.list_conflicts()) == _conflicts(side.library.list_conflicts())
    assert side.traces.count_conflicts() == 2
    for task_name in ("audit", "letters"):
        mine = side.history.get_task(task_name).view
        their = side.library.get_task(task_name).view
        assert mine is not None
        assert their is not None
        assert _conflicts(mine) == _conflicts(their)


def test_a_conflict_of_the_librarys_counts_once_it_was_adopted(world: World) -> None:
    """A graph that the library filled before us needs no look at its queue."""
    side = world.side
    _rivals(side)
    adopt_slice(side.store, side.project)
    assert _conflicts(side.traces.list_conflicts()) == _conflicts(side.library.list_conflicts())
    assert side.traces.count_conflicts() == 2


def test_a_conflict_that_the_library_settled_is_gone_at_the_next_look(world: World) -> None:
    """Rejected, superseded by the other side's conclusion, or deleted with its task."""
    side = world.side
    rivals = _rivals(side)
    index = Index(side)
    index.look()
    assert side.library.reject_decision(rivals["scope"], "No.").recorded
    assert [g.choice_key for g in side.traces.list_conflicts().groups] == ["days"]
    assert side.library.supersede_decision(
        rivals["days"], "30 days", explanation="So it is.", supports=[event("audit", 1)]
    ).recorded
    index.look()
    assert side.traces.list_conflicts().groups == []
    assert side.traces.count_conflicts() == 0
    assert side.library.list_conflicts().groups == []


def test_a_conflict_goes_with_the_task_that_the_library_deletes(world: World) -> None:
    """The list believes decisions, not counts."""
    side = world.side
    _rivals(side)
    Index(side).look()
    assert side.library.delete_task("letters").recorded
    assert side.traces.list_conflicts().groups == []
    assert side.library.list_conflicts().groups == []


def test_a_task_that_the_library_deleted_is_not_there(world: World) -> None:
    """Nothing of it is found under its name or its id, and its citers wait for review."""
    side = world.side
    task_id = side.peer.node("Task", project_id=side.project, name="audit")["id"]
    assert side.library.delete_task("audit").recorded
    assert not side.history.get_task("audit").found
    assert not side.history.find_task(task_id).found
    assert not side.history.list_events("audit").found
    assert not side.history.list_steps("audit").found
    assert not side.traces.list_decisions("audit").found
    assert not side.traces.get_decision(world.days).found
    rows = Index(side).look()
    assert rows == {"letter": ReviewReason.SOURCE_REMOVED}
    mine = side.traces.get_decision(world.letter)
    assert differences(mine, side.library.get_decision(world.letter)) == []
    blocked = side.traces.reaffirm_decision(world.letter, [])
    assert [b.cause for b in blocked.blockers] == ["parent_gone"]


def test_a_decision_that_the_library_kept_is_still_read(world: World) -> None:
    """It finds no such decision any more; we do, and say that its task is gone."""
    side = world.side
    assert side.library.delete_task("audit", include_decisions=False).recorded
    assert not side.library.get_decision(world.scope).found
    kept = side.traces.get_decision(world.scope).decision
    assert kept is not None
    assert (kept.conclusion, kept.task_name, kept.task_deleted) == ("EU only", "", True)
    assert side.traces.get_decision(world.letter).decision.task_deleted is False
    listed = {d.choice_key for d in side.traces.browse_decisions().decisions}
    assert {"scope", "days", "mail"} <= listed


def test_lists_and_searches_read_the_same(world: World) -> None:
    """A task's decisions with and without history, hits with their goals, supports by ordinal."""
    side = world.changed().drained().side
    cited = side.cite(POLICY_SHORTER, "Refunds are paid within 15 days")
    assert side.library.reaffirm_decision(
        world.days, [document(cited)], fetched_evidence=side.their_fetch(cited)
    ).recorded
    side.library.supersede_decision(
        world.mail, "Say fifteen.", explanation="Changed.", supports=[decision(world.days)]
    )
    for stage in (lambda: None, world.drained):
        stage()
        for history in (True, False):
            mine = side.traces.list_decisions("audit", history)
            their = side.library.list_decisions("audit", include_history=history)
            assert differences(mine, their) == []
        (hit,) = side.traces.search_decisions("fifteen")
        assert differences(hit, side.library.search_decisions("fifteen")[0]) == []
    assert side.traces.search_decisions("fifteen", task_name="letters") == []
    mine = side.traces.list_support_history(world.days)
    their = side.library.ask("list_support_history", world.days)
    assert differences(mine, their) == []
    first = side.traces.list_support_history(world.days, limit=1)
    assert differences(first, side.library.ask("list_support_history", world.days, limit=1)) == []
    lookup = side.library.fetch_event("audit", 2)
    assert differences(side.history.fetch_event("audit", 2), lookup) == []


def _rivals(side: Side) -> dict[str, UUID]:
    """Decisions of the library in task `letters` that contradict `days` and `scope` in `audit`."""
    made = {
        choice: side.library.record_decision(
            "letters", choice, f"Not {choice}", supports=[event("audit", 1)]
        ).decision
        for choice in ("days", "scope")
    }
    return {choice: one.id for choice, one in made.items() if one is not None}


def _conflicts(found: Any) -> list[Any]:
    """Each choice with its decisions, without their order."""
    groups = getattr(found, "groups", None) or getattr(found, "conflicts", [])
    return [
        (group.choice_key, group.truncated, sorted(str(d.id) for d in group.decisions))
        for group in groups
    ]


def _supported_steps(world: World) -> None:
    side = world.side
    cited = side.cite(POLICY, "Refunds are paid within 30 days")
    side.library.record_event("audit", "long " * MAX_PAYLOAD_CHARACTERS)
    side.library.set_step("audit", "cut", StepState.COMPLETED)
    # The library sets no step with such a result, but an event of its own can be one.
    side.peer.write(
        "MATCH (s:Step {task_id: $task, name: 'cut'}) SET s.result_event_seq = 3 RETURN s.id",
        task=side.peer.node("Task", project_id=side.project, name="audit")["id"],
    )
    side.library.set_step("audit", "nothing", StepState.COMPLETED)
    side.library.set_step("audit", "guess", StepState.COMPLETED, result_event_seq=2)
    side.library.set_step(
        "audit",
        "by itself",
        StepState.COMPLETED,
        result_event_seq=1,
        result_basis=StepResultBasis.INDEPENDENT,
    )
    for name, supports in (
        ("on an event", [event("audit", 2), event("audit", 1)]),
        ("on a passage", [document(cited)]),
        ("on a decision", [decision(world.scope), decision(world.mail)]),
    ):
        assert side.library.set_step(
            "audit",
            name,
            StepState.COMPLETED,
            result_event_seq=2,
            result_basis=StepResultBasis.SUPPORTED,
            supports=supports,
            fetched_evidence=side.their_fetch(cited),
        ).recorded


def _causes(side: Side) -> dict[str, str]:
    steps = side.history.list_steps("audit", "completed").steps
    return {s.name: s.result_blocked_by.cause.value for s in steps if s.result_blocked_by}


def _steps_differ(side: Side) -> list[str]:
    mine = side.history.list_steps("audit", "completed")
    return differences(mine, side.library.list_steps("audit", StepState.COMPLETED))


def _decisions_differ(world: World) -> list[str]:
    side = world.side
    ids = (world.scope, world.days, world.mail, world.letter, world.signature)
    return [
        found
        for decision_id in ids
        for found in differences(
            side.traces.get_decision(decision_id), side.library.get_decision(decision_id)
        )
    ]


def _outcomes_differ(side: Side, *cited: Passage) -> list[str]:
    return [
        found
        for mine, their in zip(side.our_fetch(*cited), side.their_fetch(*cited), strict=True)
        for found in differences(mine, their)
    ]
