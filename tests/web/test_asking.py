"""Asking for review: by whom, of what, what it flags, and that no reason is ever lost."""

import pytest
from django.conf import settings as django_settings
from django.contrib.messages import get_messages
from django.test import Client
from pytest_django.fixtures import Settings

import graphstore
from graphstore.records import Decision, ReviewState, VerdictKind
from graphstore.store import counting
from reviewconsole import stores
from reviewconsole.addresses import ask_url, queue_url, verdict_url
from reviewconsole.models import Access, Draft, FlaggedDecision, Role, User
from tests.web.browsing import Answer, at, judge, open_decision, open_queue, post
from tests.web.conftest import PASSWORD, SignedIn
from tests.web.world import PROJECT, World

WHY = "The shop sells in Norway, too: <b>look</b> again."


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def fields(form: object) -> dict[str, str]:
    """What sending a form of one why would send at once."""
    return {field.html_name: field.value() or "" for field in form}  # pyright: ignore[reportGeneralTypeIssues]


def offered(page: Answer) -> dict[str, str]:
    """The fields of the form that stands on a decision's page in the verdict's place."""
    return fields(page.context["ask"]["form"])


def asking(client: Client, decision: Decision, why: str = WHY) -> Answer:
    """Ask from the decision's own page."""
    form = offered(open_decision(client, decision))
    return post(client, ask_url(PROJECT, decision.id), form | {"explanation": why})


def test_the_form_stands_where_the_verdict_would(world: World, bobs: Client) -> None:
    """Only while nothing is flagged, only for active decisions."""
    assert open_decision(bobs, world.days).context["ask"] is not None
    world.shorten_policy()
    open_queue(bobs)
    assert open_decision(bobs, world.days).context["ask"] is None
    judge(bobs, world.signature, "reject", explanation="x")
    assert open_decision(bobs, world.signature).context["ask"] is None


def test_readers_are_not_asked(world: World, dora: User, signed_in: SignedIn) -> None:
    """The role lets them read."""
    assert open_decision(signed_in(dora), world.days).context["ask"] is None


def test_asking_flags_the_decision_and_what_rests_on_it(world: World, bobs: Client) -> None:
    """Both wait in the queue at once, and the page leads back to the decision."""
    answer = asking(bobs, world.days)
    assert (answer.status_code, answer["Location"]) == (303, at(world.days))
    assert world.now(world.days).review_state == ReviewState.NEEDS_REVIEW
    assert world.now(world.letter).review_state == ReviewState.NEEDS_REVIEW
    waiting = FlaggedDecision.objects.filter(project_id=PROJECT, cleared_us__isnull=True)
    assert {row.decision_id for row in waiting} == {world.days.id, world.letter.id}
    (told,) = get_messages(answer.wsgi_request)
    assert "1 decision that rests on it" in str(told)
    assert "Undo" in str(told)


def test_why_it_waits_says_who_asked_and_what_they_wrote(
    world: World, bob: User, bobs: Client
) -> None:
    """On the decision itself, with the way to the asking; also where it came from further up."""
    asking(bobs, world.days)
    page = open_decision(bobs, world.days)
    first = page.context["why"]["ways"][0]["steps"][0]
    given = page.context["desk"].verdicts[0]
    assert first["title"] == "Bob asked for review"
    assert first["detail"].startswith(f"“{WHY}”")
    assert first["url"] == verdict_url(PROJECT, given.id)
    assert given.by == bob.agent_id
    assert page.context["reviewable"]
    further = open_decision(bobs, world.letter).context["why"]["ways"][0]["steps"]
    assert [step["title"] for step in further] == [
        "Bob asked for review",
        world.days.conclusion,
        "This decision",
    ]


def test_sending_it_twice_asks_once(world: World, bobs: Client) -> None:
    """The form carries the mark of its first sending."""
    form = offered(open_decision(bobs, world.days)) | {"explanation": WHY}
    for _ in range(2):
        assert post(bobs, ask_url(PROJECT, world.days.id), form).status_code == 303
    assert len(world.traces.list_verdicts(decision_id=world.days.id).verdicts) == 1


def test_it_needs_a_reason(world: World, bobs: Client) -> None:
    """Whoever judges reads it."""
    answer = asking(bobs, world.days, "  ")
    assert answer.status_code == 422
    assert answer.context["form"].errors["explanation"] == [
        "Write why; it is kept with the record."
    ]
    assert world.now(world.days).review_state == ReviewState.CLEAR


def test_a_page_of_its_own_does_the_same(world: World, bobs: Client) -> None:
    """With what it would flag, before it is sent."""
    page = bobs.get(ask_url(PROJECT, world.days.id))
    assert page.context["impact"].total == 1
    form = fields(page.context["form"]) | {"explanation": WHY}
    assert post(bobs, ask_url(PROJECT, world.days.id), form).status_code == 303
    assert world.now(world.days).review_state == ReviewState.NEEDS_REVIEW


def test_a_judged_decision_cannot_be_asked_about(world: World, bobs: Client) -> None:
    """The refusal keeps the reason, and the page has no form that could not go through."""
    form = offered(open_decision(bobs, world.days)) | {"explanation": WHY}
    world.traces.reject_decision(world.days.id, "An agent was quicker.")
    answer = post(bobs, ask_url(PROJECT, world.days.id), form)
    assert answer.status_code == 409
    assert answer.context["refusal"]["code"] == "decision_not_active"
    assert answer.context["typed"] == [{"label": "Why", "text": WHY}]
    assert not answer.context["active"]


def test_what_moved_meanwhile_is_said(world: World, bobs: Client) -> None:
    """More would be flagged than the page said; the same words then go through."""
    form = offered(open_decision(bobs, world.days)) | {"explanation": WHY}
    world.decide("reminder", "Remind after 30 days.", [world.on(world.days)])
    answer = post(bobs, ask_url(PROJECT, world.days.id), form)
    assert answer.status_code == 409
    assert answer.context["refusal"]["details"] == ["What rests on this decision changed."]
    again = fields(answer.context["form"])
    assert again["explanation"] == WHY
    assert post(bobs, ask_url(PROJECT, world.days.id), again).status_code == 303


def test_a_lost_role_keeps_the_reason(world: World, bob: User, bobs: Client) -> None:
    """It is shown, and stands in the form again once the role is back."""
    form = offered(open_decision(bobs, world.days)) | {"explanation": WHY}
    Access.objects.filter(user=bob).update(role=Role.READER)
    answer = post(bobs, ask_url(PROJECT, world.days.id), form)
    assert answer.status_code == 403
    assert answer.context["typed"] == [{"label": "Why", "text": WHY}]
    Access.objects.filter(user=bob).update(role=Role.REVIEWER)
    page = bobs.get(ask_url(PROJECT, world.days.id))
    assert page.context["form"]["explanation"].value() == WHY


def test_a_graph_that_is_down_keeps_the_reason(
    world: World, bobs: Client, settings: Settings
) -> None:
    """The form of the page that says so sends the same again: what had landed lands once."""
    form, graph = offered(open_decision(bobs, world.days)) | {"explanation": WHY}, settings.GRAPH
    url = ask_url(PROJECT, world.days.id, order="newest")
    assert post(bobs, url, form).status_code == 303
    settings.GRAPH = graphstore.Settings.from_env(
        {"GRAPH_STORE": "falkordb", "FALKORDB_URL": "redis://127.0.0.1:1/"}
    )
    stores.close_store()
    answer = post(bobs, url, form)
    assert answer.status_code == 503
    assert "cannot be reached" in answer.content.decode()
    assert fields(answer.context["form"]) == form
    assert Draft.objects.get().typed["explanation"] == [WHY]
    stores.close_store()
    settings.GRAPH = graph
    assert answer.context["post_url"] == url
    assert post(bobs, url, fields(answer.context["form"])).status_code == 303
    assert len(world.traces.list_verdicts(kind=VerdictKind.ASK).verdicts) == 1


def test_a_form_from_an_earlier_sign_in_keeps_the_reason(world: World, bobs: Client) -> None:
    """It is shown again with a token of now, ready to be sent."""
    form, url = offered(open_decision(bobs, world.days)), ask_url(PROJECT, world.days.id)
    sent = form | {"explanation": WHY, "csrfmiddlewaretoken": "x" * 32}
    answer = bobs.post(url, sent, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 403
    assert post(bobs, url, fields(answer.context["form"])).status_code == 303
    (verdict,) = world.traces.list_verdicts(kind=VerdictKind.ASK).verdicts
    assert verdict.why == WHY


def test_an_ended_session_keeps_the_reason(world: World, bobs: Client) -> None:
    """It travels through signing in, back to the page on which it was written."""
    form = offered(open_decision(bobs, world.days)) | {"explanation": WHY}
    bobs.cookies.pop(django_settings.SESSION_COOKIE_NAME)
    asked = post(bobs, ask_url(PROJECT, world.days.id), form)
    assert asked.status_code == 403
    sent = {
        "username": "bob",
        "password": PASSWORD,
        "next": asked.context["next"],
        "kept": asked.context["kept"],
    }
    answer = post(bobs, "/signin", sent)
    assert answer["Location"] == ask_url(PROJECT, world.days.id)
    page = bobs.get(answer["Location"])
    assert page.context["form"]["explanation"].value() == WHY


def test_asking_costs_few_round_trips(world: World, bobs: Client) -> None:
    """The operation, and the index that follows it."""
    form = offered(open_decision(bobs, world.days)) | {"explanation": WHY}
    with counting() as trips:
        assert post(bobs, ask_url(PROJECT, world.days.id), form).status_code == 303
    assert trips.count <= 5


def test_the_queue_says_that_it_was_asked_for(world: World, bobs: Client) -> None:
    """The graph has no reason for it; the row has one, in words and as a filter."""
    asking(bobs, world.signature)
    shown = open_queue(bobs)
    assert [row["reason_words"] for row in shown.context["rows"]] == [
        "somebody asked for another look"
    ]
    assert "asked for" in shown.content.decode()
    narrowed = bobs.get(queue_url(PROJECT, reason="asked"))
    assert [row["decision"].id for row in narrowed.context["rows"]] == [world.signature.id]
