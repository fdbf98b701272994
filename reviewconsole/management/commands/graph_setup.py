"""Create what the graph needs before anything is written: constraints and indexes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from graphstore.faults import StoreFault
from reviewconsole.stores import store


class Command(BaseCommand):
    help = "Create the graph's constraints and indexes. Repeatable; what is there stays."

    def handle(self, *_args: Any, **_options: Any) -> None:
        try:
            store().setup_schema(self.stdout.write)
        except StoreFault as fault:
            raise CommandError(str(fault)) from None
        self.stdout.write(self.style.SUCCESS("The graph is set up."))
