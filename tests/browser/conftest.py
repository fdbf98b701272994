"""The console in a real browser: real server, real graph, the reference library beside it.

Alice is an admin, Bob a reviewer, Dora a reader; Charlie has an account and no
access. Most tests share one console and one graph, each with a project of its own.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from graphstore import Settings, connect
from reviewconsole.models import Role
from tests.browser.console import Console, make_template
from tests.browser.shop import UPDATED, Shop
from tests.browser.windows import Windows
from tests.interop.library import Peer
from tests.servers import GraphSettings, engines_asked_for

PATIENCE_MS = 20_000
"""How long a page may take before a test gives up: machines that test are busy."""

expect.set_options(timeout=PATIENCE_MS)


@contextmanager
def running(
    folder: Path,
    graph: GraphSettings,
    template: Path,
    environ: Mapping[str, str] | None = None,
) -> Iterator[Console]:
    """A console on a graph with its schema; afterwards no page had broken.

    `environ` names the graph to the console where that is not its usual address.
    """
    store = connect(Settings.from_env(graph.environ()))
    store.setup_schema()
    store.close()
    console = Console(folder, environ or graph.environ(), template)
    console.start()
    yield console
    console.stop()
    assert "Internal Server Error" not in console.log.read_text(), console.log


@pytest.fixture(scope="session")
def template_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database with everybody in it."""
    return make_template(tmp_path_factory.mktemp("template"))


@pytest.fixture(scope="session", params=engines_asked_for()[:1])
def engine(request: pytest.FixtureRequest) -> str:
    """The first engine of this run; what may differ between engines runs on each."""
    return request.param


@pytest.fixture(scope="session")
def graph(engine: str, request: pytest.FixtureRequest) -> Iterator[GraphSettings]:
    """The graph that most tests here share."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as raw:
        yield raw.settings


@pytest.fixture(scope="session")
def console(
    graph: GraphSettings, template_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Console]:
    """The console that most tests here share."""
    with running(tmp_path_factory.mktemp("console"), graph, template_database) as console:
        yield console


@pytest.fixture(scope="session")
def peer(graph: GraphSettings) -> Iterator[Peer]:
    """The reference library on the shared graph."""
    peer = Peer.on(graph)
    yield peer
    peer.close()


@pytest.fixture(scope="session")
def base_url() -> None:
    """Windows know their console; the browser plug-in's own fixture upsets pytest."""
    return


@pytest.fixture
def windows(browser: Browser, console: Console) -> Iterator[Windows]:
    """Opens windows; at the end of the test no browser has complained about anything."""
    windows = Windows(browser, console)
    yield windows
    windows.close()


def staffed(console: Console, shop: Shop) -> Shop:
    """The project, with everybody's role in it."""
    for name, role in (("alice", Role.ADMIN), ("bob", Role.REVIEWER), ("dora", Role.READER)):
        console.grant(name, shop.project, role)
    return shop


@pytest.fixture
def shop(console: Console, peer: Peer) -> Shop:
    """A project in which nothing is flagged yet."""
    return staffed(console, Shop(peer))


@pytest.fixture
def flagged(shop: Shop) -> Shop:
    """The project after the library updated the policy. No command ran and no page was opened."""
    shop.put(UPDATED)
    return shop
