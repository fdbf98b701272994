"""Whatever of the console's own database holds words that people or agents wrote.

Erasing a record in the graph must reach every copy (`RULES.md` 8), so whatever keeps
text is registered here: how its rows go by the ids of what was erased, and where a text
still stands. A test sees that no table with a text column is left out.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import batched
from typing import Any
from uuid import UUID

from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django_q.models import OrmQ, Schedule, Task

from reviewconsole import models
from reviewconsole.drafts import erase_drafts
from reviewconsole.models import Claim, Draft, ReviewerPlace, SetAside

__all__ = ["STORES", "WITHOUT_TEXT", "TextStore", "erase", "erase_quotes", "search"]

Ids = Iterable[UUID]
SHORTEST = 12


@dataclass(frozen=True)
class TextStore:
    """One table with text: what to read of a row, and how rows go with what they are about.

    A store that only ever holds ids and times needs no `erase`; it is searched all the same.
    """

    name: str
    rows: Callable[[], QuerySet[Any]]
    texts: Callable[[Any], Iterable[object]]
    erase: Callable[[str, Ids], None] | None = None
    """By project and the ids of decisions that are gone."""

    def find(self, text: str) -> Iterator[tuple[str, str]]:
        for row in self.rows().iterator():
            if any(text in str(held) for held in self.texts(row)):
                yield self.name, str(row.pk)


def _gone(rows: type[Claim | SetAside | ReviewerPlace]) -> Callable[[str, Ids], None]:
    """Drops the rows about decisions that were deleted."""

    def erase(project_id: str, decision_ids: Ids) -> None:
        for ids in batched(decision_ids, 200):
            rows.objects.filter(project_id=project_id, decision_id__in=ids).delete()

    return erase


STORES = [
    TextStore(
        "reviewconsole.draft", models.Draft.objects.all, lambda draft: [draft.typed], erase_drafts
    ),
    # Why somebody took a decision over, and why somebody could not judge one.
    TextStore(
        "reviewconsole.claim", models.Claim.objects.all, lambda row: [row.why], _gone(models.Claim)
    ),
    TextStore(
        "reviewconsole.setaside",
        models.SetAside.objects.all,
        lambda row: [row.why],
        _gone(models.SetAside),
    ),
    # Filters may name a document by its key.
    TextStore(
        "reviewconsole.reviewerplace",
        models.ReviewerPlace.objects.all,
        lambda row: [row.filters],
        _gone(models.ReviewerPlace),
    ),
    # Why the decisions of a bulk still hold, until they are judged; and what a manager wrote.
    TextStore("reviewconsole.bulkwhy", models.BulkWhy.objects.all, lambda why: [why.text]),
    TextStore(
        "reviewconsole.projectsettings",
        models.ProjectSettings.objects.all,
        lambda settled: [settled.instructions],
    ),
    # Names that people give, and keys of documents and agents: about no decision.
    TextStore(
        "reviewconsole.savedview",
        models.SavedView.objects.all,
        lambda view: [view.name, view.query],
    ),
    # Messages of the next page; they name what was judged by link, never by text.
    TextStore("sessions.session", Session.objects.all, lambda session: [session.get_decoded()]),
    # Arguments are ids, and an error's message never reaches the queue.
    TextStore("django_q.ormq", OrmQ.objects.all, lambda queued: [queued.task()]),
    TextStore(
        "django_q.task",
        Task.objects.all,
        lambda task: [task.name, task.args, task.kwargs, task.result, task.group],
    ),
    TextStore(
        "django_q.schedule", Schedule.objects.all, lambda wish: [wish.name, wish.args, wish.kwargs]
    ),
]

WITHOUT_TEXT: set[str] = {
    "auth.group",
    "auth.permission",
    "contenttypes.contenttype",
    "django_q.failure",
    "django_q.success",
    "reviewconsole.access",
    "reviewconsole.bulk",
    "reviewconsole.bulkitem",
    "reviewconsole.comparedsupport",
    "reviewconsole.comparingmark",
    "reviewconsole.flagcause",
    "reviewconsole.flaggeddecision",
    "reviewconsole.indexmark",
    "reviewconsole.intakestep",
    "reviewconsole.ledgerfinding",
    "reviewconsole.ledgerrun",
    "reviewconsole.mirroredentry",
    "reviewconsole.mirroredseal",
    "reviewconsole.snooze",
    "reviewconsole.sweepcount",
    "reviewconsole.sweepmark",
    "reviewconsole.token",
    "reviewconsole.user",
}
"""Tables that hold names of accounts and projects, ids and enumerated values only."""


def erase(project_id: str, *, decisions: Ids = (), tasks: Ids = (), events: Ids = ()) -> None:
    """Drop what is kept about records that were erased.

    Nothing is kept about tasks and events themselves so far; whoever comes to keep
    something registers it here.
    """
    del tasks, events
    gone = list(decisions)
    if not gone:
        return
    for store in STORES:
        if store.erase is not None:
            store.erase(project_id, gone)


def erase_quotes(project_id: str, text: str) -> int:
    """Drop what people wrote in a project that repeats an erased text; returns how much.

    Drafts and whys are nobody's record, and whoever wrote one cannot be asked. Shorter
    texts than twelve characters stand in them by chance.
    """
    quoted = text.strip()
    if len(quoted) < SHORTEST:
        return 0
    gone = 0
    for rows in (models.Draft.objects, models.SetAside.objects, models.Claim.objects):
        own = rows.filter(project_id=project_id)
        quoting = [row.pk for row in own.iterator() if quoted in _written(row)]
        gone += own.filter(pk__in=quoting).delete()[0]
    whys = models.BulkWhy.objects.filter(bulk__project_id=project_id, text__contains=quoted)
    views = models.SavedView.objects.filter(project_id=project_id, name__contains=quoted)
    return gone + whys.delete()[0] + views.delete()[0] + _cut_instructions(project_id, quoted)


def _cut_instructions(project_id: str, quoted: str) -> int:
    """Take a text out of what a manager wrote for all, which goes on without it."""
    settled = models.ProjectSettings.objects.filter(project_id=project_id).first()
    if settled is None or quoted not in settled.instructions:
        return 0
    settled.instructions = settled.instructions.replace(quoted, "…")
    settled.save()
    return 1


def _written(row: Draft | SetAside | Claim) -> str:
    if isinstance(row, Draft):
        return "\n".join(value for values in row.typed.values() for value in values)
    return row.why


def search(text: str) -> list[tuple[str, str]]:
    """Where a text stands, as pairs of a store's name and a row's key; for proofs, not for pages."""
    return [found for store in STORES for found in store.find(text)]
