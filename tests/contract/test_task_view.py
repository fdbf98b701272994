"""The task view: conflicts that touch the task, and what a view costs beside a large log."""

from typing import Any

from graphstore.records import StepResultValidity, StepState
from graphstore.results import ConflictGroup, TaskView
from graphstore.store import counting
from tests.contract.looking import node
from tests.contract.seeding import MARK, Heard, Passage, Seed, derived, digest
from tests.contract.world import DAYS, POLICY, Work


def view_of(work: Work, task: str = "t") -> TaskView:
    """The view of a task that is there."""
    view = work.history.get_task(task).view
    assert view is not None
    return view


def told(groups: list[ConflictGroup]) -> list[tuple[str, list[str], bool]]:
    """Conflicts as their choices, with the tasks of the decisions shown."""
    return [(g.choice_key, [d.task_name for d in g.decisions], g.truncated) for g in groups]


def tasks(seed: Seed, *names: str) -> None:
    """A project with these tasks, each with an event to cite."""
    seed.project_node()
    for name in names:
        seed.task(name, "asked")


def say(work: Work, task: str, choice: str, conclusion: str) -> str:
    """Decide a choice in a task."""
    return str(work.record(choice, Heard(task, 1), task=task, says=conclusion).id)


def test_a_choice_that_others_decided_otherwise_is_a_conflict(work: Work, seed: Seed) -> None:
    """The task's own decision comes first, then the others, newest first, with their supports."""
    tasks(seed, "t", "u", "v")
    say(work, "u", "days", "30")
    say(work, "t", "days", "15")
    say(work, "v", "days", "30")
    say(work, "u", "elsewhere", "a")
    say(work, "v", "elsewhere", "b")
    say(work, "t", "alike", "Yes")
    say(work, "u", "alike", "  Yes ")
    with counting() as trips:
        view = view_of(work)
    assert trips.count == 1
    assert told(view.conflicts) == [("days", ["t", "v", "u"], False)]
    assert view.conflicts_truncated is False
    (group,) = view.conflicts
    assert (group.tasks, group.sides) == (3, 2)
    assert [len(d.supports) for d in group.decisions] == [1, 1, 1]
    assert told(view_of(work, "u").conflicts)[0] == ("days", ["u", "v", "t"], False)
    assert [g.choice_key for g in view_of(work, "v").conflicts] == ["days", "elsewhere"]


def test_a_conflict_ends_with_its_last_side(work: Work, seed: Seed) -> None:
    """A rejected or superseded decision is no side any more."""
    tasks(seed, "t", "u")
    say(work, "t", "days", "15")
    other = say(work, "u", "days", "30")
    assert told(view_of(work).conflicts) == [("days", ["t", "u"], False)]
    agreed = work.traces.supersede_decision(
        other, "15", "r", explanation="Agreed.", supports=[Heard("u", 1).support]
    )
    assert agreed.decision is not None
    assert view_of(work).conflicts == []
    say(work, "t", "mail", "yes")
    assert work.traces.reject_decision(say(work, "u", "mail", "no"), "Wrong.").recorded
    assert view_of(work).conflicts == []


def test_other_projects_do_not_conflict(work: Work, seed: Seed) -> None:
    """A choice is a choice of its project."""
    tasks(seed, "t")
    tasks(Seed(work.raw, "q", seed.ticks), "t")
    say(work, "t", "days", "15")
    say(work.within("q"), "t", "days", "30")
    assert view_of(work).conflicts == []


def test_a_count_that_is_ahead_of_its_decisions_is_no_conflict(work: Work, seed: Seed) -> None:
    """The decisions that are shown confirm what was counted."""
    tasks(seed, "t", "u")
    say(work, "t", "days", "15")
    say(work, "u", "days", "15")
    choice = node(work.raw, "CtxChoice", choice_key="days")["id"]
    work.raw.run("MATCH (c:CtxChoice {id: $id}) SET c.stances = 2", {"id": choice})
    assert view_of(work).conflicts == []


def test_conflicts_are_bounded(work: Work, seed: Seed) -> None:
    """Ten choices by name and ten decisions each are shown, and the view says that there are more."""
    names = [f"u{k:02}" for k in range(12)]
    tasks(seed, "t", *names)
    for name in names:
        say(work, name, "a", "other")
    say(work, "t", "a", "own")
    for k in range(10):
        say(work, "t", f"b{k}", "own")
        say(work, "u00", f"b{k}", "other")
    view = view_of(work)
    assert [g.choice_key for g in view.conflicts] == ["a", *(f"b{k}" for k in range(9))]
    assert view.conflicts_truncated is True
    assert told(view.conflicts)[0] == ("a", ["t", *reversed(names[3:])], True)
    assert {g.truncated for g in view.conflicts[1:]} == {False}


def test_a_side_that_is_not_shown_counts_as_well(work: Work, seed: Seed) -> None:
    """When the decisions shown agree, the one that is left out still makes the conflict."""
    tasks(seed, "t", *(f"u{k:02}" for k in range(13)))
    for k in range(13):
        say(work, f"u{k:02}", "a", "own" if k else "other")
    say(work, "t", "a", "own")
    (group,) = view_of(work).conflicts
    assert (group.choice_key, group.truncated, group.sides) == ("a", True, 1)


def test_conflicts_while_flags_travel(work: Work, seed: Seed) -> None:
    """What is stored as clear reads unknown there, too."""
    tasks(seed, "t", "u")
    say(work, "t", "days", "15")
    say(work, "u", "days", "30")
    work.raw.run("MATCH (q:Project {project_id: 'p'}) SET q.review_incomplete = true", {})
    (group,) = view_of(work).conflicts
    assert [d.review_state for d in group.decisions] == ["unknown", "unknown"]


def _large(seed: Seed, events: int, steps: int) -> None:
    """A task with a long log and many completed steps, whose results rest on what the log says."""
    task_id = seed.task("t")
    rows: list[dict[str, Any]] = [
        MARK
        | {"id": derived("Event", task_id, seq), "task_id": task_id, "seq": seq}
        | {"kind": "note", "payload": "said", "payload_sha256": digest("said")}
        | {"truncated": False, "author": "agent", "at": "2026-03-01T09:00:00+00:00"}
        for seq in range(1, events + 1)
    ]
    for start in range(0, events, 2000):
        part = rows[start : start + 2000]
        seed.create("Event", part)
        seed.link("Task", "HAS_EVENT", "Event", [(task_id, row["id"]) for row in part])
    seed.raw.run("MATCH (t:Task {name: 't'}) SET t.event_seq = $n", {"n": events})
    made = [
        MARK
        | {"id": derived("Step", task_id, f"{k:04}"), "task_id": task_id, "name": f"{k:04}"}
        | {"kind": "read", "state": "completed", "updated_seq": k, "result_basis": "independent"}
        | {"result_event_seq": k + 1, "result_supports": "[]"}
        for k in range(steps)
    ]
    seed.create("Step", made)
    seed.link("Task", "HAS_STEP", "Step", [(task_id, step["id"]) for step in made])


def test_a_view_costs_its_page_beside_thousands_of_events(work: Work, seed: Seed) -> None:
    """Two reads, which seek, show fifty of hundreds of steps, checked."""
    seed.project_node()
    _large(seed, 2_000, 300)
    with counting() as trips:
        view = view_of(work)
    assert trips.count == 2
    assert view.step_counts[StepState.COMPLETED] == 300
    shown = view.steps[StepState.COMPLETED]
    assert len(shown) == 50
    assert {s.result_validity for s in shown} == {StepResultValidity.REUSABLE}


def test_a_view_shows_results_checked_against_documents(work: Work, seed: Seed) -> None:
    """A step completed on a passage reads so in the view, and no longer once the document moved on."""
    tasks(seed, "t")
    seed.document("policy", POLICY)
    cited = Passage("policy", POLICY, DAYS)
    done = work.history.set_step(
        "t",
        "read",
        "completed",
        result_event_seq=1,
        result_basis="supported",
        supports=[cited.support],
        fetched_evidence=[cited.outcome],
    )
    assert done.recorded
    (before,) = view_of(work).steps[StepState.COMPLETED]
    assert work.documents.put_document("policy", POLICY + " New.").recorded
    (after,) = view_of(work).steps[StepState.COMPLETED]
    assert (before.result_validity, after.result_validity) == ("reusable", "needs_review")
