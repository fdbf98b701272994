"""The table of the first seed has no empty row, and what it names is there."""

import ast
from functools import cache
from typing import Any

import pytest

from tests.seed.render import PAGE, ROOT, page, rules

RULES = rules()
IDS = [rule["id"] for rule in RULES]


@cache
def functions_of(path: str) -> frozenset[str]:
    """The test functions of a file."""
    tree = ast.parse((ROOT / path).read_text())
    return frozenset(n.name for n in tree.body if isinstance(n, ast.FunctionDef))


def there(test: str) -> bool:
    """Whether a node id names a test file, or a test of one."""
    path, _, name = test.partition("::")
    named = name.split("[")[0]
    return (ROOT / path).is_file() and (not name or named in functions_of(path))


def test_each_rule_has_an_id_of_its_own() -> None:
    """An id names one rule for ever."""
    assert len(set(IDS)) == len(IDS) > 75


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_no_row_is_empty(rule: dict[str, Any]) -> None:
    """Each rule has tests, and they exist."""
    assert rule["tests"]
    assert [test for test in rule["tests"] if not there(test)] == []


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_each_rule_can_be_broken_on_purpose(rule: dict[str, Any]) -> None:
    """The change fits the code at one place, and the test that must fail exists."""
    broken = rule["broken"]
    assert (ROOT / broken["file"]).read_text().count(broken["find"]) == 1
    assert broken["find"] != broken["replace"]
    assert there(broken["test"])


def test_the_page_says_what_the_table_says() -> None:
    """It is made from it."""
    assert PAGE.read_text() == page()
