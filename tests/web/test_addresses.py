"""Names of any text become one path segment and come back."""

from urllib.parse import unquote

import pytest
from django.urls import resolve
from hypothesis import given
from hypothesis import strategies as st

from reviewconsole.addresses import from_segment, queue_url, task_url, tasks_url, to_segment

AWKWARD = [
    "a/b",
    "..",
    ".",
    "",
    "~",
    "a~2Fb",
    "Kühl kette",
    "价格/规则",
    "%2F",
    "a?b#c",
    "a\nb",
    "e\u0301",
]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_name_comes_back_from_its_segment(name: str) -> None:
    """Whatever an agent called its project can be linked."""
    assert from_segment(to_segment(name)) == name


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_segment_holds_nothing_that_servers_or_browsers_rewrite(name: str) -> None:
    """No slash, no percent sign, never a dot segment, never empty."""
    segment = to_segment(name)
    assert segment
    assert not set(segment) & set("/\\%?#; ")
    assert not segment.startswith(".")


@pytest.mark.parametrize("segment", ["~2f", "~41", "a b", "~FF", "~2", "x~", ".a"])
def test_a_segment_that_writes_no_name_is_no_address(segment: str) -> None:
    """Each name has one address, so nothing is shown at a second one."""
    with pytest.raises(ValueError, match=r".*"):
        from_segment(segment)


@pytest.mark.parametrize("name", AWKWARD)
def test_an_awkward_project_is_reached_through_the_url_table(name: str) -> None:
    """The address that we print routes back to the same project."""
    assert resolve(unquote(queue_url(name))).kwargs == {"project": name}


def test_a_task_without_a_name_is_found_among_the_tasks() -> None:
    """A deleted task has none any more, and no page."""
    assert task_url("p/q", "") == tasks_url("p/q")


@pytest.mark.parametrize("name", [name for name in AWKWARD if name])
def test_an_awkward_task_is_reached_through_the_url_table(name: str) -> None:
    """The same holds for tasks, whose names agents choose."""
    found = resolve(unquote(task_url("p/q", name)))
    assert found.kwargs == {"project": "p/q", "task_name": name}
