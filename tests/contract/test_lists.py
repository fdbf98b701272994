"""Lists of decisions: every page of them, newest first, and what each filter keeps."""

from typing import Any

import pytest

from graphstore.records import ReviewState
from graphstore.store import counting
from tests.contract.paging import to_the_end
from tests.contract.seeding import Bulk, Heard, Passage, Seed, derived
from tests.contract.world import DAYS, POLICY, POLICY_15, Work

CITED = Passage("policy", POLICY, DAYS)
SAME_TIME = "2026-03-02T10:00:00.000001+00:00"


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """Two tasks and a policy; a second project with a task of the same name."""
    seed.project_node()
    seed.task("t", "How long?")
    seed.task("u")
    seed.document("policy", POLICY)
    other = Seed(seed.raw, "other", seed.ticks)
    other.project_node()
    other.task("t", "How long?")
    other.decision("days", Heard("t", 1))


def of(choices: list[str], task: str = "t") -> list[str]:
    """The ids of first decisions of these choices."""
    return [derived("Decision", derived("p", task), choice, 1) for choice in choices]


def ids(pages: list[Any]) -> list[str]:
    """The ids of decisions on these pages, in order."""
    return [str(d.id) for page in pages for d in page.decisions]


def test_a_task_lists_every_decision_once(work: Work, seed: Seed) -> None:
    """Pages of three reach the end in order, among many of one moment too."""
    before = seed.decisions([(f"early {k}", [CITED]) for k in range(4)])
    tied = seed.decisions([(f"tied {k}", [CITED]) for k in range(5)], created_at=SAME_TIME)
    seed.decision("days", task="u")
    found = to_the_end(
        lambda at: work.traces.list_decisions("t", limit=3, cursor=at).page,
    )
    assert ids(found) == [*sorted(tied, reverse=True), *reversed(before)]
    assert [len(page.decisions) for page in found] == [3, 3, 3]
    assert [page.truncated for page in found] == [True, True, False]
    assert [page.count for page in found] == [9, 9, 9]


def test_a_task_lists_history_or_what_is_active(work: Work, seed: Seed) -> None:
    """Without its history a task lists the active decisions, and counts those."""
    old = seed.decision("days", CITED, status="superseded")
    new = seed.decision("days", CITED, revision=2)
    seed.decision("place", Heard("t", 1), status="rejected")
    everything = work.traces.list_decisions("t").page
    active = work.traces.list_decisions("t", include_history=False).page
    assert ids([everything])[1:] == [new, old]
    assert (everything.count, ids([active]), active.count) == (3, [new], 1)
    assert active.decisions[0].supports == work.get(new).supports
    assert [s.kind for s in active.decisions[0].supports] == ["document"]


def test_only_tasks_of_the_project_are_listed(work: Work) -> None:
    """A task without decisions has an empty page, one of another project is not found."""
    seen = [work.traces.list_decisions(name) for name in ("t", "nowhere")]
    assert [(one.found, one.page.count) for one in seen] == [(True, 0), (False, 0)]
    assert work.within("other").traces.list_decisions("t").page.count == 1


def test_a_task_list_is_one_read_and_counts_to_a_thousand(work: Work, seed: Seed) -> None:
    """However many decisions a task has, a page is one round trip and the count is capped."""
    many = Bulk(seed.raw, ticks=seed.ticks)
    many.decisions([(f"choice {k}", []) for k in range(1005)])
    many.flush()
    with counting() as trips:
        page = work.traces.list_decisions("t", limit=1000).page
    assert (len(page.decisions), page.count, page.truncated, trips.count) == (100, 1000, True, 1)


FILTERS: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {"a", "b", "c", "d", "e"}),
    ({"author": "bob"}, {"b", "e"}),
    ({"status": "active"}, {"a", "b", "d", "e"}),
    ({"status": "rejected"}, {"c"}),
    ({"review_state": "needs_review"}, {"d"}),
    ({"review_state": "clear"}, {"a", "b", "c", "e"}),
    ({"review_state": "unknown"}, set()),
    ({"choice_key": "place"}, {"b", "d"}),
    ({"task_name": "u"}, {"d", "e"}),
    ({"choice_key": "place", "task_name": "u"}, {"d"}),
    ({"task_name": "u", "author": "bob"}, {"e"}),
    ({"author": "bob", "review_state": "needs_review"}, set()),
    ({"author": "agent", "status": "rejected"}, {"c"}),
    ({"task_name": "nowhere"}, set()),
    ({"choice_key": "place", "task_name": "nowhere"}, set()),
    ({"choice_key": "plac"}, set()),
    ({"status": "undecided"}, set()),
    ({"review_state": "seen"}, set()),
]


@pytest.fixture
def five(seed: Seed) -> dict[str, str]:
    """Five decisions by a letter each."""
    return {
        "a": seed.decision("days", CITED),
        "b": seed.decision("place", Heard("t", 1), author="bob"),
        "c": seed.decision("price", status="rejected"),
        "d": seed.decision("place", task="u", review_state="needs_review"),
        "e": seed.decision("days", task="u", author="bob"),
    }


@pytest.mark.parametrize(("filters", "kept"), FILTERS, ids=[str(f) for f, _ in FILTERS])
def test_a_browse_keeps_what_is_all_that_is_asked(
    filters: dict[str, Any], kept: set[str], work: Work, five: dict[str, str]
) -> None:
    """Each filter, and filters together, keep the decisions they name, newest first."""
    with counting() as trips:
        page = work.traces.browse_decisions(**filters)
    assert ids([page]) == [five[letter] for letter in sorted(kept, reverse=True)]
    assert (page.count, page.truncated, page.next_cursor) == (len(kept), False, None)
    assert trips.count <= 1


WAYS: list[dict[str, Any]] = [
    {},
    {"author": "agent"},
    {"task_name": "t"},
    {"choice_key": "days"},
    {"status": "active"},
]


@pytest.mark.parametrize("way", WAYS, ids=[str(way) for way in WAYS])
def test_a_browse_reaches_every_decision_once(way: dict[str, Any], work: Work, seed: Seed) -> None:
    """By each index, pages of three reach the end in order, among many of one moment too."""
    early = seed.decisions([("days", [])] * 1 + [(f"early {k}", []) for k in range(3)])
    flagged = {"review_state": "needs_review", "created_at": SAME_TIME}
    tied = [seed.decision("days", revision=k, created_at=SAME_TIME) for k in range(2, 6)]
    tied += [seed.decision("days", revision=k, **flagged) for k in range(6, 9)]
    expected = [*sorted(tied, reverse=True), *reversed(early)]
    wanted = {"choice_key": [i for i in expected if i not in early[1:]]}
    found = to_the_end(lambda at: work.traces.browse_decisions(**way, limit=3, cursor=at))
    assert ids(found) == wanted.get("".join(way), expected)
    assert {page.count for page in found} == {len(ids(found))}


def test_a_browse_shows_who_decided_what_on_what(work: Work, five: dict[str, str]) -> None:
    """A row has its task's name and its supports."""
    (row,) = work.traces.browse_decisions(choice_key="days", task_name="t").decisions
    assert (row.task_name, [s.kind for s in row.supports]) == ("t", ["document"])


def test_nothing_is_clear_while_flags_travel(work: Work, seed: Seed, five: dict[str, str]) -> None:
    """While the project's queue is not drained, what is stored as clear is listed as unknown."""
    seed.raw.run("MATCH (q:Project {project_id: 'p'}) SET q.review_incomplete = true", {})
    clear, unknown, flagged = (
        work.traces.browse_decisions(review_state=state)
        for state in ("clear", "unknown", "needs_review")
    )
    assert ids([clear]) == []
    assert ids([unknown]) == [five[letter] for letter in "ecba"]
    assert {d.review_state for d in unknown.decisions} == {ReviewState.UNKNOWN}
    assert ids([flagged]) == [five["d"]]
    assert {d.review_state for d in work.traces.list_decisions("t").page.decisions} == {
        ReviewState.UNKNOWN
    }


def test_another_project_is_not_browsed(work: Work) -> None:
    """A project lists its own decisions, and an unknown one none."""
    assert work.traces.browse_decisions().count == 0
    assert work.within("other").traces.browse_decisions().count == 1
    assert work.within("nowhere").traces.browse_decisions().count == 0


def test_a_browse_counts_to_a_thousand(work: Work, seed: Seed) -> None:
    """The count stops at 1,000, whatever the filter."""
    many = Bulk(seed.raw, ticks=seed.ticks)
    many.decisions([(f"choice {k}", []) for k in range(1005)])
    many.flush()
    pages = [
        work.traces.browse_decisions(limit=1000, **way)
        for way in ({}, {"author": "agent"}, {"task_name": "t"})
    ]
    assert {(len(page.decisions), page.count, page.truncated) for page in pages} == {
        (100, 1000, True)
    }


def test_an_invented_cursor_is_refused(work: Work) -> None:
    """A cursor that no page gave is a mistake of the caller."""
    with pytest.raises(ValueError, match="cursor"):
        work.traces.browse_decisions(cursor="somewhere")


def test_all_supports_are_listed_by_ordinal(work: Work, seed: Seed) -> None:
    """Archived supports stay in the history, in the order in which they were added."""
    made = seed.decision("days", CITED, Heard("t", 1))
    seed.raw.run(
        "MATCH (:Decision {id: $id})-[:HAS_SUPPORT]->(s {ordinal: 0}) SET s.current = false, "
        "s.reviewed_by = 'person:1', s.reviewed_at = $at, s.review_explanation = 'Moved.'",
        {"id": made, "at": SAME_TIME},
    )
    _append(seed, made, Passage("policy", POLICY_15, "paid within 15 days", seq=2), 2)
    pages = to_the_end(
        lambda after: work.traces.list_support_history(
            made, limit=2, **({} if after is None else {"after_ordinal": after})
        ),
        by="next_after_ordinal",
    )
    found = [s for page in pages for s in page.supports]
    assert [(s.ordinal, s.kind, s.current) for s in found] == [
        (0, "document", False),
        (1, "event", True),
        (2, "document", True),
    ]
    assert (found[0].reviewed_by, found[0].review_explanation) == ("person:1", "Moved.")
    assert [page.truncated for page in pages] == [True, False]


def _append(seed: Seed, decision_id: str, cited: Passage, ordinal: int) -> None:
    props = seed._support(decision_id, ordinal, cited)  # noqa: SLF001 - the one place that needs it  # pyright: ignore[reportPrivateUsage]
    seed.create("DecisionSupport", [props])
    seed.link("Decision", "HAS_SUPPORT", "DecisionSupport", [(decision_id, props["id"])])


def test_supports_of_others_are_not_listed(work: Work, seed: Seed) -> None:
    """A decision of another project, or none, has no supports here."""
    made = seed.decision("days", CITED)
    there = work.within("other").traces.list_support_history(made)
    assert (there.supports, there.truncated) == ([], False)
    assert work.traces.list_support_history("nothing").supports == []
