"""Conflicts: found by their counts, confirmed on the decisions, read a page at a time."""

import pytest

from graphstore.records import ReviewState
from graphstore.results import ConflictGroup
from graphstore.store import counting
from tests.contract.paging import to_the_end
from tests.contract.seeding import Bulk, Heard, Seed, derived
from tests.contract.world import Work


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """Three tasks with an event each."""
    seed.project_node()
    for name in ("t", "u", "v"):
        seed.task(name, "How long?")


def decide(seed: Seed, choice: str, **conclusions: str) -> list[str]:
    """A decision of each task on one choice, counted as the console counts."""
    made = [
        seed.decision(choice, Heard(task, 1), task=task, conclusion=says)
        for task, says in conclusions.items()
    ]
    seed.counted(choice, *conclusions.values())
    return made


def keys(groups: list[ConflictGroup]) -> list[str]:
    """The choice keys of groups."""
    return [group.choice_key for group in groups]


def test_a_conflict_shows_its_decisions(work: Work, seed: Seed) -> None:
    """All active decisions on the choice stand in it, newest first, with tasks and supports."""
    made = decide(seed, "days", t="30", u="15", v="30")
    seed.decision("days", task="t", revision=2, conclusion="99", status="rejected")
    with counting() as trips:
        (group,) = work.traces.list_conflicts().groups
    assert [str(d.id) for d in group.decisions] == made[::-1]
    assert [d.task_name for d in group.decisions] == ["v", "u", "t"]
    assert {s.kind for d in group.decisions for s in d.supports} == {"event"}
    assert (group.choice_key, group.tasks, group.sides, group.truncated) == ("days", 3, 2, False)
    assert trips.count == 1


def test_a_count_alone_is_no_conflict(work: Work, seed: Seed) -> None:
    """A choice whose decisions agree, are of one task or are retired is left out of the list."""
    decide(seed, "days", t="30", u="15")
    decide(seed, "agreed", t="30", u="30")
    seed.raw.run("MATCH (c:CtxChoice {choice_key: 'agreed'}) SET c.stances = 2", {})
    decide(seed, "alone", t="30")
    seed.decision("alone", task="t", revision=2, conclusion="15")
    seed.raw.run("MATCH (c:CtxChoice {choice_key: 'alone'}) SET c.stances = 2", {})
    decide(seed, "over", t="30", u="15")
    seed.raw.run(
        "MATCH (d:Decision {choice_key: 'over', conclusion: '15'}) SET d.status = 'rejected'", {}
    )
    assert keys(work.traces.list_conflicts().groups) == ["days"]
    assert work.traces.count_conflicts() == 4


def test_conflicts_arise_and_go_with_verdicts(work: Work) -> None:
    """Two tasks that decide differently are in conflict until one decision is rejected."""
    work.record("days", Heard("t", 1), says="30")
    other = work.record("days", Heard("u", 1), task="u", says="15")
    assert (keys(work.traces.list_conflicts().groups), work.traces.count_conflicts()) == (
        ["days"],
        1,
    )
    assert work.traces.reject_decision(other.id, "It is 30.").recorded
    assert (work.traces.list_conflicts().groups, work.traces.count_conflicts()) == ([], 0)
    settled = work.traces.get_conflict("days")
    assert settled is not None
    assert [d.conclusion for d in settled.decisions] == ["30"]


def test_every_conflict_is_reached_once(work: Work, seed: Seed) -> None:
    """Pages by choice key reach the end in order; one that is none any more leaves no gap."""
    for k in range(7):
        decide(seed, f"choice {k}", t="30", u="15")
    seed.raw.run(
        "MATCH (d:Decision {choice_key: 'choice 3', conclusion: '15'}) SET d.status = 'rejected'",
        {},
    )
    pages = to_the_end(lambda at: work.traces.list_conflicts(limit=2, cursor=at))
    assert [keys(page.groups) for page in pages] == [
        ["choice 0", "choice 1"],
        ["choice 2"],
        ["choice 4", "choice 5"],
        ["choice 6"],
    ]
    assert [page.truncated for page in pages] == [True, True, True, False]


def test_conflicts_of_any_script_are_reached(work: Work, seed: Seed) -> None:
    """Keys outside ASCII have their place among the others; FalkorDB's index forgets them."""
    for key in ("a", "z", "Größe", "é", "温度"):
        decide(seed, key, t="30", u="15")
    pages = to_the_end(lambda at: work.traces.list_conflicts(limit=2, cursor=at))
    found = [key for page in pages for key in keys(page.groups)]
    assert found == ["Größe", "a", "z", "é", "温度"]


def test_a_page_of_conflicts_is_one_read(work: Work, seed: Seed) -> None:
    """Fifty conflicts cost as many round trips as one."""
    for k in range(60):
        decide(seed, f"choice {k:02}", t="30", u="15")
    with counting() as trips:
        page = work.traces.list_conflicts(limit=1000)
    assert (len(page.groups), page.next_cursor, trips.count) == (50, "choice 49", 1)


def test_a_large_conflict_shows_each_side(work: Work, seed: Seed) -> None:
    """Of more than fifty decisions fifty are shown; the oldest side, of one decision, among them."""
    lonely = seed.decision("days", task="t", conclusion="15")
    many = Bulk(seed.raw, ticks=seed.ticks)
    for k in range(210):
        many.task(f"task {k}")
        many.decision("days", task=f"task {k}", conclusion="30")
    many.flush()
    seed.counted("days", "15", "30")
    (group,) = work.traces.list_conflicts().groups
    one = work.traces.get_conflict("days")
    assert one is not None
    assert (len(group.decisions), group.truncated, len(one.decisions), one.truncated) == (
        50, True, 200, True,
    )  # fmt: skip
    for shown in (group.decisions, one.decisions):
        assert str(shown[-1].id) == lonely
        assert shown == sorted(shown, key=lambda d: d.created_at, reverse=True)


def test_one_choice_is_read_whether_it_is_in_conflict_or_not(work: Work, seed: Seed) -> None:
    """A choice with one decision has it, one whose decisions are retired is empty, others are none."""
    decide(seed, "days", t="30")
    seed.decision("gone", conclusion="30", status="rejected")
    days, gone = work.traces.get_conflict("days"), work.traces.get_conflict("gone")
    assert days is not None
    assert gone is not None
    assert (len(days.decisions), gone.decisions) == (1, [])
    assert work.traces.get_conflict("never") is None
    assert work.within("nowhere").traces.get_conflict("days") is None


def test_conflicts_of_others_are_not_seen(work: Work, seed: Seed) -> None:
    """Another project has its own choices under the same keys."""
    decide(seed, "days", t="30", u="15")
    other = Seed(seed.raw, "other", seed.ticks)
    other.project_node()
    other.task("t", "How long?")
    other.decision("days", conclusion="15")
    there = work.within("other").traces
    assert (there.list_conflicts().groups, there.count_conflicts()) == ([], 0)
    group = there.get_conflict("days")
    assert group is not None
    assert [d.task_id.hex for d in group.decisions] == [derived("other", "t").replace("-", "")]


def test_conflicts_read_unknown_while_flags_travel(work: Work, seed: Seed) -> None:
    """No side of a conflict reads clear while the project's queue is not drained."""
    decide(seed, "days", t="30", u="15")
    seed.raw.run("MATCH (q:Project {project_id: 'p'}) SET q.review_incomplete = true", {})
    (group,) = work.traces.list_conflicts().groups
    assert {d.review_state for d in group.decisions} == {ReviewState.UNKNOWN}


def test_conflicts_are_counted_to_a_thousand(work: Work, seed: Seed) -> None:
    """The count stops at 1,000 and is one round trip."""
    rows = [
        {"id": f"c{k}", "project_id": "p", "choice_key": f"choice {k}", "stances": 2}
        for k in range(1010)
    ]
    seed.create("CtxChoice", rows)
    with counting() as trips:
        assert work.traces.count_conflicts() == 1000
    assert trips.count == 1
