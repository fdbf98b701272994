"""Reads of a project's jobs: what goes on in bounded commits, and how far it is."""

from graphstore import rows
from graphstore.erasures import RetentionJob, job_of
from graphstore.store import GraphStore

MAX_JOBS = 50


def get_job(store: GraphStore, project_id: str, job_id: str) -> RetentionJob | None:
    """One job of the project."""
    p = {"project_id": project_id, "request_id": "", "entry_id": "", "job_id": job_id}
    found = store.read("deletion_job", p)
    return job_of(rows.named("job", found[0][1])) if found else None


def list_jobs(store: GraphStore, project_id: str) -> list[RetentionJob]:
    """The project's jobs that are open or paused, oldest first, at most 50."""
    found = store.read("list_jobs", {"project_id": project_id, "limit": MAX_JOBS})
    return [job_of(rows.named("job", row[0])) for row in found]
