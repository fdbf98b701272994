"""The lineage page: what a decision rests on and what rests on it, drawn and listed."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

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
