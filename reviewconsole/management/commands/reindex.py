"""Make the review index anew from the graph."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from graphstore.faults import StoreFault
from graphstore.review_feed import list_projects
from reviewconsole import review_index
from reviewconsole.stores import store
from reviewconsole.waiting import capped, waiting


class Command(BaseCommand):
    help = (
        "Make the review index of a project anew from the graph, or of all. "
        "Drafts and access stay; the queue can be used meanwhile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", nargs="?", help="the project's id; all when left out")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            wanted = options["project"]
            projects = [wanted] if wanted else [one.project_id for one in list_projects(store())]
            for project_id in projects:
                self._rebuild(project_id)
        except StoreFault as fault:
            raise CommandError(str(fault)) from None

    def _rebuild(self, project_id: str) -> None:
        if not review_index.rebuild(store(), project_id):
            raise CommandError(f"{project_id} is being brought up to date just now; try again.")
        number, more = capped(waiting(project_id))
        self.stdout.write(f"{project_id}: {number:,}{'+' if more else ''} decisions wait")
        self.stdout.flush()
