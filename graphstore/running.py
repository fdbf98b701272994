"""Runs the jobs of a project: each call does one bounded step of the oldest that is open.

A job stands in the graph, so whoever calls this goes on where the last one stopped; two
who call it at once never do the same step twice (`RULES.md` 7).
"""

from graphstore.calls import Call
from graphstore.operations import deletion_job, flag_citers, log_rewriting
from graphstore.records import Actor
from graphstore.store import GraphStore

__all__ = ["finish_jobs", "run_slice"]


def run_slice(store: GraphStore, project_id: str, actor: Actor) -> bool:
    """One step of the project's oldest open job; returns whether anything is left to run."""
    return run_step(store, project_id, actor)[1]


def run_step(
    store: GraphStore, project_id: str, actor: Actor, *, slow: bool = True
) -> tuple[str | None, bool]:
    """As `run_slice`, with the kind of the job that was run, or None.

    Without `slow` the rewriting of the engine's log, which takes seconds, is left alone.
    """
    found = [
        row
        for row in store.read("jobs", {"project_id": project_id}, leader=True)
        if slow or row[0] != log_rewriting.KIND
    ]
    if not found:
        return None, False
    kind, identity = found[0][:2]
    more = len(found) > 1
    if kind == deletion_job.KIND:
        # The log is rewritten once the task is gone, by a job of its own.
        deletion_job.erase_part(store, project_id, actor, identity)
        return kind, True
    if kind == log_rewriting.KIND:
        log_rewriting.rewrite_log(store, project_id, actor)
        return kind, any(row[0] != log_rewriting.KIND for row in found)
    call = Call("flag_observed", project_id, actor, {})
    left = flag_citers.flag_slice(store, call, flag_citers.Job.of(found[0][1:]))
    return kind, more or left is not None


def finish_jobs(store: GraphStore, project_id: str, actor: Actor) -> None:
    """Run every open job of the project to its end, in bounded commits."""
    while run_slice(store, project_id, actor):
        pass
