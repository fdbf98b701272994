"""What a manager settles for a project, and where it shows."""

import pytest
from django.test import Client

from reviewconsole.addresses import project_settings_url
from reviewconsole.bulk_rules import project_limit
from reviewconsole.models import ProjectSettings, User
from reviewconsole.text_stores import erase_quotes, search
from tests.web.browsing import open_decision, open_queue, post
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World

WORDS = "Ask the shop before you reject. The customer said <b>never</b>."


@pytest.fixture
def alices(alice: User, signed_in: SignedIn) -> Client:
    """Alice's browser."""
    return signed_in(alice)


def test_what_is_settled_shows_on_queue_and_desk(world: World, alices: Client) -> None:
    """Once sent it holds, instructions as text that runs nothing."""
    sent = {"instructions": WORDS, "bulk_limit": "3"}
    assert post(alices, project_settings_url(PROJECT), sent).status_code == 303
    assert project_limit(PROJECT) == 3
    for page in (open_queue(alices), open_decision(alices, world.days)):
        shown = page.content.decode()
        assert "Ask the shop before you reject." in shown
        assert "<b>never</b>" not in shown


def test_a_limit_that_is_none_is_refused_with_what_was_typed(world: World, alices: Client) -> None:
    """Nothing is settled then."""
    sent = {"instructions": WORDS, "bulk_limit": "many"}
    page = post(alices, project_settings_url(world.project), sent)
    assert page.status_code == 422
    assert "Ask the shop before you reject." in page.content.decode()
    assert not ProjectSettings.objects.exists()


def test_an_erased_text_goes_from_the_instructions() -> None:
    """They stay, without it."""
    ProjectSettings.objects.create(project_id=PROJECT, instructions=WORDS)
    assert erase_quotes(PROJECT, "The customer said") == 1
    assert search("The customer said") == []
    assert ProjectSettings.objects.get().instructions.startswith("Ask the shop")
