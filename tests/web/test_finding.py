"""Finding decisions: the box in the header, the list and its filters, pasted ids, marked words."""

from uuid import uuid4

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client, RequestFactory
from pytest_django.fixtures import Settings

import graphstore
from graphstore import DecisionTraces
from graphstore.records import Decision
from graphstore.store import GraphStore, counting
from reviewconsole import stores
from reviewconsole.access import enter
from reviewconsole.addresses import (
    conflict_url,
    decision_url,
    decisions_url,
    queue_url,
    task_url,
    tasks_url,
)
from reviewconsole.context import conflict_count, note_conflicts
from reviewconsole.finding import EXCERPT, marked
from reviewconsole.models import Access, Role, User
from tests.servers import GraphSettings
from tests.web.browsing import Answer, judge, open_queue
from tests.web.conftest import SignedIn
from tests.web.world import AGENT, PROJECT, World

SHIPPING = "Shipping is never refunded."


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def find(client: Client, **query: str) -> Answer:
    answer = client.get(decisions_url(PROJECT, **query))
    assert answer.status_code == 200
    return answer


def shown(client: Client, **query: str) -> list[str]:
    """The conclusions of the first page."""
    return [row["decision"].conclusion for row in find(client, **query).context["rows"]]


def differ(world: World, choice: str = "days") -> Decision:
    """Another task decides a choice in its own way."""
    return world.decide(choice, "Refunds take a week.", [world.cite(SHIPPING)], task="letters")


# The header


@pytest.mark.usefixtures("world")
def test_every_page_of_a_project_has_the_search_box(bobs: Client) -> None:
    """A plain form that asks for the list; it needs no script."""
    for url in (queue_url(PROJECT), tasks_url(PROJECT), task_url(PROJECT, "audit")):
        page = bobs.get(url).content.decode()
        assert f'method="get" action="{decisions_url(PROJECT)}" role="search"' in page
    assert 'role="search"' not in bobs.get("/").content.decode()


@pytest.mark.usefixtures("world")
def test_a_project_without_conflicts_shows_no_number(bobs: Client) -> None:
    """The entry is there, and nothing beside it asks for attention."""
    counts = {item["label"]: item["count"] for item in find(bobs).context["nav"]}
    assert counts["Conflicts"] is None


def test_the_number_of_conflicts_costs_a_read_once_in_a_while(world: World, bobs: Client) -> None:
    """The first page reads it, the next ones do not; a page of something else pays one read at most."""
    differ(world)
    with counting() as first:
        page = bobs.get(tasks_url(PROJECT))
    with counting() as second:
        bobs.get(tasks_url(PROJECT))
    counts = {item["label"]: item["count"] for item in page.context["nav"]}
    assert counts["Conflicts"] == 1
    assert '1<span class="hidden"> to settle</span>' in page.content.decode()
    assert first.count == second.count + 1


def test_a_verdict_of_ours_shows_in_the_number_at_once(world: World, bobs: Client) -> None:
    """Whoever judged does not look at what they have just settled."""
    rival = differ(world)
    world.shorten_policy()
    open_queue(bobs)
    assert judge(bobs, rival, "reject", explanation="Nobody waits a week.").status_code == 303
    counts = {item["label"]: item["count"] for item in find(bobs).context["nav"]}
    assert counts["Conflicts"] is None


def test_a_number_that_cannot_be_read_is_left_out(
    world: World, bob: User, graph_settings: GraphSettings, settings: Settings
) -> None:
    """And is not asked for again at once, also when the graph is back: it is not worth a page."""
    differ(world)
    request = RequestFactory().get("/")
    request.user, request.session = bob, SessionStore()
    scope = enter(request, PROJECT)
    stores.close_store()
    settings.GRAPH = graphstore.Settings(engine="falkordb", falkordb_url="redis://127.0.0.1:1")
    assert conflict_count(scope) is None
    stores.close_store()
    settings.GRAPH = graphstore.Settings.from_env(graph_settings.environ())
    assert conflict_count(scope) is None
    note_conflicts(scope, None)
    assert conflict_count(scope) == 1


# The list


def test_the_list_has_every_decision_newest_first(world: World, bobs: Client) -> None:
    """With its task, its choice and how many there are."""
    page = find(bobs)
    assert page.context["total"] == 4
    assert shown(bobs) == [
        one.conclusion for one in (world.letter, world.signature, world.days, world.scope)
    ]
    text = page.content.decode()
    assert task_url(PROJECT, "letters") in text
    assert "4 decisions" in text


def test_the_address_narrows(world: World, bobs: Client) -> None:
    """Status, review state, choice and task, each alone and together."""
    world.shorten_policy()
    world.traces.reject_decision(str(world.signature.id), "Nobody signs.")
    assert shown(bobs, status="rejected") == [world.signature.conclusion]
    assert shown(bobs, state="needs_review") == [world.letter.conclusion, world.days.conclusion]
    assert shown(bobs, choice="days") == [world.days.conclusion]
    assert shown(bobs, task="letters") == [world.letter.conclusion]
    assert shown(bobs, task="letters", state="clear") == []
    assert shown(bobs, status="active", state="clear") == [world.scope.conclusion]


def test_an_author_is_named_as_people_know_them(world: World, bob: User, bobs: Client) -> None:
    """By agent id, by the name of somebody with access, and shown by that name again."""
    world.traces = DecisionTraces(world.store, project_id=PROJECT, agent_id=bob.agent_id)
    mine = world.decide("mine", "Bob decided this.", [world.cite(SHIPPING)])
    assert shown(bobs, author="bob") == shown(bobs, author=bob.agent_id) == [mine.conclusion]
    assert len(shown(bobs, author=AGENT)) == 4
    page = find(bobs, author=bob.agent_id)
    assert [one["label"] for one in page.context["chosen"]] == ["by Bob"]
    assert 'value="Bob"' in page.content.decode()
    nobody = f"person:{uuid4()}"
    assert f'value="{nobody}"' in find(bobs, author=nobody).content.decode()


def test_an_agent_comes_before_a_person_of_its_name(world: World, bob: User, bobs: Client) -> None:
    """Its decisions must be found by the link on each of them."""
    world.traces = DecisionTraces(world.store, project_id=PROJECT, agent_id=bob.username)
    world.decide("mine", "The agent bob decided this.", [world.cite(SHIPPING)])
    assert shown(bobs, author="bob") == ["The agent bob decided this."]


@pytest.mark.usefixtures("world")
def test_names_of_strangers_to_the_project_say_nothing(charlie: User, bobs: Client) -> None:
    """Who has no access here is no author here either, whatever else they are."""
    assert shown(bobs, author="charlie") == []
    Access.objects.create(user=charlie, project_id=PROJECT, role=Role.READER)
    assert shown(bobs, author="charlie") == []


@pytest.mark.parametrize(
    "query",
    [
        {"status": "x"},
        {"state": "unknown"},
        {"q": "\x00"},
        {"q": "\ud800"},
        {"q": '"(@)|{}[]*:~%-'},
        {"q": "AND OR NOT"},
        {"q": "x" * 5_000},
        {"q": "http://["},
        {"author": "\x00"},
        {"choice": "no such choice"},
        {"task": "no such task"},
    ],
)
@pytest.mark.usefixtures("world")
def test_an_address_that_means_nothing_breaks_nothing(bobs: Client, query: dict[str, str]) -> None:
    """Whatever stands in the address, the page answers."""
    url = decisions_url(PROJECT)
    assert (
        bobs.get(
            url, {name: value.encode("utf-8", "surrogatepass") for name, value in query.items()}
        ).status_code
        == 200
    )


@pytest.mark.usefixtures("world")
def test_a_damaged_cursor_is_no_page(bobs: Client) -> None:
    """404, not a crash."""
    assert bobs.get(decisions_url(PROJECT, cursor="nonsense")).status_code == 404


def test_pages_show_every_decision_once(world: World, bobs: Client) -> None:
    """Keyset pages neither repeat nor skip, and keep the filters."""
    cited = world.cite(SHIPPING)
    made = {world.decide(f"choice {n}", f"Conclusion {n}.", [cited]).id for n in range(60)}
    page = find(bobs, status="active")
    first = [row["decision"].id for row in page.context["rows"]]
    assert "status=active" in page.context["next_url"]
    second = [row["decision"].id for row in bobs.get(page.context["next_url"]).context["rows"]]
    assert len(first) == 50
    assert not set(first) & set(second)
    assert made < set(first) | set(second)


def test_htmx_gets_the_rows_alone(world: World, bobs: Client) -> None:
    """The same address, the same template, a part of the page."""
    part = bobs.get(decisions_url(PROJECT, status="active"), headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert world.days.conclusion in part.content.decode()


def test_an_empty_project_says_what_will_stand_here(
    store: GraphStore, bob: User, bobs: Client
) -> None:
    """And offers no filters for nothing."""
    assert store is not None
    page = bobs.get(decisions_url(PROJECT)).content.decode()
    assert "No decision is recorded yet" in page
    assert "find-q" not in page


@pytest.mark.usefixtures("world")
def test_nothing_found_says_what_to_do(bobs: Client) -> None:
    """Fewer words, or a filter less, with a way back to all."""
    page = find(bobs, q="zeppelin", status="active")
    text = page.content.decode()
    assert "No decision is like that" in text
    assert "Try fewer or other words" in text
    assert f'href="{decisions_url(PROJECT)}"' in text


# Words


def test_words_are_found_and_marked(world: World, bobs: Client) -> None:
    """Whatever their case; the mark says where."""
    page = find(bobs, q="REFUNDS take")
    row = next(r for r in page.context["rows"] if r["decision"].id == world.days.id)
    assert [p.text for p in row["pieces"] if p.hit] == ["Refunds", "take"]
    assert "<mark>Refunds</mark> <mark>take</mark> at most 30 days." in page.content.decode()


def test_hostile_text_is_text(world: World, bobs: Client) -> None:
    """In conclusions, keys and names, and in the words asked for, marked or not."""
    hostile = "<script>alert(1)</script> <img src=x onerror=alert(2)> {{ 7|add:7 }} \"'>"
    world.history.create_task(hostile, hostile)
    world.decide(hostile, hostile, [world.cite(SHIPPING)], task=hostile)
    for query in (
        {},
        {"q": "script alert img"},
        {"q": hostile},
        {"choice": hostile},
        {"task": hostile},
    ):
        page = find(bobs, **query).content.decode()
        assert "<script>alert" not in page
        assert "<img src=x" not in page
    assert "&lt;<mark>script</mark>&gt;" in find(bobs, q="script").content.decode()


def test_a_choice_key_offers_the_whole_choice(world: World, bobs: Client) -> None:
    """The key typed exactly leads to all decisions of the choice and to its board."""
    differ(world)
    choice = find(bobs, q="days").context["choice"]
    assert (choice["count"], choice["url"]) == (2, decisions_url(PROJECT, choice="days"))
    assert choice["board_url"] == conflict_url(PROJECT, "days")
    assert find(bobs, q="no such key").context["choice"] is None
    assert shown(bobs, choice="days") == ["Refunds take a week.", world.days.conclusion]


@pytest.mark.parametrize(
    ("text", "words", "hits"),
    [
        ("Docks and a dock; the docking station, a paddock", "dock", ["Docks", "dock"]),
        ("Ein Maß, zwei MASS", "maß", ["Maß"]),
        ("a.b (c) [d]", "(c)", ["c"]),
        ("温度逸脱手順書", "逸脱", ["逸脱"]),
        ("Nothing here", "", []),
        ("Nothing here", "zeppelin", []),
        ("<b>bold</b>", "b", ["b", "b"]),
    ],
)
def test_marks_stand_on_words(text: str, words: str, hits: list[str]) -> None:
    """On whole words and their endings, never inside another; all text stays."""
    pieces = marked(text, words)
    assert [piece.text for piece in pieces if piece.hit] == hits
    assert "".join(piece.text for piece in pieces) == text


def test_a_long_conclusion_shows_where_the_word_is() -> None:
    """The beginning is left out when the word stands late, and says so."""
    pieces = marked("word " * 400 + "zeppelin " + "word " * 400, "zeppelin")
    text = "".join(piece.text for piece in pieces)
    assert "zeppelin" in [piece.text for piece in pieces if piece.hit]
    assert text.startswith("… ")
    assert text.endswith("…")
    assert len(text) <= EXCERPT + 3


# Ids


def test_a_pasted_id_goes_straight_to_its_page(world: World, bobs: Client) -> None:
    """Of a decision or of a task, with or without what clings to it."""
    decision, task = decision_url(PROJECT, world.days.id), task_url(PROJECT, "audit")
    for q, there in (
        (str(world.days.id), decision),
        (f"  {world.days.id.hex.upper()} ", decision),
        (f"“{world.days.id}”.", decision),
        (str(world.days.task_id), task),
        (f"http://testserver{decision}?order=newest", decision),
        (f"{decision}/lineage", decision),
        (f"http://testserver{task}#event-2", task),
    ):
        answer = bobs.get(decisions_url(PROJECT, q=q))
        assert (answer.status_code, answer["Location"]) == (303, there), q


@pytest.mark.usefixtures("world")
def test_an_unknown_id_says_so(bobs: Client) -> None:
    """No decision and no task has it; the page stays a search."""
    page = find(bobs, q=str(uuid4()))
    assert page.context["unknown_id"]
    assert "no decision and no task of this project has it" in page.content.decode()


def test_an_id_of_another_project_is_unknown(world: World, bobs: Client) -> None:
    """Roles are per project, and so are ids."""
    other = World(world.store, project="elsewhere")
    assert find(bobs, q=str(other.scope.id)).context["unknown_id"]
    assert find(bobs, q=str(other.scope.task_id)).context["unknown_id"]


@pytest.mark.parametrize(
    "q", ["https://evil.example/p/refunds/tasks/audit", "//evil.example/", "/healthz", "/p/x"]
)
@pytest.mark.usefixtures("world")
def test_an_address_of_another_site_leads_nowhere(bobs: Client, q: str) -> None:
    """It is only words to look for."""
    assert bobs.get(decisions_url(PROJECT, q=q)).status_code == 200


def test_the_list_costs_few_round_trips(world: World, bobs: Client) -> None:
    """One read for the page, one for a key that may be a choice; an id costs one more."""
    differ(world)
    find(bobs)
    for query, most in (
        ({}, 1),
        ({"status": "active"}, 1),
        ({"q": "refunds"}, 2),
        ({"q": str(uuid4())}, 4),
    ):
        with counting() as trips:
            find(bobs, **query)
        assert trips.count <= most, query
