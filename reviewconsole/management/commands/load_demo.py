"""Load the demo project and print its sign-ins."""

import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from graphstore.faults import StoreFault
from reviewconsole import review_index
from reviewconsole.demo.accounts import seat_everybody, sign_ins
from reviewconsole.demo.loading import DemoLoader, DemoRefused, is_complete
from reviewconsole.demo.script import Entry, read_script
from reviewconsole.stores import store

CATCH_UPS = 50
"""Slices of the index after which the rest is left to the first page."""


class Command(BaseCommand):
    help = (
        "Load the demo project into an empty graph and make its accounts. Done once; "
        "stopped at any point, it goes on from there."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--sign-ins", action="store_true", help="print the demo's sign-ins and load nothing"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(
                "The demo has passwords that everybody can read. Set RC_DEMO=1 to allow it."
            )
        if options["sign_ins"]:
            self.stdout.write("Sign in as one of these (name, password):")
            for line in sign_ins():
                self.stdout.write(f"  {line}")
        else:
            self._load()

    def _load(self) -> None:
        try:
            people = seat_everybody()
            if is_complete(store()):
                self.stdout.write("The demo project is there already. Nothing to do.")
                return
            began = time.monotonic()
            self._chapter = ""
            DemoLoader(store(), people, flagged=self._index, progress=self._show).play()
            for project_id in dict.fromkeys(entry.project for entry in read_script()):
                self._index(project_id)
        except (DemoRefused, StoreFault) as reason:
            raise CommandError(str(reason)) from None
        spent = time.monotonic() - began
        self.stdout.write(self.style.SUCCESS(f"The demo project is loaded ({spent:.0f} s)."))
        self.stdout.write("`manage.py load_demo --sign-ins` prints who may sign in.")

    def _show(self, entry: Entry) -> None:
        if entry.chapter != self._chapter:
            self._chapter = entry.chapter
            done = f"{entry.number} of {len(read_script())}"
            self.stdout.write(f"{done:>10}  {entry.chapter[3:].replace('-', ' ')}")
            self.stdout.flush()

    def _index(self, project_id: str) -> None:
        """Let the review index see each wave of flags, so that it knows what was cleared."""
        for _ in range(CATCH_UPS):
            if review_index.catch_up(store(), project_id):
                return
