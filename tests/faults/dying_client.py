"""A client of the record that is killed at one point of one write.

    python -m tests.faults.dying_client <operation> <point> <project>

The environment names the graph. Run by `test_kills.py`.
"""

import os
import signal
import sys

from graphstore import Settings, connect
from graphstore.changeset import Changeset, Committed
from graphstore.verbs import Verb
from tests.contract.scenario import OPERATIONS, Scene
from tests.contract.world import Work, Wrapped

BEFORE, AFTER = "before-commit", "after-commit"
REQUEST = "the only one"


class Dying(Wrapped):
    """Ends its process as `kill -9` does: between gather and commit, or before the answer arrives."""

    point = BEFORE

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        """Die on one side of the commit."""
        if self.point == AFTER:
            super().commit(verb, changeset)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def main(operation: str, point: str, project: str) -> None:
    """Call the operation with a request id and die on the way."""
    store = Dying(connect(Settings.from_env(os.environ)))
    store.point = point
    scene = Scene(project, project.partition(":")[0])
    # The raw graph is only for looking, which a dying client does not.
    OPERATIONS[operation](Work(store, None, project, "client"), scene, REQUEST)  # type: ignore[arg-type]


if __name__ == "__main__":
    main(*sys.argv[1:])
