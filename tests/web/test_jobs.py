"""Jobs: they wake, they work a little, and they keep no text of what went wrong."""

import traceback

import pytest
from django.conf import settings as configured
from django.core.cache import cache
from django.db import transaction
from django_q.models import OrmQ, Schedule
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks, Settings

import graphstore
from reviewconsole import jobs, stores
from reviewconsole.waiting import waiting
from tests.web.world import PROJECT, World


def test_a_job_brings_the_index_level(world: World) -> None:
    """Its argument is an id."""
    world.shorten_policy()
    jobs.catch_up(PROJECT)
    assert waiting(PROJECT).count() == 3


def test_the_sweep_brings_every_project_level(world: World) -> None:
    """Whoever looks or not."""
    other = World(world.store, project="elsewhere")
    other.shorten_policy()
    jobs.sweep()
    assert waiting(PROJECT).count() == waiting("elsewhere").count() == 3


def test_the_sweep_is_scheduled_by_migrating() -> None:
    """Nobody has to remember it."""
    schedule = Schedule.objects.get(name="sweep")
    assert (schedule.func, schedule.minutes) == ("reviewconsole.jobs.sweep", 1)


def test_a_job_that_fails_says_only_what_kind_of_error(settings: Settings) -> None:
    """The queue stores message and traceback; either may quote a record."""
    stores.close_store()
    settings.GRAPH = graphstore.Settings(engine="falkordb", falkordb_url="redis://127.0.0.1:1")
    with pytest.raises(jobs.JobFailed) as raised:
        jobs.catch_up(PROJECT)
    assert str(raised.value) == "StoreUnavailable"
    stored = "".join(traceback.format_exception(raised.value, chain=True))
    assert "cannot be reached" not in stored
    assert "StoreUnavailable:" not in stored


def test_a_wish_is_queued_when_its_transaction_commits(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """A worker must not run before what it is to look at is there."""
    cache.clear()
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        jobs.catch_up_later(PROJECT)
        assert not OrmQ.objects.exists()
    assert [row.func() for row in OrmQ.objects.all()] == ["reviewconsole.jobs.catch_up"]


def test_many_wishes_are_one_job(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """A page that is looked at a hundred times does not fill the queue."""
    cache.clear()
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(100):
            jobs.catch_up_later(PROJECT)
    assert OrmQ.objects.count() == 1


def test_the_queue_runs_nothing_twice_by_itself() -> None:
    """The clock of `retry` starts when a job is fetched, so it stays well above `timeout`."""
    cluster = configured.Q_CLUSTER
    assert cluster["retry"] >= 5 * cluster["timeout"] > 5 * jobs.RUN_SECONDS
    assert (cluster["bulk"], cluster["max_attempts"]) == (1, 1)
    assert cluster["ack_failures"]
    assert not cluster["catch_up"]
