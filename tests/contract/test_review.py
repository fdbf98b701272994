"""Flags that travel: what a verdict carries on, what is left to the drain, and what reads until then."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest

from graphstore.faults import Contended
from graphstore.store import counting
from tests.contract.looking import Props, decision, dump, entries, nodes, project
from tests.contract.seeding import Heard, Seed, derived
from tests.contract.world import Meanwhile, Work

TASK = derived("p", "t")
CLEAR = "MATCH (d:Decision {project_id: 'p', status: 'active', review_state: 'clear'}) RETURN d.id"
QUEUED: Props = {
    "review_state": "needs_review",
    "review_reason": "source_changed",
    "review_pending": True,
}


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A task with an event."""
    seed.project_node()
    seed.task("t", "How long?")


def travelling(work: Work) -> None:
    """Mark the project as its queue requires."""
    work.raw.run("MATCH (q:Project) SET q.review_incomplete = true, q.review_epoch = 1")


def chain(seed: Seed, length: int, **first: Any) -> list[str]:
    """Decisions each of which depends on the one before."""
    made = [seed.decision("c00", Heard("t", 1), **first)]
    for k in range(1, length):
        made.append(seed.decision(f"c{k:02}", made[-1]))
    return made


def layers(seed: Seed, depth: int, width: int) -> list[list[str]]:
    """Layers of decisions, each of which depends on all of the layer before."""
    made = [[seed.decision("root", Heard("t", 1))]]
    for level in range(depth):
        below = seed.decisions([(f"l{level:02} {k}", made[-1]) for k in range(width)])
        made.append(below)
    return made


def drained(work: Work) -> int:
    """Move the queue until it is empty; how many units that took."""
    units = 0
    while moved := work.traces.continue_decision_review():
        units += moved
    return units


def patiently_drained(work: Work) -> int:
    """As `drained`, trying again when others were quicker until the deadline, as the fault says."""
    units = 0
    while True:
        try:
            moved = work.traces.continue_decision_review()
        except Contended:
            continue
        units += moved
        if not moved:
            return units


def pending(work: Work) -> list[str]:
    """What is queued."""
    found = nodes(work.raw, "Decision", review_pending=True)
    return sorted(d["choice_key"] for d in found)


# The drain.


def test_a_unit_is_one_decision_and_one_hop(work: Work, seed: Seed) -> None:
    """The queue moves as the library's does: one decision's direct dependents at a time."""
    chain(seed, 4, **QUEUED)
    travelling(work)
    assert work.traces.continue_decision_review(limit=1) == 1
    assert pending(work) == ["c01"]
    assert project(work.raw)["review_incomplete"] is True
    assert work.traces.continue_decision_review(limit=2) == 2
    assert pending(work) == ["c03"]
    assert drained(work) == 1
    assert pending(work) == []
    assert project(work.raw)["review_incomplete"] is False
    assert work.raw.run(CLEAR) == []


def test_the_oldest_goes_first(work: Work, seed: Seed) -> None:
    """What waits longest by its creation is expanded first."""
    old = seed.decision("old", Heard("t", 1), **QUEUED)
    new = seed.decision("new", Heard("t", 1), **QUEUED)
    below_new, below_old = seed.decision("below new", new), seed.decision("below old", old)
    travelling(work)
    work.traces.continue_decision_review(limit=1)
    assert decision(work.raw, below_old)["review_state"] == "needs_review"
    assert decision(work.raw, below_new)["review_state"] == "clear"


def test_what_the_drain_sets(work: Work, seed: Seed) -> None:
    """Dependents get the reason, the causes and a time; what was flagged keeps its reason."""
    root = seed.decision("root", Heard("t", 1), **QUEUED, ctx_causes=["event:x"])
    fresh = seed.decision("fresh", root)
    before = seed.decision(
        "before", root, review_state="needs_review", review_reason="source_removed"
    )
    retired = seed.decision("retired", root, status="rejected")
    travelling(work)
    drained(work)
    found = decision(work.raw, fresh)
    assert (found["review_state"], found["review_reason"]) == ("needs_review", "dependency_review")
    assert (found["ctx_causes"], found["ctx_flagged_us"] > 0) == ([f"decision:{root}"], True)
    assert "review_pending" not in found
    assert decision(work.raw, before)["review_reason"] == "source_removed"
    assert decision(work.raw, retired)["review_state"] == "clear"
    assert project(work.raw)["review_epoch"] == 2


@pytest.mark.parametrize("limit", [0, -3])
def test_no_units_change_nothing(limit: int, work: Work, seed: Seed) -> None:
    """Nothing is expanded when nothing may be."""
    chain(seed, 2, **QUEUED)
    travelling(work)
    before = dump(work.raw)
    assert work.traces.continue_decision_review(limit=limit) == 0
    assert dump(work.raw) == before


@pytest.mark.parametrize("limit", [100, 101, 10_000])
def test_a_call_moves_at_most_100_units(limit: int, work: Work, seed: Seed) -> None:
    """The rest waits for the next call."""
    seed.decisions([(f"d{k:03}", [Heard("t", 1)]) for k in range(130)], **QUEUED)
    travelling(work)
    assert work.traces.continue_decision_review(limit=limit) == 100
    assert len(pending(work)) == 30
    assert project(work.raw)["review_incomplete"] is True


def test_a_mark_without_a_queue_is_cleared(work: Work, seed: Seed) -> None:
    """Whoever left it, an empty queue means that nothing travels."""
    seed.decision("clear", Heard("t", 1))
    travelling(work)
    assert work.traces.continue_decision_review() == 0
    assert project(work.raw)["review_incomplete"] is False
    assert entries(work.raw) == []


def test_a_project_that_is_not_there(work: Work) -> None:
    """Nothing waits there."""
    assert work.within("q").traces.continue_decision_review() == 0


@pytest.mark.parametrize("status", ["rejected", "superseded"])
def test_a_retired_decision_in_the_queue(status: str, work: Work, seed: Seed) -> None:
    """The library queues what it retires; its dependents learn of it here."""
    root = seed.decision("root", Heard("t", 1), status=status, review_pending=True)
    below = seed.decision("below", root)
    travelling(work)
    assert drained(work) == 2
    assert (
        decision(work.raw, below).items()
        >= {
            "review_state": "needs_review",
            "ctx_causes": [f"decision:{root}"],
        }.items()
    )
    assert decision(work.raw, root)["status"] == status


def test_the_ledger_entry_of_a_drain(work: Work, seed: Seed) -> None:
    """The entry names what was expanded and what was flagged."""
    root, below = chain(seed, 2, **QUEUED)
    travelling(work)
    work.traces.continue_decision_review(limit=1)
    (found,) = entries(work.raw)
    assert found["action"] == "continue_decision_review"
    assert found["manifest"]["flagged"] == [below]
    assert found["decisions"] == [root, below]
    assert found["manifest"]["changed"][root]["review_pending"] == [True, None]


def test_a_dependent_recorded_while_its_parent_is_expanded(work: Work, seed: Seed) -> None:
    """It arrives between the drain's look and its commit, and is flagged too."""
    (root,) = chain(seed, 1, review_state="clear", review_pending=True, status="superseded")
    travelling(work)
    late: list[str] = []

    def meanwhile() -> None:
        late.append(seed.decision("late", root))

    between = work.through(Meanwhile(work.store, meanwhile))
    assert between.traces.continue_decision_review(limit=1) == 1
    assert decision(work.raw, late[0]).items() >= {"review_state": "needs_review"}.items()
    drained(work)
    assert (pending(work), work.raw.run(CLEAR)) == ([], [])


def test_two_drains_at_once(work: Work, seed: Seed) -> None:
    """They share the work: everything is flagged once, and the mark falls when the last is done."""
    layers(seed, 6, 4)
    work.raw.run(
        "MATCH (d:Decision {choice_key: 'root'}) SET d.review_state = 'needs_review', d.review_pending = true"
    )
    travelling(work)
    with ThreadPoolExecutor(3) as pool:
        units = sum(pool.map(patiently_drained, [work.by(f"drain {k}") for k in range(3)]))
    assert units == 25
    assert (pending(work), work.raw.run(CLEAR)) == ([], [])
    assert project(work.raw)["review_incomplete"] is False
    assert project(work.raw)["review_epoch"] == 1 + 24


# What a verdict carries on by itself.


@pytest.mark.parametrize("length", [2, 8, 9, 12])
def test_a_chain_of_dependents(length: int, work: Work, seed: Seed) -> None:
    """Eight levels are flagged in the verdict's own commit; the ninth is queued, and the drain ends it."""
    made = chain(seed, length)
    with counting() as trips:
        result = work.traces.reject_decision(made[0], "Wrong.")
    assert trips.count == 2
    assert [str(i) for i in result.flagged] == made[1:9]
    assert pending(work) == [f"c{k:02}" for k in range(8, min(length, 9))]
    assert project(work.raw)["review_incomplete"] is (length > 8)
    drained(work)
    assert (pending(work), work.raw.run(CLEAR)) == ([], [])
    causes = {tuple(d["ctx_causes"]) for d in nodes(work.raw, "Decision", status="active")}
    assert causes == {(f"decision:{made[0]}",)}


def test_layers_of_dependents_are_walked_once(work: Work, seed: Seed) -> None:
    """Twenty layers of three have billions of paths; each decision is looked at once."""
    made = layers(seed, 20, 3)
    with counting() as trips:
        result = work.traces.reject_decision(made[0][0], "Wrong.")
        page = work.traces.list_dependents(made[0][0])
        drained(work)
    assert len(result.flagged) == 24
    assert (len(page.decisions), page.truncated) == (24, True)
    assert trips.count < 100
    assert (pending(work), work.raw.run(CLEAR)) == ([], [])
    flagged = nodes(work.raw, "Decision", review_state="needs_review")
    assert (len(flagged), {d["ctx_version"] for d in flagged}) == (60, {1})


@pytest.mark.parametrize("number", [499, 500, 501, 1200])
def test_a_parent_of_hundreds(number: int, work: Work, seed: Seed) -> None:
    """One commit flags at most 500; the parent stays queued for the rest, and the drain flags them."""
    root = seed.decision("root", Heard("t", 1))
    made = seed.decisions([(f"d{k:04}", [root]) for k in range(number)])
    result = work.traces.reject_decision(root, "Wrong.")
    assert len(result.flagged) == min(number, 500)
    assert pending(work) == ["root"] * (number > 500)
    assert work.get(made[-1]).review_state in {"needs_review", "unknown"}
    drained(work)
    assert (pending(work), work.raw.run(CLEAR)) == ([], [])
    assert project(work.raw)["review_incomplete"] is False
    assert {d["ctx_version"] for d in nodes(work.raw, "Decision") if d["id"] != root} == {1}


def test_hundreds_below_hundreds(work: Work, seed: Seed) -> None:
    """Children of flagged and of unflagged parents are all reached."""
    root = seed.decision("root", Heard("t", 1))
    above = seed.decisions([(f"a{k:03}", [root]) for k in range(300)])
    seed.decisions([(f"b{k:03}", [above[k]]) for k in range(300)])
    result = work.traces.reject_decision(root, "Wrong.")
    assert len(result.flagged) == 500
    drained(work)
    assert (pending(work), work.raw.run(CLEAR)) == ([], [])


# What reads until the flags have arrived.


def test_what_is_clear_reads_unknown_while_flags_travel(work: Work, seed: Seed) -> None:
    """Whatever its status, a stored clear cannot be vouched for; a flag is a flag."""
    clear = seed.decision("clear", Heard("t", 1))
    retired = seed.decision("retired", Heard("t", 1), status="rejected")
    flagged = seed.decision("flagged", Heard("t", 1), review_state="needs_review")
    assert work.get(clear).review_state == "clear"
    travelling(work)
    assert [work.get(i).review_state for i in (clear, retired, flagged)] == [
        "unknown",
        "unknown",
        "needs_review",
    ]


def test_decisions_for_review(work: Work, seed: Seed) -> None:
    """Active flagged decisions, newest first, with their supports, in one round trip."""
    flagged = [seed.decision(f"f{k}", Heard("t", 1), review_state="needs_review") for k in range(3)]
    seed.decision("clear", Heard("t", 1))
    seed.decision("retired", Heard("t", 1), status="rejected", review_state="needs_review")
    with counting() as trips:
        page = work.traces.list_decisions_for_review()
    assert [str(d.id) for d in page.decisions] == flagged[::-1]
    assert [len(d.supports) for d in page.decisions] == [1, 1, 1]
    assert (page.count, page.truncated, page.next_cursor) == (3, False, None)
    assert trips.count == 1


def test_while_flags_travel_every_active_decision_may_need_review(work: Work, seed: Seed) -> None:
    """All active decisions are listed, as in the library; the clear ones read unknown."""
    flagged = seed.decision("flagged", Heard("t", 1), **QUEUED)
    clear = seed.decision("clear", Heard("t", 1))
    seed.decision("retired", Heard("t", 1), status="superseded")
    travelling(work)
    page = work.traces.list_decisions_for_review()
    assert [(str(d.id), d.review_state.value) for d in page.decisions] == [
        (clear, "unknown"),
        (flagged, "needs_review"),
    ]
    assert page.count == 2


def test_decisions_for_review_in_pages(work: Work, seed: Seed) -> None:
    """Pages follow each other without a gap or a repeat, also among decisions of one instant."""
    at = "2026-03-01T10:00:00+00:00"
    made = seed.decisions(
        [(f"f{k}", []) for k in range(7)], review_state="needs_review", created_at=at
    )
    newest = seed.decision("newest", review_state="needs_review", created_at=at.replace("10", "11"))
    listed: list[str] = []
    cursor = None
    for _ in range(3):
        page = work.traces.list_decisions_for_review(limit=3, cursor=cursor)
        listed += [str(d.id) for d in page.decisions]
        cursor = page.next_cursor
        assert page.count == 8
    assert cursor is None
    assert listed[0] == newest
    assert sorted(listed) == sorted([newest, *made])


def test_decisions_for_review_of_one_task(work: Work, seed: Seed) -> None:
    """A task's name narrows the list and its count."""
    seed.task("u")
    seed.decision("here", review_state="needs_review")
    there = seed.decision("there", task="u", review_state="needs_review")
    page = work.traces.list_decisions_for_review("u")
    assert ([str(d.id) for d in page.decisions], page.count) == ([there], 1)
    assert work.traces.list_decisions_for_review("v").count == 0


@pytest.mark.parametrize(("limit", "shown"), [(-1, 1), (0, 1), (20, 20), (1000, 100)])
def test_a_page_for_review_has_at_most_100(limit: int, shown: int, work: Work, seed: Seed) -> None:
    """Limits are kept within 1 and 100."""
    seed.decisions([(f"f{k:03}", []) for k in range(120)], review_state="needs_review")
    assert len(work.traces.list_decisions_for_review(limit=limit).decisions) == shown


def test_a_count_ends_at_a_thousand(work: Work, seed: Seed) -> None:
    """Beyond that the number is a floor."""
    seed.decisions([(f"f{k:04}", []) for k in range(1005)], review_state="needs_review")
    page = work.traces.list_decisions_for_review(limit=1)
    assert (page.count, page.truncated) == (1000, True)


def test_a_project_without_decisions(work: Work) -> None:
    """Nothing waits in a project that is not there."""
    page = work.within("q").traces.list_decisions_for_review()
    assert (page.decisions, page.count) == ([], 0)


@pytest.mark.parametrize("cursor", ["nonsense", "2026", "~"])
def test_a_cursor_that_nobody_gave(cursor: str, work: Work) -> None:
    """A made-up place is the caller's mistake."""
    with pytest.raises(ValueError, match=r".+"):
        work.traces.list_decisions_for_review(cursor=cursor)


# Dependents.


def test_dependents_nearest_first(work: Work, seed: Seed) -> None:
    """Each active dependent once, at its least number of hops, flagged or not."""
    root = seed.decision("root")
    one = seed.decision("one", root)
    two = seed.decision("two", one, review_state="needs_review")
    both = seed.decision("both", root, two)
    retired = seed.decision("retired", root, status="rejected")
    seed.decision("below retired", retired)
    with counting() as trips:
        page = work.traces.list_dependents(root)
    assert page.depths == {one: 1, both: 1, two: 2}
    assert {str(d.id) for d in page.decisions[:2]} == {one, both}
    assert (str(page.decisions[2].id), page.truncated) == (two, False)
    assert page.decisions[2].task_name == "t"
    assert trips.count == 1


def test_dependents_in_a_circle(work: Work, seed: Seed) -> None:
    """Records that cite each other, which nobody here writes, are walked once."""
    root = seed.decision("root")
    below = seed.decision("below", root)
    seed.link("Decision", "DEPENDS_ON", "Decision", [(root, below), (below, below)])
    page = work.traces.list_dependents(root)
    assert page.depths == {below: 1}
    assert work.traces.reject_decision(root, "Wrong.").flagged == [UUID(below)]
    drained(work)
    assert pending(work) == []


def test_more_dependents_than_asked_for(work: Work, seed: Seed) -> None:
    """A short page says that there are more."""
    root = seed.decision("root")
    seed.decisions([(f"d{k}", [root]) for k in range(5)])
    page = work.traces.list_dependents(root, limit=3)
    assert (len(page.decisions), page.truncated) == (3, True)
    whole = work.traces.list_dependents(root, limit=5)
    assert (len(whole.decisions), whole.truncated) == (5, False)


def test_dependents_of_nothing(work: Work, seed: Seed) -> None:
    """An unknown decision, or one of another project, has none."""
    root = seed.decision("root")
    seed.decision("below", root)
    assert work.traces.list_dependents(derived("x")).decisions == []
    assert work.within("q").traces.list_dependents(root).decisions == []
