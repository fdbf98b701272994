"""Retention: a redacted body is gone from everywhere, and whoever stood on it is flagged."""

import json
from uuid import UUID

import pytest

from graphstore import NewEvent
from graphstore.records import EventKind
from graphstore.rows import canonical
from graphstore.store import counting
from tests.contract.looking import Props, decision, dump, entries, entry, node, nodes, project
from tests.contract.seeding import MARK, Heard, Seed, derived, digest
from tests.contract.world import Meanwhile, Work, answer

TASK = derived("p", "t")
EVENT = derived("Event", TASK, 1)
SECRET = "the secret word"
NOTE = EventKind.NOTE


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A task whose first event holds a secret."""
    seed.project_node()
    seed.task("t", SECRET, "harmless")


def everywhere(work: Work) -> str:
    """All that the graph holds."""
    return "\n".join(dump(work.raw))


def test_a_redacted_body_is_gone(work: Work) -> None:
    """The marker takes its place; number, hash, kind and author stay."""
    before = node(work.raw, "Event", id=EVENT)
    result = work.retention.redact_event(EVENT)
    assert (result.recorded, result.affected_decision_ids) == (True, [])
    found = node(work.raw, "Event", id=EVENT)
    assert found["payload"] == "[REDACTED]"
    assert found["redacted_at"] > before["at"]
    kept = {key: value for key, value in before.items() if key != "payload"}
    assert found.items() >= kept.items()
    assert SECRET not in everywhere(work)
    event = work.history.list_events("t").events[0]
    assert (event.payload, event.payload_sha256) == ("[REDACTED]", digest(SECRET))


@pytest.mark.parametrize("writer", ["one event", "many events"])
def test_a_redacted_body_is_gone_from_stored_results(writer: str, work: Work) -> None:
    """Requests that repeat it keep everything else that they answered."""
    word = "quite another secret"
    write = {
        "one event": lambda: work.history.record_event("t", NOTE, payload=word, request_id="r"),
        "many events": lambda: work.history.record_events(
            "t", [NewEvent(NOTE, word), NewEvent(NOTE, "kept")], request_id="r"
        ),
    }
    write[writer]()
    event = derived("Event", TASK, 3)
    work.retention.redact_event(event, request_id="s")
    assert word not in everywhere(work)
    again = write[writer]()
    assert word not in again.model_dump_json()
    assert again.recorded is True


def test_a_redacted_body_is_gone_from_the_librarys_requests(work: Work, seed: Seed) -> None:
    """Its stored results name no event; they are found by the digest of recording it."""
    stored = {
        "recorded": True,
        "error": None,
        "event": {"id": EVENT, "seq": 1, "payload": SECRET, "redacted_at": None},
    }
    event = node(work.raw, "Event", id=EVENT)
    named = {key: event.get(key) for key in ("kind", "role", "name", "payload_sha256")}
    recording = {"operation": "record_event", "arguments": {"task_name": "t", **named}}
    theirs = MARK | {
        "operation": "record_event",
        "payload_sha256": digest(canonical(recording)),
        "project_id": "p",
    }
    held = json.dumps(stored)
    other = json.dumps(stored | {"event": {"id": "other", "payload": "theirs"}})
    seed.create(
        "Request",
        [
            theirs | {"id": "a", "request_id": "a", "result_json": held},
            theirs | {"id": "b", "request_id": "b", "result_json": other},
            theirs | {"id": "c", "request_id": "c"},
        ],
    )
    work.retention.redact_event(EVENT)
    redacted = json.loads(node(work.raw, "Request", id="a")["result_json"])
    assert redacted["event"]["payload"] == "[REDACTED]"
    assert redacted["event"]["redacted_at"] is not None
    assert node(work.raw, "Request", id="b")["result_json"] == other
    assert "result_json" not in node(work.raw, "Request", id="c")


def test_whoever_cites_it_is_flagged(work: Work) -> None:
    """Active citers of the event and their dependents, in the same commit, with the cause."""
    days = work.record("days", Heard("t", 1))
    mail = work.record("mail", str(days.id))
    other = work.record("other", Heard("t", 2))
    with counting() as trips:
        result = work.retention.redact_event(EVENT)
    assert trips.count == 2
    assert result.affected_decision_ids == [str(days.id), str(mail.id)]
    found = work.get(days.id)
    assert (found.review_state, found.review_reason) == ("needs_review", "source_removed")
    assert (found.causes, work.get(mail.id).causes) == ([f"event:{EVENT}"], [f"event:{EVENT}"])
    assert work.get(other.id).review_state == "clear"
    assert project(work.raw).items() >= {"review_epoch": 2, "review_incomplete": False}.items()


@pytest.mark.parametrize("status", ["rejected", "superseded"])
def test_retired_citers_stay_as_they_are(status: str, work: Work, seed: Seed) -> None:
    """They are history; the library flags them too, which helps nobody."""
    old = seed.decision("old", Heard("t", 1), status=status)
    before = decision(work.raw, old)
    assert work.retention.redact_event(EVENT).affected_decision_ids == []
    assert decision(work.raw, old) == before


def test_a_flagged_citer_gets_one_more_cause(work: Work, seed: Seed) -> None:
    """Its first time and its other causes stay."""
    flag: Props = {
        "review_state": "needs_review",
        "review_reason": "source_changed",
        "ctx_causes": ["document:d:2"],
        "ctx_flagged_us": 5,
    }
    flagged = seed.decision("days", Heard("t", 1), **flag)
    assert work.retention.redact_event(EVENT).affected_decision_ids == [flagged]
    assert (
        decision(work.raw, flagged).items()
        >= {
            "review_reason": "source_removed",
            "ctx_causes": ["document:d:2", f"event:{EVENT}"],
            "ctx_flagged_us": 5,
        }.items()
    )


def test_an_event_that_hundreds_cite(work: Work, seed: Seed) -> None:
    """The body is gone at once; the flags are there when the call returns."""
    made = seed.decisions([(f"d{k:03}", [Heard("t", 1)]) for k in range(501)])
    below = seed.decision("below", made[7])
    result = work.retention.redact_event(EVENT)
    assert sorted(result.affected_decision_ids) == sorted(made)
    assert result.left_to_job is False
    while work.traces.continue_decision_review():
        pass
    assert decision(work.raw, below)["ctx_causes"] == [f"event:{EVENT}"]
    assert project(work.raw)["review_incomplete"] is False
    jobs = nodes(work.raw, "CtxJob", kind="flag_citers")
    assert [job for job in jobs if "ctx_open" in job] == []


def test_redacting_twice_keeps_the_first_time(work: Work) -> None:
    """The second call is in effect and changes nothing of the event."""
    work.retention.redact_event(EVENT)
    first = node(work.raw, "Event", id=EVENT)
    assert work.by("other").retention.redact_event(EVENT).recorded
    assert node(work.raw, "Event", id=EVENT) == first


@pytest.mark.parametrize("identity", [derived("nothing"), "1", ""])
def test_an_event_that_is_not_there(identity: str, work: Work) -> None:
    """An unknown event, or one of another project, is not found; nothing is written."""
    before = dump(work.raw)
    unknown = work.retention.redact_event(identity, request_id="r")
    elsewhere = work.within("q").retention.redact_event(EVENT)
    assert answer(unknown) == answer(elsewhere) == (False, "event_not_found")
    assert dump(work.raw) == before


def test_whoever_cites_it_meanwhile_is_flagged(work: Work) -> None:
    """A decision recorded between the look and the commit does not slip through."""
    made: list[UUID] = []

    def meanwhile() -> None:
        made.append(work.record("days", Heard("t", 1)).id)

    between = work.through(Meanwhile(work.store, meanwhile))
    result = between.retention.redact_event(EVENT)
    assert result.affected_decision_ids == [str(made[0])]
    assert work.get(made[0]).review_state == "needs_review"


def test_the_ledger_entry_of_a_redaction(work: Work) -> None:
    """The entry says when, by whom and whom it flagged, and keeps the hash; never the body."""
    days = work.record("days", Heard("t", 1))
    work.by("admin").retention.redact_event(EVENT)
    found = entry(work.raw, "redact_event")
    manifest = found["manifest"]
    assert (found["agent_id"], found["task_id"]) == ("admin", TASK)
    assert manifest["changed"][EVENT] == {"redacted_at": [None, manifest["at"]]}
    assert manifest["hashes"] == {EVENT: digest(SECRET)}
    assert (manifest["flagged"], manifest["cause"]) == ([str(days.id)], f"event:{EVENT}")
    assert SECRET not in json.dumps(entries(work.raw))
