"""The queue page: what waits, in which order, and no more than the page costs."""

from uuid import UUID, uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from graphstore import Documents
from graphstore.records import DocumentSupportInput
from graphstore.store import counting
from reviewconsole.addresses import decision_url, queue_url
from reviewconsole.models import Access, FlaggedDecision, IndexMark, Role, User
from tests.servers import RawGraph
from tests.web import foreign
from tests.web.browsing import offered, open_queue
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World, passage

ROUND_TRIPS = 5


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def conclusions(client: Client, **query: str) -> list[str]:
    return [row["decision"].conclusion for row in open_queue(client, **query).context["rows"]]


@pytest.mark.usefixtures("world")
def test_an_empty_queue_says_so(bobs: Client) -> None:
    """Nothing waits, and the page is a page."""
    page = open_queue(bobs)
    assert page.status_code == 200
    assert page.context["total"] == 0
    assert page.context["rows"] == []


def test_a_row_says_why_it_waits_and_what_rests_on_it(world: World, bobs: Client) -> None:
    """Reason, changed documents and dependents stand beside the conclusion."""
    world.shorten_policy()
    page = open_queue(bobs)
    row = next(row for row in page.context["rows"] if row["decision"].id == world.days.id)
    assert row["reason_words"] == "a cited document changed"
    assert row["documents"] == ["Refund policy"]
    assert row["dependents"] == 1
    assert world.days.conclusion in page.content.decode()


def test_the_reason_filters(world: World, bobs: Client) -> None:
    """The address holds the filter, and each reason says how many wait for it."""
    world.shorten_policy()
    open_queue(bobs)
    assert conclusions(bobs, reason="dependency_review") == [world.letter.conclusion]
    assert offered(open_queue(bobs), "reason") == {
        "": ("Any", 3),
        "source_changed": ("Document changed", 2),
        "dependency_review": ("Through a decision", 1),
    }


def test_the_task_filters(world: World, bobs: Client) -> None:
    """Tasks are offered by name, though the index holds only their ids."""
    world.shorten_policy()
    choices = {label: value for value, (label, _) in offered(open_queue(bobs), "task").items()}
    assert set(choices) == {"Any", "audit", "letters"}
    assert conclusions(bobs, task=choices["letters"]) == [world.letter.conclusion]


def test_the_numbers_are_those_of_the_chosen_task(world: World, bobs: Client) -> None:
    """The reasons that its links lead to, and how long its oldest waits; one click shows all."""
    world.shorten_policy()
    open_queue(bobs)
    FlaggedDecision.objects.filter(decision_id=world.days.id).update(flagged_us=1)
    letters = str(world.letter.task_id)
    page = open_queue(bobs, task=letters)
    counts = {value: count for value, (_, count) in offered(page, "reason").items()}
    assert counts == {"": 1, "dependency_review": 1}
    assert page.context["oldest"] == page.context["rows"][0]["waiting_since"]
    nothing = open_queue(bobs, task=letters, reason="source_changed")
    assert (nothing.context["rows"], nothing.context["oldest"]) == ([], None)
    assert nothing.context["everything_url"] == queue_url(PROJECT)


def test_a_document_filters(world: World, bobs: Client) -> None:
    """To those that wait because of it, directly or through others, on every page and order."""
    other = world.documents.put_document("other", "Nothing else.", title="Other rules")
    assert other.recorded
    cited = [DocumentSupportInput(evidence_id=passage("Nothing else.", "Nothing", "other"))]
    aside = world.decide("aside", "Nothing else counts.", list(cited))
    world.documents.put_document("other", "Something else.", title="Other rules")
    world.shorten_policy()
    assert len(conclusions(bobs)) == 4
    assert conclusions(bobs, document="other") == [aside.conclusion]
    assert len(conclusions(bobs, document="policy", order="newest")) == 3
    page = open_queue(bobs, document="policy", reason="dependency_review")
    assert [row["decision"].id for row in page.context["rows"]] == [world.letter.id]
    assert "document=policy" in page.context["rows"][0]["url"]
    assert "Refund policy" in page.content.decode()
    assert [bundle["title"] for bundle in page.context["bundles"]] == ["Refund policy"]


def test_a_document_that_nobody_may_see_filters_to_nothing(world: World, bobs: Client) -> None:
    """And says nothing about it."""
    elsewhere = Documents(world.store, project_id="elsewhere", agent_id="somebody")
    assert elsewhere.put_document("secret", "Not for you.", title="Secret plan").recorded
    page = open_queue(bobs, document="secret")
    assert page.context["rows"] == []
    assert "Secret plan" not in page.content.decode()
    assert "Nothing of this kind waits" in page.content.decode()


def test_newest_is_oldest_reversed(world: World, raw: RawGraph, bobs: Client) -> None:
    """Both orders show the same decisions."""
    for decision in (world.signature, world.letter, world.days):
        foreign.flag(raw, decision)
        open_queue(bobs)
    oldest = conclusions(bobs, order="oldest")
    assert len(oldest) == 3
    assert conclusions(bobs, order="newest") == oldest[::-1]


@pytest.mark.parametrize("order", ["stake", "oldest", "newest", "task"])
def test_pages_show_every_decision_once(world: World, bobs: Client, order: str) -> None:
    """Keyset pages neither repeat nor skip."""
    cited = world.cite("Shipping is never refunded.")
    made = {world.decide(f"choice {n}", f"Conclusion {n}.", [cited]).id for n in range(60)}
    world.documents.put_document("policy", "Everything is refunded.", title="Refund policy")
    page = open_queue(bobs, order=order)
    first = [row["decision"].id for row in page.context["rows"]]
    second = [row["decision"].id for row in bobs.get(page.context["next_url"]).context["rows"]]
    assert len(first) == 50
    assert not set(first) & set(second)
    assert made < set(first) | set(second)


@pytest.mark.parametrize("after", ["x", "1.x", "-5.", "9" * 30 + "." + "0" * 32, "1.2.3", "\x00"])
def test_a_damaged_cursor_shows_the_first_page(world: World, bobs: Client, after: str) -> None:
    """Addresses get cut in mails; nobody is punished for it."""
    world.shorten_policy()
    assert len(conclusions(bobs, after=after)) == 3


@pytest.mark.parametrize("query", [{"task": "x"}, {"order": "x"}, {"reason": "no_such_reason"}])
@pytest.mark.usefixtures("world")
def test_a_filter_that_means_nothing_breaks_nothing(bobs: Client, query: dict[str, str]) -> None:
    """Whatever stands in the address, the page answers."""
    assert open_queue(bobs, **query).status_code == 200


def test_htmx_gets_the_rows_alone(world: World, bobs: Client) -> None:
    """The same address, the same template, a part of the page."""
    world.shorten_policy()
    whole = open_queue(bobs)
    part = bobs.get(whole.wsgi_request.path, headers={"HX-Request": "true"})
    assert "<html" in whole.content.decode()
    assert "<html" not in part.content.decode()
    assert world.days.conclusion in part.content.decode()
    assert "HX-Request" in part["Vary"]


@pytest.mark.usefixtures("world")
def test_going_back_in_the_browser_gets_the_whole_page(bobs: Client) -> None:
    """A history restore replaces the page, so a fragment would leave it bare."""
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    page = bobs.get(open_queue(bobs).wsgi_request.path, headers=headers)
    assert "<html" in page.content.decode()


def test_a_page_costs_few_round_trips(world: World, bobs: Client) -> None:
    """Also the page that takes up new flags."""
    world.shorten_policy()
    with counting() as first:
        open_queue(bobs)
    with counting() as second:
        open_queue(bobs)
    assert first.count <= ROUND_TRIPS
    assert second.count == 2


def test_rows_that_vanished_are_replaced_within_bounds(world: World, bobs: Client) -> None:
    """The page is filled up twice at most, then goes on at the next one."""
    world.shorten_policy()
    open_queue(bobs)
    FlaggedDecision.objects.bulk_create(
        FlaggedDecision(
            project_id=PROJECT,
            decision_id=uuid4(),
            task_id=UUID(int=1),
            reason="source_changed",
            version=1,
            flagged_us=place,
            created_us=1,
        )
        for place in range(1_200)
    )
    with counting() as trips:
        page = open_queue(bobs)
    assert trips.count <= ROUND_TRIPS
    assert page.context["total_capped"]
    assert page.context["rows"] == []
    assert FlaggedDecision.objects.filter(cleared_us__isnull=False).count() == 150
    assert page.context["next_url"]


def test_hostile_text_is_text(world: World, bobs: Client) -> None:
    """Agents write conclusions; some copy them from web pages."""
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'>{{ 7|add:7 }}"
    world.decide("hostile", hostile, [world.cite("Shipping is never refunded.")])
    world.documents.put_document("policy", "All new.", title="<b>Policy</b>")
    page = open_queue(bobs).content.decode()
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "<b>Policy</b>" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_projects_page_counts_what_waits(world: World, bobs: Client) -> None:
    """From the index alone, with no read of the graph."""
    world.shorten_policy()
    open_queue(bobs)
    with counting() as trips:
        page = bobs.get("/")
    assert trips.count == 0
    line = page.context["projects"][0]
    assert (line["id"], line["role"], line["waiting"]) == (PROJECT, "reviewer", 3)
    assert line["oldest"] == open_queue(bobs).context["oldest"]


def flags(project: str, number: int, *, task: UUID | None = None) -> None:
    """Rows of the index alone, as if that many decisions waited; none of them is in the graph."""
    FlaggedDecision.objects.bulk_create(
        FlaggedDecision(
            project_id=project,
            decision_id=uuid4(),
            task_id=task or uuid4(),
            version=1,
            flagged_us=place + 1,
            created_us=0,
        )
        for place in range(number)
    )


@pytest.fixture
def many(bob: User) -> list[str]:
    """The ids of 120 projects that Bob reads, in order, each with one decision that waits."""
    ids = [f"project {number:03}" for number in range(120)]
    Access.objects.bulk_create(Access(user=bob, project_id=i, role=Role.READER) for i in ids)
    IndexMark.objects.bulk_create(IndexMark(project_id=i) for i in ids)
    for one in ids:
        flags(one, 1)
    return ids


def test_projects_come_by_pages(many: list[str], bobs: Client) -> None:
    """By id, none twice, with a way back."""
    pages, url = [], "/"
    while url:
        pages.append(bobs.get(url).context)
        url = pages[-1]["next_url"]
    shown = [[line["id"] for line in page["projects"]] for page in pages]
    assert [len(page) for page in shown] == [50, 50, 21]
    assert [one for page in shown for one in page] == sorted([*many, PROJECT])
    assert [page["first_url"] for page in pages] == [None, "/", "/"]
    beyond = bobs.get("/?after=~")
    assert "There is no further project" in beyond.content.decode()


def test_a_page_of_projects_costs_few_queries(
    many: list[str], bobs: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    """However many projects a person reads: who they are, what they read, what waits."""
    with django_assert_max_num_queries(6):
        lines = bobs.get("/").context["projects"]
    assert [line["waiting"] for line in lines] == [1] * 50
    assert many[0] == lines[0]["id"]


def test_a_count_of_a_project_is_capped(many: list[str], bobs: Client) -> None:
    """A page costs what it shows."""
    flags(many[0], 1_200)
    first, second = bobs.get("/").context["projects"][:2]
    assert (first["waiting"], first["waiting_capped"]) == (1_000, True)
    assert (second["waiting"], second["waiting_capped"]) == (1, False)


def test_who_has_no_project_is_told_the_command_that_gives_one(
    charlie: User, signed_in: SignedIn
) -> None:
    """With the sign-in name, which is what the command wants."""
    charlie.first_name, charlie.last_name = "Charlotte", "Smith"
    charlie.save()
    page = signed_in(charlie).get("/").content.decode()
    assert "manage.py grant charlie reviewer" in page


@pytest.mark.usefixtures("world")
def test_a_page_that_is_not_there_leads_to_the_queue_of_its_project(bobs: Client) -> None:
    """As its button says."""
    page = bobs.get(decision_url(PROJECT, uuid4())).content.decode()
    assert f'<a class="button" href="{queue_url(PROJECT)}">To the queue</a>' in page
