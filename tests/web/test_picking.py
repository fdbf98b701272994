"""A passage picked out of the present text goes into the verdict as it was picked."""

from typing import Any

import pytest
from django.test import Client

from graphstore.ids import sha256
from graphstore.records import DocumentSupport
from graphstore.store import counting
from reviewconsole.models import User
from tests.web.browsing import Answer, at, open_decision, open_queue, post, shown_form
from tests.web.conftest import SignedIn
from tests.web.world import POLICY_KEY, SHORTER, World, passage

PART = "15 days of the request.\n\nA refund above 500 euro"
HTMX = {"HX-Request": "true"}


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


def card(page: Answer) -> dict[str, Any]:
    return next(c for c in page.context["cards"] if c["support_on_desk"].support.kind == "document")


def part(words: str, text: str = SHORTER) -> dict[str, Any]:
    """What a browser sends of some words of a text."""
    start = text.index(words)
    return {
        "version": sha256(text),
        "part": [f"{start}-{start + 3}", f"{start}-{start + len(words)}"],
        "quote": words,
    }


def test_a_picked_part_comes_back_chosen_and_is_reaffirmed_on(flagged: World, bobs: Client) -> None:
    """With nothing but a browser's forms: what was typed before is there still."""
    page = open_decision(bobs, flagged.days)
    form, url = shown_form(page), card(page)["pick_url"].partition("?")[0]
    typed = {**form, "verdict": "reaffirm", "explanation": "It is shorter only."}
    looked = post(bobs, f"{url}?at=9", {**typed, "then": "look"})
    assert (looked.status_code, looked.url) == (303, f"{url}?at=9")
    found = bobs.get(looked.url)
    assert PART.split("\n\n")[1] in found.content.decode()
    picked = post(bobs, url, part(PART))
    assert (picked.status_code, picked.url) == (303, f"{at(flagged.days)}#picker-0")
    with counting() as trips:
        again = open_decision(bobs, flagged.days)
    assert trips.count <= 5
    (own,) = card(again)["own"]
    assert own == {
        "value": passage(SHORTER, PART),
        "text": PART,
        "checked": True,
        "picked": True,
    }
    form = shown_form(again)
    assert (form["verdict"], form["explanation"]) == ("reaffirm", "It is shorter only.")
    assert post(bobs, at(flagged.days), form).status_code == 303
    now = flagged.now(flagged.days)
    assert now.review_state == "clear"
    cited = [one.evidence_id for one in now.supports if isinstance(one, DocumentSupport)]
    assert cited == [passage(SHORTER, PART)]


def test_a_script_gets_the_choice_alone(flagged: World, bobs: Client) -> None:
    """A radio button of the verdict's form, checked; a later page finds it as well."""
    url = card(open_decision(bobs, flagged.days))["pick_url"]
    answer = post(bobs, url, part("15 days"), **HTMX).content.decode()
    assert f'value="{passage(SHORTER, "15 days")}" checked' in answer
    assert 'name="picked_0"' in answer
    assert "<html" not in answer
    assert card(open_decision(bobs, flagged.days))["own"][0]["text"] == "15 days"


def test_a_picked_part_goes_into_a_new_revision(flagged: World, bobs: Client) -> None:
    """As the present passage of its support."""
    page = open_decision(bobs, flagged.days)
    post(bobs, card(page)["pick_url"], part(PART))
    form = shown_form(open_decision(bobs, flagged.days))
    offers = page.context["form"].offers
    sent = {
        **form,
        "verdict": "supersede",
        "conclusion": "Refunds take at most 15 days.",
        "explanation": "It changed.",
        **{f"support_{o.index}": "present" if o.kind == "document" else "keep" for o in offers},
    }
    assert post(bobs, at(flagged.days), sent).status_code == 303
    listed = flagged.traces.list_decisions("audit").page.decisions
    (new,) = [one for one in listed if (one.choice_key, one.revision) == ("days", 2)]
    assert passage(SHORTER, PART) in [
        one.evidence_id for one in new.supports if isinstance(one, DocumentSupport)
    ]


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
def test_a_part_of_an_older_text_is_refused_and_nothing_typed_is_lost(
    headers: dict[str, str], flagged: World, bobs: Client
) -> None:
    """The document changed while somebody read it; what they picked before is gone with its text."""
    page = open_decision(bobs, flagged.days)
    url, form = card(page)["pick_url"], shown_form(page)
    post(bobs, url, part("15 days"))
    post(bobs, url, {**form, "explanation": "It still holds.", "then": "look"})
    flagged.documents.put_document(POLICY_KEY, f"{SHORTER} Nor is packing.", title="Refund policy")
    refused = post(bobs, url, part("15 days"), **headers)
    assert refused.status_code == 409
    assert "changed after this text was loaded" in refused.content.decode()
    assert refused.get("HX-Retarget") == ("#pick-unfit-0" if headers else None)
    again = open_decision(bobs, flagged.days)
    assert card(again)["own"] == []
    assert shown_form(again)["explanation"] == "It still holds."


@pytest.mark.parametrize(
    ("sent", "status", "says"),
    [
        ({}, 422, "Select some words first."),
        ({"part": "x-9"}, 422, "Select some words first."),
        ({"part": "0-99999"}, 422, "no part of the present text"),
        ({"part": "0-7", "quote": "Returns"}, 409, "Other words stand at this place"),
    ],
)
def test_what_cannot_be_picked_is_refused(
    sent: dict[str, str], status: int, says: str, flagged: World, bobs: Client
) -> None:
    """With the reason, on the page of the text."""
    url = card(open_decision(bobs, flagged.days))["pick_url"]
    answer = post(bobs, url, {"version": sha256(SHORTER), **sent})
    assert answer.status_code == status
    assert says in answer.content.decode()


def test_paragraphs_are_found_by_words(flagged: World, bobs: Client) -> None:
    """In any order and case; the address says what was looked for."""
    url = card(open_decision(bobs, flagged.days))["pick_url"]
    page = bobs.get(
        f"{url}&find=SIGNATURE+refund" if "?" in url else f"{url}?find=SIGNATURE+refund"
    )
    (found,) = page.context["stretches"]
    assert "second signature" in found.sentences[0].text
    nothing = bobs.get(url, {"find": "no such words"})
    assert "No paragraph holds these words." in nothing.content.decode()


def test_a_long_text_begins_at_the_place(flagged: World, bobs: Client) -> None:
    """And is shown whole on demand."""
    long = "\n\n".join([*(f"Paragraph {n} of many." for n in range(400)), SHORTER])
    flagged.documents.put_document(POLICY_KEY, long, title="Refund policy")
    open_queue(bobs)
    url = card(open_decision(bobs, flagged.days))["pick_url"]
    near = bobs.get(url)
    shown = [one.sentences[0].text for one in near.context["stretches"]]
    assert len(shown) < 10
    assert any("15 days" in text for text in shown)
    whole = bobs.get(near.context["whole_url"])
    assert "Paragraph 300 of many." in whole.content.decode()
    earlier = bobs.get(whole.context["earlier_url"])
    assert "Paragraph 200 of many." in earlier.content.decode()
