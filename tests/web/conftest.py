"""The console over a real graph, seen by four people.

Alice is an admin of the project `refunds`, Bob a reviewer, Dora a reader. Charlie has
an account and no access. One engine is enough for most pages; what may differ
between engines has tests of its own that run on each.
"""

import os
from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

import graphstore
from graphstore.store import GraphStore
from reviewconsole import stores
from reviewconsole.models import Access, Role, User
from tests.servers import GraphSettings, RawGraph, engines_asked_for
from tests.web.ledger_world import KEYS
from tests.web.world import PROJECT, World

PASSWORD = "correct horse battery"


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """PostgreSQL is emptied by truncating after tests with transactions; the mirror lets it."""
    assert django_db_setup is None
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            for table in KEYS:
                cursor.execute(f"DROP TRIGGER {table}_no_truncate ON {table}")


@pytest.fixture(scope="session", params=engines_asked_for()[:1])
def engine(request: pytest.FixtureRequest) -> str:
    """The first engine of this run."""
    return request.param


@pytest.fixture
def raw(engine: str, request: pytest.FixtureRequest) -> Iterator[RawGraph]:
    """The graph of this run that tests here share, emptied; its schema stays."""
    with request.getfixturevalue(f"{engine}_graphs").emptied_graph() as graph:
        yield graph


@pytest.fixture(autouse=True)
def database(db: None) -> None:
    """The console's own database, for every test here."""
    assert db is None


@pytest.fixture
def store(graph_settings: GraphSettings, settings: Settings) -> Iterator[GraphStore]:
    """The store that the console itself opens on this test's empty graph."""
    key = {"LEDGER_KEY": os.environ["LEDGER_KEY"]}
    settings.GRAPH = graphstore.Settings.from_env(graph_settings.environ() | key)
    stores.close_store()
    cache.clear()
    stores.store().setup_schema()
    yield stores.store()
    stores.close_store()


@pytest.fixture
def world(store: GraphStore) -> World:
    """A project in which agents recorded a little and nothing is flagged."""
    return World(store)


def _person(name: str, role: Role | None) -> User:
    user = User.objects.create_user(name.lower(), password=PASSWORD, first_name=name)
    if role is not None:
        Access.objects.create(user=user, project_id=PROJECT, role=role)
    return user


@pytest.fixture
def alice() -> User:
    """An admin of the project."""
    return _person("Alice", Role.ADMIN)


@pytest.fixture
def bob() -> User:
    """A reviewer of the project."""
    return _person("Bob", Role.REVIEWER)


@pytest.fixture
def charlie() -> User:
    """Somebody with an account and no access."""
    return _person("Charlie", None)


@pytest.fixture
def dora() -> User:
    """A reader of the project."""
    return _person("Dora", Role.READER)


SignedIn = Callable[[User], Client]


@pytest.fixture
def signed_in() -> SignedIn:
    """A browser in which a person is signed in, with the CSRF check on."""

    def browser(user: User) -> Client:
        client = Client(enforce_csrf_checks=True)
        client.force_login(user)
        return client

    return browser
