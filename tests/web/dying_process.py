"""A console process of its own that is killed at one point of a verdict, or that looks afterwards.

    python -m tests.web.dying_process die <point>     rejects `days` and never returns
    python -m tests.web.dying_process look            prints what the queue shows, as JSON

The environment names graph and database. Run by `test_killed.py`.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import django


def die(*_args: Any, **_options: Any) -> None:
    """Ends this process as `kill -9` does: no cleaning up, no last words."""
    os.kill(os.getpid(), signal.SIGKILL)


def points() -> dict[str, Callable[[], None]]:
    """Where a process can die after the graph has the verdict, in order."""
    from reviewconsole import review_index, verdicts
    from reviewconsole.views import decision

    return {
        "before anything is stored here": lambda: setattr(decision, "follow_up", die),
        "before the news is taken": lambda: setattr(verdicts, "catch_up", die),
        "before the rows are stored": lambda: setattr(review_index, "apply_states", die),
        "before the graph is told": lambda: setattr(review_index, "close", die),
    }


def give_a_verdict_and_die(point: str) -> None:
    from django.test import Client

    from reviewconsole.models import User
    from reviewconsole.stores import store
    from tests.web.browsing import judge, open_queue
    from tests.web.world import World

    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    world = World(store())
    world.shorten_policy()
    open_queue(client)
    points()[point]()
    judge(client, world.days, "reject", explanation="Wrong.")
    # The verdict's own answer does not wait for the graph to be told; the next page does.
    open_queue(client)


def look() -> None:
    from django.test import Client

    from reviewconsole.models import IndexMark, User
    from tests.web.browsing import open_queue

    # The dead process may have held the lease; waiting it out would only cost time.
    IndexMark.objects.update(lease_until_us=0)
    client = Client()
    client.force_login(User.objects.get())
    rows = open_queue(client).context["rows"]
    json.dump([(row["decision"].conclusion, row["reason_words"]) for row in rows], sys.stdout)


if __name__ == "__main__":
    django.setup()
    # Contexts of templates are recorded by the test environment alone.
    from django.test.utils import setup_test_environment

    setup_test_environment()
    if sys.argv[1] == "die":
        give_a_verdict_and_die(sys.argv[2])
    else:
        look()
