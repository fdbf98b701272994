"""A task's log: hostile payloads, calls with their answers, verdicts and flags in their place."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from graphstore import HistoryRetention, NewEvent
from graphstore.records import (
    Decision,
    DecisionStatus,
    Event,
    EventKind,
    Ground,
    ReviewReason,
    ReviewState,
    VerdictKind,
    VerdictRecord,
)
from graphstore.results import Moments
from graphstore.store import counting
from reviewconsole.addresses import event_url, task_url
from reviewconsole.models import User
from reviewconsole.payloads import Said, said
from reviewconsole.timeline import timeline
from tests.web.browsing import judge, open_queue
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, SHORTER, World

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
TASK = UUID(int=1)


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def event(seq: int, minutes: float, payload: str = "x", **more: Any) -> Event:
    fields: dict[str, Any] = {
        "id": UUID(int=seq),
        "task_id": TASK,
        "seq": seq,
        "kind": EventKind.MESSAGE,
        "payload": payload,
        "payload_sha256": "0" * 64,
        "truncated": False,
        "author": "a",
        "at": at(minutes),
    }
    return Event(**fields | more)


def call(seq: int, minutes: float, call_id: str = "c1", arguments: object = None) -> Event:
    payload = json.dumps({"tool_call_id": call_id, "arguments": arguments or {"limit": 3}})
    return event(seq, minutes, payload, kind=EventKind.TOOL_CALL, name="search")


def answer(seq: int, minutes: float, call_id: str = "c1", content: object = "3 hits") -> Event:
    payload = json.dumps({"tool_call_id": call_id, "content": content})
    return event(seq, minutes, payload, kind=EventKind.TOOL_RESULT, name="search")


def decision(minutes: float, **more: Any) -> Decision:
    fields: dict[str, Any] = {
        "id": uuid4(),
        "task_id": TASK,
        "task_name": "t",
        "choice_key": "days",
        "revision": 1,
        "conclusion": "Thirty days.",
        "rationale": "",
        "author": "a",
        "status": DecisionStatus.ACTIVE,
        "review_state": ReviewState.CLEAR,
        "created_at": at(minutes),
    }
    return Decision(**fields | more)


def verdict(kind: VerdictKind, judged: Decision, minutes: float, **more: Any) -> VerdictRecord:
    fields: dict[str, Any] = {
        "id": str(uuid4()),
        "kind": kind,
        "decision_id": judged.id,
        "task_id": TASK,
        "choice_key": judged.choice_key,
        "revision": judged.revision,
        "decision_author": judged.author,
        "by": "person",
        "at": at(minutes),
        "why": "Looked at it.",
    }
    return VerdictRecord(**fields | more)


def drawn(events: list[Event], moments: Moments | None = None, **more: Any) -> list[dict[str, Any]]:
    return timeline("p", "t", events, moments or Moments(), **more)


def kinds(items: list[dict[str, Any]]) -> list[str]:
    return [item["kind"] for item in items]


def test_an_empty_log_is_empty() -> None:
    """A task may have no events yet."""
    assert drawn([]) == []


def test_a_long_silence_is_marked() -> None:
    """So that nobody reads two days as one conversation."""
    shown = drawn([event(1, 0), event(2, 30), event(3, 180)])
    assert kinds(shown) == ["event", "event", "gap", "event"]
    assert shown[2]["words"] == "2 hours without anything"


def test_a_silence_between_events_of_one_kind_says_less() -> None:
    """Something else may have happened meanwhile."""
    shown = drawn([event(1, 0), event(3, 180)], parts=True)
    assert shown[1]["words"] == "3 hours later"


# What tools were asked and answered


def test_a_call_and_its_answer_are_one_entry() -> None:
    """With both numbers, and how long it took."""
    (shown,) = drawn([call(17, 0), answer(18, 41 / 60)])
    assert shown["answer"]["event"].seq == 18
    assert (shown["numbers"], shown["took"]) == ("17–18", "41 s")
    assert (shown["text"], shown["answer"]["text"]) == ('{"limit": 3}', "3 hits")


def test_calls_made_at_once_find_their_answers() -> None:
    """In whatever order they come."""
    shown = drawn([call(1, 0, "a"), call(2, 0, "b"), answer(3, 1, "b"), answer(4, 2, "a")])
    assert [item["numbers"] for item in shown] == ["1, 4", "2–3"]


@pytest.mark.parametrize(
    "events",
    [
        [call(1, 0, "a"), answer(2, 1, "b")],
        [answer(1, 0), call(2, 1)],
        [call(1, 0), event(2, 1), answer(3, 2)],
        [call(1, 0), answer(2, 1).model_copy(update={"redacted_at": START})],
        [call(1, 0, ""), answer(2, 1, "")],
        [call(1, 0, "x" * 201), answer(2, 1, "x" * 201)],
    ],
    ids=["another", "before", "message between", "redacted", "no id", "long id"],
)
def test_an_answer_stands_alone_when_it_is_not_surely_of_that_call(events: list[Event]) -> None:
    """Nothing is moved past what was said between, and nothing is guessed."""
    assert len(drawn(events)) == len(events)


def test_a_second_answer_to_one_call_stands_alone() -> None:
    """An id that comes twice hides nothing."""
    shown = drawn([call(1, 0), answer(2, 1), answer(3, 2)])
    assert [item["event"].seq for item in shown] == [1, 3]


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "not json",
        "null",
        "[1, 2]",
        '"text"',
        "[" * 16_000,
        '{"a":' * 6_000 + "1" + "}" * 6_000,
        "1" * 30_000,
        '{"tool_call_id": 7, "arguments": {}}',
        '{"tool_call_id": {"x": 1}, "arguments": {}}',
        '{"tool_call_id": null}',
        "{{ 7|add:7 }}<script>alert(1)</script>",
    ],
)
def test_a_payload_of_no_known_shape_is_shown_as_it_was_recorded(payload: str) -> None:
    """It names no call, and it breaks nothing."""
    told = said(event(1, 0, payload, kind=EventKind.TOOL_CALL))
    assert told.call_id is None
    assert told.text.split() == payload.split() or json.loads(told.text) == json.loads(payload)


def test_more_than_arguments_is_shown_whole() -> None:
    """Only what is known to be wrapping is taken off."""
    payload = json.dumps({"tool_call_id": "c", "arguments": {}, "sudo": True})
    told = said(event(1, 0, payload, kind=EventKind.TOOL_CALL))
    assert told.call_id == "c"
    assert '"sudo": true' in told.text


def test_half_a_character_does_not_break_the_page() -> None:
    """JSON can write what UTF-8 cannot."""
    payload = '{"tool_call_id": "c\\ud800", "content": "\\ud83d and \\u0000"}'
    told = said(event(1, 0, payload, kind=EventKind.TOOL_RESULT))
    assert told.text.encode() == b"? and \0"


@pytest.mark.parametrize("spare", range(12))
def test_a_cut_answer_is_still_an_answer(spare: int) -> None:
    """Wherever the cut went through its text."""
    whole = json.dumps({"tool_call_id": "c1", "content": "warm: 8 °C\n" * 4_000})
    cut = answer(2, 1).model_copy(update={"payload": whole[: 32_000 + spare], "truncated": True})
    (shown,) = drawn([call(1, 0), cut])
    assert shown["answer"]["text"].startswith("warm: 8 °C\nwarm: 8 °C\n")


def test_a_cut_call_says_which_one_it_was() -> None:
    """Its arguments end in the middle, so they are shown as recorded."""
    whole = json.dumps({"tool_call_id": "c1", "arguments": {"list": ["word"] * 8_000}})
    payload = whole[:32_000]
    assert said(event(1, 0, payload, kind=EventKind.TOOL_CALL)) == Said(payload, "c1")


def test_messages_are_never_taken_apart() -> None:
    """Somebody may write JSON in a sentence."""
    payload = '{"tool_call_id": "c1", "content": "x"}'
    assert said(event(1, 0, payload)) == Said(payload)


# What was decided and judged


def test_a_reaffirmation_is_told_once() -> None:
    """The note in the log and the verdict's record are one entry, with who and why."""
    made = decision(0)
    note = event(2, 5, f"Decision {made.id} reaffirmed.", kind=EventKind.NOTE, author="person")
    given = verdict(VerdictKind.REAFFIRM, made, 5, ground=Ground.STILL_HOLDS)
    shown = drawn([event(1, 0), note], Moments(decisions=[made], verdicts=[given]))
    assert kinds(shown) == ["event", "decision", "verdict"]
    assert shown[2]["verdict"]["why"] == "Looked at it."
    assert shown[2]["verdict"]["ground"] == "it still holds"
    assert (shown[2]["event"].seq, shown[2]["anchor"]) == (2, "event-2")


def test_a_note_of_another_writer_is_a_verdict_without_a_why() -> None:
    """The reference library leaves the note alone."""
    made = decision(0)
    note = event(2, 5, f"Decision {made.id} reaffirmed.", kind=EventKind.NOTE, author="agent")
    shown = drawn([note], Moments(decisions=[made]))
    assert shown[1]["verdict"] == {"kind": "reaffirm", "by": "agent", "why": ""}
    assert shown[1]["decision"] == made


def test_a_message_that_says_so_is_no_verdict() -> None:
    """Only a note counts, and only one that says nothing else."""
    made = decision(0)
    said_so = [
        event(1, 1, f"Decision {made.id} reaffirmed."),
        event(2, 2, f"Decision {made.id} reaffirmed. Really.", kind=EventKind.NOTE),
    ]
    assert kinds(drawn(said_so)) == ["event", "event"]


def test_a_new_revision_stands_once_with_what_it_replaced() -> None:
    """As the verdict that it is."""
    old = decision(0, status=DecisionStatus.SUPERSEDED)
    new = decision(9, revision=2, conclusion="Fifteen days.")
    given = verdict(VerdictKind.SUPERSEDE, old, 9, new_decision_id=new.id)
    shown = drawn([], Moments(decisions=[new], verdicts=[given], others={old.id: old}))
    assert kinds(shown) == ["verdict"]
    assert (shown[0]["new"], shown[0]["decision"]) == (new, old)
    assert shown[0]["anchor"] == f"decision-{new.id}"


def test_a_verdict_that_was_taken_back_says_so() -> None:
    """And taking back is an entry of its own."""
    made = decision(0)
    given = verdict(VerdictKind.REJECT, made, 1, withdrawn_by="person", withdrawn_at=at(2))
    back = verdict(VerdictKind.WITHDRAW, made, 2, withdraws=given.id)
    shown = drawn([], Moments(decisions=[made], verdicts=[given, back]))
    assert [item["words"] for item in shown] == ["decision", "rejected", "took a verdict back"]
    assert shown[1]["verdict"]["withdrawn_at"] == at(2)


def test_a_rejection_without_a_record_stands_where_it_was() -> None:
    """From before verdicts were records."""
    made = decision(
        0,
        status=DecisionStatus.REJECTED,
        rejected_at=at(4),
        rejected_by="person",
        rejection_reason="Not true.",
    )
    shown = drawn([], Moments(decisions=[made]))
    assert (shown[1]["words"], shown[1]["verdict"]["why"]) == ("rejected", "Not true.")


def waits(minutes: float, flagged: float, **more: Any) -> Decision:
    state = {"review_state": ReviewState.NEEDS_REVIEW, "flagged_at": at(flagged)}
    return decision(minutes, **{"review_reason": ReviewReason.SOURCE_CHANGED, **state, **more})


def test_flags_of_one_moment_stand_together() -> None:
    """One change of a document is one entry, whatever it flagged."""
    flagged = [waits(0, 30), waits(1, 30), waits(2, 40)]
    shown = [item for item in drawn([], flagged=flagged) if item["kind"] == "flag"]
    assert [(item["words"], len(item["flagged"])) for item in shown] == [
        ("a cited document changed", 2),
        ("a cited document changed", 1),
    ]


def test_a_flag_is_told_once() -> None:
    """Not where it came with the decision, was asked for, or is gone."""
    asked = waits(0, 30)
    quiet = [waits(5, 5), asked, waits(0, 30, status=DecisionStatus.REJECTED), decision(0)]
    ask = Moments(verdicts=[verdict(VerdictKind.ASK, asked, 30)], others={asked.id: asked})
    assert [item["words"] for item in drawn([], ask, flagged=quiet)] == ["asked for a review"]


def test_of_one_moment_the_event_comes_first() -> None:
    """A decision stands on what was recorded."""
    assert kinds(drawn([event(1, 0)], Moments(decisions=[decision(0)]))) == ["event", "decision"]


# Through the page


def shown_on(client: Client, **query: str | int) -> list[dict[str, Any]]:
    return client.get(task_url(PROJECT, "audit", **query)).context["events"]


def verdicts_on(client: Client, **query: str | int) -> list[tuple[str, str, str]]:
    found = [item for item in shown_on(client, **query) if item["kind"] == "verdict"]
    return [(i["words"], i["verdict"]["why"], i["decision"].conclusion) for i in found]


def test_every_verdict_stands_in_the_log(world: World, bobs: Client) -> None:
    """Asked, reaffirmed with its why, superseded, rejected, each once."""
    cited = [world.cite("A refund above 500 euro needs a second signature.")]
    fetched = world.documents.fetch_evidence([one.evidence_id for one in cited])
    traces, signature = world.traces, str(world.signature.id)
    assert traces.ask_for_review(signature, "Is it 500?").recorded
    assert traces.reaffirm_decision(
        signature, cited, fetched_evidence=fetched, explanation="It is 500."
    ).recorded
    assert traces.supersede_decision(
        signature,
        "Three people sign.",
        "Because.",
        explanation="More careful.",
        supports=cited,
        fetched_evidence=fetched,
    ).recorded
    assert traces.reject_decision(str(world.scope.id), "Not true.").recorded
    two = "Two people sign above 500 euro."
    told = [
        ("asked for a review", "Is it 500?", two),
        ("reaffirmed", "It is 500.", two),
        ("superseded", "More careful.", two),
        ("rejected", "Not true.", "Only the EU matters."),
    ]
    assert verdicts_on(bobs) == verdicts_on(bobs, show="decisions") == told


def test_a_verdict_given_at_the_desk_stands_in_the_log(world: World, bobs: Client) -> None:
    """With the person's name."""
    world.shorten_policy()
    assert judge(bobs, world.days, "reject", explanation="Wrong.").status_code == 303
    page = bobs.get(task_url(PROJECT, "audit")).content.decode()
    assert "<strong>Bob</strong> <span><a" in page
    assert "“<bdi>Wrong.</bdi>”" in page


def test_flags_stand_where_they_were_set(world: World, bobs: Client) -> None:
    """After the last event, on the page of that time, also of decisions made pages before."""
    world.history.record_events("audit", [NewEvent(EventKind.NOTE, "x")] * 60)
    world.shorten_policy()
    world.history.record_events("audit", [NewEvent(EventKind.NOTE, "x")] * 60)
    open_queue(bobs)
    flags: list[tuple[int, set[str]]] = []
    for number, query in enumerate([{}, {"after": 50}, {"after": 100}]):
        flags += [
            (number, {one["decision"].choice_key for one in item["flagged"]})
            for item in shown_on(bobs, **query)
            if item["kind"] == "flag"
        ]
    assert flags == [(1, {"days", "signature"})]


def test_nothing_is_told_twice_over_pages(world: World, bobs: Client) -> None:
    """What happened between two pages belongs to the later one."""
    cited = world.cite("A refund above 500 euro needs a second signature.")
    evidence = world.documents.fetch_evidence([cited.evidence_id])
    for number in range(3):
        world.history.record_events(
            "audit", [NewEvent(EventKind.NOTE, "x")] * (49 - 3 * (not number))
        )
        assert world.traces.reaffirm_decision(
            str(world.signature.id), [cited], fetched_evidence=evidence, explanation=f"{number}"
        ).recorded
    told: list[str] = []
    url: str | None = task_url(PROJECT, "audit")
    while url:
        page = bobs.get(url)
        told += [i["verdict"]["why"] for i in page.context["events"] if i["kind"] == "verdict"]
        url = page.context["log"].next_url
    assert told == ["0", "1", "2"]


def test_one_kind_of_event_is_shown_alone(world: World, bobs: Client) -> None:
    """By the address, looked for over many numbers."""
    notes = [NewEvent(EventKind.NOTE, "x")] * 100
    world.history.record_events("audit", notes)
    world.history.record_events("audit", [NewEvent(EventKind.MESSAGE, "late")])
    assert [i["event"].seq for i in shown_on(bobs, show="messages")] == [1, 103]
    assert [i["event"].seq for i in shown_on(bobs, show="tools")] == [2]
    page = bobs.get(task_url(PROJECT, "audit", show="notes"))
    assert [i["event"].seq for i in page.context["events"]] == list(range(3, 53))
    rest = bobs.get(page.context["log"].next_url).context["events"]
    assert [i["event"].seq for i in rest] == list(range(53, 103))


def test_what_is_not_understood_shows_everything(world: World, bobs: Client) -> None:
    """Addresses get cut in mails."""
    assert shown_on(bobs, show="nonsense") == shown_on(bobs)
    assert kinds(shown_on(bobs, show="decisions", since="x" * 40)) == ["decision"] * 3
    assert world.history.get_task("audit").found


def test_decisions_alone_come_by_pages(world: World, bobs: Client) -> None:
    """By time, none twice, none left out."""
    cited = world.cite("Shipping is never refunded.")
    made = {world.decide(f"turn {n}", "So.", [cited], task="letters").id for n in range(51)}
    shown: list[UUID] = []
    url: str | None = task_url(PROJECT, "letters", show="decisions")
    while url:
        page = bobs.get(url)
        shown += [item["decision"].id for item in page.context["events"]]
        url = page.context["log"].next_url
    assert len(shown) == 52
    assert set(shown) == made | {world.letter.id}


def test_a_link_to_an_event_leads_to_it(world: World, bobs: Client) -> None:
    """Whatever page it would be on."""
    world.history.record_events("audit", [NewEvent(EventKind.NOTE, "x")] * 100)
    address, _, anchor = event_url(PROJECT, "audit", 77).partition("#")
    assert f'id="{anchor}"' in bobs.get(address).content.decode()


def test_chips_swap_the_log_alone(world: World, bobs: Client) -> None:
    """The same template, without the page around it."""
    whole = bobs.get(task_url(world.project, "audit", show="notes")).content.decode()
    part = bobs.get(
        task_url(world.project, "audit", show="notes"), headers={"HX-Request": "true"}
    ).content.decode()
    assert part.strip() in whole
    assert "<html" not in part


HOSTILE = "<script>document.title='owned'</script><img src=x onerror=alert(1)>{{ 7|add:7 }}"


def test_payloads_are_only_text(world: World, bobs: Client) -> None:
    """Also inside of JSON, names, roles and ids of calls."""
    asked = json.dumps({"tool_call_id": HOSTILE, "arguments": {HOSTILE: HOSTILE}})
    told = json.dumps({"tool_call_id": HOSTILE, "content": [HOSTILE] * 20})
    world.history.record_event("audit", "tool_call", role=HOSTILE, name=HOSTILE, payload=asked)
    world.history.record_event("audit", "tool_result", role=HOSTILE, name=HOSTILE, payload=told)
    page = bobs.get(task_url(PROJECT, "audit"))
    assert page.context["events"][-1]["answer"]["event"].seq == 4
    html = page.content.decode()
    assert "<script>document" not in html
    assert "<img" not in html
    assert html.count("&lt;script&gt;") > 20


@pytest.mark.parametrize(
    "payload", ['{"tool_call_id": "\\ud800", "content": "\\udfff"}', "[" * 20_000, "\0\x1b[31m"]
)
def test_a_page_holds_whatever_was_recorded(world: World, bobs: Client, payload: str) -> None:
    """200, not a crash."""
    world.history.record_event("audit", "tool_result", name="x", payload=payload)
    assert bobs.get(task_url(PROJECT, "audit")).status_code == 200


def test_erased_and_cut_bodies_are_marked_with_their_fingerprint(
    world: World, bobs: Client
) -> None:
    """So that somebody who kept the text can prove it."""
    kept = world.history.record_event("audit", "note", payload="a secret").event
    long = world.history.record_event("audit", "note", payload="word " * 8_000).event
    assert kept is not None
    assert long is not None
    assert world.history.record_event("audit", "note", payload="end").recorded
    redact(world, str(kept.id))
    html = bobs.get(task_url(PROJECT, "audit")).content.decode()
    assert "a secret" not in html
    assert "Its text was erased" in html
    assert "Cut to its first 32,000 characters" in html
    for event in (kept, long):
        assert f"{event.payload_sha256[:16]}…" in html


def redact(world: World, event_id: str) -> None:
    retention = HistoryRetention(world.store, project_id=PROJECT, agent_id="admin")
    assert retention.redact_event(event_id).recorded


@pytest.mark.parametrize("query", [{}, {"after": 50}, {"show": "decisions"}, {"show": "notes"}])
def test_a_page_of_the_log_costs_few_round_trips(
    world: World, bobs: Client, query: dict[str, Any]
) -> None:
    """However much stands on it."""
    cited = world.cite("Refunds are paid within 15 days of the request.", SHORTER)
    world.shorten_policy()
    fetched = world.documents.fetch_evidence([cited.evidence_id])
    for number in range(12):
        made = world.decide(f"more {number}", "So.", [cited])
        world.history.record_events("audit", [NewEvent(EventKind.NOTE, "x")] * 30)
        assert world.traces.reaffirm_decision(
            str(made.id), [cited], fetched_evidence=fetched
        ).recorded
    open_queue(bobs)
    bobs.get(task_url(PROJECT, "audit"))
    with counting() as trips:
        bobs.get(task_url(PROJECT, "audit", **query))
    assert trips.count <= 5


@pytest.mark.parametrize(
    ("payload", "there"),
    [("x\n" * 9, True), ("word " * 60, True), ("short", False), ("1\n2\n3\n4\n5\n6", False)],
)
def test_whatever_may_be_folded_can_be_unfolded(
    world: World, bobs: Client, payload: str, there: bool
) -> None:
    """By its lines as by its length."""
    world.history.record_event("audit", "note", payload=payload)
    page = bobs.get(task_url(PROJECT, "audit", **{"from": 3})).content.decode()
    assert ("Show all" in page) == there
