"""Every address, seen by everybody: what a person may not see is as if it were not there."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID, uuid4

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client, RequestFactory
from django.urls import URLPattern

from graphstore import HistoryRetention
from graphstore.erasures import receipt_id
from reviewconsole.access import enter
from reviewconsole.addresses import (
    ask_url,
    bulk_start_url,
    bulk_url,
    bundle_url,
    change_document_url,
    check_event_url,
    claim_url,
    conflict_url,
    conflicts_url,
    decision_url,
    decisions_url,
    delete_task_url,
    document_url,
    documents_url,
    draft_url,
    entry_url,
    impact_url,
    intake_url,
    jobs_url,
    keep_url,
    leave_url,
    ledger_url,
    lineage_url,
    log_export_url,
    log_markdown_url,
    new_document_url,
    next_item_url,
    pick_url,
    project_settings_url,
    queue_news_url,
    queue_url,
    queue_views_url,
    receipt_url,
    redact_event_url,
    reference_url,
    remove_document_url,
    retention_url,
    saved_view_url,
    steps_url,
    task_url,
    tasks_url,
    tokens_url,
    verdict_url,
    verdicts_url,
    verification_url,
    version_url,
    versions_between_url,
    withdraw_url,
)
from reviewconsole.models import Access, Bulk, Role, SavedView, User
from reviewconsole.urls import urlpatterns
from tests.web.browsing import Answer, post
from tests.web.conftest import SignedIn
from tests.web.world import POLICY_KEY, PROJECT, World

PEOPLE = ["nobody", "stranger", "reader", "reviewer", "manager", "admin", "superuser"]
MEMBERS = ["reader", "reviewer", "manager", "admin", "superuser"]
JUDGES = ["reviewer", "manager", "admin", "superuser"]
MANAGERS = ["manager", "admin", "superuser"]
SIGNED_IN = ["stranger", *MEMBERS]
NO_LIBRARIANS = ["reader", "reviewer", "manager", "admin"]
LIBRARIANS = {"librarian": 200, "superuser": 200}
DOCUMENT_FORMS: dict[str, Callable[[World], str]] = {
    "document_new": lambda _: new_document_url(PROJECT),
    "document_change": lambda _: change_document_url(PROJECT, POLICY_KEY),
    "document_remove": lambda _: remove_document_url(PROJECT, POLICY_KEY),
}


@dataclass(frozen=True)
class Door:
    """One address with one method: who gets which status; `others` for whoever is not named."""

    name: str
    method: str
    url: Callable[[World], str]
    statuses: dict[str, int]

    def status(self, person: str) -> int:
        return self.statuses[person]


def statuses(allowed: list[str], status: int, **others: int) -> dict[str, int]:
    """The same for all who are allowed; everybody else is named.

    A librarian reads the project and is let through where readers are, unless named.
    """
    named = dict.fromkeys(allowed, status) | others
    return {"librarian": named["reader"], **named}


def asked(world: World) -> str:
    """The id of a verdict that an agent gave."""
    given = world.traces.ask_for_review(world.days.id, "Somebody should look.").verdict_id
    assert given is not None
    return given


def erased(world: World) -> str:
    """The receipt of an event that was redacted."""
    retention = HistoryRetention(world.store, PROJECT, "admin")
    event = world.history.fetch_event("audit", 1).event
    assert event is not None
    retention.redact_event(event.id, request_id="redacted")
    return receipt_id(PROJECT, "redacted")


def cited_by(world: World) -> str:
    """The support with which a decision cites a passage."""
    return next(one.id for one in world.days.supports if one.kind == "document")


def shared_view() -> UUID:
    """A view that somebody saved and shares."""
    owner = User.objects.create_user("owner")
    view = SavedView.objects.create(user=owner, project_id=PROJECT, name="Wide", shared=True)
    return view.uuid


def somebodys_bulk(_: World) -> str:
    """The address of a bulk that none of these people began."""
    other = User.objects.create_user("other-reviewer")
    bulk = Bulk.objects.create(
        project_id=PROJECT,
        document_id="d",
        user=other,
        size=6,
        sample_size=5,
        limit=10,
        started_us=1,
        touched_us=1,
    )
    return bulk_url(PROJECT, bulk.uuid)


ADMINS = ["admin", "superuser"]
NO_ADMINS = dict.fromkeys(["reader", "reviewer", "manager"], 403)
ERASING: dict[str, Callable[[World], str]] = {
    "task_delete": lambda _: delete_task_url(PROJECT, "audit"),
    "event_redact": lambda _: redact_event_url(PROJECT, "audit", 2),
    "retention": lambda _: retention_url(PROJECT),
    "receipt": lambda world: receipt_url(PROJECT, erased(world)),
}
OF_A_LOG: dict[str, Callable[[World], str]] = {
    "log_markdown": lambda _: log_markdown_url(PROJECT, "audit"),
    "log_export": lambda _: log_export_url(PROJECT, "audit"),
    "event_check": lambda _: check_event_url(PROJECT, "audit", 2),
}


FLOW: dict[str, Callable[[World], str]] = {
    "claim": lambda world: claim_url(PROJECT, world.days.id),
    "leave": lambda world: leave_url(PROJECT, world.days.id),
}

DOORS = [
    Door(
        "ledger",
        "GET",
        lambda _: ledger_url(PROJECT),
        statuses(ADMINS, 200, **NO_ADMINS, stranger=404, nobody=303),
    ),
    Door(
        "ledger_entry",
        "GET",
        lambda world: entry_url(PROJECT, asked(world)),
        statuses(ADMINS, 200, **NO_ADMINS, stranger=404, nobody=303),
    ),
    Door(
        "ledger_verification",
        "GET",
        lambda _: verification_url(PROJECT),
        statuses(ADMINS, 200, **NO_ADMINS, stranger=404, nobody=303),
    ),
    Door(
        "ledger_verification",
        "POST",
        lambda _: verification_url(PROJECT),
        statuses(ADMINS, 303, **NO_ADMINS, stranger=404, nobody=303),
    ),
    Door(
        "jobs",
        "GET",
        lambda _: jobs_url(PROJECT),
        statuses(MANAGERS, 200, reader=403, reviewer=403, stranger=404, nobody=303),
    ),
    Door(
        "intake",
        "GET",
        lambda _: intake_url(PROJECT),
        statuses(MANAGERS, 200, reader=403, reviewer=403, stranger=404, nobody=303),
    ),
    Door(
        "intake",
        "POST",
        lambda _: intake_url(PROJECT),
        statuses(MANAGERS, 422, reader=403, reviewer=403, stranger=404, nobody=303),
    ),
    Door("projects", "GET", lambda _: "/", statuses(SIGNED_IN, 200, nobody=303)),
    Door("signin", "GET", lambda _: "/signin", statuses(SIGNED_IN, 303, nobody=200)),
    Door("signout", "POST", lambda _: "/signout", statuses(PEOPLE, 303)),
    Door("health", "GET", lambda _: "/healthz", statuses(PEOPLE, 200)),
    Door(
        "queue",
        "GET",
        lambda _: queue_url(PROJECT),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "bundle",
        "GET",
        lambda _: bundle_url(PROJECT, POLICY_KEY),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "bulk_start",
        "GET",
        lambda _: bulk_start_url(PROJECT, POLICY_KEY),
        statuses(JUDGES, 200, reader=403, stranger=404, nobody=303),
    ),
    # Nothing waits, so nothing begins and the page says so.
    Door(
        "bulk_start",
        "POST",
        lambda _: bulk_start_url(PROJECT, POLICY_KEY),
        statuses(JUDGES, 303, reader=403, stranger=404, nobody=303),
    ),
    Door(
        "bulk",
        "GET",
        somebodys_bulk,
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    # Somebody else's, hence 403 also for those who may judge.
    Door(
        "bulk",
        "POST",
        somebodys_bulk,
        statuses(JUDGES, 403, reader=403, stranger=404, nobody=403),
    ),
    Door(
        "project_settings",
        "GET",
        lambda _: project_settings_url(PROJECT),
        statuses(MANAGERS, 200, reader=403, reviewer=403, stranger=404, nobody=303),
    ),
    # Nothing was typed, hence 422.
    Door(
        "project_settings",
        "POST",
        lambda _: project_settings_url(PROJECT),
        statuses(MANAGERS, 422, reader=403, reviewer=403, stranger=404, nobody=303),
    ),
    Door(
        "decision",
        "GET",
        lambda world: decision_url(PROJECT, world.days.id),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    # An empty form of somebody who may judge is out of date, hence 409.
    Door(
        "decision",
        "POST",
        lambda world: decision_url(PROJECT, world.days.id),
        statuses(JUDGES, 409, reader=403, stranger=404, nobody=403),
    ),
    Door(
        "next",
        "GET",
        lambda _: next_item_url(PROJECT),
        statuses(MEMBERS, 303, stranger=404, nobody=303),
    ),
    # Back to the decision, also from a form that says nothing.
    *(
        Door(name, "POST", url, statuses(JUDGES, 303, reader=403, stranger=404, nobody=303))
        for name, url in FLOW.items()
    ),
    Door(
        "draft",
        "POST",
        lambda world: draft_url(PROJECT, world.days.id),
        statuses(JUDGES, 204, reader=403, stranger=404, nobody=303),
    ),
    Door(
        "ask",
        "GET",
        lambda world: ask_url(PROJECT, world.days.id),
        statuses(JUDGES, 200, reader=403, stranger=404, nobody=303),
    ),
    # A form without a reason is incomplete, hence 422.
    Door(
        "ask",
        "POST",
        lambda world: ask_url(PROJECT, world.days.id),
        statuses(JUDGES, 422, reader=403, stranger=404, nobody=403),
    ),
    Door(
        "verdicts",
        "GET",
        lambda _: verdicts_url(PROJECT),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "verdict",
        "GET",
        lambda world: verdict_url(PROJECT, asked(world)),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    # Somebody else's verdict, hence 403 for reviewers.
    Door(
        "withdraw",
        "GET",
        lambda world: withdraw_url(PROJECT, asked(world)),
        statuses(MANAGERS, 200, reader=403, reviewer=403, stranger=404, nobody=303),
    ),
    Door(
        "withdraw",
        "POST",
        lambda world: withdraw_url(PROJECT, asked(world)),
        statuses(MANAGERS, 422, reader=403, reviewer=403, stranger=404, nobody=403),
    ),
    Door(
        "impact",
        "GET",
        lambda world: impact_url(PROJECT, world.days.id),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    # Nothing is written: without a form it says what retiring would do.
    Door(
        "impact",
        "POST",
        lambda world: impact_url(PROJECT, world.days.id),
        statuses(JUDGES, 200, reader=403, stranger=404, nobody=303),
    ),
    Door(
        "pick",
        "GET",
        lambda world: pick_url(PROJECT, world.days.id, cited_by(world)),
        statuses(JUDGES, 200, reader=403, stranger=404, nobody=303),
    ),
    # Nothing was selected, hence 422. The sign-in page carries what was typed for a verdict.
    Door(
        "pick",
        "POST",
        lambda world: pick_url(PROJECT, world.days.id, cited_by(world)),
        statuses(JUDGES, 422, reader=403, stranger=404, nobody=403),
    ),
    Door(
        "versions_between",
        "GET",
        lambda world: versions_between_url(PROJECT, world.days.id, cited_by(world)),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "lineage",
        "GET",
        lambda world: lineage_url(PROJECT, world.days.id),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "lineage_svg",
        "GET",
        lambda world: lineage_url(PROJECT, world.days.id, kind="lineage_svg"),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "lineage_csv",
        "GET",
        lambda world: lineage_url(PROJECT, world.days.id, kind="lineage_csv"),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "decisions",
        "GET",
        lambda _: decisions_url(PROJECT, q="refunds"),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "conflicts",
        "GET",
        lambda _: conflicts_url(PROJECT),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "conflict",
        "GET",
        lambda _: conflict_url(PROJECT, "days"),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "keep",
        "GET",
        lambda world: keep_url(PROJECT, "days", world.days.id),
        statuses(MANAGERS, 200, reader=403, reviewer=403, stranger=404, nobody=303),
    ),
    # A form without its plan is out of date, hence 409.
    Door(
        "keep",
        "POST",
        lambda world: keep_url(PROJECT, "days", world.days.id),
        statuses(MANAGERS, 409, reader=403, reviewer=403, stranger=404, nobody=403),
    ),
    Door(
        "documents",
        "GET",
        lambda _: documents_url(PROJECT),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    # Without a key there is nothing to grant, hence 422.
    Door(
        "documents",
        "POST",
        lambda _: documents_url(PROJECT),
        statuses(
            ["admin", "superuser"],
            422,
            **dict.fromkeys(["reader", "reviewer", "manager"], 403),
            stranger=404,
            nobody=303,
        ),
    ),
    Door(
        "document",
        "GET",
        lambda _: document_url(PROJECT, POLICY_KEY),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "document_version",
        "GET",
        lambda _: version_url(PROJECT, POLICY_KEY, 1),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    *(
        Door(name, "GET", url, statuses(NO_LIBRARIANS, 403, **LIBRARIANS, stranger=404, nobody=303))
        for name, url in DOCUMENT_FORMS.items()
    ),
    # Nothing was typed, hence 422.
    *(
        Door(
            name,
            "POST",
            url,
            statuses(
                NO_LIBRARIANS,
                403,
                **dict.fromkeys(LIBRARIANS, 422),
                stranger=404,
                nobody=403,
            ),
        )
        for name, url in DOCUMENT_FORMS.items()
    ),
    Door("reference", "GET", lambda _: reference_url(), statuses(PEOPLE, 200)),
    Door(
        "tokens",
        "GET",
        lambda _: tokens_url(PROJECT),
        statuses(
            ["admin", "superuser"],
            200,
            **dict.fromkeys(["reader", "reviewer", "manager"], 403),
            stranger=404,
            nobody=303,
        ),
    ),
    # Nothing was typed, hence 422.
    Door(
        "tokens",
        "POST",
        lambda _: tokens_url(PROJECT),
        statuses(
            ["admin", "superuser"],
            422,
            **dict.fromkeys(["reader", "reviewer", "manager"], 403),
            stranger=404,
            nobody=303,
        ),
    ),
    Door(
        "queue_news",
        "GET",
        lambda _: queue_news_url(PROJECT),
        statuses(MEMBERS, 204, stranger=404, nobody=303),
    ),
    Door(
        "queue_views",
        "GET",
        lambda _: queue_views_url(PROJECT),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    # Nothing was typed, hence 422.
    Door(
        "queue_views",
        "POST",
        lambda _: queue_views_url(PROJECT),
        statuses(MEMBERS, 422, stranger=404, nobody=303),
    ),
    Door(
        "saved_view",
        "GET",
        lambda _: saved_view_url(PROJECT, shared_view()),
        statuses(MEMBERS, 303, stranger=404, nobody=303),
    ),
    # Nothing is asked to be done with it, hence 303.
    Door(
        "saved_view",
        "POST",
        lambda _: saved_view_url(PROJECT, shared_view()),
        statuses(MANAGERS, 303, reader=403, reviewer=403, stranger=404, nobody=303),
    ),
    Door(
        "tasks",
        "GET",
        lambda _: tasks_url(PROJECT),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    Door(
        "task",
        "GET",
        lambda _: task_url(PROJECT, "audit"),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
    *(
        Door(name, "GET", url, statuses(MEMBERS, 200, stranger=404, nobody=303))
        for name, url in OF_A_LOG.items()
    ),
    # Nothing was pasted, hence 422.
    Door(
        "event_check",
        "POST",
        OF_A_LOG["event_check"],
        statuses(MEMBERS, 422, stranger=404, nobody=303),
    ),
    *(
        Door(name, "GET", url, statuses(ADMINS, 200, **NO_ADMINS, stranger=404, nobody=303))
        for name, url in ERASING.items()
    ),
    # Nothing was typed, hence 422.
    *(
        Door(
            name,
            "POST",
            ERASING[name],
            statuses(ADMINS, 422, **NO_ADMINS, stranger=404, nobody=303),
        )
        for name in ("task_delete", "event_redact")
    ),
    # There is no job to hold, hence 404.
    Door(
        "receipt",
        "POST",
        ERASING["receipt"],
        statuses(ADMINS, 404, **NO_ADMINS, stranger=404, nobody=303),
    ),
    Door(
        "steps",
        "GET",
        lambda _: steps_url(PROJECT, "audit"),
        statuses(MEMBERS, 200, stranger=404, nobody=303),
    ),
]


def test_every_address_is_in_the_table() -> None:
    """A new address without an entry fails here. The API's have a table of their own."""
    named = {pattern.name for pattern in urlpatterns if isinstance(pattern, URLPattern)}
    assert named == {door.name for door in DOORS}


@pytest.fixture
def browsers(signed_in: SignedIn) -> dict[str, Client]:
    """Somebody of each kind, at a browser each."""
    people = {"nobody": Client(enforce_csrf_checks=True)}
    for kind in [*SIGNED_IN, "librarian"]:
        user = User.objects.create_user(
            kind, is_superuser=kind == "superuser", is_librarian=kind == "librarian"
        )
        label = "reader" if kind == "librarian" else kind
        if label in Role.labels:
            role = next(role for role in Role if role.label == label)
            Access.objects.create(user=user, project_id=PROJECT, role=role)
        people[kind] = signed_in(user)
    return people


@pytest.mark.parametrize("door", DOORS, ids=lambda door: f"{door.method} {door.name}")
def test_everybody_gets_what_their_role_gives(
    door: Door, world: World, browsers: dict[str, Client]
) -> None:
    """Strangers see nothing there, readers are told what is not theirs to do."""
    url = door.url(world)
    ask = {"GET": lambda client: client.get(url), "POST": lambda client: post(client, url, {})}
    seen = {kind: ask[door.method](client).status_code for kind, client in browsers.items()}
    assert seen == door.statuses


@pytest.mark.parametrize("name", DOCUMENT_FORMS)
def test_a_librarian_of_other_projects_is_a_stranger(
    name: str, world: World, charlie: User, signed_in: SignedIn
) -> None:
    """Whoever may put documents does so only where they may read."""
    charlie.is_librarian = True
    charlie.save()
    client, url = signed_in(charlie), DOCUMENT_FORMS[name](world)
    assert client.get(url).status_code == post(client, url, {}).status_code == 404


@pytest.mark.usefixtures("world")
def test_a_stranger_cannot_tell_a_project_from_none(charlie: User, signed_in: SignedIn) -> None:
    """The two answers are the same to the letter."""
    client = signed_in(charlie)
    there, nowhere = client.get(queue_url(PROJECT)), client.get(queue_url("no such project"))
    assert there.status_code == nowhere.status_code == 404
    assert without_token(there) == without_token(nowhere)


def without_token(answer: Answer) -> str:
    """A page without its CSRF token, which differs each time."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())


@pytest.mark.usefixtures("world")
def test_a_superuser_finds_no_project_where_there_is_none(signed_in: SignedIn) -> None:
    """Seeing every project does not make up one."""
    client = signed_in(User.objects.create_superuser("root"))
    assert client.get(queue_url("no such project")).status_code == 404


def test_a_decision_of_another_project_is_not_there(
    bob: User, signed_in: SignedIn, world: World
) -> None:
    """Roles are per project, and so are ids."""
    other = World(world.store, project="elsewhere")
    client = signed_in(bob)
    assert client.get(decision_url(PROJECT, other.scope.id)).status_code == 404
    assert client.get(decision_url("elsewhere", other.scope.id)).status_code == 404


@pytest.mark.usefixtures("world")
def test_an_unknown_decision_is_not_there(bob: User, signed_in: SignedIn) -> None:
    """A well-formed id that names nothing is a plain 404."""
    assert signed_in(bob).get(decision_url(PROJECT, uuid4())).status_code == 404


@pytest.mark.usefixtures("world")
def test_an_account_that_was_switched_off_is_nobody(bob: User, signed_in: SignedIn) -> None:
    """Also with a session that is still open."""
    client = signed_in(bob)
    bob.is_active = False
    bob.save()
    assert client.get(queue_url(PROJECT)).status_code == 303


@pytest.mark.usefixtures("world")
def test_a_lookup_that_needs_a_role_is_refused_without_it(bob: User) -> None:
    """404 for who may not know of the project, 403 for who may read it and not do this."""
    request = RequestFactory().get("/")
    request.user, request.session = bob, SessionStore()
    assert enter(request, PROJECT, Role.REVIEWER).actor.agent_id == bob.agent_id
    with pytest.raises(PermissionDenied):
        enter(request, PROJECT, Role.MANAGER)
    with pytest.raises(Http404):
        enter(request, "no such project")
