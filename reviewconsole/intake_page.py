"""What the intake page shows: figures, portions, documents, the backlog, and who opened what."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from graphstore.records import Document
from graphstore.review_feed import cause_documents, queue_rows
from reviewconsole import words
from reviewconsole.access import Scope
from reviewconsole.addresses import decision_url, document_url, intake_url, queue_url
from reviewconsole.backlog import parked
from reviewconsole.comparing import progress
from reviewconsole.directions import closed
from reviewconsole.document_page import title_of
from reviewconsole.intake import PORTIONS, SIZES, PortionKind, by_document, portion_sizes
from reviewconsole.models import IntakeKind, IntakeStep
from reviewconsole.review_index import drop_unconfirmed, now_us
from reviewconsole.waiting import from_us, waiting

__all__ = ["figures", "intake_context", "moved_words"]

LISTED = 20
STEPS = 10


def figures(project_id: str) -> dict[str, Any]:
    """How much is flagged and how far the worker is; all that the live part of the page needs."""
    done = progress(project_id)
    return {
        "progress": done,
        "in_queue": done.flagged - done.parked,
        "intake_url": intake_url(project_id),
        "level": done.compared == done.flagged,
    }


def intake_context(scope: Scope, page: int) -> dict[str, Any]:
    """The whole page; two reads of the graph, for titles and for the backlog's texts."""
    project = scope.project_id
    documents = by_document(project)
    steps = IntakeStep.objects.filter(project_id=project).select_related("user").order_by("-at")
    steps = list(steps[:STEPS])
    refs = [one.ref for one in documents] + [step.ref for step in steps if step.ref]
    known = cause_documents(scope.store, project, refs)
    return {
        **figures(project),
        "queue_url": queue_url(project),
        "seen": now_us(),
        "sizes": SIZES,
        "queue_portions": _portions(portion_sizes(waiting(project))),
        "backlog_portions": _portions(portion_sizes(parked(project))),
        "documents": [
            {
                "intake": one,
                "in_queue": one.flagged - one.parked,
                "before": from_us(one.before_us),
                **_named(scope, known.get(one.ref)),
            }
            for one in documents
        ],
        "steps": [_step(step, known) for step in steps],
        **_backlog(scope, page),
    }


def _portions(sizes: Mapping[PortionKind, int]) -> list[dict[str, Any]]:
    return [
        {"value": kind.value, "label": PORTIONS[kind][0], "number": number}
        for kind, number in sizes.items()
    ]


def _named(scope: Scope, document: Document | None) -> dict[str, Any]:
    """A document's title and pages. One that the project may not read has neither."""
    if document is None:
        return {"title": "", "url": "", "queue_url": ""}
    key = document.document_key
    return {
        "title": title_of(document),
        "url": document_url(scope.project_id, key),
        "queue_url": queue_url(scope.project_id, document=key),
    }


def _step(step: IntakeStep, known: Mapping[str, Document]) -> dict[str, Any]:
    document = known.get(step.ref)
    return {
        "by": step.user.agent_id,
        "at": step.at,
        "what": _step_words(step, title_of(document) if document else _("a document")),
    }


def _step_words(step: IntakeStep, title: str) -> str:
    kind = PortionKind(step.portion)
    about_document = _("because of “%(title)s”") % {"title": closed(title)}
    which = about_document if kind is PortionKind.DOCUMENT else PORTIONS[kind][0]
    values = {"moved": f"{step.moved:,}", "kept": f"{step.kept:,}", "which": which}
    if step.kind == IntakeKind.KEPT:
        said = _("kept the %(kept)s %(which)s and parked %(moved)s")
    elif step.kind == IntakeKind.PARKED:
        said = _("parked %(moved)s %(which)s")
    else:
        said = _("took up %(moved)s %(which)s")
    return said % values


def moved_words(kind: IntakeKind, moved: int) -> str:
    """What a step did, for the message after it."""
    if kind is IntakeKind.TAKEN_UP:
        said = ngettext(
            "%(number)s decision was put into the queue.",
            "%(number)s decisions were put into the queue.",
            moved,
        )
    else:
        said = ngettext(
            "%(number)s decision was put into the backlog.",
            "%(number)s decisions were put into the backlog.",
            moved,
        )
    return said % {"number": f"{moved:,}"}


def _backlog(scope: Scope, page: int) -> dict[str, Any]:
    """Some of the backlog, most at stake first, confirmed by the graph."""
    project, first = scope.project_id, page * LISTED
    rows = parked(project).order_by("-stake", "flagged_us", "decision_id")
    rows = list(rows[first : first + LISTED + 1])
    more, rows = len(rows) > LISTED, rows[:LISTED]
    found = {
        line.decision.id: line
        for line in queue_rows(scope.store, project, [row.decision_id for row in rows])
    }
    drop_unconfirmed(row for row in rows if row.decision_id not in found)
    return {
        "backlog": [
            {
                "decision": found[row.decision_id].decision,
                "url": decision_url(project, row.decision_id),
                "reason": row.reason,
                "reason_words": words.reason_words(row.reason),
                "dependents": row.dependents,
                "open_tasks": row.open_tasks,
            }
            for row in rows
            if row.decision_id in found
        ],
        "next_url": intake_url(project, page=page + 1) if more else None,
        "first_url": intake_url(project) if page else None,
    }
