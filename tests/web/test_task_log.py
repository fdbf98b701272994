"""A long log: found in, mapped, jumped into, taken along, and compared with a kept text."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from graphstore import ConversationHistory, HistoryRetention, NewEvent
from graphstore.records import EventKind
from graphstore.store import counting
from graphstore.task_log import LogMap, LogSample
from reviewconsole.addresses import (
    check_event_url,
    log_export_url,
    log_markdown_url,
    task_url,
)
from reviewconsole.log_map import MOST_BARS, MOST_LINES, draw
from reviewconsole.models import FlaggedDecision, User
from reviewconsole.review_index import catch_up
from reviewconsole.task_log import Place
from tests.servers import RawGraph
from tests.web.browsing import Answer, judge, open_queue, post
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World

NOTE = EventKind.NOTE
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def notes(world: World, count: int, text: str = "x") -> None:
    for start in range(0, count, 100):
        world.history.record_events("audit", [NewEvent(NOTE, text)] * min(100, count - start))


def written(world: World, raw: RawGraph, last_seq: int) -> None:
    """A log up to that number, past the product's code, which would take its time."""
    task = world.history.get_task("audit").view
    assert task is not None
    raw.run(
        "MATCH (t:Task {id: $id}) SET t.event_seq = $last "
        "WITH t UNWIND range($first, $last) AS n "
        "CREATE (t)-[:HAS_EVENT]->(:Event {_agrag_history_record: true, "
        "task_id: t.id, seq: n, kind: 'note', payload: 'x', payload_sha256: '0', "
        "truncated: false, author: 'agent', at: $at})",
        {
            "id": str(task.task.id),
            "first": task.last_event_seq + 1,
            "last": last_seq,
            "at": datetime.now(UTC).isoformat(),
        },
    )


def log(client: Client, **query: str | int) -> Any:
    return client.get(task_url(PROJECT, "audit", **query)).context


def seqs(client: Client, **query: str | int) -> list[int]:
    return [i["event"].seq for i in log(client, **query)["events"] if i["kind"] == "event"]


# Finding


def test_words_are_found_wherever_they_stand_in_a_body_or_a_name(
    world: World, bobs: Client
) -> None:
    """Whatever their letters, also inside of JSON, all of them, in quotes as they stand."""
    told = json.dumps({"tool_call_id": "c", "content": 'A "Größe" of\n12'})
    world.history.record_event("audit", "tool_result", name="Search", payload=told)
    world.history.record_event("audit", "note", payload="The size is 12.")
    world.history.record_event("audit", "note", payload="ÜBER alles")
    assert seqs(bobs, words="größe 12") == seqs(bobs, words='GRÖße" 12') == [3]
    assert seqs(bobs, words="über") == seqs(bobs, words="Über") == [5]
    assert seqs(bobs, words="12 size") == seqs(bobs, words='"size is"') == [4]
    assert seqs(bobs, words="SEARCH") == [2, 3]
    assert seqs(bobs, words='"is size"') == seqs(bobs, words="size nowhere") == []


def test_an_author_is_found_with_what_they_decided(world: World, bobs: Client) -> None:
    """And with kinds and words, all at once."""
    other = ConversationHistory(world.store, project_id=PROJECT, agent_id="other")
    other.record_event("audit", "note", payload="Mine alone.")
    other.record_event("audit", "message", payload="Mine as well.")
    assert seqs(bobs, by="other") == [3, 4]
    assert seqs(bobs, by="other", show="messages") == seqs(bobs, by="other", words="well") == [4]
    decided = [i["kind"] for i in log(bobs, by=world.days.author)["events"]]
    assert decided.count("decision") == 3
    assert [i["kind"] for i in log(bobs, by="other")["events"]] == ["event", "event"]
    assert [i["kind"] for i in log(bobs, words="signature")["events"]].count("decision") <= 1


def test_a_search_says_how_far_it_looked(world: World, raw: RawGraph, bobs: Client) -> None:
    """And leads on from there; what was typed stays in its field."""
    raw.run("MATCH (t:Task {name: 'audit'}) SET t.event_seq = 10010")
    world.history.record_event("audit", "note", payload="the needle")
    page = bobs.get(task_url(PROJECT, "audit", words="needle"))
    assert (page.context["events"], page.context["log"].last) == ([], 10_000)
    assert "among events 1 to 10,000" in page.content.decode()
    assert 'value="needle"' in page.content.decode()
    rest = bobs.get(page.context["log"].next_url).context
    assert [i["event"].seq for i in rest["events"]] == [10_011]
    assert rest["log"].next_url is None


def test_what_was_found_is_shown_where_a_body_is_folded(world: World, bobs: Client) -> None:
    """With what stands around it, once; what stands at the beginning shows anyway."""
    world.history.record_event("audit", "note", payload=f"{'word ' * 90}The Needle. {'word ' * 90}")
    html = bobs.get(task_url(PROJECT, "audit", words="needle")).content.decode()
    assert "word word The <mark>Needle</mark>. word" in html
    assert "<mark>" not in bobs.get(task_url(PROJECT, "audit", words="word")).content.decode()


def test_a_redacted_body_is_not_found(world: World, bobs: Client) -> None:
    """Not by the marker that stands in its place either."""
    kept = world.history.record_event("audit", "note", payload="a secret").event
    assert kept is not None
    retention = HistoryRetention(world.store, project_id=PROJECT, agent_id="admin")
    assert retention.redact_event(str(kept.id)).recorded
    marker = world.history.fetch_event("audit", kept.seq).event
    assert marker is not None
    assert seqs(bobs, words="secret") == seqs(bobs, words=f'"{marker.payload}"') == []


# Jumping, pairs and silences


def test_a_time_leads_to_the_event_of_that_time(world: World, bobs: Client) -> None:
    """In the reader's zone; before everything to the first, after everything to the last."""
    notes(world, 120)
    third = world.history.fetch_event("audit", 3).event
    assert third is not None

    def jump(at: str, **query: str) -> str:
        return bobs.get(task_url(PROJECT, "audit", at=at, **query)).headers["Location"]

    bobs.cookies["timezone"] = "Asia/Tokyo"
    tokyo = (third.at + timedelta(hours=9)).replace(tzinfo=None).isoformat()
    assert jump(tokyo) == task_url(PROJECT, "audit", **{"from": 3})
    assert jump("1999-01-01T10:00", by="x") == task_url(PROJECT, "audit", by="x", **{"from": 1})
    assert jump("2999-01-01T10:00") == task_url(PROJECT, "audit", **{"from": 122})
    assert "since=" in jump("1999-01-01T10:00", show="decisions")
    for unclear in ("soon", "2026-99-99T10:00", "0001-01-01T00:00:00+14:00"):
        assert bobs.get(task_url(PROJECT, "audit", at=unclear)).status_code in (200, 303)


def test_answers_follow_their_calls_over_the_end_of_a_page(world: World, bobs: Client) -> None:
    """So that no pair is torn; the next page begins after them."""
    call = json.dumps({"tool_call_id": "c", "arguments": {}})
    told = json.dumps({"tool_call_id": "c", "content": "hit"})
    notes(world, 47)
    world.history.record_event("audit", "tool_call", payload=call)
    world.history.record_event("audit", "tool_result", payload=told)
    notes(world, 3)
    page = log(bobs)
    assert page["events"][-1]["answer"]["event"].seq == 51
    assert page["log"].next_url == task_url(PROJECT, "audit", after=51)


def test_an_answer_that_came_later_and_its_call_name_each_other(world: World, bobs: Client) -> None:
    """Where something else stands between."""
    for kind, part in (("tool_call", "arguments"), ("message", "x"), ("tool_result", "content")):
        payload = json.dumps({"tool_call_id": "c", part: "hit"})
        world.history.record_event("audit", kind, payload=payload)
    html = bobs.get(task_url(PROJECT, "audit", **{"from": 3})).content.decode()
    assert 'Answered by <a href="#event-5">event 5</a>' in html
    assert 'Answers <a href="#event-3">event 3</a>' in html


def test_a_flag_stays_in_its_place_when_it_is_lifted(world: World, bob: User, bobs: Client) -> None:
    """Marked as one that is gone."""
    world.shorten_policy()
    open_queue(bobs)
    judge(bobs, world.days, "reject", explanation="Wrong.")
    catch_up(world.store, PROJECT)
    assert FlaggedDecision.objects.get(decision_id=world.days.id).cleared_us
    flags = [item for item in log(bobs)["events"] if item["kind"] == "flag"]
    told = {one["decision"].choice_key: item["lifted"] for item in flags for one in item["flagged"]}
    assert told == {"days": True, "signature": False}
    kinds = [item["kind"] for item in log(bobs)["events"]]
    assert kinds.index("flag") < kinds.index("verdict")


# The map


def mapped(last_seq: int, **more: Any) -> Any:
    samples = [LogSample(n, START + timedelta(minutes=n), "a") for n in range(1, last_seq + 1, 7)]
    known = LogMap(samples=samples, **more)
    return draw("p", "t", last_seq, known, [], Place(), (51, 100))


def test_a_map_is_as_small_for_a_long_log() -> None:
    """A bounded number of bars that hold every event once, and a bounded list of words."""
    for last_seq in (60, 1_000, 99_999):
        drawing = mapped(last_seq)
        assert len(drawing.bars) == min(MOST_BARS, last_seq)
        assert len(drawing.lines) <= MOST_LINES
        assert sum(float(bar.width[:-1]) for bar in drawing.bars) == pytest.approx(100, abs=0.1)
        firsts = [int(bar.url.split("from=")[1].split("#")[0]) for bar in drawing.bars]
        assert firsts == sorted(set(firsts))
        assert firsts[0] == 1


def test_a_map_puts_decisions_and_verdicts_where_they_happened() -> None:
    """Into the bar of the events of that time, and into words."""
    at = START + timedelta(minutes=500)
    drawing = mapped(1_000, decided=[at, at], judged=[START])
    marked = {bar.words.split(" · ")[0]: dict(bar.marks) for bar in drawing.bars if bar.marks}
    assert [list(marks) for marks in marked.values()] == [["verdict"], ["decision"]]
    assert drawing.bars[0].words.endswith("1 verdict")
    assert sum("2 decisions" in line.words for line in drawing.lines) == 1


def test_the_map_stands_on_the_page_and_leads_into_the_log(world: World, bobs: Client) -> None:
    """Only where there is more than one page; links keep the filters."""
    assert log(bobs)["map"] is None
    notes(world, 60)
    page = bobs.get(task_url(PROJECT, "audit", show="notes"))
    drawing = page.context["map"]
    assert escape(drawing.bars[30].url) in page.content.decode()
    assert "show=notes" in drawing.bars[30].url
    assert bobs.get(drawing.bars[30].url).context["events"][0]["event"].seq == 31


QUERIES: list[dict[str, Any]] = [
    {},
    {"after": 55},
    {"show": "tools"},
    {"show": "decisions"},
    {"words": "x y"},
    {"by": "agent"},
]


def trips(client: Client, query: dict[str, Any]) -> int:
    with counting() as counted:
        client.get(task_url(PROJECT, "audit", **query))
    return counted.count


def test_a_long_log_costs_the_round_trips_of_a_short_one(
    world: World, raw: RawGraph, bobs: Client
) -> None:
    """The same, at most five, whatever is asked of it."""
    notes(world, 60)
    log(bobs)
    short = [trips(bobs, query) for query in QUERIES]
    written(world, raw, 1_000)
    assert [trips(bobs, query) for query in QUERIES] == short
    assert max(short) <= 5


# Taking it along


def test_a_page_is_copied_as_markdown(world: World, bobs: Client) -> None:
    """As a page for whoever has no script, and alone for a script; recorded text stays text."""
    world.history.record_event("audit", "note", name="`x`\n# y", payload="```\n# Not a heading\n")
    page = bobs.get(log_markdown_url(PROJECT, "audit")).content.decode()
    plain = bobs.get(log_markdown_url(PROJECT, "audit", plain="1"))
    text = plain.content.decode()
    assert plain.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert escape(text) in page
    assert "````text\n```\n# Not a heading\n\n````" in text
    assert "`` `x` # y ``" in text
    assert world.days.conclusion in text
    asked = bobs.get(log_markdown_url(PROJECT, "audit", plain="1", show="notes")).content.decode()
    assert world.days.conclusion not in asked
    assert (
        log_markdown_url(PROJECT, "audit", show="notes")
        in bobs.get(task_url(PROJECT, "audit", show="notes")).content.decode()
    )


def streamed(answer: Answer) -> Iterator[bytes]:
    return iter(answer.streaming_content)  # pyright: ignore[reportAttributeAccessIssue]


def test_a_log_is_exported_while_it_is_read(world: World, bobs: Client) -> None:
    """Whole and in order; the answer begins before the log is read, and takes a page at a time."""
    notes(world, 450)
    world.traces.ask_for_review(str(world.days.id), "Is it?")
    with counting() as trips:
        parts = streamed(bobs.get(log_export_url(PROJECT, "audit")))
        first = [next(parts), next(parts)]
        begun = trips.count
        whole = b"".join([*first, *parts])
    told = json.loads(whole)
    assert [event["seq"] for event in told["events"]] == list(range(1, 453))
    assert [one["type"] for one in told["decisions_and_verdicts"]] == ["decision"] * 3 + ["verdict"]
    assert (told["task"]["name"], told["format"], told["complete"]) == ("audit", 1, True)
    assert begun <= 3 < trips.count <= 8


def test_an_export_has_a_name_that_every_system_takes(world: World, bobs: Client) -> None:
    """Whatever the task is called."""
    name = 'a/b\r\nSet-Cookie: x="1" ü'
    assert world.history.create_task(name, "x").recorded
    answer = bobs.get(log_export_url(PROJECT, name))
    assert answer.headers["Content-Disposition"].endswith("a-b-Set-Cookie-x-1-%C3%BC.json")
    assert json.loads(b"".join(streamed(answer)))["task"]["name"] == name


def test_an_export_of_what_goes_away_meanwhile_says_so(world: World, bobs: Client) -> None:
    """It ends as JSON, and is not taken for the whole."""
    notes(world, 300)
    parts = streamed(bobs.get(log_export_url(PROJECT, "audit")))
    begun = [next(parts), next(parts)]
    retention = HistoryRetention(world.store, project_id=PROJECT, agent_id="admin")
    assert retention.delete_task("audit", include_decisions=True).recorded
    told = json.loads(b"".join([*begun, *parts]))
    assert (len(told["events"]), told["complete"]) == (200, False)


# A kept text


KEPT = "A secret\nof two lines."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (KEPT, "but for how its lines end"),
        ("A secret", "Another text was recorded"),
        ("", "Paste a text first"),
    ],
)
def test_a_kept_text_is_compared_by_its_hash(
    world: World, bobs: Client, text: str, found: str
) -> None:
    """Also of a redacted event; as a browser sends it, with two characters at each line's end."""
    event = world.history.record_event("audit", "note", payload=KEPT).event
    assert event is not None
    retention = HistoryRetention(world.store, project_id=PROJECT, agent_id="admin")
    assert retention.redact_event(str(event.id)).recorded
    url = check_event_url(PROJECT, "audit", event.seq)
    assert url in bobs.get(task_url(PROJECT, "audit")).content.decode()
    html = post(bobs, url, {"text": text.replace("\n", "\r\n")}).content.decode()
    assert found in html
    assert event.payload_sha256 in html


def test_a_compared_text_is_kept_nowhere(world: World, bobs: Client) -> None:
    """Neither on the page that answers, nor in the session, nor in a draft."""
    long = "word " * 8_000
    cut = world.history.record_event("audit", "note", payload=long).event
    assert cut is not None
    answer = post(bobs, check_event_url(PROJECT, "audit", cut.seq), {"text": long})
    assert "letter for letter" in answer.content.decode()
    assert "word word" not in answer.content.decode()
    assert not [value for value in bobs.session.values() if "word" in str(value)]
    assert "word word" not in bobs.get(task_url(PROJECT, "letters")).content.decode()


def test_no_event_has_nothing_to_compare(world: World, bobs: Client) -> None:
    """A number that the log has not reached."""
    assert bobs.get(check_event_url(PROJECT, "audit", 99)).status_code == 404
    assert world.history.get_task("audit").found
