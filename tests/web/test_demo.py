"""The demo on a real graph: loaded once, the same after a stop, in step with the model."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.fixtures import Settings

from graphstore import ConversationHistory, DecisionTraces
from graphstore.records import Decision, ReviewState
from graphstore.store import GraphStore
from reviewconsole.demo.accounts import seat_everybody
from reviewconsole.demo.loading import DemoLoader, is_complete
from reviewconsole.demo.people import PEOPLE
from reviewconsole.demo.script import Entry, read_script
from reviewconsole.models import Access, Role, User
from reviewconsole.waiting import waiting
from tests.demo.pretend import PretendRecord

MAIN = "tarnica-cold-chain"


class Stopped(Exception):
    """The load was killed here."""


def load_demo(*words: str) -> str:
    out = StringIO()
    call_command("load_demo", *words, stdout=out, stderr=out)
    return out.getvalue()


@pytest.fixture
def demo(settings: Settings) -> None:
    """A console that may hold demo accounts."""
    settings.DEMO = True


@pytest.fixture(scope="module")
def expected() -> PretendRecord:
    """What the model says the record holds in the end."""
    played = PretendRecord()
    for entry in read_script():
        played.play(entry)
    return played


@pytest.mark.usefixtures("store")
def test_without_the_demo_switch_no_account_is_made() -> None:
    """Passwords that everybody can read belong to no other console."""
    with pytest.raises(CommandError, match="RC_DEMO=1"):
        load_demo()
    assert not User.objects.exists()


@pytest.mark.usefixtures("demo", "store")
def test_a_load_that_was_stopped_goes_on_and_duplicates_nothing(
    store: GraphStore, expected: PretendRecord
) -> None:
    """Stopped three times, the last time after the erasure: the record is the model's, once."""
    whole = len(read_script())
    for number in (whole // 3, 3 * whole // 4, whole - 20):
        with pytest.raises(Stopped):
            DemoLoader(store, seat_everybody(), progress=_stop_at(number)).play()
    assert not is_complete(store)
    assert "loaded" in load_demo()
    assert "Nothing to do" in load_demo()

    recorded = _review_list(store)
    flagged = {(d.choice_key, d.revision, str(d.review_reason)) for d in recorded}
    assert flagged == {
        (d.key, d.revision, d.reason) for d in expected.flagged() if d.project == MAIN
    }
    assert waiting(MAIN).count() == len(recorded)
    confirmed = sum(decision.reaffirmed for decision in expected.decisions)
    assert _count_events(store) == expected.event_count + confirmed


@pytest.mark.usefixtures("demo", "store")
def test_people_sign_in_with_what_is_printed() -> None:
    """Each line has a name and a password that work, and the role that it says."""
    load_demo()
    lines = load_demo("--sign-ins").splitlines()[1:]
    assert len(lines) == len(PEOPLE)
    for line in lines:
        name, password = line.split()[:2]
        assert Client().login(username=name, password=password)
        assert User.objects.get(username=name).is_librarian == line.endswith("librarian")
    access = Access.objects.get(user__username="manager", project_id=MAIN)
    assert Role(access.role).label == "manager"
    assert not Access.objects.filter(
        user__username="manager", project_id="tarnica-returns"
    ).exists()


def _stop_at(number: int):
    def progress(entry: Entry) -> None:
        if entry.number == number:
            raise Stopped

    return progress


def _review_list(store: GraphStore) -> list[Decision]:
    traces = DecisionTraces(store, project_id=MAIN, agent_id="test")
    found: list[Decision] = []
    cursor: str | None = None
    while True:
        page = traces.list_decisions_for_review(limit=100, cursor=cursor)
        found += page.decisions
        cursor = page.next_cursor
        if cursor is None:
            break
    assert all(d.review_state is ReviewState.NEEDS_REVIEW for d in found)
    return found


def _count_events(store: GraphStore) -> int:
    total = 0
    for project in {entry.project for entry in read_script()}:
        history = ConversationHistory(store, project_id=project, agent_id="test")
        total += sum(task.event_seq for task in history.list_tasks(limit=200).tasks)
    return total
