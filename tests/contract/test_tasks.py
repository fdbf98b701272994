"""Tasks: created once for a name, read back as recorded, listed newest first."""

import pytest

from graphstore.adoption import adopt_slice
from graphstore.records import StepState, TaskStatus
from graphstore.store import counting
from tests.contract.looking import dump, entry, node, nodes, project
from tests.contract.seeding import MARK, Seed, derived, digest
from tests.contract.world import Meanwhile, Work, answer


def test_a_task_is_recorded_as_the_library_would(work: Work) -> None:
    """Project and task have the library's keys, ids and first values, and nothing else."""
    task = work.history.create_task("t", "Find out.").task
    assert task is not None
    assert (task.name, task.goal, task.author) == ("t", "Find out.", "agent")
    assert (task.status, task.event_seq, task.project_id) == (TaskStatus.OPEN, 0, "p")
    assert str(task.id) == derived("p", "t")
    assert project(work.raw) == MARK | {
        "project_id": "p",
        "review_epoch": 0,
        "review_incomplete": False,
    }
    assert node(work.raw, "Task", id=str(task.id)) == MARK | {
        "id": str(task.id),
        "project_id": "p",
        "name": "t",
        "goal": "Find out.",
        "status": "open",
        "event_seq": 0,
        "author": "agent",
        "created_at": task.created_at.isoformat(),
    }


def test_a_second_task_leaves_the_project_alone(work: Work, seed: Seed) -> None:
    """The project is made once."""
    seed.project_node(review_epoch=7)
    assert work.history.create_task("t", "g").recorded
    assert project(work.raw)["review_epoch"] == 7


def test_the_same_goal_gives_the_task_that_is_there(work: Work, seed: Seed) -> None:
    """Creating again is no error and changes nothing, whoever asks."""
    seed.project_node()
    seed.task("t", "said", goal="Find out.")
    before = dump(work.raw)
    again = work.by("other").history.create_task("t", "Find out.")
    assert again.recorded
    assert again.task == work.history.list_tasks().tasks[0]
    assert again.task is not None
    assert (again.task.author, again.task.event_seq) == ("agent", 1)
    assert dump(work.raw) == before


def test_the_same_goal_claims_the_request_id(work: Work, seed: Seed) -> None:
    """An id under which a task was found is used: other arguments are refused afterwards."""
    seed.project_node()
    seed.task("t", goal="Find out.")
    first = work.history.create_task("t", "Find out.", request_id="r")
    assert work.history.create_task("t", "Find out.", request_id="r") == first
    other = work.history.create_task("u", "Else.", request_id="r")
    assert answer(other) == (False, "request_id_reused")


def test_another_goal_is_refused(work: Work, seed: Seed) -> None:
    """A name stands for one goal, and a refusal leaves no claim."""
    seed.project_node()
    seed.task("t", goal="Find out.")
    before = dump(work.raw)
    refused = work.history.create_task("t", "Something else.", request_id="r")
    assert answer(refused) == (False, "task_exists")
    assert refused.task is None
    assert dump(work.raw) == before
    assert work.history.create_task("u", "Something else.", request_id="r").recorded


def test_names_are_unique_within_their_project(work: Work) -> None:
    """Two projects may have a task of one name."""
    first = work.history.create_task("t", "g").task
    second = work.within("q").history.create_task("t", "another").task
    assert first is not None
    assert second is not None
    assert first.id != second.id
    assert work.history.list_tasks().tasks == [first]
    assert work.within("q").history.list_tasks().tasks == [second]


def test_names_differ_by_case_and_by_accent(work: Work) -> None:
    """Names are compared to the letter."""
    for name in ("t", "T", "ä", "a\u0308"):
        assert work.history.create_task(name, f"Goal of {name}").recorded
    assert len(nodes(work.raw, "Task")) == 4


def test_the_ledger_entry_of_a_task(work: Work) -> None:
    """The entry names the task and the hash of its goal."""
    task = work.history.create_task("t", "Find out.").task
    assert task is not None
    manifest = entry(work.raw, "create_task")["manifest"]
    assert manifest["task"] == str(task.id)
    assert manifest["created"] == [str(task.id)]
    assert manifest["hashes"] == {str(task.id): digest("Find out.")}


def test_tasks_are_listed_newest_first(work: Work, seed: Seed) -> None:
    """Pages follow each other without a gap or a repeat, of tasks of this project only."""
    seed.project_node()
    for number in range(7):
        seed.task(f"t{number}")
    seed.task("twin a", created_at="2026-03-01T09:00:03+00:00")
    other = Seed(work.raw, "q", seed.ticks)
    other.project_node()
    other.task("elsewhere")
    names: list[str] = []
    cursor = None
    for _ in range(3):
        page = work.history.list_tasks(cursor=cursor, limit=3)
        names += [task.name for task in page.tasks]
        cursor = page.next_cursor
    assert cursor is None
    assert sorted(names) == sorted([*(f"t{n}" for n in range(7)), "twin a"])
    assert [n for n in names if n != "twin a"] == [f"t{n}" for n in reversed(range(7))]


@pytest.mark.parametrize(("limit", "shown"), [(-1, 1), (0, 1), (2, 2), (500, 200)])
def test_a_page_of_tasks_has_at_most_200(limit: int, shown: int, work: Work, seed: Seed) -> None:
    """Limits are kept within 1 and 200."""
    seed.project_node()
    seed.create(
        "Task",
        [
            MARK
            | {"id": f"{n:032x}", "project_id": "p", "name": f"t{n}", "goal": "g"}
            | {"status": "open", "event_seq": 0, "author": "a", "created_at": seed.now()}
            for n in range(201)
        ],
    )
    page = work.history.list_tasks(limit=limit)
    assert len(page.tasks) == shown
    assert page.next_cursor is not None


def test_a_project_without_tasks(work: Work) -> None:
    """An unknown project has no tasks, and no task is found there."""
    assert work.history.list_tasks().tasks == []
    assert work.history.get_task("t").found is False


def test_a_task_is_viewed_without_event_bodies(work: Work, seed: Seed) -> None:
    """The view holds goal, last number, steps by state with their counts, and decisions with supports."""
    seed.project_node()
    task_id = seed.task("t", "a secret", goal="Find out.")
    states = ["completed", "failed", "in_progress", "not_started", "unknown", "completed"]
    steps = [
        MARK
        | {"id": f"s{k}", "task_id": task_id, "name": f"step {k}", "kind": "read", "state": state}
        for k, state in enumerate(states)
    ]
    seed.create("Step", steps)
    seed.link("Task", "HAS_STEP", "Step", [(task_id, step["id"]) for step in steps])
    clear, flagged = (
        seed.decision("a"),
        seed.decision("b", review_state="needs_review", review_reason="source_changed"),
    )
    seed.decision("c", status="rejected")
    with counting() as trips:
        view = work.history.get_task("t").view
    assert trips.count == 1
    assert view is not None
    assert (view.goal, view.last_event_seq, view.status) == ("Find out.", 1, "open")
    assert [s.name for s in view.steps[StepState.COMPLETED]] == ["step 0", "step 5"]
    assert view.step_counts == dict.fromkeys(StepState, 1) | {StepState.COMPLETED: 2}
    assert view.steps_truncated is False
    assert [str(d.id) for d in view.decisions] == [flagged, clear]
    assert [str(d.id) for d in view.review_decisions] == [flagged]
    assert (view.decision_count, view.decisions_truncated) == (2, False)
    assert "a secret" not in view.model_dump_json()


def test_a_view_is_bounded(work: Work, seed: Seed) -> None:
    """At most 50 steps and 20 decisions of each kind are shown, with their full counts."""
    seed.project_node()
    task_id = seed.task("t")
    steps = [
        MARK
        | {"id": f"s{k}", "task_id": task_id, "name": f"{k:02}", "kind": "read"}
        | {"state": "failed" if k == 59 else "completed"}
        for k in range(60)
    ]
    seed.create("Step", steps)
    seed.link("Task", "HAS_STEP", "Step", [(task_id, step["id"]) for step in steps])
    made = seed.decisions([(f"d{k:02}", []) for k in range(30)], review_state="needs_review")
    view = work.history.get_task("t").view
    assert view is not None
    assert sum(map(len, view.steps.values())) == 50
    assert [s.name for s in view.steps[StepState.FAILED]] == ["59"]
    assert (view.steps_truncated, view.step_counts[StepState.COMPLETED]) == (True, 59)
    assert [str(d.id) for d in view.decisions] == made[:9:-1]
    assert [str(d.id) for d in view.review_decisions] == made[:9:-1]
    assert (view.decision_count, view.decisions_truncated) == (30, True)


def test_a_view_while_flags_travel(work: Work, seed: Seed) -> None:
    """What is stored as clear reads unknown until the project's flags have arrived."""
    seed.project_node(review_incomplete=True)
    seed.task("t")
    seed.decision("a")
    view = work.history.get_task("t").view
    assert view is not None
    assert [d.review_state for d in view.decisions] == ["unknown"]


def test_adoption_takes_in_what_others_recorded(work: Work, seed: Seed) -> None:
    """Slice by slice, flags are dated, sides of choices counted, and what is done is not done again."""
    seed.project_node()
    seed.task("t")
    seed.task("u")
    clear = seed.decision("k")
    seed.decision("k", task="u", conclusion="Another")
    flagged = seed.decision("l", review_state="needs_review", review_reason="source_changed")
    seed.decision("m", status="rejected")
    first = adopt_slice(work.store, "p")
    assert first.decisions == 4
    assert first.cursor is not None
    assert node(work.raw, "CtxChoice", choice_key="k")["stances"] == 2
    assert node(work.raw, "Decision", id=flagged)["ctx_flagged_us"] > 0
    assert "ctx_stance" in node(work.raw, "Decision", id=clear)
    before = dump(work.raw)
    assert adopt_slice(work.store, "p", first.cursor).cursor is None
    assert adopt_slice(work.store, "p").decisions == 0
    assert dump(work.raw) == before


def test_a_task_that_goes_while_it_is_created_again(work: Work) -> None:
    """The request id must not keep the goal of a task that was deleted: a new task is made."""
    first = work.history.create_task("t", "Find out.").task
    between = Meanwhile(work.store, lambda: work.retention.delete_task("t"))
    again = work.through(between).history.create_task("t", "Find out.", request_id="r").task
    assert first is not None
    assert again is not None
    assert again.id != first.id
    assert work.history.get_task("t").found
