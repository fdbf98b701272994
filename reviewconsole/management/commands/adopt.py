"""Take up a graph that other writers filled."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from graphstore.adoption import adopt_slice
from graphstore.faults import StoreFault
from graphstore.review_feed import list_projects
from reviewconsole import review_index
from reviewconsole.models import IndexMark
from reviewconsole.stores import store
from reviewconsole.waiting import capped, waiting


class Command(BaseCommand):
    help = (
        "Find the projects of an existing graph and add what lists and the queue need. "
        "Stopped at any point, it goes on from there."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        try:
            projects = [known.project_id for known in list_projects(store())]
            for project_id in projects:
                self._adopt(project_id)
                self._index(project_id)
        except StoreFault as fault:
            raise CommandError(str(fault)) from None
        if not projects:
            self.stdout.write("The graph has no projects yet. Nothing to do.")

    def _adopt(self, project_id: str) -> None:
        """Slice by slice; the place is kept after each, so a stop costs one slice."""
        mark, _ = IndexMark.objects.get_or_create(project_id=project_id)
        taken = 0
        while not mark.adopted:
            done = adopt_slice(store(), project_id, mark.adopt_cursor or None)
            taken += done.decisions
            mark.adopt_cursor, mark.adopted = done.cursor or "", done.cursor is None
            mark.save(update_fields=["adopt_cursor", "adopted"])
            self.stdout.write(f"{project_id}: {taken:,} decisions taken up")
            self.stdout.flush()

    def _index(self, project_id: str) -> None:
        while not review_index.catch_up(store(), project_id):
            self._count(project_id)
        self._count(project_id)

    def _count(self, project_id: str) -> None:
        number, more = capped(waiting(project_id))
        self.stdout.write(f"{project_id}: {number:,}{'+' if more else ''} decisions wait")
        self.stdout.flush()
