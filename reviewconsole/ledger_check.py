"""Verifying a project's ledger from the console: step by step, and what was found is kept."""

from collections.abc import Iterator, Sequence

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from graphstore import ledger
from graphstore.store import GraphStore
from reviewconsole.ledger_mirror import DatabaseMirror, seal_rest
from reviewconsole.ledger_models import LedgerFinding, LedgerRun

__all__ = ["MOST_FINDINGS", "advance", "begin", "last_run", "unfinished"]

MOST_FINDINGS = 1_000
"""Findings of one run that are kept one by one; all are counted."""
KEPT_RUNS = 50
"""Runs of one project whose findings stay to be read."""


def begin(project_id: str, asked_by: str = "") -> LedgerRun:
    """The run of this project that is not finished, or a new one."""
    waiting = unfinished(project_id)
    if waiting is not None:
        return waiting
    old = LedgerRun.objects.filter(project_id=project_id).order_by("-id")[KEPT_RUNS - 1 :]
    LedgerRun.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()
    return LedgerRun.objects.create(project_id=project_id, asked_by=asked_by)


def unfinished(project_id: str) -> LedgerRun | None:
    runs = LedgerRun.objects.filter(project_id=project_id, finished_at__isnull=True)
    return runs.order_by("-id").first()


def last_run(project_id: str) -> LedgerRun | None:
    """The newest run that has come to its end."""
    runs = LedgerRun.objects.filter(project_id=project_id, finished_at__isnull=False)
    return runs.order_by("-id").first()


def advance(store: GraphStore, run: LedgerRun) -> bool:
    """Do the next step of a run; returns whether it has come to its end.

    What waits is sealed before the first. Another runner that did the same step
    meanwhile is no harm: the step counts once.
    """
    if not run.steps:
        seal_rest(store, run.project_id)
    found = ledger.verify(store, run.project_id, mirror=DatabaseMirror(), cursor=run.cursor or None)
    with transaction.atomic():
        moved = LedgerRun.objects.filter(
            pk=run.pk, steps=run.steps, finished_at__isnull=True
        ).update(
            cursor=found.cursor or "",
            finished_at=None if found.cursor else timezone.now(),
            steps=F("steps") + 1,
            reached=found.reached,
            entries=F("entries") + found.entries,
            conclusions=F("conclusions") + found.conclusions,
            erased=F("erased") + found.erased,
            left=F("left") + found.left,
            found=F("found") + len(found.findings),
        )
        if moved:
            LedgerFinding.objects.bulk_create(_rows(run, found.findings))
    run.refresh_from_db()
    return run.finished_at is not None


def _rows(run: LedgerRun, findings: Sequence[ledger.Finding]) -> Iterator[LedgerFinding]:
    for finding in findings[: max(0, MOST_FINDINGS - run.found)]:
        yield LedgerFinding(
            run=run,
            kind=finding.kind,
            entry_id=finding.entry_id or "",
            decision_id=finding.decision_id or "",
            sequence_number=finding.sequence_number,
            until=finding.until,
        )
