"""The bounded view of one task."""

from graphstore.records import TaskLookup
from graphstore.store import GraphStore


def get_task(store: GraphStore, project_id: str, task_name: str) -> TaskLookup:
    raise NotImplementedError
