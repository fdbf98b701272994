"""Which process of a run gets which tests."""

from __future__ import annotations

import re

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

NEO4J = "neo4j:"
FIRST = ("tests/faults/test_engine_kills", "tests/browser/", "tests/look/")
"""What takes longest for its number of tests, so that it is not what the run ends with."""
ALONE = ("tests/contract/test_lock_waits.py", "tests/interop/test_races_of_erasure.py")
"""Files that are about Neo4j and nothing else."""
WORTH_A_SERVER = 300
"""Tests on Neo4j that must be left before a second process brings up a server for them."""


class ByEngine(LoadScopeScheduling):
    """Deals tests out a file and engine at a time; one process begins with those on Neo4j.

    Each process that meets such a test starts a server of its own, which plans every
    statement once more. So the others come to Neo4j only when nothing else is left,
    and the first to everything else only when Neo4j is done.
    """

    def _split_scope(self, nodeid: str) -> str:
        path, _, rest = nodeid.partition("::")
        _, _, params = rest.partition("[")
        on_neo4j = "neo4j" in re.split(r"[-\]]", params) or path in ALONE
        return f"{NEO4J}{path}" if on_neo4j else path

    def _assign_work_unit(self, node: WorkerController) -> None:
        scope = self._next_for(node)
        if scope is None:
            # It finishes what it has; the other process does the rest.
            node.shutdown()
            return
        self.workqueue.move_to_end(scope, last=False)
        super()._assign_work_unit(node)

    def _next_for(self, node: WorkerController) -> str | None:
        on_neo4j = [scope for scope in self.workqueue if scope.startswith(NEO4J)]
        others = [scope for scope in self.workqueue if not scope.startswith(NEO4J)]
        others.sort(key=_place)
        if node is next(iter(self.assigned_work)):
            return next(iter(on_neo4j or others), None)
        left = sum(len(self.workqueue[scope]) for scope in on_neo4j)
        return next(iter(others or (on_neo4j if left > WORTH_A_SERVER else [])), None)


def _place(scope: str) -> int:
    return next((k for k, start in enumerate(FIRST) if scope.startswith(start)), len(FIRST))
