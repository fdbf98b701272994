"""The console's main job on every engine: a flag of the library, three verdicts, nothing lost."""

import pytest
from django.test import Client

from graphstore.records import DecisionStatus, ReviewState
from graphstore.store import counting
from reviewconsole.models import FlaggedDecision, User
from tests.servers import RawGraph, engines_asked_for
from tests.web import foreign
from tests.web.browsing import at, judge, open_decision, open_queue, post, shown_form
from tests.web.conftest import SignedIn
from tests.web.world import SHORTER, World, passage


@pytest.fixture(scope="session", params=engines_asked_for())
def engine(request: pytest.FixtureRequest) -> str:
    """Each engine of this run in turn."""
    return request.param


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def waits(client: Client) -> set[str]:
    return {row["decision"].conclusion for row in open_queue(client).context["rows"]}


def test_a_flag_of_the_library_is_shown_and_cleared(
    world: World, raw: RawGraph, bobs: Client
) -> None:
    """From its raw mark, through the queue, to the last verdict."""
    foreign.flag(raw, world.days)
    assert waits(bobs) == {world.days.conclusion, world.letter.conclusion}
    assert judge(bobs, world.days, "reaffirm").status_code == 303
    assert judge(bobs, world.letter, "reaffirm").status_code == 303
    assert waits(bobs) == set()
    assert world.now(world.days).review_state == ReviewState.CLEAR


def test_three_verdicts_after_a_change(world: World, bobs: Client) -> None:
    """One reaffirmed, one superseded, one rejected; each through its form."""
    world.shorten_policy()
    open_queue(bobs)
    assert judge(bobs, world.signature, "reaffirm").status_code == 303
    form = shown_form(open_decision(bobs, world.days))
    index = next(o.index for o in open_decision(bobs, world.days).context["form"].offers)
    sent = form | {
        "verdict": "supersede",
        "conclusion": "Refunds take at most 15 days.",
        "rationale": "The policy says so now.",
        "explanation": "The period changed.",
        f"support_{index}": "present",
        f"evidence_{index}": passage(SHORTER, SHORTER.split("\n")[0]),
    }
    with counting() as trips:
        assert post(bobs, at(world.days), sent).status_code == 303
    assert trips.count <= 5
    assert judge(bobs, world.letter, "reject", explanation="Wrong now.").status_code == 303
    assert waits(bobs) == set()
    assert world.now(world.days).status == DecisionStatus.SUPERSEDED
    assert world.now(world.letter).status == DecisionStatus.REJECTED


def test_a_page_that_catches_up_costs_few_round_trips(
    world: World, raw: RawGraph, bobs: Client
) -> None:
    """On both engines alike, quiet or not, once the project has been looked at at all."""
    open_queue(bobs)
    foreign.flag(raw, world.days)
    with counting() as busy:
        open_queue(bobs)
    with counting() as quiet:
        open_queue(bobs)
    assert busy.count <= 5
    assert quiet.count == 2


def test_a_double_click_is_one_verdict(world: World, bobs: Client) -> None:
    """The second press finds the first by its request id."""
    world.shorten_policy()
    open_queue(bobs)
    form = shown_form(open_decision(bobs, world.signature)) | {"verdict": "reaffirm"}
    answers = [post(bobs, at(world.signature), form) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert len(open_decision(bobs, world.signature).context["verdicts"]) == 1


def test_a_row_that_the_library_cleared_is_dropped(
    world: World, raw: RawGraph, bobs: Client
) -> None:
    """It leaves no trace in the graph; the page notices while it reads the texts."""
    world.shorten_policy()
    open_queue(bobs)
    foreign.clear(raw, world.signature)
    assert waits(bobs) == {world.days.conclusion, world.letter.conclusion}
    assert FlaggedDecision.objects.filter(cleared_us__isnull=True).count() == 2
