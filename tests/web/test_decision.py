"""The decision page: everything that a verdict needs, before it is chosen."""

from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from graphstore import HistoryRetention
from graphstore.evidence import Comparison
from graphstore.records import DocumentSupportInput
from reviewconsole.addresses import task_url
from reviewconsole.models import User
from tests.servers import RawGraph
from tests.web import foreign
from tests.web.browsing import Answer, at, judge, open_decision, open_queue, post, shown_form
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


@pytest.fixture
def flagged(world: World, bobs: Client) -> World:
    """The project after the policy changed, its flags in the queue."""
    world.shorten_policy()
    open_queue(bobs)
    return world


def comparisons(page: Answer) -> dict[str, Comparison]:
    """What the machine found about each support, by its kind."""
    cards = [card["support_on_desk"] for card in page.context["cards"]]
    return {shown.support.kind: shown.comparison for shown in cards}


def path(page: Answer) -> list[str]:
    return [f"{step['title']}: {step['detail']}" for step in steps(page)]


def steps(page: Answer, way: int = 0) -> list[dict[str, Any]]:
    """The steps of one way from a cause to the decision."""
    return page.context["why"]["ways"][way]["steps"]


def test_the_page_holds_what_was_recorded(flagged: World, bobs: Client) -> None:
    """Conclusion, rationale, goal and what it stands on, without a click."""
    page = open_decision(bobs, flagged.days)
    text = page.content.decode()
    assert flagged.days.conclusion in text
    assert flagged.days.rationale in text
    assert "Find out how refunds work." in text
    assert comparisons(page) == {
        "document": Comparison.EDITED,
        "event": Comparison.INTACT,
        "decision": Comparison.CLEAR,
    }
    assert page.context["cards"][0]["support_on_desk"].support.kind == "document"


def test_why_it_was_flagged_is_a_path_from_the_cause_to_here(flagged: World, bobs: Client) -> None:
    """The document's version stands first, this decision last."""
    page = open_decision(bobs, flagged.days)
    assert path(page)[0] == "Refund policy: version 2"
    assert path(page)[-1].startswith("This decision: waiting")
    assert all(step["at"] for step in steps(page))
    assert page.context["why"]["ways"][0]["note"] == ""


def test_a_flag_that_came_through_a_decision_names_it(flagged: World, bobs: Client) -> None:
    """The way from a document far up leads through what was flagged in between, each dated."""
    page = open_decision(bobs, flagged.letter)
    first, between, here = steps(page)
    assert (first["title"], first["detail"]) == ("Refund policy", "version 2")
    assert (between["title"], between["url"]) == (flagged.days.conclusion, at(flagged.days))
    assert between["detail"] == "flagged"
    assert here["here"]
    assert all(step["at"] for step in (first, between, here))


def test_a_flag_without_a_cause_is_explained_by_what_is_unlike(
    flagged: World, raw: RawGraph, bobs: Client
) -> None:
    """The library stores no cause; what moved on stands in for it."""
    raw.run("MATCH (d:Decision {id: $id}) SET d.ctx_causes = null", {"id": str(flagged.days.id)})
    page = open_decision(bobs, flagged.days)
    assert path(page)[0] == "Refund policy: version 2"
    assert page.context["why"]["ways"][0]["note"]


def test_what_rests_on_it_is_counted_and_listed(flagged: World, bobs: Client) -> None:
    """Directly and through others, with the tasks that they belong to."""
    dependents = open_decision(bobs, flagged.scope).context["dependents"]
    assert (dependents["total"], dependents["direct"], dependents["tasks"]) == (2, 1, 2)
    assert [item["depth"] for item in dependents["list"]] == [1, 2]


def test_the_neighbours_in_the_queue_stand_beside_it(flagged: World, bobs: Client) -> None:
    """In the queue's order, this one marked."""
    rail = open_decision(bobs, flagged.days).context["rail"]
    assert {item["decision_id"] for item in rail} == {
        flagged.days.id,
        flagged.letter.id,
        flagged.signature.id,
    }
    assert [item["decision_id"] for item in rail if item["here"]] == [flagged.days.id]


def test_a_decision_that_does_not_wait_asks_for_nothing(world: World, bobs: Client) -> None:
    """Its page shows no path and no call for a verdict."""
    page = open_decision(bobs, world.days)
    assert not page.context["reviewable"]
    assert page.context["why"]["ways"] == []


def test_a_redacted_event_rules_reaffirming_out(flagged: World, bobs: Client) -> None:
    """The page says so beforehand and offers what remains."""
    retention = HistoryRetention(flagged.store, PROJECT, "keeper")
    event = flagged.history.list_events("audit", after_seq=1).events[0]
    assert retention.redact_event(str(event.id)).recorded
    open_queue(bobs)
    page = open_decision(bobs, flagged.days)
    possible = page.context["possible"]
    assert possible["reaffirm"]["state"] == "no"
    assert "redacted" in possible["reaffirm"]["sentence"]
    assert (possible["supersede"]["state"], possible["reject"]["state"]) == ("yes", "yes")
    card = next(c for c in page.context["cards"] if c["support_on_desk"].support.kind == "event")
    assert card["choice"] is None


def test_a_removed_document_rules_reaffirming_out(flagged: World, bobs: Client) -> None:
    """Nothing of it can be cited again, by a new revision either."""
    flagged.documents.remove_document("policy")
    open_queue(bobs)
    page = open_decision(bobs, flagged.signature)
    possible = page.context["possible"]
    assert possible["reaffirm"]["state"] == "no"
    assert possible["supersede"]["state"] == "no"
    assert possible["reject"]["state"] == "yes"


def test_a_judged_decision_leads_to_the_newest_revision(flagged: World, bobs: Client) -> None:
    """An old link still says where things stand."""
    judge(
        bobs,
        flagged.signature,
        "supersede",
        conclusion="Three people sign.",
        rationale="x",
        explanation="x",
        support_0="present",
    )
    page = open_decision(bobs, flagged.signature)
    newest = page.context["revisions"][0]["decision"]
    assert newest.revision == 2
    assert page.context["possible"]["reaffirm"]["links"][0]["url"] == at(newest.id)


def test_an_event_leads_to_its_place_in_the_task(flagged: World, bobs: Client) -> None:
    """The link opens the page of events that holds it."""
    page = open_decision(bobs, flagged.days)
    card = next(c for c in page.context["cards"] if c["support_on_desk"].support.kind == "event")
    assert card["url"] == task_url(PROJECT, "audit", after=1) + "#event-2"
    assert 'id="event-2"' in bobs.get(card["url"]).content.decode()


def test_hostile_text_is_text(world: World, bobs: Client) -> None:
    """Passages, titles, names and keys come from anywhere."""
    hostile = "<script>alert(1)</script>\"'><svg onload=alert(2)>"
    world.documents.put_document("bad", f"{hostile}\n\nMore.", title=hostile)
    text = f"{hostile}\n\nMore."
    ident = world.cite(hostile, text).evidence_id.replace(
        world.cite("Shipping").evidence_id.split(":")[2], _document_id("bad")
    )
    decision = world.decide(hostile, hostile, [DocumentSupportInput(evidence_id=ident)])
    world.documents.put_document("bad", f"{hostile} changed\n\nMore.", title=hostile)
    open_queue(bobs)
    page = open_decision(bobs, decision).content.decode()
    assert "<script>alert" not in page
    assert "<svg onload" not in page


def _document_id(key: str) -> str:
    from graphstore.ids import named_id

    return named_id("Document", key)


def test_people_are_shown_by_name(flagged: World, bob: User, bobs: Client) -> None:
    """The record holds ids; a page shows who."""
    judge(bobs, flagged.days, "reject", explanation="Wrong.")
    page = open_decision(bobs, flagged.days)
    assert [verdict["by_name"] for verdict in page.context["verdicts"]] == ["Bob"]
    assert bob.agent_id not in page.content.decode()


def test_a_flag_of_the_library_can_be_opened_at_once(
    world: World, raw: RawGraph, bobs: Client
) -> None:
    """Its page does not need the queue to have been looked at."""
    foreign.flag(raw, world.days)
    page = open_decision(bobs, world.days)
    assert page.context["reviewable"]
    assert UUID(str(page.context["desk"].decision.id)) == world.days.id


def test_differences_are_shown_as_a_person_chose(flagged: World, bobs: Client) -> None:
    """Without scripts the verdict's form carries the choice, and keeps what is typed in it."""
    page = open_decision(bobs, flagged.days)
    assert page.context["may_inline"]
    form = shown_form(page)
    sent = {**form, "explanation": "It is shorter.", "then": "inline"}
    chosen = post(bobs, at(flagged.days), sent)
    assert (chosen.status_code, chosen.cookies["diff"].value) == (303, "inline")
    again = open_decision(bobs, flagged.days)
    assert 'data-diff="inline"' in again.content.decode()
    assert shown_form(again)["explanation"] == "It is shorter."
    back = bobs.get(at(flagged.days, diff="beside"))
    assert (back.status_code, back.cookies["diff"].value) == (303, "")


def test_a_card_leads_to_its_passage_in_the_whole_document(flagged: World, bobs: Client) -> None:
    """As it stands now, and in the version that is cited; marked there."""
    card = open_decision(bobs, flagged.days).context["cards"][0]
    now, cited = (bobs.get(card[name]).content.decode() for name in ("whole_url", "cited_url"))
    assert card["whole_url"].endswith("#passage-here")
    for text, words in ((now, "within 15 days"), (cited, "within 30 days")):
        marked = text.partition('id="passage-here"')[2].partition("</mark>")[0]
        assert words in marked


def test_only_a_passage_of_the_very_text_is_marked(flagged: World, bobs: Client) -> None:
    """An address that names another version, another document or nothing marks nothing."""
    card = open_decision(bobs, flagged.days).context["cards"][0]
    newest, _, named = card["whole_url"].partition("?passage=")
    old = card["cited_url"].partition("?passage=")[2]
    assert bobs.get(f"{newest}?passage={named}").context["here"]
    for other in (old, "x", "ev1%3As%3Ax", ""):
        assert not bobs.get(f"{newest}?passage={other}").context["here"]
