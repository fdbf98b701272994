"""Every sample page by name."""

from tests.look.document_samples import document_pages
from tests.look.find_samples import find_pages
from tests.look.intake_samples import intake_pages
from tests.look.samples import Page, decision_pages, other_pages
from tests.look.task_samples import task_pages
from tests.look.verdict_samples import verdict_pages

__all__ = ["all_pages"]


def all_pages() -> dict[str, Page]:
    """Every sample page by name."""
    return (
        decision_pages()
        | other_pages()
        | task_pages()
        | document_pages()
        | verdict_pages()
        | find_pages()
        | intake_pages()
    )
