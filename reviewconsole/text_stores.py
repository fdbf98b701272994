"""Whatever of the console's own database holds words that people or agents wrote.

Erasing a record in the graph must reach every copy (`RULES.md` 8), so whatever keeps
text is registered here: how its rows go by the ids of what was erased, and where a text
still stands. A test sees that no table with a text column is left out.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django_q.models import OrmQ, Schedule, Task

from reviewconsole import models
from reviewconsole.drafts import erase_drafts

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


STORES = [
    TextStore(
        "reviewconsole.draft", models.Draft.objects.all, lambda draft: [draft.typed], erase_drafts
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
    "reviewconsole.comparedsupport",
    "reviewconsole.comparingmark",
    "reviewconsole.flagcause",
    "reviewconsole.flaggeddecision",
    "reviewconsole.indexmark",
    "reviewconsole.ledgerfinding",
    "reviewconsole.ledgerrun",
    "reviewconsole.mirroredentry",
    "reviewconsole.mirroredseal",
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
    """Drop drafts of a project that repeat an erased text; returns how many.

    They are nobody's record yet, and whoever wrote one cannot be asked. Shorter texts than
    twelve characters stand in drafts by chance.
    """
    if len(text.strip()) < SHORTEST:
        return 0
    drafts = models.Draft.objects.filter(project_id=project_id)
    quoting = [draft.pk for draft in drafts.iterator() if _holds(draft.typed, text.strip())]
    return models.Draft.objects.filter(pk__in=quoting).delete()[0]


def _holds(typed: dict[str, list[str]], text: str) -> bool:
    return any(text in value for values in typed.values() for value in values)


def search(text: str) -> list[tuple[str, str]]:
    """Where a text stands, as pairs of a store's name and a row's key; for proofs, not for pages."""
    return [found for store in STORES for found in store.find(text)]
