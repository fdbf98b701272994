"""Pages about what was deleted: nothing leads nowhere, and no sentence ends in the air."""

from html.parser import HTMLParser
from uuid import UUID

import pytest
from django.test import Client

from graphstore import HistoryRetention
from graphstore.records import Decision, EventSupportInput
from reviewconsole.addresses import (
    ask_url,
    conflict_url,
    document_url,
    documents_url,
    lineage_url,
    queue_url,
    verdict_url,
    verdicts_url,
    withdraw_url,
)
from reviewconsole.models import User
from tests.servers import RawGraph
from tests.web.browsing import at, judge, offered, open_decision, open_queue
from tests.web.conftest import SignedIn
from tests.web.world import POLICY_KEY, PROJECT, SHORTER, World

SIGNED = "A refund above 500 euro needs a second signature."
VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


class Texts(HTMLParser):
    """The text of each element of a page, its accessible name for one that has it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[tuple[str, list[str]]] = []
        self.found: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append((tag, [dict(attrs).get("aria-label") or ""]))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        name, parts = self.open.pop()
        assert name == tag
        text = " ".join("".join(parts).split())
        self.found.append((tag, text))
        if self.open:
            self.open[-1][1].append("".join(parts))

    def handle_data(self, data: str) -> None:
        if self.open:
            self.open[-1][1].append(data)


def assert_whole(page: str) -> None:
    """Every link says where it leads, and nothing stands before or after an empty name."""
    found = Texts(page).found
    assert ("a", "") not in found
    crumbs = [text for tag, text in found if tag == "li"]
    assert "" not in crumbs
    hanging = [
        text
        for tag, text in found
        # What a label leaves open, its field fills in.
        if tag != "label"
        if text.startswith("·") or f" {text}".endswith(("·", " in", " of")) or "· ·" in text
    ]
    assert hanging == []


@pytest.fixture
def alices(alice: User, signed_in: SignedIn) -> Client:
    """Alice's browser: she may do everything."""
    return signed_in(alice)


@pytest.fixture
def kept(world: World) -> Decision:
    """A flagged decision that outlived its task, with a rival, a citer, and what it cited."""
    world.history.create_task("gone", "To be deleted.")
    world.history.record_event("gone", "message", role="user", payload="How long?")
    heard = EventSupportInput(task_name="gone", seq=1)
    below = world.decide("base", "Only refunds count.", [heard], task="gone")
    supports = [world.cite(SIGNED), heard, world.on(below)]
    made = world.decide("days", "Refunds take forever.", supports, task="gone")
    world.decide("promise", "Forever is promised.", [world.on(made)], task="letters")
    return made


def delete_task(world: World, *, include_decisions: bool) -> None:
    retention = HistoryRetention(world.store, project_id=PROJECT, agent_id="keeper")
    assert retention.delete_task("gone", include_decisions=include_decisions).recorded


def last_verdict(world: World) -> UUID:
    return UUID(world.traces.list_verdicts().verdicts[0].id)


def test_decisions_that_outlive_their_task_leave_no_gap(
    world: World, kept: Decision, alices: Client
) -> None:
    """On every page that shows them, also where others cite them or chose otherwise."""
    asked = world.traces.ask_for_review(kept.id, "Somebody should look.").verdict_id
    assert asked
    world.documents.put_document(POLICY_KEY, SHORTER, title="Refund policy")
    open_queue(alices)
    judge(alices, kept, "reject", explanation="x")
    given = last_verdict(world)
    assert world.traces.withdraw_verdict(str(given), "Too quick.").recorded
    delete_task(world, include_decisions=False)
    (citer,) = world.traces.browse_decisions(choice_key="promise").decisions
    (below,) = world.traces.browse_decisions(choice_key="base").decisions
    pages = [
        queue_url(PROJECT),
        at(kept),
        at(world.days),
        at(citer),
        at(below),
        lineage_url(PROJECT, kept.id),
        lineage_url(PROJECT, citer.id),
        ask_url(PROJECT, kept.id),
        verdicts_url(PROJECT),
        verdict_url(PROJECT, given),
        verdict_url(PROJECT, asked),
        withdraw_url(PROJECT, asked),
        conflict_url(PROJECT, "days"),
        documents_url(PROJECT),
        document_url(PROJECT, POLICY_KEY),
    ]
    for url in pages:
        answer = alices.get(url)
        assert answer.status_code == 200, url
        assert_whole(answer.content.decode())
    assert kept.id in {row["decision"].id for row in open_queue(alices).context["rows"]}
    assert "task deleted" in open_decision(alices, kept).content.decode()


def test_a_task_without_a_name_is_offered_in_words(
    world: World, kept: Decision, alices: Client
) -> None:
    """Among the tasks to which the queue can be narrowed."""
    assert world.traces.ask_for_review(kept.id, "Somebody should look.").recorded
    delete_task(world, include_decisions=False)
    labels = [label for label, _ in offered(open_queue(alices), "task").values()]
    assert "a deleted task" in labels


def test_a_verdict_on_a_deleted_decision_leads_to_no_missing_page(
    world: World, raw: RawGraph, alices: Client
) -> None:
    """The library deletes decisions and leaves what the console recorded about them."""
    asked = world.traces.ask_for_review(world.letter.id, "Somebody should look.").verdict_id
    assert asked
    raw.run("MATCH (d:Decision {id: $id}) DETACH DELETE d RETURN 1", {"id": str(world.letter.id)})
    assert alices.get(at(world.letter)).status_code == 404
    for url in (
        verdicts_url(PROJECT),
        verdict_url(PROJECT, asked),
        withdraw_url(PROJECT, asked),
    ):
        answer = alices.get(url)
        assert answer.status_code == 200
        text = answer.content.decode()
        assert "The decision was deleted" in text
        assert f'href="{at(world.letter)}' not in text
        assert_whole(text)
    assert withdraw_url(PROJECT, asked) not in alices.get(verdicts_url(PROJECT)).content.decode()
