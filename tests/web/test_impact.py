"""What a verdict will do, said before it is given, from the plan that is committed."""

from typing import Any

import pytest
from django.test import Client

from graphstore.records import ReviewState
from graphstore.store import counting
from reviewconsole.addresses import impact_url
from reviewconsole.models import Draft, User
from tests.web.browsing import Answer, at, judge, open_decision, open_queue, post, shown_form
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, SHORTER, World, passage

NOW = passage(SHORTER, SHORTER.split("\n")[0])
HTMX = {"HX-Request": "true"}


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def figures(answer: Answer) -> dict[str, int]:
    return {line["label"]: line["number"] for line in answer.context["figures"]}


def asked(client: Client, world: World, verdict: str, **typed: Any) -> Answer:
    """What the form of `days` would do as it is filled in, asked for by a script."""
    form = shown_form(open_decision(client, world.days))
    sent = {**form, "verdict": verdict, "explanation": "x", **typed}
    with counting() as trips:
        answer = post(client, impact_url(PROJECT, world.days.id), sent, **HTMX)
    assert trips.count <= 5
    assert answer.status_code == 200
    return answer


def test_the_figures_are_those_of_the_commit(world: World, bobs: Client) -> None:
    """What was said to be flagged is flagged, and it loses what was said."""
    with counting() as trips:
        answer = bobs.get(impact_url(PROJECT, world.scope.id), headers=HTMX)
    assert trips.count <= 3
    assert "<html" not in answer.content.decode()
    assert figures(answer) == {
        "Flags decisions that cite it": 1,
        "… and through them": 1,
        "Lose their last clear support": 1,
        "Keep other clear support": 1,
        "Tasks touched": 2,
    }
    words = {one["decision"].conclusion: one["words"] for one in answer.context["affected"]}
    assert words == {
        world.letter.conclusion: "loses its last clear support",
        world.days.conclusion: "keeps 2 clear supports of 3",
    }
    assert world.traces.reject_decision(world.scope.id, "Gone.").recorded
    for one in (world.days, world.letter):
        assert world.now(one).review_state == ReviewState.NEEDS_REVIEW


def test_the_page_says_it_without_a_script(world: World, bobs: Client) -> None:
    """At its own address, linked from the desk; what rests on nothing says so."""
    world.shorten_policy()
    open_queue(bobs)
    assert impact_url(PROJECT, world.days.id) in open_decision(bobs, world.days).content.decode()
    page = bobs.get(impact_url(PROJECT, world.days.id)).content.decode()
    assert world.days.conclusion in page
    assert "1 decision that rests on it stays flagged" in page
    page = bobs.get(impact_url(PROJECT, world.letter.id)).content.decode()
    assert "Nothing rests on it" in page


def test_a_form_says_whether_its_revision_is_born_flagged(world: World, bobs: Client) -> None:
    """As it is filled in: on the old passage, on the present one, and on nothing yet."""
    world.shorten_policy()
    open_queue(bobs)
    old = asked(bobs, world, "supersede", support_0="keep")
    assert old.context["born_words"] == [
        "it keeps a passage of a version that is not the present one"
    ]
    new = asked(bobs, world, "supersede", support_0="present", evidence_0=NOW)
    assert (new.context["born_words"], new.context["born_clear"]) == ([], True)
    dropped = {f"support_{k}": "drop" for k in range(3)}
    none = asked(bobs, world, "supersede", **dropped)
    assert (none.context["born_words"], none.context["born_clear"]) == ([], False)
    assert figures(none)["Rest on it and are flagged already"] == 1
    assert not Draft.objects.exists()


def test_a_refusal_is_said_before_the_button(world: World, bobs: Client) -> None:
    """Whatever would stand in the way; the others' figures stay."""
    world.shorten_policy()
    open_queue(bobs)
    old = world.cite(SHORTER.split("\n")[0].replace("15", "30"))
    answer = asked(bobs, world, "reaffirm", evidence_0=old.evidence_id)
    assert answer.context["impact_refusal"]["code"] == "cannot_revalidate"
    form = shown_form(open_decision(bobs, world.letter)) | {"verdict": "supersede"}
    world.traces.reject_decision(world.days.id, "Gone.")
    sent = form | {"support_0": "keep", "conclusion": "c", "explanation": "e"}
    answer = post(bobs, impact_url(PROJECT, world.letter.id), sent)
    assert answer.context["impact_refusal"]["code"] == "moved"
    assert "Nothing rests on it" in answer.content.decode()
    # Without a script the page is left, and what was typed must be there on the way back.
    assert Draft.objects.get().typed["explanation"] == ["e"]


def test_doing_nothing_is_a_choice_with_a_meaning(world: World, bobs: Client) -> None:
    """The desk says it beside the verdicts."""
    world.shorten_policy()
    open_queue(bobs)
    words = open_decision(bobs, world.days).context["doing_nothing"]
    assert words.startswith("It stays flagged")
    assert "1 decision that rests on it" in words
    alone = open_decision(bobs, world.letter).context["doing_nothing"]
    assert "rests on it" not in alone
    judge(bobs, world.letter, "reject", explanation="Gone.")
    assert bobs.get(at(world.letter)).context["doing_nothing"] == ""
