"""Record from a shell: one call from the arguments, or one from each line of the input."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from graphstore.faults import StoreFault
from reviewconsole.jobs import catch_up_later
from reviewconsole.shell_calls import OPERATIONS, CallRefused, Shell
from reviewconsole.stores import store


class Command(BaseCommand):
    help = (
        "Carry out writes of the record. Without an operation, each line of the input is one, "
        'as JSON: {"operation": "create_task", "task_name": "audit", "goal": "Find out."}. '
        "Each result is one line of JSON. Ends with 1 when a write was refused; the lines "
        "after it are carried out all the same."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("operation", nargs="?", choices=list(OPERATIONS), metavar="operation")
        parser.add_argument(
            "arguments",
            nargs="*",
            metavar="name=value",
            help="a value that is JSON counts as such, anything else as text",
        )
        parser.add_argument("--project", required=True)
        parser.add_argument("--agent", required=True, help="the author, for example agent:import")

    def handle(self, *_args: Any, **options: Any) -> None:
        shell = Shell(store(), options["project"], options["agent"])
        refused = 0
        try:
            for number, line in enumerate(_lines(options), 1):
                refused += self._run(shell, number, line)
        except StoreFault as fault:
            raise CommandError(str(fault)) from None
        finally:
            catch_up_later(options["project"])
        if refused:
            raise CommandError(f"{refused} refused.", returncode=1)

    def _run(self, shell: Shell, number: int, text: str) -> bool:
        """Whether the call was refused."""
        try:
            result = shell.run(_call(text))
        except CallRefused as refused:
            raise CommandError(f"Line {number}: {refused}", returncode=2) from None
        self.stdout.write(result.model_dump_json())
        self.stdout.flush()
        return not result.recorded


def _lines(options: dict[str, Any]) -> Iterator[str]:
    if options["operation"] is None:
        yield from (line for line in sys.stdin if line.strip())
    else:
        pairs = dict(_pair(one) for one in options["arguments"])
        yield json.dumps({**pairs, "operation": options["operation"]})


def _pair(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"Write {text!r} as name=value.", returncode=2)
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _call(text: str) -> dict[str, Any]:
    try:
        call = json.loads(text)
    except ValueError:
        raise CallRefused("this is no JSON.") from None
    if not isinstance(call, dict):
        raise CallRefused("this is no JSON object.")
    return call
