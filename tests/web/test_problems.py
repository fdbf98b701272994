"""No refusal and no fault reaches a person as a bare code."""

import pytest
from django.test import RequestFactory

from graphstore import faults
from graphstore.refusals import WriteErrorCode
from graphstore.results import BlockedBy, Blocker, ReaffirmDecisionResult
from reviewconsole import problems
from reviewconsole.pages import MARK
from reviewconsole.problems import BLOCKED, FAULTS, REFUSALS, Problem
from reviewconsole.views.problems import broken

FAULT_CLASSES = [
    kind
    for kind in vars(faults).values()
    if isinstance(kind, type)
    and issubclass(kind, faults.StoreFault)
    and kind is not faults.StoreFault
]
ROWS = [*REFUSALS.values(), *FAULTS.values()]


@pytest.mark.parametrize("code", WriteErrorCode)
def test_every_refusal_has_a_row(code: WriteErrorCode) -> None:
    """A new code without its sentence fails here."""
    assert code in REFUSALS


@pytest.mark.parametrize("kind", FAULT_CLASSES)
def test_every_fault_has_a_row(kind: type[faults.StoreFault]) -> None:
    """A new fault without its sentence fails here."""
    assert kind in FAULTS


@pytest.mark.parametrize("cause", BlockedBy)
def test_every_cause_that_blocks_has_a_sentence_that_names_the_support(cause: BlockedBy) -> None:
    """`cannot_revalidate` always says which support and what would make it possible."""
    assert "{label}" in BLOCKED[cause]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_a_row_says_what_happened_and_what_to_do(row: Problem) -> None:
    """Both are whole sentences, and the status is an error."""
    assert row.sentence.endswith(".")
    assert row.what_to_do.endswith(".")
    assert row.status in {403, 404, 409, 422, 500, 503}


def test_a_fault_of_a_new_subclass_gets_the_row_of_its_parent() -> None:
    """An engine may raise something narrower."""

    class Slow(faults.StoreUnavailable):
        pass

    assert problems.of_fault(Slow("x")) is FAULTS[faults.StoreUnavailable]


def test_a_label_with_braces_is_shown_as_it_is() -> None:
    """Titles are text of agents, never a format."""
    blocker = Blocker(
        support_kind="document", ref="d", label="{cause} {0}", cause=BlockedBy.DOCUMENT_REMOVED
    )
    result = ReaffirmDecisionResult(
        recorded=False, error=WriteErrorCode.CANNOT_REVALIDATE, blockers=[blocker]
    )
    assert "“{cause} {0}” was removed" in problems.details(result)[0]


def test_what_moved_is_said_in_words() -> None:
    """A page gone stale says what moved, each thing once."""
    result = ReaffirmDecisionResult(
        recorded=False, error=WriteErrorCode.MOVED, moved=["documents", "parents", "documents"]
    )
    assert problems.details(result) == [
        "A cited document has a newer version.",
        "A decision that this one stands on changed.",
    ]


def test_the_page_of_a_broken_server_takes_no_form_away() -> None:
    """It lacks the mark without which no script puts an answer into a page."""
    answer = broken(RequestFactory().post("/"))
    assert answer.status_code == 500
    assert MARK not in answer
