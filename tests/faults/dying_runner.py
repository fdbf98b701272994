"""A runner of jobs that is killed at one commit of a deletion.

    python -m tests.faults.dying_runner <number> <point> <project>

The environment names the graph. Run by `test_killed_jobs.py`.
"""

import os
import signal
import sys

from graphstore import Settings, connect
from graphstore.changeset import Changeset, Committed
from graphstore.records import Actor
from graphstore.running import finish_jobs
from graphstore.verbs import Verb
from tests.contract.world import Wrapped

BEFORE, AFTER = "before-commit", "after-commit"


class Counting(Wrapped):
    """Ends its process at the commit of that number, on one side of it."""

    number = 0
    point = AFTER

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        """Commit, until it is time to die."""
        self.number -= 1
        if self.number > 0:
            return super().commit(verb, changeset)
        if self.point == AFTER:
            super().commit(verb, changeset)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def main(number: int, point: str, project: str) -> None:
    """Run the project's jobs and die on the way."""
    store = Counting(connect(Settings.from_env(os.environ)))
    store.number, store.point = number, point
    finish_jobs(store, project, Actor(agent_id="runner", door="job"))


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
