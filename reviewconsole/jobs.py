"""What the django-q2 workers run. Each entry calls one operation; arguments are ids.

Every job may run twice, and may die at any point. The queue only wakes workers:
what is left to do stands in the graph, so a lost job loses nothing.
"""

import logging
import time
from collections.abc import Callable
from functools import wraps

from django.core.cache import cache
from django.db import transaction
from django_q.tasks import async_task

from reviewconsole import bulk_running, comparing, review_index
from reviewconsole.bulk_running import Left
from reviewconsole.flow import sweep_flow
from reviewconsole.ledger_check import advance
from reviewconsole.ledger_mirror import seal_rest
from reviewconsole.ledger_models import LedgerRun
from reviewconsole.stores import store
from reviewconsole.sweeping import sweep_graph

__all__ = [
    "JobFailed",
    "catch_up",
    "catch_up_later",
    "compare",
    "compare_later",
    "run_bulk",
    "run_bulk_later",
    "run_jobs",
    "sweep",
    "verify_ledger",
    "verify_ledger_later",
]

logger = logging.getLogger(__name__)

RUN_SECONDS = 30
COMPARE_SECONDS = 10


class JobFailed(Exception):
    """A job ended early. Names the kind of error only, since the queue stores the message."""


def _kept_out_of_storage[**P](job: Callable[P, None]) -> Callable[P, None]:
    """Let no message or traceback of an error reach the queue's table of results.

    Either may quote a record, and erasing the record would not reach it there.
    """

    @wraps(job)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            job(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - raised again, by its kind only
            failed = type(error).__name__
            logger.warning("%s failed: %s", job.__name__, failed)
        else:
            return
        raise JobFailed(failed)

    return run


@_kept_out_of_storage
def catch_up(project_id: str) -> None:
    """Bring the review index of one project level and seal its ledger, at most 30 seconds in one run."""
    until = time.monotonic() + RUN_SECONDS
    while not review_index.catch_up(store(), project_id, slow=True):
        if time.monotonic() > until:
            catch_up_later(project_id)
            return
        time.sleep(0.05)
    seal_rest(store(), project_id)
    if comparing.wanted(project_id):
        compare_later(project_id)


@_kept_out_of_storage
def compare(project_id: str) -> None:
    """Find out what became of flagged decisions, at most 10 seconds; the rest goes on in another job.

    Short, so that whoever waits for another job does not wait for thousands of comparisons.
    """
    if comparing.run(store(), project_id, time.monotonic() + COMPARE_SECONDS):
        compare_later(project_id)


@_kept_out_of_storage
def sweep() -> None:
    """Mend what others left wrong, and bring every project level. Runs each minute."""
    sweep_flow()
    for project_id in sweep_graph(store(), time.monotonic() + RUN_SECONDS):
        catch_up_later(project_id)
    for project_id in comparing.projects_wanting():
        compare_later(project_id)
    for bulk_id in bulk_running.unfinished():
        run_bulk_later(bulk_id)


@_kept_out_of_storage
def verify_ledger(run_id: int) -> None:
    """Do a run's steps, at most 30 seconds of them; the rest goes on in another job."""
    until = time.monotonic() + RUN_SECONDS
    run = LedgerRun.objects.filter(pk=run_id, finished_at__isnull=True).first()
    while run is not None and not advance(store(), run):
        if time.monotonic() > until:
            verify_ledger_later(run_id)
            return


@_kept_out_of_storage
def run_bulk(bulk_id: int) -> None:
    """Do a bulk's slices, at most 30 seconds of them; the rest goes on in another job."""
    until = time.monotonic() + RUN_SECONDS
    while (left := bulk_running.advance(store(), bulk_id)) is not Left.NOTHING:
        if time.monotonic() > until:
            run_bulk_later(bulk_id)
            return
        if left is Left.LATER:
            time.sleep(0.2)


def run_bulk_later(bulk_id: int) -> None:
    """Have a worker carry a bulk on, once what is written here is committed."""
    transaction.on_commit(
        lambda: async_task("reviewconsole.jobs.run_bulk", bulk_id, group="run_bulk")
    )


def verify_ledger_later(run_id: int) -> None:
    """Have a worker verify, once the run is there to be found."""
    transaction.on_commit(
        lambda: async_task("reviewconsole.jobs.verify_ledger", run_id, group="verify_ledger")
    )


def catch_up_later(project_id: str) -> None:
    """Have a worker do the rest, once what is being written here is committed.

    Pages ask for it as often as they are looked at; one wish a few seconds is enough.
    """
    if cache.add(f"catch-up:{hash(project_id)}", 1, timeout=5):
        transaction.on_commit(
            lambda: async_task("reviewconsole.jobs.catch_up", project_id, group="catch_up")
        )


def compare_later(project_id: str) -> None:
    """Have a worker compare what is due; asked for again within two seconds it is one job."""
    if cache.add(f"compare:{hash(project_id)}", 1, timeout=2):
        transaction.on_commit(
            lambda: async_task("reviewconsole.jobs.compare", project_id, group="compare")
        )


def run_jobs(project_id: str) -> None:
    """Have a worker run the project's jobs at once, once what is written here is committed."""
    transaction.on_commit(
        lambda: async_task("reviewconsole.jobs.catch_up", project_id, group="jobs")
    )
