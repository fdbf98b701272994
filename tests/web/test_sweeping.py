"""The sweep as the console runs it: each minute, counted by day, and shown to managers."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from django_q.models import Failure

import graphstore
from graphstore.operations.mend_decisions import OVERLOOKED
from graphstore.store import counting
from reviewconsole import jobs
from reviewconsole.addresses import jobs_url
from reviewconsole.background_page import KINDS, REASONS
from reviewconsole.models import SweepCount, SweepMark, User
from reviewconsole.waiting import waiting
from tests.servers import RawGraph
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World


def shown(client: Client) -> str:
    """The words of the page."""
    answer = client.get(jobs_url(PROJECT))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.fixture
def admin(alice: User, signed_in: SignedIn) -> Client:
    """Alice's browser."""
    return signed_in(alice)


def damage(raw: RawGraph, world: World) -> None:
    """Both documents move on without a flag, as a race of another writer leaves it."""
    raw.run("MATCH (d:Document) SET d.activation_seq = d.activation_seq + 1")
    assert world.days


def test_what_was_mended_is_in_the_queue_and_counted(
    world: World, raw: RawGraph, admin: Client
) -> None:
    """One sweep flags, carries, indexes and counts; the next finds nothing."""
    jobs.sweep()
    assert "Nothing had to be mended" in shown(admin)
    damage(raw, world)
    SweepCount.objects.all().delete()
    jobs.sweep()
    assert waiting(PROJECT).count() == 3
    counted = SweepCount.objects.get(project_id=PROJECT, kind="outdated_version")
    assert (counted.number, counted.left) == (2, False)
    jobs.sweep()
    assert SweepCount.objects.get(pk=counted.pk).number == 2
    assert KINDS["outdated_version"] in shown(admin)


def test_counts_of_a_day_add_up_and_old_ones_go(world: World, raw: RawGraph) -> None:
    """What was mended twice counts twice; after ninety days nobody asks."""
    day = timezone.now().date() - timedelta(days=91)
    SweepCount.objects.create(
        project_id=PROJECT, day=day, kind="mark_stale", number=7, last_at=timezone.now()
    )
    for _ in range(2):
        raw.run("MATCH (q:Project) SET q.review_incomplete = true")
        jobs.sweep()
    (left,) = SweepCount.objects.filter(kind="mark_stale")
    assert (left.number, left.day) == (2, timezone.now().date())


def test_what_is_left_says_why(world: World, raw: RawGraph, admin: Client) -> None:
    """And is not counted anew each minute."""
    raw.run("MATCH (t:Task {name: 'audit'}) SET t.event_seq = 5000")
    for _ in range(3):
        jobs.sweep()
    assert SweepCount.objects.get(kind="numbers_cited").number == 1
    assert REASONS["numbers_cited"] in shown(admin)


def test_an_idle_sweep_costs_a_few_reads(world: World) -> None:
    """One for the graph and its projects, then for each its index, its damage and its ledger."""
    jobs.sweep()
    jobs.sweep()
    with counting() as trips:
        jobs.sweep()
    assert trips.count <= 5


def test_the_survey_goes_on_where_it_was(world: World) -> None:
    """Its place is kept with the time of the look, and a project's epoch for an hour."""
    jobs.sweep()
    mark = SweepMark.objects.get(project_id="")
    assert mark.swept_at is not None
    assert set(mark.place) == {"Task", "Decision", "Request", "CtxChoice"}
    own = SweepMark.objects.get(project_id=PROJECT)
    assert own.swept_at is not None
    assert own.epoch_at is not None


def test_failed_tasks_of_other_projects_are_not_told(world: World, admin: Client) -> None:
    """One's own and the sweep's are, by kind and time; no project's name, no error."""
    now = timezone.now()
    for name, args in (("a", (PROJECT,)), ("b", ("elsewhere",)), ("c", ())):
        func = "reviewconsole.jobs.sweep" if name == "c" else "reviewconsole.jobs.catch_up"
        Failure.objects.create(
            id=name, name=name, func=func, args=args, started=now, stopped=now, success=False,
            result="JobFailed: secret",
        )  # fmt: skip
    words = shown(admin)
    assert words.count("Bringing this project level") == 1
    assert words.count("Sweep of all projects") == 1
    assert "secret" not in words
    assert "elsewhere" not in words


def test_the_outbox_says_how_far_it_lags(world: World, admin: Client) -> None:
    """Before anybody took the entries, and after."""
    assert "not yet in the queue" in shown(admin)
    jobs.sweep()
    assert "index has every change" in shown(admin)


def test_a_project_that_cannot_be_read_does_not_keep_the_others(
    world: World, raw: RawGraph
) -> None:
    """It is counted as left there, each minute anew, and everybody else is level."""
    jobs.sweep()
    raw.run(
        "MATCH (d:Decision {id: $id}) SET d.created_at = 'no time', d.review_pending = true, "
        "d.review_state = 'needs_review'",
        {"id": str(world.days.id)},
    )
    other = World(world.store, project="elsewhere")
    other.shorten_policy()
    jobs.sweep()
    jobs.sweep()
    assert waiting("elsewhere").count() == 3
    assert SweepCount.objects.filter(project_id=PROJECT, kind="unreadable", left=True).exists()


def test_each_kind_has_its_words() -> None:
    """What the sweep counts reads as a sentence on the page."""
    package = Path(graphstore.__file__).parent
    files = [package / "sweep.py", *package.glob("operations/mend_*.py")]
    code = "".join(file.read_text() for file in files)
    kinds = set(re.findall(r'kinds\["(\w+)"\]', code)) | set(OVERLOOKED.values())
    assert kinds | {"mark_missing", "mark_stale"} == set(KINDS)
    assert set(re.findall(r'left\["(\w+)"\]', code)) == set(REASONS)
