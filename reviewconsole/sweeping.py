"""The sweep as the console runs it: what it keeps between two, and what it counts.

Rows are numbers, kinds and times. No graph call is made inside an SQL transaction.
"""

import logging
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from django.db.models import F

from graphstore.faults import Contended, CorruptRecord
from graphstore.review_feed import list_projects
from graphstore.store import GraphStore
from graphstore.sweep import Survey, Swept, survey, sweep
from reviewconsole import review_index
from reviewconsole.ledger_mirror import seal_rest
from reviewconsole.models import SweepCount, SweepMark

__all__ = ["sweep_graph", "sweep_project"]

logger = logging.getLogger(__name__)

_UNREADABLE = (CorruptRecord, ValueError, KeyError, TypeError)
GRAPH = ""
"""The mark of the whole graph; no project has an empty name."""
LOOK_AGAIN = timedelta(hours=1)
KEPT = timedelta(days=90)


def sweep_graph(store: GraphStore, until: float) -> list[str]:
    """Survey the graph once and sweep each project, until the clock says `until`.

    Returns the projects in which more is to be done at once. Those swept longest ago come
    first, so that a graph too large for one run is gone through in several.
    """
    mark, _ = SweepMark.objects.get_or_create(project_id=GRAPH)
    surveyed = survey(store, since=mark.swept_at, place=mark.place)
    unfinished: list[str] = []
    names = [project.project_id for project in list_projects(store)]
    marks = {m.project_id: m.swept_at for m in SweepMark.objects.filter(project_id__in=names)}
    never = datetime.min.replace(tzinfo=UTC)
    for name in sorted(names, key=lambda n: marks.get(n) or never):
        if time.monotonic() > until:
            # What the survey found in the rest is found again: its place is not moved on.
            return [*unfinished, name]
        try:
            if not sweep_project(store, name, surveyed):
                unfinished.append(name)
        except Contended:
            # Others kept writing there; the rest need not wait for it.
            unfinished.append(name)
        except _UNREADABLE as fault:
            # What cannot be read in one project must not keep the others from being swept.
            logger.warning("One project cannot be swept: %s", type(fault).__name__)
            now = datetime.now(UTC)
            SweepMark.objects.filter(project_id=name).update(swept_at=now)
            _count(name, {"unreadable": 1}, now, left=True)
    mark.swept_at, mark.place = surveyed.looked_at, dict(surveyed.place)
    mark.save(update_fields=["swept_at", "place"])
    return unfinished


def sweep_project(store: GraphStore, project_id: str, surveyed: Survey | None = None) -> bool:
    """Mend what is damaged in one project, bring its index level, and seal what waits.

    In this order, so that what the index's own feed would mend in passing is counted, too.
    Returns whether the project is level now.
    """
    mark, _ = SweepMark.objects.get_or_create(project_id=project_id)
    done = sweep(
        store,
        project_id,
        since=mark.swept_at,
        actor=review_index.CONSOLE,
        after_epoch=mark.older_epoch,
        surveyed=surveyed,
    )
    _keep(mark, done)
    _count(project_id, done.mended, done.looked_at, left=False)
    _count(project_id, done.left, done.looked_at, left=True)
    level = review_index.catch_up(store, project_id, slow=True)
    seal_rest(store, project_id)
    return level and not done.more


def _keep(mark: SweepMark, done: Swept) -> None:
    """What the next sweep needs; an epoch is passed on once it is an hour old."""
    if mark.epoch_at is None or done.looked_at - mark.epoch_at > LOOK_AGAIN:
        mark.older_epoch, mark.epoch, mark.epoch_at = mark.epoch, done.epoch, done.looked_at
    mark.swept_at, mark.more = done.looked_at, done.more
    mark.save()


def _count(project_id: str, numbers: Mapping[str, int], at: datetime, *, left: bool) -> None:
    for kind, number in numbers.items():
        row, _ = SweepCount.objects.get_or_create(
            project_id=project_id,
            day=at.date(),
            kind=kind,
            left=left,
            defaults={"last_at": at},
        )
        # What is left is met again by each sweep: the last says how much there is.
        counted = number if left else F("number") + number
        SweepCount.objects.filter(pk=row.pk).update(number=counted, last_at=at)
    if numbers:
        SweepCount.objects.filter(project_id=project_id, day__lt=at.date() - KEPT).delete()
