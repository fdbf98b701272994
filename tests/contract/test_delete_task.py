"""Deleting a task: it is gone from everywhere, whoever stood on it is flagged, nothing brings it back."""

import json
from typing import Any
from uuid import UUID

import pytest

from graphstore import HistoryRetention, NewEvent
from graphstore.records import EventKind, EventSupport, EventSupportInput
from graphstore.results import RetentionResult
from graphstore.retention import Bounds
from graphstore.review_feed import take
from graphstore.store import counting
from tests.contract.looking import (
    Props,
    decision,
    dump,
    entry,
    node,
    nodes,
    project,
    stances,
    supports,
)
from tests.contract.seeding import MARK, Heard, Passage, Seed, derived
from tests.contract.world import DAYS, POLICY, Deaf, Meanwhile, Work, answer, on

TASK = derived("p", "t")
SECOND = derived("p", "t", 2)
EVENT = derived("Event", TASK, 1)
NOTE = EventKind.NOTE
BOTH = pytest.mark.parametrize("whole", [True, False], ids=["whole", "decisions stay"])


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """Two tasks with events; nothing is decided yet."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")
    seed.task("u", "Elsewhere.")


def deleted(work: Work, name: str = "t", *, whole: bool = True, **more: Any) -> RetentionResult:
    """Delete a task; it must succeed."""
    result = work.retention.delete_task(name, whole, **more)
    assert result.recorded, result
    return result


def drained(work: Work) -> None:
    """Let the flags travel to their end."""
    while work.traces.continue_decision_review():
        pass


@BOTH
def test_a_task_is_gone_with_its_log(whole: bool, work: Work) -> None:
    """No reader finds it, no write may go under it, and nothing of it is left below."""
    work.history.set_step("t", "look", "in_progress")
    assert deleted(work, whole=whole).affected_decision_ids == []
    assert work.history.get_task("t").found is False
    assert work.history.list_events("t").found is False
    assert [task.name for task in work.history.list_tasks().tasks] == ["u"]
    assert answer(work.history.record_event("t", NOTE, payload="late")) == (False, "task_not_found")
    recorded = work.traces.record_decision("t", "days", "c", "r", **on(Heard("u", 1)))
    assert answer(recorded) == (False, "task_not_found")
    assert [n for n in nodes(work.raw, "Event") if n["task_id"] == TASK] == []
    assert nodes(work.raw, "Step") == []
    assert nodes(work.raw, "Task", id=TASK) == []


def test_its_decisions_go_with_it(work: Work) -> None:
    """With their supports, links, verdicts and counts."""
    days = work.record("days", Heard("t", 1))
    mail = work.record("mail", str(days.id))
    work.record("mail", Heard("u", 1), task="u", says="Otherwise")
    work.traces.reject_decision(mail.id, "Wrong.")
    deleted(work)
    assert [d["task_id"] for d in nodes(work.raw, "Decision")] == [derived("p", "u")]
    assert len(nodes(work.raw, "DecisionSupport")) == 1
    assert nodes(work.raw, "CtxVerdict") == []
    assert nodes(work.raw, "CtxChoice", choice_key="days") == []
    assert stances(work.raw, "mail") == (1, [1, 0])
    assert work.traces.get_decision(days.id).found is False


def test_decisions_may_stay(work: Work) -> None:
    """They lose their task and stay readable, listed and counted, marked as without a task."""
    made = work.record("days", Heard("u", 1))
    version = work.get(made.id).version
    assert deleted(work, whole=False).affected_decision_ids == []
    found = work.get(made.id)
    assert (found.task_id, found.task_name, found.task_deleted) == (UUID(TASK), "", True)
    assert (found.status, found.review_state, found.version) == ("active", "clear", version)
    assert work.raw.run("MATCH ()-[r:MADE]->() RETURN count(r)") == [[0]]
    assert stances(work.raw, "days") == (1, [1])


def test_a_decision_that_stayed_is_judged(work: Work, seed: Seed) -> None:
    """It is flagged by its documents and reaffirmed, without a note, or rejected."""
    seed.document("policy", POLICY)
    days = work.record("days", Passage("policy", POLICY, DAYS), Heard("u", 1))
    mail = work.record("mail", str(days.id))
    deleted(work, whole=False)
    work.documents.put_document("policy", POLICY + "\n\nMore.")
    assert work.get(mail.id).review_state == "needs_review"
    current = Passage("policy", POLICY + "\n\nMore.", DAYS, seq=2)
    reaffirmed = work.traces.reaffirm_decision(
        days.id, [current.support], fetched_evidence=[current.outcome]
    )
    assert (reaffirmed.recorded, work.get(days.id).review_state) == (True, "clear")
    revised = work.traces.supersede_decision(
        mail.id, "New", "r", explanation="Why.", **on(Heard("u", 1))
    )
    assert answer(revised) == (False, "supersede_target_invalid")
    assert work.traces.reject_decision(mail.id, "Wrong.").recorded
    assert work.get(mail.id).status == "rejected"


def test_whoever_cites_what_goes_is_flagged(work: Work) -> None:
    """Only they, only those that are left, with their causes; their dependents follow later."""
    days = work.record("days", Heard("t", 1))
    mail = work.record("mail", str(days.id), Heard("t", 2), task="u")
    letter = work.record("letter", Heard("t", 2), task="u")
    below = work.record("below", str(mail.id), task="u")
    other = work.record("other", Heard("u", 1), task="u")
    with counting() as trips:
        result = deleted(work)
    assert trips.count == 2
    assert result.affected_decision_ids == [str(mail.id), str(letter.id)]
    found = decision(work.raw, mail.id)
    assert (found["review_state"], found["review_reason"]) == ("needs_review", "source_removed")
    second = derived("Event", TASK, 2)
    assert found["ctx_causes"] == sorted([f"decision:{days.id}", f"event:{second}"])
    assert decision(work.raw, below.id)["review_state"] == "clear"
    assert project(work.raw).items() >= {"review_epoch": 2, "review_incomplete": True}.items()
    drained(work)
    assert work.get(below.id).review_reason == "dependency_review"
    assert work.get(below.id).causes == found["ctx_causes"]
    assert work.get(other.id).review_state == "clear"


def test_decisions_that_stay_are_flagged_for_the_events_that_went(work: Work) -> None:
    """They stand on what is no more; whoever stands on them follows with the drain."""
    days = work.record("days", Heard("t", 1))
    mail = work.record("mail", str(days.id), task="u")
    assert deleted(work, whole=False).affected_decision_ids == [str(days.id)]
    assert decision(work.raw, days.id)["ctx_task_gone"] is True
    drained(work)
    assert [work.get(i).causes for i in (days.id, mail.id)] == [[f"event:{EVENT}"]] * 2


@pytest.mark.parametrize("status", ["rejected", "superseded"])
def test_retired_citers_are_only_marked(status: str, work: Work, seed: Seed) -> None:
    """There is nothing to review; what they cited is gone for them, too."""
    old = seed.decision("old", Heard("t", 1), task="u", status=status)
    before = decision(work.raw, old)
    assert deleted(work).affected_decision_ids == []
    assert decision(work.raw, old) == before
    assert "ctx_gone_at" in supports(work.raw, old)[0]


def test_an_earlier_flag_gets_one_more_cause(work: Work, seed: Seed) -> None:
    """Its first time and its other causes stay."""
    flag: Props = {
        "review_state": "needs_review",
        "review_reason": "source_changed",
        "ctx_causes": ["document:d:2"],
        "ctx_flagged_us": 5,
    }
    flagged = seed.decision("days", Heard("t", 1), task="u", **flag)
    deleted(work)
    assert (
        decision(work.raw, flagged).items()
        >= {
            "review_reason": "source_removed",
            "ctx_causes": ["document:d:2", f"event:{EVENT}"],
            "ctx_flagged_us": 5,
            "review_pending": True,
        }.items()
    )


WORDS = (
    "name", "goal", "payload", "role", "author", "step", "choice", "conclusion", "rationale",
    "assumption", "question", "reason",
)  # fmt: skip
SECRET = {what: f"unmistakable {what}" for what in WORDS}
RESTED: Props = {
    "result_event_seq": 1,
    "result_basis": "supported",
    **on(Heard(SECRET["name"], 3), Heard("u", 1)),
}


def filled(work: Work) -> None:
    """A task in which every text is like no other, through every door, with request ids."""
    s, agent = SECRET, work.by(SECRET["author"])
    agent.history.create_task(s["name"], s["goal"], request_id="1")
    work.history.create_task(s["name"], s["goal"], request_id="1b")
    agent.history.record_event(
        s["name"], NOTE, role=s["role"], name=s["role"], payload=s["payload"], request_id="2"
    )
    more = [NewEvent(NOTE, s["payload"]), NewEvent(NOTE, s["payload"])]
    agent.history.record_events(s["name"], more, request_id="3")
    agent.history.set_step(s["name"], s["step"], "completed", result_event_seq=1, request_id="4")
    made = agent.traces.record_decision(
        s["name"],
        s["choice"],
        s["conclusion"],
        s["rationale"],
        assumptions=[s["assumption"]],
        open_questions=[s["question"]],
        **on(Heard(s["name"], 1)),
        request_id="5",
    )
    assert made.decision is not None
    agent.traces.record_decision(
        s["name"], s["choice"] + " two", s["conclusion"], s["rationale"],
        **on(str(made.decision.id)), request_id="6",
    )  # fmt: skip
    agent.traces.reject_decision(made.decision.id, s["reason"], request_id="7")
    work.traces.record_decision("u", "citer", "c", "r", **on(Heard(s["name"], 2)), request_id="8")
    work.history.create_task("v", "Without decisions.")
    work.history.record_event("v", NOTE, payload="Done.")
    rested = work.history.set_step("v", "sum up", "completed", **RESTED, request_id="9")
    assert rested.recorded


def test_no_text_of_it_is_left_anywhere(work: Work) -> None:
    """In no property of any node or relationship, stored results included."""
    filled(work)
    there = "\n".join(dump(work.raw))
    assert [w for w in WORDS if SECRET[w] not in there] == []
    deleted(work, SECRET["name"], request_id="delete")
    left = "\n".join(line for line in dump(work.raw) if '"CtxTrace"' not in line)
    # Who wrote a request stays with it, so that nobody else can take its id.
    texts = {w: text for w, text in SECRET.items() if w != "author"}
    assert [w for w, text in texts.items() if text in left] == []
    ledger = "\n".join(json.dumps(e) for e in nodes(work.raw, "CtxTrace"))
    assert [w for w, text in texts.items() if text in ledger] == []


def test_the_name_is_gone_for_whoever_cited_it(work: Work) -> None:
    """A support keeps the event's number and id, and says that it is gone."""
    filled(work)
    deleted(work, SECRET["name"])
    citer = work.traces.list_decisions_for_review("u").decisions[0]
    (support,) = citer.supports
    assert isinstance(support, EventSupport)
    assert (support.task_name, support.seq) == ("", 2)
    assert support.gone_at is not None
    again = work.traces.record_decision(
        "u", "citer", "c", "r", **on(Heard(SECRET["name"], 2)), request_id="8"
    )
    assert again.decision is not None
    assert (again.recorded, again.decision.id) == (True, citer.id)


def test_a_step_elsewhere_that_rested_on_it(work: Work) -> None:
    """Its result may not be used again, whoever gets the name; who set it is still known."""
    filled(work)
    deleted(work, SECRET["name"])
    work.history.create_task(SECRET["name"], "Another goal.")
    work.history.record_event(SECRET["name"], NOTE, payload="new")
    (step,) = work.history.list_steps("v").steps
    assert (step.result_validity, step.set_by) == ("unavailable", "agent")
    assert [getattr(s, "task_name", None) for s in step.result_supports] == ["", "u"]


def test_late_retries_bring_nothing_back(work: Work) -> None:
    """Every request of the task answers that it is not there, also once its name lives again."""
    filled(work)
    s, agent = SECRET, work.by(SECRET["author"])
    deleted(work, s["name"])
    work.history.create_task(s["name"], s["goal"])
    before = dump(work.raw)
    retries = [
        agent.history.create_task(s["name"], s["goal"], request_id="1"),
        work.history.create_task(s["name"], s["goal"], request_id="1b"),
        agent.history.record_event(
            s["name"], NOTE, role=s["role"], name=s["role"], payload=s["payload"], request_id="2"
        ),
        agent.history.record_events(s["name"], [NewEvent(NOTE, s["payload"])] * 2, request_id="3"),
        agent.history.set_step(
            s["name"], s["step"], "completed", result_event_seq=1, request_id="4"
        ),
    ]
    assert {answer(one) for one in retries} == {(False, "task_not_found")}
    assert dump(work.raw) == before


def test_the_librarys_requests_are_emptied(work: Work, seed: Seed) -> None:
    """They name no task; they are found by what they hold."""
    theirs = MARK | {"operation": "record_event", "payload_sha256": "0" * 64, "project_id": "p"}
    held = json.dumps({"recorded": True, "event": {"task_id": TASK, "payload": "secret"}})
    other = json.dumps({"recorded": True, "event": {"task_id": "other", "payload": "theirs"}})
    seed.create(
        "Request",
        [
            theirs | {"id": "a", "request_id": "a", "result_json": held},
            theirs | {"id": "b", "request_id": "b", "result_json": other},
            theirs | {"id": "c", "request_id": "c"},
        ],
    )
    deleted(work)
    emptied = json.loads(node(work.raw, "Request", id="a")["result_json"])
    assert emptied == {"recorded": False, "error": "task_not_found"}
    assert node(work.raw, "Request", id="b")["result_json"] == other
    assert "result_json" not in node(work.raw, "Request", id="c")


def test_a_request_claimed_meanwhile_is_emptied_too(work: Work) -> None:
    """Somebody finds the task between the look and the commit, and stores what they found."""

    def meanwhile() -> None:
        assert work.by("other").history.create_task("t", "Find out.", request_id="r").recorded

    deleted(work.through(Meanwhile(work.store, meanwhile)))
    assert "Find out." in node(work.raw, "Task", name="u")["goal"]
    stored = node(work.raw, "Request", request_id="r")["result_json"]
    assert json.loads(stored) == {"recorded": False, "error": "task_not_found"}


def test_the_name_has_a_second_life(work: Work) -> None:
    """With an id that it never had; then a third."""
    deleted(work)
    again = work.history.create_task("t", "Another goal.")
    assert again.task is not None
    assert (str(again.task.id), again.task.event_seq) == (SECOND, 0)
    event = work.history.record_event("t", NOTE, payload="new").event
    assert event is not None
    assert str(event.id) == derived("Event", SECOND, 1)
    deleted(work)
    third = work.history.create_task("t", "A third.").task
    assert third is not None
    assert str(third.id) == derived("p", "t", 3)
    tombstone = node(work.raw, "CtxTombstone", project_id="p")
    assert tombstone == {
        "_ctx_record": True,
        "id": derived("CtxTombstone", "p", "t"),
        "project_id": "p",
        "lives": 2,
    }


def test_a_writer_that_remembers_the_first_life(work: Work) -> None:
    """It knew the task's id and number; its next event goes into the new log."""
    work.history.record_event("t", NOTE, payload="before")
    deleted(work.by("admin"))
    work.by("other").history.create_task("t", "Another goal.")
    event = work.history.record_event("t", NOTE, payload="after").event
    assert event is not None
    assert (str(event.task_id), event.seq) == (SECOND, 1)


def test_a_task_that_is_deleted_while_its_name_is_created(work: Work) -> None:
    """The creation saw no task and no earlier life; it may not revive the first one's id."""

    def meanwhile() -> None:
        assert work.by("other").history.create_task("new", "First.").recorded
        deleted(work, "new")

    between = work.through(Meanwhile(work.store, meanwhile))
    task = between.history.create_task("new", "Second.").task
    assert task is not None
    assert str(task.id) == derived("p", "new", 2)


def test_what_is_gone_stays_gone(work: Work, seed: Seed) -> None:
    """The library gives the old id to a new event; whoever cited the old one is no better off."""
    days = work.record("days", Heard("t", 1), task="u")
    deleted(work)
    drained(work)
    seed.task("t", "Quite another thing.")
    result = work.traces.reaffirm_decision(days.id, [])
    assert answer(result) == (False, "support_event_not_found")
    assert [b.cause for b in result.blockers] == ["event_gone"]
    assert work.retention.redact_event(EVENT).affected_decision_ids == []
    work.raw.run(
        "MATCH (d:Decision {id: $id}) SET d.review_state = 'clear', d.review_reason = null, "
        "d.review_pending = true",
        {"id": str(days.id)},
    )
    work.raw.run("MATCH (q:Project {project_id: 'p'}) SET q.review_incomplete = true")
    drained(work)
    found = work.get(days.id)
    assert (found.review_state, found.review_reason) == ("needs_review", "source_removed")
    assert found.causes == [f"event:{EVENT}"]


def test_a_deleted_parent_stays_gone(work: Work, seed: Seed) -> None:
    """As for events: a decision that takes its id is another one."""
    days = work.record("days", Heard("t", 1))
    mail = work.record("mail", str(days.id), task="u")
    deleted(work)
    drained(work)
    seed.task("t", "Quite another thing.")
    seed.decision("days", Heard("t", 1))
    result = work.traces.reaffirm_decision(mail.id, [])
    assert [b.cause for b in result.blockers] == ["parent_gone"]


def test_a_second_life_does_not_touch_decisions_that_stayed(work: Work) -> None:
    """The same choice may be decided again in the new task; the old decision stays without one."""
    old = work.record("days", Heard("u", 1))
    deleted(work, whole=False)
    work.history.create_task("t", "Another goal.")
    new = work.record("days", Heard("u", 1))
    assert (new.revision, str(new.task_id)) == (1, SECOND)
    assert work.get(old.id).task_name == ""
    assert work.get(new.id).task_deleted is False


def test_whoever_cites_it_meanwhile_is_flagged(work: Work) -> None:
    """A decision recorded between the look and the commit does not slip through."""
    made: list[str] = []

    def meanwhile() -> None:
        made.append(str(work.record("days", Heard("t", 1), task="u").id))

    result = deleted(work.through(Meanwhile(work.store, meanwhile)))
    assert result.affected_decision_ids == made


def test_whoever_cites_its_decision_meanwhile_is_flagged(work: Work) -> None:
    """As for events."""
    days = work.record("days", Heard("u", 1))
    made: list[str] = []

    def meanwhile() -> None:
        made.append(str(work.record("mail", str(days.id), task="u").id))

    result = deleted(work.through(Meanwhile(work.store, meanwhile)))
    assert result.affected_decision_ids == made


def test_what_is_decided_in_it_meanwhile_goes_too(work: Work) -> None:
    """The commit knows every decision that it takes away."""

    def meanwhile() -> None:
        work.record("days", Heard("t", 1))
        work.history.record_event("t", NOTE, payload="late word")

    deleted(work.through(Meanwhile(work.store, meanwhile)))
    assert nodes(work.raw, "Decision") == []
    assert "late word" not in "\n".join(dump(work.raw))


@pytest.mark.parametrize(
    ("name", "code"),
    [("nothing", "task_not_found"), ("", "task_not_found"), ("x" * 2000, "name_too_long")],
)
def test_a_task_that_is_not_there(name: str, code: str, work: Work) -> None:
    """An unknown name, one that none can have, or one of another project; nothing is written."""
    before = dump(work.raw)
    assert answer(work.retention.delete_task(name, request_id="r")) == (False, code)
    elsewhere = work.within("q").retention.delete_task("t")
    assert answer(elsewhere) == (False, "task_not_found")
    assert dump(work.raw) == before


def test_a_repeated_deletion(work: Work) -> None:
    """The same request id gives the first result, and leaves the name's second life alone."""
    work.record("days", Heard("t", 1), task="u")
    first = deleted(work, request_id="r")
    work.history.create_task("t", "Another goal.")
    assert deleted(work, request_id="r") == first
    assert work.history.get_task("t").found is True
    reused = work.retention.delete_task("t", False, request_id="r")
    assert answer(reused) == (False, "request_id_reused")


@BOTH
def test_a_deletion_whose_answer_was_lost(whole: bool, work: Work) -> None:
    """It is found by its ledger entry; the result is the same."""
    days = work.record("days", Heard("t", 1), task="u")
    deaf = work.through(Deaf(work.store))
    assert deleted(deaf, whole=whole).affected_decision_ids == [str(days.id)]
    assert node(work.raw, "CtxTombstone", project_id="p")["lives"] == 1


def test_a_task_with_thousands_of_events(work: Work, seed: Seed) -> None:
    """One commit takes 5,000 events and 500 decisions."""
    seed.events("t", *(f"word {k}" for k in range(5000)))
    seed.decisions([(f"d{k:03}", [Heard("t", 1 + k)]) for k in range(500)])
    citer = seed.decision("citer", Heard("t", 4000), task="u")
    assert deleted(work).affected_decision_ids == [citer]
    assert len(nodes(work.raw, "Event")) == 1
    assert len(nodes(work.raw, "Decision")) == 1


def test_the_review_feed_hears_of_deleted_flags(work: Work, seed: Seed) -> None:
    """What waited for review and went waits no more, in whatever index counts it."""
    seed.document("policy", POLICY)
    days = work.record("days", Passage("policy", POLICY, DAYS))
    work.documents.put_document("policy", POLICY + "\n\nMore.")
    flagged = {s.decision_id: s for s in take(work.store, "p", after_epoch=None).states}
    deleted(work)
    states = {s.decision_id: s for s in take(work.store, "p", after_epoch=1).states}
    assert (flagged[days.id].flagged, states[days.id].flagged) == (True, False)
    assert states[days.id].version > flagged[days.id].version
    assert states[days.id].task_id == UUID(TASK)


def test_the_ledger_entry_of_a_deletion(work: Work) -> None:
    """Who deleted what, what it was before, and whom that flagged; never a text."""
    days = work.record("days", Heard("t", 1))
    mail = work.record("mail", Heard("t", 1), task="u")
    deleted(work.by("admin"))
    found = entry(work.raw, "delete_task")
    manifest = found["manifest"]
    assert (found["agent_id"], found["task_id"], found["ctx_open"]) == ("admin", TASK, True)
    assert (manifest["flagged"], manifest["cause"]) == ([str(mail.id)], f"task:{TASK}")
    assert manifest["changed"] == {
        TASK: {"status": ["open", None]},
        str(days.id): {"status": ["active", None]},
        str(mail.id): {
            "review_state": ["clear", "needs_review"],
            "review_reason": [None, "source_removed"],
        },
    }


def test_stored_results_that_no_longer_cite_it_forget_its_name(work: Work, seed: Seed) -> None:
    """A step that rested on it once, and a resumption that it kept from being used again."""
    name = "Größe of refunds"
    seed.task(name, "How long?")
    seed.task("w", "Where?")
    rests: Props = {
        "result_event_seq": 1,
        "result_basis": "supported",
        "supports": [EventSupportInput(task_name=name, seq=1)],
    }
    set_step = work.history.set_step
    assert set_step("w", "s", "completed", **rests, request_id="1").recorded
    heard = {"id": derived("Event", derived("p", name), 1)}
    seed.raw.run("MATCH (e:Event {id: $id}) SET e.truncated = true", heard)
    assert work.history.resume_task("w", request_id="2").recheck
    assert set_step("w", "s", "failed", request_id="3").recorded
    work.retention.delete_task(name)
    assert [line for line in dump(work.raw) if "of refunds" in line] == []


@pytest.mark.parametrize("by_job", [False, True], ids=["one commit", "job"])
@pytest.mark.parametrize("other", ["set_step", "resume_task"])
def test_whoever_names_it_elsewhere_meanwhile_leaves_no_name(
    other: str, by_job: bool, work: Work, seed: Seed
) -> None:
    """A step of another task, or its resumption, that names the task while it is being deleted."""
    name = "Größe of refunds"
    seed.task(name, "How long?")
    seed.task("w", "Where?")
    supports = [EventSupportInput(task_name=name, seq=1)]
    rests: Props = {"result_event_seq": 1, "result_basis": "supported", "supports": supports}
    assert work.history.set_step("w", "rested", "completed", **rests).recorded
    seed.raw.run("MATCH (e:Event {id: $id}) SET e.truncated = true", {"id": heard_id(name)})

    def meanwhile() -> None:
        acts = {
            "set_step": lambda: work.history.set_step(
                "w", "rests", "completed", **rests, request_id="1"
            ),
            "resume_task": lambda: work.history.resume_task("w", request_id="1"),
        }
        assert acts[other]().recorded

    between = Meanwhile(work.store, meanwhile)
    bounds = Bounds(at_once=0) if by_job else Bounds()
    retention = HistoryRetention(between, "p", "admin", bounds=bounds)
    assert retention.delete_task(name).recorded
    work.retention.finish_jobs()
    assert [line for line in dump(work.raw) if "of refunds" in line] == []


@pytest.mark.parametrize("by_job", [False, True], ids=["one commit", "job"])
def test_a_resumption_that_looked_before_leaves_no_name(
    by_job: bool, work: Work, seed: Seed
) -> None:
    """It commits after the deletion, and stores nothing of what it read before."""
    name = "Größe of refunds"
    seed.task(name, "How long?")
    seed.task("w", "Where?")
    supports = [EventSupportInput(task_name=name, seq=1)]
    rests: Props = {"result_event_seq": 1, "result_basis": "supported", "supports": supports}
    assert work.history.set_step("w", "rested", "completed", **rests).recorded
    seed.raw.run("MATCH (e:Event {id: $id}) SET e.truncated = true", {"id": heard_id(name)})
    bounds = Bounds(at_once=0) if by_job else Bounds()

    def meanwhile() -> None:
        assert HistoryRetention(work.store, "p", "admin", bounds=bounds).delete_task(name).recorded
        work.retention.finish_jobs()

    between = work.through(Meanwhile(work.store, meanwhile))
    resumed = between.history.resume_task("w", request_id="1")
    assert (resumed.recorded, [step.name for step in resumed.recheck]) == (True, ["rested"])
    assert [line for line in dump(work.raw) if "of refunds" in line] == []


def heard_id(name: str) -> str:
    """The id of a task's first event."""
    return derived("Event", derived("p", name), 1)
