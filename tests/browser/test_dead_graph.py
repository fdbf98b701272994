"""The graph stops answering and comes back: one sentence, the text kept, and on it goes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import running
from tests.browser.console import Console
from tests.browser.shop import Shop
from tests.browser.windows import Windows
from tests.browser.wire import Wire
from tests.conftest import ENGINES
from tests.interop.library import Peer
from tests.servers import GraphSettings

WHY = "Nobody counts like that, “really” & truly."
SENTENCE = "The record store cannot be reached at the moment, so nothing was read or written."


@pytest.fixture(scope="module", params=ENGINES)
def graph(request: pytest.FixtureRequest) -> Iterator[GraphSettings]:
    """A graph on each engine."""
    with request.getfixturevalue(f"{request.param}_graphs").empty_graph() as raw:
        yield raw.settings


@pytest.fixture(scope="module")
def line(graph: GraphSettings) -> Iterator[Wire]:
    """The console's only way to the graph."""
    wire = Wire(graph)
    yield wire
    wire.cut()


@pytest.fixture(scope="module")
def console(
    graph: GraphSettings,
    line: Wire,
    template_database: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Console]:
    """A console whose graph can be cut off."""
    folder = tmp_path_factory.mktemp("console")
    with running(folder, graph, template_database, line.environ()) as console:
        yield console


@pytest.fixture(scope="module")
def peer(graph: GraphSettings) -> Iterator[Peer]:
    """The library, which reaches the graph by a way of its own."""
    peer = Peer.on(graph)
    yield peer
    peer.close()


@pytest.fixture(autouse=True)
def mended(line: Wire) -> Iterator[None]:
    """Each test begins and ends with a graph that answers."""
    line.mend()
    yield
    line.mend()


def test_a_page_says_it_in_one_sentence(flagged: Shop, windows: Windows, line: Wire) -> None:
    """Every page of the project does, and none needs a restart once the graph is back."""
    page = windows.open("bob")
    page.goto(flagged.queue())
    expect(page.get_by_role("heading", level=1)).to_have_text("4 decisions wait")
    line.cut()
    for address in (flagged.queue(), flagged.at(flagged.days), flagged.tasks()):
        answer = page.goto(address)
        assert answer is not None
        assert (answer.status, answer.headers["retry-after"]) == (503, "5")
        expect(page.locator("#main")).to_contain_text(SENTENCE)
        expect(page.get_by_role("heading", level=1)).to_have_text("The graph does not answer")
    line.mend()
    page.goto(flagged.queue())
    expect(page.get_by_role("heading", level=1)).to_have_text("4 decisions wait")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_verdict_is_held_and_goes_through_later(
    flagged: Shop, windows: Windows, line: Wire, *, scripts: bool
) -> None:
    """The form stands on the page with its text; pressing again after a while records it once."""
    page = windows.open("bob", scripts=scripts)
    page.goto(flagged.at(flagged.days))
    page.get_by_label("The passage shown under Now").check()
    page.get_by_role("radio", name="Supersede").check()
    page.get_by_label("New conclusion").fill("Refunds take at most 15 days.")
    page.get_by_role("textbox", name="Rationale").fill("The policy names the shorter time.")
    page.get_by_role("textbox", name="Why").fill(WHY)
    page.get_by_label("use the present passage").check()
    line.cut()
    page.get_by_role("button", name="Supersede and next").click()
    for _ in range(2):
        expect(page.get_by_role("alert")).to_contain_text(SENTENCE)
        expect(page.get_by_role("textbox", name="New conclusion")).to_have_value(
            "Refunds take at most 15 days."
        )
        expect(page.get_by_role("textbox", name="Why")).to_have_value(WHY)
        with page.expect_response(lambda answer: answer.request.method == "POST") as again:
            page.get_by_role("button", name="Send again").click()
        assert again.value.status == 503
    line.mend()
    page.get_by_role("button", name="Send again").click()
    expect(page.locator("#messages")).to_contain_text("Superseded.")
    made = flagged.revision("days", 2)
    assert made.conclusion == "Refunds take at most 15 days."
    kept = flagged.peer.node("Decision", id=str(made.id))
    assert kept["supersession_explanation"] == WHY


def test_a_console_that_starts_before_its_graph(
    flagged: Shop, windows: Windows, console: Console, line: Wire
) -> None:
    """It serves what needs no graph, says what is missing, and works once the graph is there."""
    page = windows.open("bob")
    line.cut()
    console.stop()
    console.start()
    page.goto("/")
    expect(page.get_by_role("link", name=flagged.project)).to_be_visible()
    page.get_by_role("link", name=flagged.project).click()
    expect(page.locator("#main")).to_contain_text(SENTENCE)
    line.mend()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("4 decisions wait")
