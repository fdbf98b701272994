"""Verify the ledger, and say in the exit code whether it is whole."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from graphstore.faults import StoreFault
from graphstore.review_feed import list_projects
from reviewconsole.ledger_check import advance, begin
from reviewconsole.ledger_models import LedgerFinding, LedgerRun
from reviewconsole.ledger_words import MEANINGS, OTHERS, named
from reviewconsole.stores import store


class Command(BaseCommand):
    help = (
        "Verify the ledger of a project, or of all: seals what waits, then looks at every "
        "entry, its copy and the decision that it recorded. Exits with 1 when anything is found."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", nargs="?", help="the project's id; all when left out")
        parser.add_argument("--json", action="store_true", help="one JSON object a project")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            wanted = options["project"]
            known = [one.project_id for one in list_projects(store())]
            if wanted and wanted not in known:
                raise CommandError(f"The graph has no project {wanted}.", returncode=2)
            runs = [self._verify(name) for name in ([wanted] if wanted else known)]
        except StoreFault as fault:
            raise CommandError(str(fault), returncode=2) from None
        for run in runs:
            self.stdout.write(_as_json(run) if options["json"] else _as_words(run))
        if found := sum(run.found for run in runs):
            raise CommandError(f"{found:,} findings.", returncode=1)

    def _verify(self, project_id: str) -> LedgerRun:
        run = begin(project_id, "command")
        while not advance(store(), run):
            pass
        return run


def _as_words(run: LedgerRun) -> str:
    looked_at = f"{run.entries:,} entries up to number {run.reached:,}"
    compared = f"{run.conclusions:,} conclusions compared, {run.erased:,} erased"
    lines = [f"{run.project_id}: {looked_at}, {compared}, {run.found:,} findings"]
    if run.left:
        lines.append(f"  {run.left:,} decisions are gone without an entry that says so")
    lines += [
        f"  {finding.kind}: {named(finding)}. {MEANINGS[finding.kind]}"
        for finding in LedgerFinding.objects.filter(run=run).order_by("id")
    ]
    return "\n".join([*lines, f"  {OTHERS}"])


def _as_json(run: LedgerRun) -> str:
    findings = (
        LedgerFinding.objects.filter(run=run)
        .order_by("id")
        .values("kind", "entry_id", "decision_id", "sequence_number", "until")
    )
    numbers = ("entries", "reached", "conclusions", "erased", "left", "found")
    return json.dumps(
        {
            "project": run.project_id,
            **{name: getattr(run, name) for name in numbers},
            "findings": list(findings),
        }
    )
