"""What holds on every page: the policy, the headers, the frame, times and people."""

import re
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from reviewconsole.addresses import decision_url, queue_url, task_url, tasks_url
from reviewconsole.middleware import ReaderTimeZoneMiddleware
from reviewconsole.models import User
from reviewconsole.templatetags.desk import age, count_words, moment, who
from reviewconsole.views.problems import broken
from tests.servers import RawGraph
from tests.web.browsing import Answer, post
from tests.web.conftest import PASSWORD, SignedIn
from tests.web.world import PROJECT, World


@pytest.fixture
def pages(world: World, bob: User, signed_in: SignedIn) -> dict[str, Answer]:
    """Every kind of page, problems included."""
    client, decision = signed_in(bob), decision_url(PROJECT, world.days.id)
    urls = ["/", queue_url(PROJECT), decision, tasks_url(PROJECT), task_url(PROJECT, "audit")]
    return {url: client.get(url) for url in [*urls, "/healthz", "/nothing/here"]} | {
        "signin": Client().get("/signin"),
        "422": post(client, "/signin", {"username": "x", "password": "y"}),
        "409": post(client, decision, {}),
        "csrf": Client(enforce_csrf_checks=True).post("/signin", {}),
        "405": client.delete(decision),
    }


def test_every_page_has_the_strict_policy(pages: dict[str, Answer]) -> None:
    """Nothing inline, nothing from elsewhere, no frame, no base."""
    for name, answer in pages.items():
        policy = answer["Content-Security-Policy"]
        directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
        assert directives.pop("default-src") == "'none'", name
        assert directives.pop("base-uri") == directives.pop("frame-ancestors") == "'none'", name
        assert set(directives.values()) == {"'self'"}, name


def test_no_page_holds_anything_inline(pages: dict[str, Answer]) -> None:
    """The policy would block it, so it would be dead weight or a broken page."""
    for name, answer in pages.items():
        text = answer.content.decode()
        assert "<style" not in text, name
        assert " style=" not in text, name
        assert " onclick" not in text, name
        assert all("src=" in tag for tag in text.split("<script")[1:]), name


def test_no_page_is_kept_by_a_shared_cache(pages: dict[str, Answer]) -> None:
    """Pages are one person's, and a fragment must not pass for a page."""
    for name, answer in pages.items():
        assert "private" in answer["Cache-Control"], name
        assert "no-cache" in answer["Cache-Control"], name
        assert "HX-Request" in answer["Vary"], name
        assert answer["X-Content-Type-Options"] == "nosniff", name
        assert answer["Referrer-Policy"] == "same-origin", name


def test_what_an_answer_cost_is_said_only_where_it_is_asked_for(
    world: World, bob: User, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The milliseconds and the round trips of a page, and of one that asks the graph nothing."""
    url = decision_url(PROJECT, world.days.id)
    assert "Server-Timing" not in signed_in(bob).get(url)
    timing = "reviewconsole.middleware.ServerTimingMiddleware"
    monkeypatch.setattr(settings, "MIDDLEWARE", [timing, *settings.MIDDLEWARE])
    page, sign_in = signed_in(bob).get(url), Client().get("/signin")
    said = r'server;dur=\d+\.\d, processor;dur=\d+\.\d, graph;desc="[1-5]"'
    assert re.fullmatch(said, page["Server-Timing"])
    assert sign_in["Server-Timing"].endswith('graph;desc="0"')


def test_cookies_are_out_of_reach_of_scripts(bob: User) -> None:
    """Session and token are for the server alone."""
    client = Client()
    page = post(client, "/signin", {"username": bob.username, "password": PASSWORD})
    assert page.status_code == 303
    for name in (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME):
        assert page.cookies[name]["httponly"]
        assert page.cookies[name]["samesite"] == "Lax"


@pytest.mark.parametrize(
    "wanted", ["https://evil.example/", "//evil.example", "javascript:alert(1)"]
)
def test_sign_in_leads_nowhere_else(bob: User, wanted: str) -> None:
    """`next` stays on this site."""
    sent = {"username": bob.username, "password": PASSWORD, "next": wanted}
    assert post(Client(), "/signin", sent)["Location"] == "/"


def test_sign_in_leads_where_one_wanted_to_go(world: World, bob: User) -> None:
    """The address, filters and all."""
    client, url = Client(), queue_url(world.project, order="newest")
    asked = client.get(url)
    assert asked.status_code == 303
    form = client.get(asked["Location"]).context
    sent = {"username": bob.username, "password": PASSWORD, "next": form["next"]}
    assert post(client, "/signin", sent)["Location"] == url


def test_sign_out_ends_the_session(bob: User, signed_in: SignedIn) -> None:
    """And nothing but a post does it."""
    client = signed_in(bob)
    assert client.get("/signout").status_code == 405
    assert client.get("/").status_code == 200
    assert post(client, "/signout", {})["Clear-Site-Data"] == '"cache"'
    assert client.get("/").status_code == 303


def test_the_frame_says_where_one_is(world: World, bob: User, signed_in: SignedIn) -> None:
    """Project, role, and how much waits."""
    world.shorten_policy()
    page = signed_in(bob).get(queue_url(PROJECT))
    assert page.context["project"]["name"] == PROJECT
    assert page.context["role"] == "reviewer"
    assert page.context["queue_count"] == 3
    assert [item["label"] for item in page.context["nav"] if item["active"]] == ["Queue"]


@pytest.mark.parametrize(
    ("zone", "written"),
    [
        ("Europe/Vilnius", "14:30"),
        ("America/New_York", "07:30"),
        ("../../etc/passwd", "12:30"),
        ("", "12:30"),
    ],
)
def test_times_are_shown_in_the_readers_zone(zone: str, written: str) -> None:
    """The browser names it in a cookie; what is no zone means UTC."""
    at = datetime(2026, 1, 5, 12, 30, tzinfo=UTC)
    middleware = ReaderTimeZoneMiddleware(lambda _: HttpResponse(moment(at)))
    request = RequestFactory().get("/")
    request.COOKIES["timezone"] = zone
    answer = middleware(request)
    assert isinstance(answer, HttpResponse)
    assert written in answer.content.decode()


def test_a_moment_is_exact_for_machines_and_on_demand() -> None:
    """The element carries the instant in UTC and the whole time in its title."""
    shown = moment(datetime(2026, 1, 5, 12, 30, 15, 250, tzinfo=UTC))
    assert 'datetime="2026-01-05T12:30:15.000250+00:00"' in shown
    assert "Monday, 5 January 2026, 12:30:15 UTC" in shown


@pytest.mark.parametrize(
    ("ago", "said"),
    [
        (timedelta(seconds=5), "less than a minute"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(hours=23), "23 hours"),
        (timedelta(days=3, hours=5), "3 days"),
        (timedelta(days=400), "1 year"),
        (timedelta(seconds=-90), "less than a minute"),
    ],
)
def test_ages_are_said_in_their_largest_unit(ago: timedelta, said: str) -> None:
    """A clock that runs ahead makes nothing negative."""
    assert age(timezone.now() - ago) == said


def test_a_person_is_shown_by_name(bob: User) -> None:
    """An agent by its id, an account that is not here as such."""
    assert who(bob.agent_id) == "Bob"
    assert who("support-agent") == "support-agent"
    assert who(f"person:{uuid4()}") == "somebody without an account here"
    assert who("person:not-a-uuid") == "person:not-a-uuid"
    assert who(None) == ""


def test_a_capped_count_says_so() -> None:
    """A floor is not shown as the number."""
    assert count_words(1000, capped=True) == "1,000+"
    assert count_words(12, capped=False) == "12"


def test_what_broke_is_one_sentence_without_the_frame() -> None:
    """Whatever broke may be what the frame needs, so the page is drawn without it."""
    answer = broken(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "Something broke on our side" in answer.content.decode()


def test_a_damaged_record_is_one_sentence(
    world: World, raw: RawGraph, bob: User, signed_in: SignedIn
) -> None:
    """It is named in the log, not on the page."""
    raw.run("MATCH (d:Decision {id: $id}) SET d.conclusion = null", {"id": str(world.days.id)})
    answer = signed_in(bob).get(decision_url(PROJECT, world.days.id))
    assert answer.status_code == 500
    assert "A record in the store lacks" in answer.content.decode()
