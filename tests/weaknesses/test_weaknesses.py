"""The table of the library's weaknesses has no empty row, and what it names is there."""

from typing import Any

import pytest

from tests.seed.test_coverage import there
from tests.weaknesses.render import PAGE, page, weaknesses

ALL = weaknesses()


def test_each_weakness_has_its_row() -> None:
    """Numbered as they were found, none left out."""
    assert [one["number"] for one in ALL] == list(range(1, 37))


@pytest.mark.parametrize("one", ALL, ids=lambda one: str(one["number"]))
def test_no_row_is_empty(one: dict[str, Any]) -> None:
    """It says what happens here and whether that is better, and its tests exist."""
    assert one["theirs"]
    assert one["ours"]
    assert one["better"] in {"yes", "partly", "no"}
    assert one["tests"]
    assert [test for test in one["tests"] if not there(test)] == []


def test_the_page_says_what_the_table_says() -> None:
    """It is made from it."""
    assert PAGE.read_text() == page()
