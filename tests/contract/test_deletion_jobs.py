"""Deleting a large task by a job: hidden at once, gone in bounded commits, whatever happens in between."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from graphstore import ConversationHistory, HistoryRetention
from graphstore.board import surroundings
from graphstore.desk import open_desk
from graphstore.erasures import RetentionJob
from graphstore.records import Actor, EventKind, EventSupportInput
from graphstore.results import RetentionResult
from graphstore.retention import Bounds
from graphstore.review_feed import take
from graphstore.running import run_slice
from tests.contract.looking import Props, decision, dump, entries, node, nodes, project
from tests.contract.seeding import MARK, Heard, Seed, derived
from tests.contract.test_delete_task import SECRET, WORDS, filled
from tests.contract.world import Deaf, Meanwhile, Work, answer, on

TASK = derived("p", "t")
NOTE = EventKind.NOTE
SMALL = Bounds(at_once=0, events=3, decisions=2)
BOTH = pytest.mark.parametrize("whole", [True, False], ids=["whole", "decisions stay"])


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A task with seven events and another with one."""
    seed.project_node()
    seed.task("t", *(f"word {k}" for k in range(7)))
    seed.task("u", "Elsewhere.")


def retention(work: Work, **more: Any) -> HistoryRetention:
    """Retention that leaves every deletion to a job."""
    return HistoryRetention(
        more.get("store", work.store), work.project, work.agent, actor=work.actor, bounds=SMALL
    )


def begun(work: Work, name: str = "t", *, whole: bool = True, **more: Any) -> RetentionResult:
    """Hide a task; a job must be left."""
    result = retention(work).delete_task(name, whole, **more)
    assert (result.recorded, result.left_to_job) == (True, True)
    assert result.job_id is not None
    return result


def job(work: Work, result: RetentionResult) -> RetentionJob:
    """How far the job is."""
    found = work.retention.get_job(result.job_id or "")
    assert found is not None
    return found


RUNNER = Actor(agent_id="runner", door="job")


def one_step(work: Work) -> bool:
    """Let a runner do one step."""
    return run_slice(work.store, work.project, RUNNER)


def left_of(work: Work) -> list[Props]:
    """What still hangs below the task."""
    found = work.raw.run(
        "MATCH (:Task {id: $id})-[:HAS_EVENT|HAS_STEP]->(x) RETURN properties(x)", {"id": TASK}
    )
    return [row[0] for row in found]


@BOTH
def test_it_ends_as_one_commit_does(whole: bool, work: Work, seed: Seed) -> None:
    """The same decisions are flagged, gone and kept; the same counts, marks and names are left."""

    def told(task: str, delete: Callable[[str], object]) -> list[Any]:
        seed.task(task, "one", "two", "three", "four")
        work.history.set_step(task, "look", "completed", result_event_seq=1)
        days = work.record(f"days {task}", Heard(task, 1), task=task)
        work.record(f"mail {task}", str(days.id), Heard(task, 4), task=task)
        below = work.record(f"below {task}", str(days.id), task="u")
        citer = work.record(f"citer {task}", Heard(task, 2), Heard("u", 1), task="u")
        rests: Props = {"result_event_seq": 1, "result_basis": "supported", **on(Heard(task, 3))}
        assert work.history.set_step("u", f"rests {task}", "completed", **rests).recorded
        delete(task)
        work.retention.finish_jobs()
        while work.traces.continue_decision_review():
            pass
        found = [work.traces.get_decision(d.id).decision for d in (days, below, citer)]
        identity = derived("p", task)
        step = node(work.raw, "Step", name=f"rests {task}")
        assert nodes(work.raw, "Task", id=identity) == nodes(work.raw, "Event", task_id=identity)
        text = json.dumps(
            [
                [d and d.model_dump(mode="json", exclude=APART) for d in found],
                step["result_supports"],
                [n["stances"] for n in nodes(work.raw, "CtxChoice", choice_key=f"days {task}")],
            ]
        )
        for k, old in enumerate((days.id, below.id, citer.id)):
            text = text.replace(str(old), f"decision {k}")
        events = [derived("Event", identity, k) for k in range(1, 5)]
        for k, old in enumerate([identity, *events]):
            text = text.replace(old, f"id {k}")
        return json.loads(text.replace(task, "task"))

    at_once = told("xa", lambda name: work.retention.delete_task(name, whole))
    by_job = told("xb", lambda name: begun(work, name, whole=whole))
    assert by_job == at_once


APART = {"id", "created_at", "flagged_at", "supports"}


def test_no_text_of_it_is_left_anywhere(work: Work) -> None:
    """In no property of any node or relationship, stored results included."""
    filled(work)
    begun(work, SECRET["name"], request_id="delete")
    work.retention.finish_jobs()
    left = "\n".join(line for line in dump(work.raw) if '"CtxTrace"' not in line)
    texts = {w: SECRET[w] for w in WORDS if w != "author"}
    assert [w for w, text in texts.items() if text in left] == []
    ledger = "\n".join(json.dumps(e) for e in nodes(work.raw, "CtxTrace"))
    assert [w for w, text in texts.items() if text in ledger] == []
    again = work.history.create_task(SECRET["name"], SECRET["goal"], request_id="1b")
    assert answer(again) == (False, "task_not_found")


def test_it_is_hidden_from_every_read(work: Work, seed: Seed) -> None:
    """From the first commit on nobody finds it, by name or id, in a list or through a decision."""
    work.record("days", Heard("t", 1))
    seed.step("look")
    event = derived("Event", TASK, 1)
    begun(work)
    history, traces = work.history, work.traces
    assert history.get_task("t").found is history.find_task(TASK).found is False
    assert history.list_events("t").found is history.fetch_event("t", 1).found is False
    assert history.list_steps("t").found is False
    assert [task.name for task in history.list_tasks().tasks] == ["u"]
    assert work.retention.plan_deletion("t").error == "task_not_found"
    assert work.retention.plan_redaction(event).error == "event_not_found"
    assert traces.list_decisions("t").found is False


@pytest.mark.parametrize(
    ("write", "code"),
    [
        (lambda w: w.history.record_event("t", NOTE, payload="late"), "task_not_found"),
        (lambda w: w.history.set_step("t", "s", "completed"), "task_not_found"),
        (lambda w: w.history.resume_task("t"), "task_not_found"),
        (
            lambda w: w.traces.record_decision("t", "d", "c", "r", **on(Heard("u", 1))),
            "task_not_found",
        ),
        (
            lambda w: w.traces.record_decision("u", "d", "c", "r", **on(Heard("t", 1))),
            "support_event_not_found",
        ),
        (lambda w: w.retention.redact_event(derived("Event", TASK, 1)), "event_not_found"),
        (lambda w: w.retention.delete_task("t"), "task_not_found"),
        (lambda w: w.history.create_task("t", "Another goal."), "task_exists"),
    ],
    ids=[
        "event", "step", "resume", "decide under", "cite", "redact", "delete", "create",
    ],
)  # fmt: skip
def test_no_write_meets_it(write: Callable[[Work], Any], code: str, work: Work) -> None:
    """It is not there for writes, and its name is taken until the end."""
    begun(work)
    before = dump(work.raw)
    assert answer(write(work)) == (False, code)
    assert dump(work.raw) == before


def test_the_name_is_free_in_the_end(work: Work) -> None:
    """Its next life has an id that it never had."""
    begun(work)
    assert answer(work.history.create_task("t", "New.")) == (False, "task_exists")
    work.retention.finish_jobs()
    made = work.history.create_task("t", "New.")
    assert made.task is not None
    assert str(made.task.id) == derived("p", "t", 2)


def test_events_go_from_the_newest_on(work: Work) -> None:
    """Each step takes a bounded number, guarded by the job's step, which it raises."""
    result = begun(work)
    seen: list[tuple[int, list[int]]] = []
    while one_step(work):
        seen.append((job(work, result).step, sorted(e["seq"] for e in left_of(work))))
    numbers = [seqs for _, seqs in seen]
    assert numbers[:5] == [[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4], [1], [], []]
    assert [step for step, _ in seen[:-1]] == list(range(1, len(seen)))
    done = job(work, result)
    assert (done.state, done.erased_events, done.share) == ("done", 7, 1.0)


def test_two_runners_never_do_one_step(work: Work) -> None:
    """Who comes second finds the step done and does the next one, or nothing."""
    result = begun(work)
    one_step(work)
    between = Meanwhile(work.store, lambda: one_step(work))
    run_slice(between, "p", RUNNER)
    found = job(work, result)
    assert (found.step, found.erased_events) == (3, 6)


def test_whoever_cited_it_is_flagged_as_it_goes(work: Work) -> None:
    """The job says how many, the feed hears of each, and a repeat names them in the end."""
    letter = work.record("letter", Heard("t", 7), task="u")
    note = work.record("note", Heard("t", 1), task="u")
    result = begun(work, request_id="r")
    assert result.affected_decision_ids == []
    for _ in range(3):
        one_step(work)
    states = [decision(work.raw, d.id)["review_state"] for d in (letter, note)]
    assert (states, job(work, result).flagged_count) == (["needs_review", "clear"], 1)
    while (batch := take(work.store, "p", after_epoch=None)).more:
        assert batch.states
    again = work.retention.delete_task("t", request_id="r")
    assert (again.left_to_job, again.affected_decision_ids) == (
        False,
        [str(letter.id), str(note.id)],
    )
    assert project(work.raw)["review_incomplete"] is False


def test_a_repeat_joins_the_job(work: Work) -> None:
    """The same request id finds it under way; another one finds no task."""
    first = begun(work, request_id="r")
    one_step(work)
    assert retention(work).delete_task("t", request_id="r") == first
    assert answer(retention(work).delete_task("t", request_id="s")) == (False, "task_not_found")
    assert len(nodes(work.raw, "CtxJob", kind="delete_task")) == 1


def test_it_can_be_called_off_before_anything_is_gone(work: Work) -> None:
    """The task is there as it was, may be written to, and may be deleted again."""
    seen = work.history.get_task("t")
    result = begun(work, request_id="r")
    cancelled = work.retention.cancel_job(result.job_id or "")
    assert cancelled.recorded
    assert work.history.get_task("t") == seen
    assert one_step(work) is False
    assert work.history.record_event("t", NOTE, payload="more").recorded
    again = retention(work).delete_task("t", request_id="r")
    assert answer(again) == (False, "deletion_cancelled")
    assert work.history.create_task("t", "Find out.").recorded
    begun(work, request_id="s")
    work.retention.finish_jobs()
    assert nodes(work.raw, "Task", id=TASK) == []


def test_once_begun_it_can_only_be_held(work: Work) -> None:
    """A held job goes on where it stopped."""
    result = begun(work)
    identity = result.job_id or ""
    for _ in range(2):
        one_step(work)
    assert answer(work.retention.cancel_job(identity)) == (False, "deletion_begun")
    paused = work.retention.pause_job(identity)
    assert paused.job is not None
    assert (paused.job.state, one_step(work)) == ("paused", False)
    assert [one.id for one in work.retention.list_jobs()] == [identity]
    assert len(left_of(work)) == 4
    assert work.retention.pause_job(identity).recorded
    assert work.retention.resume_job(identity).recorded
    work.retention.finish_jobs()
    assert answer(work.retention.resume_job(identity)) == (False, "job_closed")
    assert answer(work.retention.pause_job(derived("none"))) == (False, "job_not_found")
    assert work.within("q").retention.get_job(identity) is None


def test_a_job_held_between_look_and_commit_erases_nothing(work: Work) -> None:
    """The runner's commit does not hold, and its next look finds the job held."""
    result = begun(work)
    one_step(work)
    between = Meanwhile(work.store, lambda: work.retention.pause_job(result.job_id or ""))
    run_slice(between, "p", RUNNER)
    assert (len(left_of(work)), job(work, result).step) == (7, 1)


def test_cancelling_loses_against_the_first_part(work: Work) -> None:
    """Whoever erases first wins; the other is told."""
    result = begun(work)
    between = work.through(Meanwhile(work.store, lambda: (one_step(work), one_step(work))))
    refused = between.retention.cancel_job(result.job_id or "")
    assert answer(refused) == (False, "deletion_begun")


def test_an_event_recorded_meanwhile_goes_too(work: Work) -> None:
    """The first commit knows the last number, or looks again."""

    def meanwhile() -> None:
        work.history.record_event("t", NOTE, payload="late word")

    result = retention(work, store=Meanwhile(work.store, meanwhile)).delete_task("t")
    assert job(work, result).total_events == 8
    work.retention.finish_jobs()
    assert "late word" not in "\n".join(dump(work.raw))


@pytest.mark.parametrize("first", ["event", "decision", "step"])
def test_a_write_that_looked_before_comes_too_late(first: str, work: Work) -> None:
    """Between its look and its commit the task is hidden: it is refused and leaves nothing."""
    fresh = ConversationHistory(
        Meanwhile(work.store, lambda: begun(work)), project_id="p", agent_id="agent"
    )
    between = work.through(Meanwhile(work.store, lambda: begun(work)))
    event = [EventSupportInput(task_name="t", seq=1)]
    rests: Props = {"result_event_seq": 1, "result_basis": "supported", "supports": event}
    acts: dict[str, Callable[[], Any]] = {
        "event": lambda: fresh.record_event("t", NOTE, payload="late word"),
        "decision": lambda: between.traces.record_decision(
            "u", "d", "late word", "r", supports=event
        ),
        "step": lambda: between.history.set_step("u", "late word", "completed", **rests),
    }
    assert acts[first]().recorded is False
    assert "late word" not in "\n".join(dump(work.raw))


@BOTH
def test_a_decision_recorded_on_its_decision_meanwhile_is_flagged(whole: bool, work: Work) -> None:
    """A decision that the job has not reached is there to be cited; its going flags who did."""
    days = work.record("days", Heard("u", 1))
    result = begun(work, whole=whole)
    made: list[UUID] = []

    def meanwhile() -> None:
        made.append(work.record("mail", str(days.id), task="u").id)

    run_slice(Meanwhile(work.store, meanwhile), "p", RUNNER)
    work.retention.finish_jobs()
    assert job(work, result).flagged == [str(i) for i in made if whole]
    assert work.get(made[0]).review_state == ("needs_review" if whole else "clear")


def test_an_event_that_many_cite_takes_several_commits(work: Work, seed: Seed) -> None:
    """First all who cite it are marked and flagged, then it goes."""
    cited = [(f"d{k:04}", [Heard("t", 7)]) for k in range(1_001)]
    seed.decisions(cited, task="u")
    result = begun(work)
    for _ in range(2):
        one_step(work)
    assert (job(work, result).flagged_count, len(left_of(work))) == (1_000, 7)
    work.retention.finish_jobs()
    done = job(work, result)
    assert (done.state, done.flagged_count, len(done.flagged)) == ("done", 1_001, 1_000)


def test_what_the_library_leaves_meanwhile_goes_too(work: Work, seed: Seed) -> None:
    """Its append that was waiting for the task's lock lands below the hidden task."""
    result = begun(work)
    while job(work, result).phase != "steps":
        one_step(work)
    late = MARK | {"id": derived("Event", TASK, 8), "task_id": TASK, "seq": 8, "payload": "late"}
    seed.create("Event", [late])
    work.raw.run(
        "MATCH (t:Task {id: $t}), (e:Event {id: $e}) CREATE (t)-[:HAS_EVENT]->(e)",
        {"t": TASK, "e": late["id"]},
    )
    work.retention.finish_jobs()
    assert nodes(work.raw, "Event", task_id=TASK) == nodes(work.raw, "Task", id=TASK) == []


def test_the_ledger_of_a_job(work: Work) -> None:
    """Its first entry says who wanted it; each part says what went and who was flagged; no text."""
    days = work.record("days", Heard("u", 1))
    mail = work.record("mail", str(days.id), task="u")
    retention(work.by("admin")).delete_task("t")
    work.retention.finish_jobs()
    (first,) = entries(work.raw, action="delete_task")
    assert (first["agent_id"], first["manifest"]["changed"][TASK]) == (
        "admin",
        {"status": ["open", None]},
    )
    parts = entries(work.raw, action="erase_part")
    assert [e["gone"] for e in parts if "gone" in e] == [[str(days.id)]]
    assert [e["manifest"]["flagged"] for e in parts if e["manifest"]["flagged"]] == [[str(mail.id)]]
    assert "word 1" not in json.dumps(entries(work.raw))
    receipt = work.retention.get_receipt(first["id"])
    assert receipt is not None
    assert receipt.job is not None
    assert receipt.log is not None
    assert (receipt.job.state, receipt.log.state) == ("done", "done")


def test_who_cites_it_finds_its_events_gone(work: Work, seed: Seed) -> None:
    """A desk shows no body, and a reaffirmation is refused at once, as after the deletion."""
    days = work.record("days", Heard("t", 1), task="u")
    begun(work)
    desk = open_desk(work.store, "p", str(days.id))
    assert desk is not None
    assert "word 0" not in repr(desk)
    refused = work.traces.reaffirm_decision(days.id, [])
    assert [b.cause for b in refused.blockers] == ["event_gone"]
    (around,) = surroundings(work.store, "p", [days.id]).values()
    assert around.events == {}


def test_its_decisions_may_be_judged_until_they_go(work: Work) -> None:
    """A decision of a hidden task is one without a task; its verdict goes with it."""
    days = work.record("days", Heard("u", 1))
    begun(work)
    assert work.get(days.id).task_deleted is True
    assert work.traces.reject_decision(days.id, "Wrong.").recorded
    work.retention.finish_jobs()
    assert nodes(work.raw, "Decision") == nodes(work.raw, "CtxVerdict") == []


@pytest.mark.parametrize("lost", range(1, 6))
def test_a_step_whose_answer_was_lost_is_done_once(lost: int, work: Work) -> None:
    """The runner looks again and goes on with the next."""
    work.record("letter", Heard("t", 7), task="u")
    result = begun(work)
    for _ in range(lost - 1):
        one_step(work)
    run_slice(Deaf(work.store), "p", RUNNER)
    assert job(work, result).step == lost
    work.retention.finish_jobs()
    done = job(work, result)
    assert (done.state, done.erased_events, done.flagged_count) == ("done", 7, 1)
