"""What a task's log reads besides its events: decisions and verdicts of a span, and decisions by id."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest

from graphstore.records import VerdictKind, VerdictRecord
from graphstore.results import Moments
from graphstore.store import counting
from tests.contract.looking import decision
from tests.contract.seeding import Heard, Seed, derived
from tests.contract.world import Work

TASK = derived("p", "t")
OTHER = derived("p", "u")


@pytest.fixture
def made(seed: Seed) -> list[str]:
    """Three decisions of a task, an active, a rejected and a flagged one."""
    seed.project_node()
    seed.task("t", "How long?")
    return [
        seed.decision("a", Heard("t", 1)),
        seed.decision("b", status="rejected"),
        seed.decision("c", review_state="needs_review"),
    ]


def times(work: Work, made: list[str]) -> list[datetime]:
    return [datetime.fromisoformat(decision(work.raw, i)["created_at"]) for i in made]


def ids(moments: Moments) -> list[str]:
    return [str(one.id) for one in moments.decisions]


def test_decisions_of_a_span(work: Work, made: list[str]) -> None:
    """Of every status, oldest first, both ends open or not; the first end is left out."""
    at = times(work, made)
    read = work.traces.list_moments
    assert ids(read(TASK, None, None)) == made
    assert ids(read(TASK, at[0], at[1])) == made[1:2]
    assert ids(read(TASK, at[0], None)) == made[1:]
    assert ids(read(TASK, None, at[1])) == made[:2]
    assert read(TASK, None, None).complete_until is None


def test_more_than_asked_for_is_cut_with_its_time(work: Work, made: list[str]) -> None:
    """So that the next span can begin there."""
    at = times(work, made)
    cut = work.traces.list_moments(TASK, None, None, limit=2)
    assert (ids(cut), cut.complete_until) == (made[:2], at[1])
    rest = work.traces.list_moments(TASK, cut.complete_until, None, limit=2)
    assert (ids(rest), rest.complete_until) == (made[2:], None)


def test_verdicts_of_a_span_with_what_they_judged(work: Work, made: list[str]) -> None:
    """Also of decisions that were recorded long before, each verdict whole."""
    first = work.by("bob").traces.ask_for_review(made[0], "Is it?").verdict_id
    last = work.by("eve").traces.reject_decision(made[2], "It is not.").verdict_id
    found = work.traces.list_moments(TASK, None, None).verdicts
    assert [(v.id, v.kind, v.by, v.why) for v in found] == [
        (first, VerdictKind.ASK, "bob", "Is it?"),
        (last, VerdictKind.REJECT, "eve", "It is not."),
    ]
    after = work.traces.list_moments(TASK, found[0].at, found[1].at)
    assert ([v.id for v in after.verdicts], set(after.others)) == ([last], {UUID(made[2])})
    assert after.others[UUID(made[2])].rejection_reason == "It is not."
    later = found[1].at + timedelta(seconds=1)
    assert work.traces.list_moments(TASK, later, None) == Moments()
    assert all(isinstance(verdict, VerdictRecord) for verdict in found)


def test_a_cut_list_of_verdicts_ends_the_span_too(work: Work, made: list[str]) -> None:
    """Whatever is complete sooner."""
    for turn in range(3):
        asked = work.traces.ask_for_review(made[0], f"Turn {turn}.").verdict_id
        assert work.traces.withdraw_verdict(asked or "", "Taken back.").recorded
    found = work.traces.list_moments(TASK, times(work, made)[2], None, limit=4)
    assert len(found.verdicts) == 4
    assert found.complete_until == found.verdicts[3].at


def test_decisions_by_id(work: Work, seed: Seed, made: list[str]) -> None:
    """Of any task of the project, with its name; what is not there is left out."""
    seed.task("u", "Elsewhere?")
    far = seed.decision("d", task="u")
    wanted = [UUID(far), UUID(made[1]), UUID(derived("nothing"))]
    found = work.traces.list_moments(TASK, times(work, made)[2], None, also=wanted)
    assert found.decisions == []
    assert {str(i): d.task_name for i, d in found.others.items()} == {far: "u", made[1]: "t"}


def test_another_project_sees_nothing(work: Work, made: list[str]) -> None:
    """Neither by task nor by id."""
    work.traces.ask_for_review(made[0], "Is it?")
    ours = [UUID(one) for one in made]
    assert work.within("q").traces.list_moments(TASK, None, None, also=ours) == Moments()
    assert work.traces.list_moments(OTHER, None, None, also=ours) == Moments()


def test_a_span_is_one_round_trip(work: Work, made: list[str]) -> None:
    """However much is in it."""
    work.traces.ask_for_review(made[0], "Is it?")
    with counting() as trips:
        work.traces.list_moments(TASK, None, None, also=[UUID(made[1])])
    assert trips.count == 1
