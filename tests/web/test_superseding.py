"""The form of a new revision: it starts as the old one, says what was changed, and must change something."""

import pytest
from django.test import Client

from graphstore.records import DecisionStatus, ReviewState
from reviewconsole.models import Draft, User
from tests.web.browsing import Answer, at, judge, open_decision, open_queue, post, shown_form
from tests.web.conftest import SignedIn
from tests.web.world import SHORTER, World, passage

NOW = passage(SHORTER, SHORTER.split("\n")[0])
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


def says(answer: Answer, index: int) -> dict[str, str]:
    """What the page says beside each choice of a support."""
    choice = answer.context["cards"][index]["choice"]
    return {str(one["radio"].data["value"]): one["says"] for one in choice["options"]}


def supersede(client: Client, world: World, **typed: str) -> Answer:
    """Supersede `days`, whose first support is the policy, with a why."""
    return judge(client, world.days, "supersede", explanation="It changed.", **typed)


def test_the_old_conclusion_on_the_old_supports_is_refused(flagged: World, bobs: Client) -> None:
    """It would be no new conclusion; another conclusion, or the present passage, is one."""
    answer = supersede(bobs, flagged, support_0="keep")
    assert answer.status_code == 422
    assert "Nothing is new" in answer.context["form"].errors["conclusion"][0]
    assert flagged.now(flagged.days).status == DecisionStatus.ACTIVE
    answer = supersede(bobs, flagged, support_0="present", evidence_0=NOW)
    assert answer.status_code == 303


def test_line_ends_of_a_browser_are_no_change(flagged: World, bobs: Client) -> None:
    """A text that only travelled through a form is the old text."""
    old = f"{flagged.days.conclusion}\r\n"
    answer = supersede(bobs, flagged, support_0="keep", conclusion=old)
    assert list(answer.context["form"].errors) == ["conclusion"]
    assert not answer.context["texts"]["conclusion"]["difference"]
    assert Draft.objects.get().typed.keys() == {"verdict", "explanation", *(
        f"support_{k}" for k in range(3)
    )}  # fmt: skip


def test_a_passage_that_is_kept_has_it_born_flagged_as_was_said(
    flagged: World, bobs: Client
) -> None:
    """The page says so before, beside the choice; the record agrees."""
    page = open_decision(bobs, flagged.days)
    assert says(page, 0)["keep"] == "born flagged, because the document is at version 2 by now"
    assert (says(page, 1)["keep"], says(page, 2)["keep"]) == ("", "")
    answer = supersede(bobs, flagged, support_0="keep", conclusion="It once was 30 days.")
    assert answer.status_code == 303
    new = open_decision(bobs, flagged.days).context["desk"].revisions[0]
    assert (new.revision, new.review_state) == (2, ReviewState.NEEDS_REVIEW)


def test_what_is_dropped_is_not_cited(flagged: World, bobs: Client) -> None:
    """Each support is kept, brought up to date or left, and not all can be left."""
    new = {"conclusion": "Nobody knows.", "support_0": "drop", "support_1": "drop"}
    answer = supersede(bobs, flagged, **new, support_2="drop")
    assert answer.context["form"].non_field_errors()
    assert supersede(bobs, flagged, **new, support_2="keep").status_code == 303
    made = flagged.now(open_decision(bobs, flagged.days).context["desk"].revisions[0].id)
    assert len(made.supports) == 1


def test_the_server_shows_what_was_changed_in_the_text(flagged: World, bobs: Client) -> None:
    """What a script shows while one types comes with the form that comes back."""
    form = shown_form(open_decision(bobs, flagged.days))
    sent = {**form, "verdict": "supersede", "conclusion": "Refunds take at most 15 days."}
    answer = post(bobs, at(flagged.days), sent, **HTMX)
    difference = answer.context["texts"]["conclusion"]["difference"]
    kinds = [(one.kind, one.text) for one in difference["segments"] if one.kind != "same"]
    assert kinds == [("deleted", "30"), ("inserted", "15")]
    assert difference["changes"] == ["number 30 became 15"]
    assert answer.context["texts"]["rationale"]["difference"] is None
    assert "<del>" in answer.content.decode()
