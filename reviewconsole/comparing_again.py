"""Finds comparisons that are out of date, and counts again what rests on decisions.

Most changes reach a row by themselves, since a flag that is set anew is brought by the
feed. What another writer changes under a flag that already stands raises no flag: so
the versions that were compared are held against those of now, once a minute, some
hundred sources in turn.
"""

from django.db.models import QuerySet

from graphstore.evidence import Comparison
from graphstore.stakes import MAX_DECISIONS, sources_now, stakes
from graphstore.store import GraphStore
from reviewconsole.models import WAITS, ComparedSupport, ComparingMark, Due, FlaggedDecision
from reviewconsole.review_index import now_us
from reviewconsole.staking import counted, make_due

__all__ = ["look_again"]

SOURCES = 500
"""How many documents, and how many decisions, one look takes."""

_STATES = {"clear": Comparison.CLEAR, "needs_review": Comparison.FLAGGED}
"""What an active decision's review state makes of a support that cites it."""

Pairs = list[tuple[str, int | str | None]]


def look_again(store: GraphStore, mark: ComparingMark) -> None:
    """Make rows due whose sources moved, and count the next 200 again; two reads of the graph.

    `mark.place` says up to where the last look came; after the last one it begins anew.
    """
    after_document, after_decision, after_row = (mark.place or "||0").split("|")
    documents = _compared(mark.project_id, "document", "current_seq", after_document)
    decisions = _compared(mark.project_id, "decision", "comparison", after_decision)
    now = sources_now(
        store,
        documents=[ref for ref, _ in documents],
        decisions=[ref for ref, _ in decisions],
    )
    moved = [ref for ref, seq in documents if now.documents.get(ref) != seq]
    make_due(mark.project_id, "document", moved)
    turned = [ref for ref, found in decisions if _of(now.decisions.get(ref)) != found]
    make_due(mark.project_id, "decision", turned)
    row = _count_again(store, mark.project_id, int(after_row))
    place = f"{_last(documents)}|{_last(decisions)}|{row}"
    ComparingMark.objects.filter(pk=mark.pk).update(looked_us=now_us(), place=place)


def _flagged(project_id: str) -> QuerySet[FlaggedDecision]:
    return FlaggedDecision.objects.filter(project_id=project_id, cleared_us__isnull=True)


def _compared(project_id: str, kind: str, column: str, after: str) -> Pairs:
    """Sources of that kind that waiting rows were compared with, and what was found there."""
    supports = ComparedSupport.objects.filter(
        flagged__in=_flagged(project_id).filter(due=Due.NOTHING), kind=kind, ref__gte=after
    )
    pairs = supports.order_by("ref", column).values_list("ref", column).distinct()
    return list(pairs[:SOURCES])


def _last(pairs: Pairs) -> str:
    """Where the next look goes on: with the last of a full page, else at the beginning."""
    return pairs[-1][0] if len(pairs) == SOURCES else ""


def _of(state: str | None) -> str:
    """The comparison that a decision in this state gives; None is one that is gone."""
    if state is None:
        return Comparison.DELETED.value
    return _STATES.get(state, state)


def _count_again(store: GraphStore, project_id: str, after: int) -> int:
    """Count what rests on the next rows in turn; returns the last one, 0 after the end."""
    waiting = _flagged(project_id).filter(WAITS, due__lt=Due.STAKE, pk__gt=after)
    rows = list(waiting.order_by("pk")[:MAX_DECISIONS])
    found = stakes(store, project_id, [row.decision_id for row in rows])
    for row in rows:
        stake = found.get(row.decision_id)
        values = counted(stake, row.worst) if stake else {}
        if any(getattr(row, name) != value for name, value in values.items()):
            same = {"pk": row.pk, "applied": row.applied, "worst": row.worst}
            FlaggedDecision.objects.filter(**same).update(**values)
    return rows[-1].pk if len(rows) == MAX_DECISIONS else 0
