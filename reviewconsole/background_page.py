"""What the page of background work shows: jobs, the sweep's counts, tasks that failed."""

from collections.abc import Mapping
from datetime import date
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django_q.models import Failure

from graphstore.erasures import RetentionJob
from reviewconsole.models import SweepCount, SweepMark
from reviewconsole.said import Said

__all__ = ["job_line", "last_sweep", "left_over", "mended_days", "queue_failures"]

DAYS = 30
FAILURES = 20
LOOKED_AT = 200

JOBS: Mapping[str, str] = Said(
    {
        "delete_task": gettext_noop("A task is being deleted"),
        "flag_citers": gettext_noop("Decisions on a source that changed are being flagged"),
        "rewrite_log": gettext_noop("The graph's own log is being rewritten"),
    }
)
KINDS: Mapping[str, str] = Said(
    {
        "outdated_version": gettext_noop("Clear on a version that is not current: flagged"),
        "lost_source": gettext_noop("Clear on a source that is gone or redacted: flagged"),
        "fallen_parent": gettext_noop("Clear under a decision that fell or waits: flagged"),
        "second_revision": gettext_noop(
            "Active beside a newer revision of its choice: superseded by it"
        ),
        "undated_flag": gettext_noop("Flagged by another writer: dated, its causes found"),
        "uncounted": gettext_noop("Recorded by another writer: taken in and counted"),
        "orphan": gettext_noop("Left behind by a deleted task: marked so"),
        "gone_unsaid": gettext_noop("Support of what was deleted: marked as gone"),
        "mark_missing": gettext_noop("Flags on their way, and the project did not say so"),
        "mark_stale": gettext_noop("Project said that flags are on their way, and none were"),
        "event_number": gettext_noop("Task whose last number was not its last event's"),
        "event_without_id": gettext_noop("Event that was left without an id"),
        "step_sources": gettext_noop("Step joined to the documents that its result rests on"),
        "choice_count": gettext_noop("Choice whose decisions were counted wrong"),
        "kept_body": gettext_noop("Stored answer that kept an erased text: erased there, too"),
    }
)
REASONS: Mapping[str, str] = Said(
    {
        "contended": gettext_noop("Others kept changing it; the next sweep tries again"),
        "unreadable": gettext_noop("A record that cannot be read"),
        "numbers_cited": gettext_noop("Lost events whose numbers are still cited"),
        "step_unreadable": gettext_noop("A step whose sources cannot be read"),
        "result_unreadable": gettext_noop("A stored answer that cannot be read"),
        "side_unknown": gettext_noop("A choice with a side that nobody counted yet"),
    }
)
"""Each kind and reason that `graphstore.sweep` counts, in words."""

ENTRIES: Mapping[str, str] = Said(
    {
        "reviewconsole.jobs.sweep": gettext_noop("Sweep of all projects"),
        "reviewconsole.jobs.catch_up": gettext_noop("Bringing this project level"),
        "reviewconsole.jobs.compare": gettext_noop(
            "Comparing flagged decisions with their sources"
        ),
    }
)


def job_line(job: RetentionJob) -> dict[str, Any]:
    """One job that is open or held."""
    deletes = job.kind == "delete_task"
    return {
        "what": JOBS.get(job.kind) or _("Work goes on"),
        "job": job,
        "state": _("paused") if job.state == "paused" else _("under way"),
        "percent": int(job.share * 100) if deletes else None,
    }


def last_sweep(project_id: str) -> SweepMark | None:
    """When the project was last swept."""
    return SweepMark.objects.filter(project_id=project_id, swept_at__isnull=False).first()


def mended_days(project_id: str) -> list[dict[str, Any]]:
    """What was mended, by day, newest first, over the last 30 days on which anything was."""
    rows = SweepCount.objects.filter(project_id=project_id, left=False).order_by("-day", "kind")
    days = [(day, list(own)) for day, own in groupby(rows[: DAYS * len(KINDS)], key=_day)]
    return [{"day": day, "lines": [_line(row, KINDS) for row in own]} for day, own in days[:DAYS]]


def left_over(project_id: str) -> list[dict[str, Any]]:
    """What the sweeps of the last day on which any did had to leave."""
    rows = SweepCount.objects.filter(project_id=project_id, left=True).order_by("-day", "kind")
    newest = rows.first()
    return [_line(row, REASONS) for row in rows if newest and row.day == newest.day]


def _day(row: SweepCount) -> date:
    return row.day


def _line(row: SweepCount, words: Mapping[str, str]) -> dict[str, Any]:
    return {"what": words.get(row.kind, row.kind), "number": row.number, "at": row.last_at}


def queue_failures(project_id: str) -> list[dict[str, Any]]:
    """Background tasks of this project, or of all, that ended early; no text of an error."""
    failed = Failure.objects.order_by("-stopped")[:LOOKED_AT]
    own = [task for task in failed if tuple(task.args or ()) in ((), (project_id,))]
    return [
        {"what": ENTRIES.get(task.func) or _("A background task"), "at": task.stopped}
        for task in own[:FAILURES]
    ]
