"""A refusal as `shared/refusal.html` shows it."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext

from graphstore.results import WriteResult
from reviewconsole import problems
from reviewconsole.problems import Problem

__all__ = ["refusal", "refusal_of"]


def refusal(
    result: WriteResult, *, details: Sequence[str] = (), links: Sequence[dict[str, str]] = ()
) -> dict[str, Any]:
    """Why a write was refused, what exactly stood in the way, and where to go from there.

    Raises `ValueError` for a result that was recorded.
    """
    problem = problems.of_refusal(result)
    return refusal_of(str(result.error), problem) | {
        "details": [*problems.details(result), *details],
        "links": list(links),
    }


def refusal_of(code: str, problem: Problem) -> dict[str, Any]:
    return {
        "status": problem.status,
        "code": code,
        "title": gettext(problem.title),
        "sentence": gettext(problem.sentence),
        "what_to_do": gettext(problem.what_to_do),
        "details": [],
        "links": [],
    }
