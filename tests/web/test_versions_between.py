"""The versions between the one cited and the newest, on a page and in the evidence."""

import pytest
from django.test import Client

from graphstore.store import counting
from reviewconsole.models import User
from tests.web.browsing import Answer, open_decision, open_queue
from tests.web.conftest import SignedIn
from tests.web.world import POLICY, POLICY_KEY, PROJECT, SHORTER, World


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


@pytest.fixture
def changed(world: World, bobs: Client) -> World:
    """The project after the policy changed and changed back, its flags in the queue."""
    world.shorten_policy()
    world.documents.put_document(POLICY_KEY, POLICY, title="Refund policy")
    open_queue(bobs)
    return world


def document_card(page: Answer) -> dict[str, object]:
    return next(c for c in page.context["cards"] if c["support_on_desk"].support.kind == "document")


def test_a_card_leads_to_the_versions_between(changed: World, bobs: Client) -> None:
    """As a page of its own, and as a part of the card where scripts run; one read of the graph."""
    url = str(document_card(open_decision(bobs, changed.days))["versions_url"])
    bobs.get(url)
    with counting() as trips:
        page = bobs.get(url)
    assert trips.count <= 2
    part = bobs.get(url, headers={"HX-Request": "true"}).content.decode()
    for text in (page.content.decode(), part):
        assert "number 30 became 15" in text
        assert "number 15 became 30" in text
        assert "Changed back: it says again what was cited." in text
    assert "<html" not in part


def test_a_single_version_is_told_by_the_card(world: World, bobs: Client) -> None:
    """Nothing lies between the version cited and the newest."""
    world.shorten_policy()
    open_queue(bobs)
    assert "versions_url" not in document_card(open_decision(bobs, world.days))


def test_the_page_of_many_versions_leads_on(
    changed: World, bobs: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And back to the first."""
    monkeypatch.setattr("graphstore.versions_between.MAX_VERSIONS", 1)
    url = str(document_card(open_decision(bobs, changed.days))["versions_url"])
    first = bobs.get(url)
    assert first.context["more_url"] == f"{url}?after=2"
    second = bobs.get(first.context["more_url"])
    assert (second.context["more_url"], second.context["first_url"]) == (None, url)
    assert url in second.content.decode()


def test_an_erased_text_is_said(changed: World, bobs: Client) -> None:
    """The document was removed and put again: between the two there was nothing to read."""
    changed.documents.remove_document(POLICY_KEY)
    changed.documents.put_document(POLICY_KEY, SHORTER, title="Refund policy")
    open_queue(bobs)
    page = bobs.get(str(document_card(open_decision(bobs, changed.days))["versions_url"]))
    assert "The document was removed with this version." in page.content.decode()


def test_a_support_of_another_decision_is_not_there(changed: World, bobs: Client) -> None:
    """Only what this decision cites."""
    url = str(document_card(open_decision(bobs, changed.days))["versions_url"])
    other = url.replace(str(changed.days.id), str(changed.signature.id))
    assert bobs.get(other).status_code == 404
    assert bobs.get(url.replace(f"/{PROJECT}/", "/elsewhere/")).status_code == 404
