"""The lineage page: what a decision rests on and what rests on it, drawn and listed."""

import csv
import io
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from graphstore import HistoryRetention
from graphstore.records import DocumentSupportInput, EventSupportInput
from graphstore.store import counting
from reviewconsole.addresses import decision_url, document_url, lineage_url, task_url
from reviewconsole.models import User
from tests.servers import RawGraph
from tests.web.browsing import Answer
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World, passage

HOSTILE = "</text></svg><script>alert(1)</script><image href=x onerror=alert(2)> {{ 7 }} &amp;"


@pytest.fixture
def doras(dora: User, signed_in: SignedIn) -> Client:
    """The browser of a reader."""
    return signed_in(dora)


def open_lineage(client: Client, decision_id: Any) -> Answer:
    answer = client.get(lineage_url(PROJECT, decision_id))
    assert answer.status_code == 200
    return answer


def named(answer: Answer) -> dict[str, Any]:
    """The nodes of the page by what they are called."""
    return {node["box"].node.label: node for node in answer.context["nodes"]}


class Links(HTMLParser):
    """The links inside the drawing, with their accessible names."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" and (given.get("class") or "").startswith("node "):
            self.found[given.get("href") or ""] = given.get("aria-label") or ""


def links(answer: Answer) -> dict[str, str]:
    parser = Links()
    parser.feed(answer.content.decode())
    return parser.found


def test_it_stands_between_what_it_cites_and_what_cites_it(world: World, doras: Client) -> None:
    """Columns by steps, each with its words, the decision itself marked."""
    page = open_lineage(doras, world.days.id)
    assert [column["words"] for column in page.context["columns"]] == [
        "it cites",
        "this choice",
        "cites it directly",
    ]
    nodes = named(page)
    assert nodes["The letter promises 30 days."]["where"] == "cites it directly"
    assert nodes["Only the EU matters."]["where"] == "it cites"
    assert [node["box"].node.label for node in nodes.values() if node["here"]] == [
        world.days.conclusion
    ]


def test_each_box_is_a_link_with_a_name_that_says_what_it_is(world: World, doras: Client) -> None:
    """Decisions, documents and events, each to its own page."""
    found = links(open_lineage(doras, world.days.id))
    assert found.keys() == {
        decision_url(PROJECT, world.days.id),
        decision_url(PROJECT, world.scope.id),
        decision_url(PROJECT, world.letter.id),
        document_url(PROJECT, "policy"),
        task_url(PROJECT, "audit", after=1) + "#event-2",
    }
    name = found[decision_url(PROJECT, world.letter.id)]
    assert name.startswith("clear, ")
    assert "The letter promises 30 days." in name
    assert name.endswith("; decision, cites it directly")
    assert all(name for name in found.values())


def test_the_table_says_the_same(world: World, doras: Client) -> None:
    """Each row names by number what it cites, and the numbers are those of the boxes."""
    page = open_lineage(doras, world.letter.id)
    rows = named(page)
    letter, days = rows[world.letter.conclusion], rows[world.days.conclusion]
    assert letter["cites"] == [days["box"].number]
    assert len(days["cites"]) == 3
    text = page.content.decode()
    assert len(re.findall(r'<tr id="node-\d+"', text)) == len(rows)
    assert text.count("<rect ") == len(rows)


def test_states_are_words_and_marks(world: World, doras: Client) -> None:
    """What is flagged, changed or erased says so, in the drawing and in the table."""
    event = world.history.list_events("audit", after_seq=1).events[0]
    HistoryRetention(world.store, PROJECT, "keeper").redact_event(str(event.id))
    world.shorten_policy()
    page = open_lineage(doras, world.days.id)
    words = {node["word"] for node in page.context["nodes"]}
    assert {"needs review", "changed", "redacted"} <= words
    assert all(node["icon"] for node in page.context["nodes"])


def test_revisions_stand_above_each_other(world: World, doras: Client) -> None:
    """With a line of its own kind between them."""
    second = world.cite("A refund above 500 euro needs a second signature.")
    newer = world.traces.supersede_decision(
        world.signature.id,
        "Three people sign.",
        "Because.",
        explanation="It was too few.",
        supports=[second],
        fetched_evidence=world.documents.fetch_evidence([second.evidence_id]),
    )
    assert newer.decision is not None
    page = open_lineage(doras, world.signature.id)
    rows = named(page)
    old, new = rows[world.signature.conclusion], rows["Three people sign."]
    assert (old["word"], new["word"]) == ("superseded", "clear")
    assert new["supersedes"] == [old["box"].number]
    assert new["box"].y < old["box"].y
    assert page.context["revisions_drawn"]
    assert 'class="line line--supersedes"' in page.content.decode()


def test_a_decision_without_anything_around_it_says_so(
    world: World, raw: RawGraph, doras: Client
) -> None:
    """Nobody cites it, and nothing is left of what it cited."""
    alone = world.decide("alone", "It stands alone.", [EventSupportInput(task_name="audit", seq=1)])
    raw.run(
        "MATCH (:Decision {id: $id})-[:HAS_SUPPORT]->(s) DETACH DELETE s", {"id": str(alone.id)}
    )
    page = open_lineage(doras, alone.id)
    assert page.context["alone"]
    assert "It stands by itself" in page.content.decode()
    assert "<rect" not in page.content.decode()


def test_text_in_the_drawing_is_text(world: World, doras: Client) -> None:
    """Conclusions, titles, task names and document keys come from anywhere."""
    world.history.create_task(HOSTILE, HOSTILE)
    text = f"{HOSTILE}\n\nMore."
    world.documents.put_document("bad", text, title=HOSTILE)
    cited = DocumentSupportInput(evidence_id=passage(text, HOSTILE, "bad"))
    parent = world.decide(HOSTILE, HOSTILE, [cited], task=HOSTILE)
    child = world.decide("child", HOSTILE, [world.on(parent)], task=HOSTILE)
    for decision in (parent, child):
        drawn = open_lineage(doras, decision.id).content.decode()
        assert "<script>alert" not in drawn
        assert "<image" not in drawn
        assert "</text></svg><" not in drawn


def test_a_page_of_any_lineage_costs_two_reads(world: World, doras: Client) -> None:
    """However much is around the decision."""
    with counting() as trips:
        open_lineage(doras, world.days.id)
    assert trips.count <= 3


def test_no_style_stands_in_the_page(world: World, doras: Client) -> None:
    """The policy of the console would refuse it; places are geometry, looks are classes."""
    drawn = open_lineage(doras, world.days.id).content.decode()
    assert "style=" not in drawn
    assert "<style" not in drawn


def test_a_day_in_the_past_shows_what_stood_then(world: World, doras: Client) -> None:
    """Today is as now; on a day before it was recorded the page says so, and a wrong day is none."""
    url = lineage_url(PROJECT, world.days.id, as_of=timezone.localdate().isoformat())
    with counting() as trips:
        today = doras.get(url)
    assert trips.count <= 5
    assert len(today.context["nodes"]) == len(open_lineage(doras, world.days.id).context["nodes"])
    assert "told from recorded times" in today.content.decode()
    before = doras.get(lineage_url(PROJECT, world.days.id, as_of="2001-02-03"))
    assert before.status_code == 200
    assert before.context["nodes"] == []
    assert "It was not recorded yet" in before.content.decode()
    for wrong in ("yesterday", "0001-01-01", "9999-12-31", "2001-13-01"):
        answer = doras.get(lineage_url(PROJECT, world.days.id, as_of=wrong))
        assert answer.status_code == 200


def test_a_node_with_more_around_it_is_opened_in_place(world: World, doras: Client) -> None:
    """The link in drawing and list shows the neighbours, keeps the rest, and can be closed."""
    for number in range(62):
        world.decide(f"copy {number}", f"Copy {number}.", [world.on(world.days)], task="letters")
    near = open_lineage(doras, world.days.id)
    here = next(node for node in near.context["nodes"] if node["here"])
    assert here["box"].node.more
    assert near.content.decode().count(here["open_url"].replace("&", "&amp;")) == 2
    wide = doras.get(here["open_url"])
    assert len(wide.context["nodes"]) == 60 + here["box"].node.more
    assert wide.context["closed_url"] == lineage_url(PROJECT, world.days.id)
    nonsense = doras.get(lineage_url(PROJECT, world.days.id, ["x", "' OR 1"]))
    assert len(nonsense.context["nodes"]) == 60


def test_the_drawing_is_a_file_that_stands_by_itself(world: World, doras: Client) -> None:
    """Well-formed whatever was recorded, with every box, no style, and nothing that runs."""
    odd = world.decide("odd", f"{HOSTILE} \x01\x0b\ufffe end", [world.on(world.days)])
    answer = doras.get(lineage_url(PROJECT, odd.id, kind="lineage_svg"))
    assert answer["Content-Type"].startswith("image/svg+xml")
    assert answer["Content-Disposition"].startswith("attachment;")
    root = ElementTree.fromstring(answer.content)  # noqa: S314 - our own drawing
    titles = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}title")]
    assert world.days.conclusion in titles
    assert any(title.startswith(HOSTILE) for title in titles)
    tags = {one.tag.rpartition("}")[2] for one in root.iter()}
    assert tags <= {"svg", "title", "rect", "text", "path", "g"}


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\uff1d1", "|x"])
def test_a_table_holds_no_formula(world: World, doras: Client, start: str) -> None:
    """A cell that a spreadsheet would compute is text; all else is as it was recorded."""
    odd = world.decide("odd", f'{start} "quoted", and\nmore', [world.on(world.days)])
    answer = doras.get(lineage_url(PROJECT, odd.id, kind="lineage_csv"))
    assert answer["Content-Disposition"].endswith('.csv"')
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
    cells = {row["id"]: row for row in rows}
    assert cells[str(odd.id)]["what"] == f'\'{start} "quoted", and\nmore'
    assert cells[str(world.days.id)]["what"] == world.days.conclusion
    assert {row["where"] for row in rows} >= {"this choice", "it cites"}
    assert cells[str(odd.id)]["cites"] == cells[str(world.days.id)]["number"]
