"""The pages of the console over the filled graph: how long each takes, and its round trips."""

import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from bench import load
from graphstore import Settings, counting
from reviewconsole import addresses, stores
from reviewconsole.models import Access, Role, User
from tests.servers import RawGraph

FIRST_LOOKS = 100
QUIET = 2
"""Round trips of a queue page when nothing happened."""
MOST = 5
"""Round trips that a page may take."""


@dataclass
class Page:
    """One page as an admin of the project opens it."""

    name: str
    milliseconds: float
    round_trips: int


def measure_pages(raw: RawGraph, rounds: int) -> list[Page]:
    """Every page that shows a project, each opened once before it is timed."""
    settings.GRAPH = Settings.from_env(raw.settings.environ())
    stores.close_store()
    cache.clear()
    call_command("flush", verbosity=0, interactive=False)
    client = _admin()
    # The first looks take the flags into the console's index.
    for _ in range(FIRST_LOOKS):
        with counting() as looked:
            client.get(addresses.queue_url(load.PROJECT))
        if looked.count <= QUIET:
            break
    try:
        return [_page(client, name, url, rounds) for name, url in _urls().items()]
    finally:
        stores.close_store()


def _urls() -> Mapping[str, str]:
    project, task = load.PROJECT, load.task_name(1)
    decision = load.decision_id(1, 50)
    document = load.document_key(0)
    return {
        "projects": addresses.projects_url(),
        "queue": addresses.queue_url(project),
        "decisions": addresses.decisions_url(project),
        "decision": addresses.decision_url(project, decision),
        "lineage": addresses.lineage_url(project, decision),
        "ask for review": addresses.ask_url(project, decision),
        "verdicts": addresses.verdicts_url(project),
        "conflicts": addresses.conflicts_url(project),
        "conflict": addresses.conflict_url(project, load.choice_key(1, 3)),
        "documents": addresses.documents_url(project),
        "document": addresses.document_url(project, document),
        "tasks": addresses.tasks_url(project),
        "task": addresses.task_url(project, task),
        "steps": addresses.steps_url(project, task),
    }


def _admin() -> Client:
    user = User.objects.create_user("bench", password=None)
    Access.objects.create(user=user, project_id=load.PROJECT, role=Role.ADMIN)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client


def _page(client: Client, name: str, url: str, rounds: int) -> Page:
    client.get(url)
    times: list[float] = []
    trips = 0
    for _ in range(rounds):
        with counting() as counted:
            start = time.perf_counter()
            answer = client.get(url)
            times.append((time.perf_counter() - start) * 1000)
        assert answer.status_code == 200, (name, answer.status_code)
        trips = max(trips, counted.count)
    return Page(name, statistics.median(times), trips)
