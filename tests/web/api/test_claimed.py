"""Verdicts over HTTP beside people at their desks."""

from uuid import uuid4

import pytest
from django.conf import settings as console
from django.test import Client

from reviewconsole import claims
from reviewconsole.models import User
from tests.web.api.calling import Api, code_of
from tests.web.browsing import TOKEN
from tests.web.world import PROJECT, World

REJECT = {"reason": "It was never true."}


@pytest.fixture
def person(alice: User) -> Api:
    """Alice, signed in, calling without a page."""
    api = Api({"X-CSRFToken": TOKEN}, client=Client(enforce_csrf_checks=False))
    api.client.force_login(alice)
    api.client.cookies[console.CSRF_COOKIE_NAME] = TOKEN
    return api


@pytest.mark.parametrize(
    ("verb", "body"),
    [
        ("reject", REJECT),
        ("reaffirm", {"evidence": []}),
        ("supersede", {"conclusion": "x", "rationale": "y", "explanation": "z", "supports": []}),
    ],
)
def test_what_a_person_has_claimed_is_theirs(
    world: World, bot: Api, bob: User, verb: str, body: dict[str, object]
) -> None:
    """The refusal names them and says until when; nothing is recorded."""
    world.shorten_policy()
    taken = claims.take(bob, PROJECT, world.days.id)
    assert taken is not None
    answer = bot.post(f"/decisions/{world.days.id}/{verb}", body, Idempotency_Key=str(uuid4()))
    assert (answer.status_code, code_of(answer)) == (409, "claimed")
    assert answer.json()["by"] == bob.agent_id
    assert answer.json()["until"].startswith(f"{taken.until:%Y-%m-%dT%H:%M:%S}")
    found = world.traces.get_decision(world.days.id).decision
    assert found is not None
    assert found.status == "active"


def test_a_program_judges_what_nobody_has(world: World, bot: Api, bob: User) -> None:
    """Also what somebody let go, and it claims nothing itself."""
    world.shorten_policy()
    claims.take(bob, PROJECT, world.days.id)
    claims.release(bob, PROJECT, world.days.id)
    assert bot.post(f"/decisions/{world.days.id}/reject", REJECT).status_code == 200
    assert claims.holders(PROJECT, [world.days.id]) == {}


def test_a_token_is_not_the_person_who_made_it(
    world: World, bot: Api, person: Api, alice: User
) -> None:
    """What Alice has claimed at her desk her agent does not judge, and she does."""
    world.shorten_policy()
    claims.take(alice, PROJECT, world.days.id)
    url = f"/decisions/{world.days.id}/reject"
    assert code_of(bot.post(url, REJECT)) == "claimed"
    assert person.post(url, REJECT).status_code == 200
    assert claims.holders(PROJECT, [world.days.id]) == {}
