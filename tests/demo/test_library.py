"""How a quote is found in a text."""

import pytest

from reviewconsole.demo.library import QuoteNotFound, find_quote

TEXT = "One plug feeds one\ntrailer. Two are spare.\n\nTwo people lift it."


def test_a_quote_is_found_over_a_line_break() -> None:
    """A text may be set in other lines than the quote."""
    start, end = find_quote("feeds one trailer.", TEXT)
    assert TEXT[start:end] == "feeds one\ntrailer."


def test_dots_stand_for_what_lies_between() -> None:
    """Long passages are named by their beginning and their end."""
    start, end = find_quote("One plug … spare.", TEXT)
    assert TEXT[start:end] == "One plug feeds one\ntrailer. Two are spare."


@pytest.mark.parametrize("quote", ["three", "Two", "spare. … lift"])
def test_a_quote_that_is_missing_ambiguous_or_over_paragraphs_is_an_error(quote: str) -> None:
    """Wrong content must not be recorded."""
    with pytest.raises(QuoteNotFound):
        find_quote(quote, TEXT)
