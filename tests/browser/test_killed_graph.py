"""The embedded graph itself is killed under a console that has no supervisor."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import falkordb
import pytest
from playwright.sync_api import expect

from graphstore.engines.embedded import ensure_server
from tests.browser.conftest import running
from tests.browser.console import Console
from tests.browser.shop import Shop
from tests.browser.windows import Windows
from tests.interop.library import Peer
from tests.servers import GraphSettings, wait_until


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphSettings]:
    """An embedded graph of its own, which may be killed."""
    with ensure_server(tmp_path_factory.mktemp("killed")) as server:
        yield GraphSettings(
            "embedded", data_dir=server.data_dir, socket_path=server.socket_path, graph="agrag"
        )


@pytest.fixture(scope="module")
def console(
    graph: GraphSettings, template_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Console]:
    """A console on that graph."""
    with running(tmp_path_factory.mktemp("console"), graph, template_database) as console:
        yield console


@pytest.fixture(scope="module")
def peer(graph: GraphSettings) -> Iterator[Peer]:
    """The library on that graph."""
    peer = Peer.on(graph)
    yield peer
    peer.close()


def server_of(graph: GraphSettings) -> int:
    """The process id of the graph's server."""
    client = falkordb.FalkorDB(unix_socket_path=str(graph.socket_path))
    pid = client.connection.info("server")["process_id"]
    client.close()
    return pid


def parent_of(pid: int) -> int:
    """The process that started `pid`."""
    listed = subprocess.run(
        ["ps", "-o", "ppid=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return int(listed.stdout)


def test_a_graph_that_was_killed_is_back_with_everything(
    flagged: Shop, windows: Windows, console: Console, graph: GraphSettings
) -> None:
    """The next page that gets an answer shows all flags, and the form on screen goes through."""
    page = windows.open("bob")
    page.goto(flagged.at(flagged.days))
    page.get_by_role("radio", name="Reject").check()
    page.get_by_role("textbox", name="Why").fill("It was never true.")
    killed = server_of(graph)
    os.kill(killed, signal.SIGKILL)
    wait_until(console.is_well, 60, "the graph")
    assert server_of(graph) != killed
    page.get_by_role("button", name="Reject and next").click()
    expect(page.locator("#messages")).to_contain_text("Rejected.")
    page.goto(flagged.queue())
    expect(page.get_by_role("heading", level=1)).to_have_text("3 decisions wait")


def test_a_guardian_that_was_killed_too_is_replaced(
    flagged: Shop, windows: Windows, console: Console, graph: GraphSettings
) -> None:
    """Nobody watches the server any more; the console itself brings both back."""
    page = windows.open("bob")
    page.goto(flagged.queue())
    killed = server_of(graph)
    os.kill(parent_of(killed), signal.SIGKILL)
    os.kill(killed, signal.SIGKILL)
    wait_until(console.is_well, 60, "the graph")
    assert server_of(graph) != killed
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("4 decisions wait")
