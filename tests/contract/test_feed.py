"""The feed of a review index: every flag once, whoever set it, and nothing that the graph does not say.

What the library does is done here as it does it, with its own properties and none of ours.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphstore.records import FlagState
from graphstore.review_feed import (
    FeedBatch,
    cause_documents,
    close,
    list_projects,
    queue_rows,
    take,
)
from graphstore.store import counting
from tests.contract.looking import Props, decision, dump, entries, node, project, stances
from tests.contract.seeding import Heard, Passage, Seed, derived, named
from tests.contract.world import DAYS, POLICY, POLICY_15, Work

CITED = Passage("policy", POLICY, DAYS)
TASK = derived("p", "t")
THEIR_FLAG: Props = {
    "review_state": "needs_review",
    "review_reason": "source_changed",
    "review_pending": True,
}


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A task with an event."""
    seed.project_node()
    seed.task("t", "How long?")


def fed(work: Work, after: FeedBatch | None = None, **more: Any) -> FeedBatch:
    """One take that goes on from another."""
    return take(
        work.store,
        "p",
        after_epoch=after.epoch if after else None,
        since=after.looked_at if after else None,
        **more,
    )


def settled(work: Work) -> FeedBatch:
    """Take and close until there is nothing more, as the console does."""
    batch = fed(work)
    close(work.store, batch.entry_ids)
    while batch.more:
        batch = fed(work, batch)
        close(work.store, batch.entry_ids)
    return batch


def by_choice(work: Work, states: Sequence[FlagState]) -> dict[str, FlagState]:
    """States by the choice key of their decision."""
    return {decision(work.raw, s.decision_id)["choice_key"]: s for s in states}


def now() -> str:
    """A time as a writer of this moment stores it."""
    return datetime.now(UTC).isoformat()


def their_flags(seed: Seed, *ids: str) -> None:
    """What the library's ingestion sets on those who cite a document that moved on."""
    seed.raw.run(
        "UNWIND $ids AS i MATCH (d:Decision {_agrag_history_record: true, id: i}) SET d += $flag",
        {"ids": list(ids), "flag": THEIR_FLAG},
    )
    seed.raw.run(
        "MATCH (q:Project {project_id: 'p'}) "
        "SET q.review_incomplete = true, q.review_epoch = q.review_epoch + $n",
        {"n": len(ids)},
    )


def test_nothing_happened(work: Work, seed: Seed) -> None:
    """One read, and nothing to apply."""
    first = settled(work)
    before = dump(work.raw)
    with counting() as trips:
        batch = fed(work, first)
    assert (batch.states, batch.entry_ids, batch.more) == ([], [], False)
    assert trips.count == 1
    assert dump(work.raw) == before


def test_a_project_that_is_not_there(work: Work) -> None:
    """There is nothing to feed from."""
    batch = take(work.store, "nowhere", after_epoch=None)
    assert (list(batch.states), list(batch.entry_ids), batch.more) == ([], [], False)


def test_what_we_flag_is_reported(work: Work) -> None:
    """A verdict's flags come with its entry, at the version that the graph has, in one read."""
    first = settled(work)
    days = work.record("days", Heard("t", 1))
    mail = work.record("mail", str(days.id))
    settled_again = settled(work)
    work.traces.reject_decision(days.id, "Wrong.")
    with counting() as trips:
        batch = fed(work, settled_again)
    assert trips.count == 1
    found = by_choice(work, batch.states)
    assert found["days"].flagged is False
    assert found["mail"] == FlagState(
        decision_id=mail.id,
        task_id=mail.task_id,
        flagged=True,
        reason="dependency_review",
        version=decision(work.raw, mail.id)["ctx_version"],
        flagged_us=decision(work.raw, mail.id)["ctx_flagged_us"],
        created_us=int(mail.created_at.timestamp() * 1_000_000),
        causes=[f"decision:{days.id}"],
    )
    assert [e["id"] for e in entries(work.raw, action="reject_decision")] == batch.entry_ids
    assert first.epoch < batch.epoch


def test_what_is_closed_is_not_reported_again(work: Work) -> None:
    """An entry comes until it is closed, and never after."""
    work.record("days", Heard("t", 1))
    batch = fed(work)
    assert fed(work, batch).entry_ids == batch.entry_ids
    with counting() as trips:
        close(work.store, batch.entry_ids)
    assert trips.count == 1
    assert fed(work, batch).entry_ids == []
    assert all("ctx_open" not in e for e in entries(work.raw))
    close(work.store, [])


def test_entries_come_in_order_and_in_pages(work: Work) -> None:
    """The oldest first, as many as asked for; more says that there are others."""
    first = settled(work)
    made = [work.record(f"d{k}", Heard("t", 1)) for k in range(5)]
    batch = fed(work, first, limit=3)
    assert [str(s.decision_id) for s in batch.states] != []
    assert {s.decision_id for s in batch.states} == {d.id for d in made[:3]}
    assert (len(batch.entry_ids), batch.more) == (3, True)
    close(work.store, batch.entry_ids)
    batch = fed(work, batch, limit=3)
    assert {s.decision_id for s in batch.states} == {d.id for d in made[3:]}


def test_what_the_library_flags_is_taken_dated_and_spread(work: Work, seed: Seed) -> None:
    """One take reports its flags and those of all dependents, each once, with their causes and times."""
    seed.document("policy", POLICY, POLICY_15)
    days = seed.decision("days", CITED)
    mail = seed.decision("mail", days)
    letter = seed.decision("letter", mail)
    other = seed.decision("other", Heard("t", 1))
    first = settled(work)
    their_flags(seed, days)
    with counting() as trips:
        batch = fed(work, first)
    assert trips.count <= 4
    cause = f"document:{named('Document', 'policy')}:2"
    found = by_choice(work, batch.states)
    assert set(found) == {"days", "mail", "letter"}
    assert len(batch.states) == 3
    assert {s.causes[0] for s in batch.states} == {cause}
    assert [found[c].reason for c in ("days", "mail", "letter")] == [
        "source_changed",
        "dependency_review",
        "dependency_review",
    ]
    assert [found[c].inferred for c in ("days", "mail", "letter")] == [True, False, False]
    for choice, identity in (("days", days), ("mail", mail), ("letter", letter)):
        stored = decision(work.raw, identity)
        assert stored["ctx_flagged_us"] == found[choice].flagged_us
        assert stored["ctx_version"] == found[choice].version
        assert stored["ctx_causes"] == found[choice].causes
        assert "review_pending" not in stored
    assert decision(work.raw, other)["review_state"] == "clear"
    assert project(work.raw)["review_incomplete"] is False
    close(work.store, batch.entry_ids)
    again = fed(work, batch)
    assert (again.states, again.entry_ids) == ([], [])


def test_what_the_librarys_own_drain_flagged(work: Work, seed: Seed) -> None:
    """Dependents that it reached by itself carry an epoch and nothing of ours; they are reported once."""
    days = seed.decision("days", Heard("t", 1), **THEIR_FLAG, review_epoch=2)
    mail = seed.decision("mail", days)
    first = settled(work)
    assert by_choice(work, fed(work).states).keys() >= {"days"}
    work.raw.run(
        "MATCH (d:Decision {id: $id}) SET d.review_state = 'needs_review', "
        "d.review_reason = 'dependency_review', d.review_pending = false, d.review_epoch = 9",
        {"id": mail},
    )
    work.raw.run("MATCH (q:Project {project_id: 'p'}) SET q.review_epoch = 9, q.review_lock = 4")
    batch = fed(work, first)
    assert {str(s.decision_id) for s in batch.states} == {mail}
    assert batch.states[0].flagged is True
    assert batch.lock == 4
    close(work.store, batch.entry_ids)
    again = fed(work, batch)
    assert (again.states, again.entry_ids) == ([], [])


def test_what_the_library_recorded_flagged(work: Work, seed: Seed) -> None:
    """A flag set while recording moves neither epoch nor lock; it is found by its time, once."""
    seed.document("policy", POLICY, POLICY_15)
    first = settled(work)
    made = seed.decision(
        "days",
        CITED,
        created_at=now(),
        review_state="needs_review",
        review_reason="source_changed_during_recording",
    )
    batch = fed(work, first)
    assert {str(s.decision_id) for s in batch.states} == {made}
    assert batch.states[0].reason == "source_changed_during_recording"
    close(work.store, batch.entry_ids)
    assert fed(work, batch).states == []


def test_a_clear_decision_that_the_library_recorded(work: Work, seed: Seed) -> None:
    """It is taken in, so that its side of the choice counts, and is no flag."""
    first = settled(work)
    made = seed.decision("days", Heard("t", 1), created_at=now())
    batch = fed(work, first)
    assert [s.flagged for s in batch.states] == [False]
    assert node(work.raw, "CtxChoice", choice_key="days")["stances"] == 1
    assert decision(work.raw, made)["review_state"] == "clear"


@pytest.mark.parametrize(
    "parent",
    [
        {"status": "rejected"},
        {"status": "superseded"},
        {"review_state": "needs_review", "ctx_causes": ["event:x"]},
    ],
    ids=str,
)
def test_a_decision_that_the_library_recorded_too_late(
    parent: Props, work: Work, seed: Seed
) -> None:
    """Recorded clear under what was already retired or flagged, it is flagged when it is seen."""
    root = seed.decision("root", Heard("t", 1), **parent)
    first = settled(work)
    made = seed.decision("late", root, created_at=now())
    below = seed.decision("below", made, created_at=now())
    batch = fed(work, first)
    states = {str(s.decision_id): s for s in batch.states}
    while batch.more:
        batch = fed(work, batch)
        states |= {str(s.decision_id): s for s in batch.states}
    assert states[made].flagged is True
    assert states[below].flagged is True
    assert decision(work.raw, below)["review_state"] == "needs_review"


def test_a_decision_that_the_library_recorded_on_an_older_version(work: Work, seed: Seed) -> None:
    """Its check and its write are apart; what slipped through between is flagged when it is seen."""
    seed.document("policy", POLICY, POLICY_15)
    first = settled(work)
    made = seed.decision("late", CITED, created_at=now())
    batch = fed(work, first)
    assert [(str(s.decision_id), s.reason) for s in batch.states if s.flagged] == [
        (made, "source_changed")
    ]


def test_a_verdict_of_the_library(work: Work, seed: Seed) -> None:
    """What it retired is no flag any more, and its dependents get theirs."""
    days = seed.decision("days", Heard("t", 1), **THEIR_FLAG)
    mail = seed.decision("mail", days)
    first = settled(work)
    work.raw.run(
        "MATCH (d:Decision {id: $id}) SET d.status = 'rejected', d.review_state = 'clear', "
        "d.review_reason = null, d.review_pending = true",
        {"id": days},
    )
    work.raw.run(
        "MATCH (q:Project {project_id: 'p'}) "
        "SET q.review_incomplete = true, q.review_epoch = q.review_epoch + 1"
    )
    batch = fed(work, first)
    found = by_choice(work, batch.states)
    assert found["days"].flagged is False
    assert decision(work.raw, mail)["review_state"] == "needs_review"


def test_hundreds_of_the_librarys_flags(work: Work, seed: Seed) -> None:
    """Takes go on until everything is reported, each decision once, and the mark has fallen."""
    seed.document("policy", POLICY, POLICY_15)
    roots = seed.decisions([(f"r{k:03}", [CITED]) for k in range(250)])
    below = seed.decisions([(f"b{k:03}", [roots[k]]) for k in range(250)])
    first = settled(work)
    their_flags(seed, *roots)
    batch, reported, takes = first, list[str](), 0
    while takes == 0 or batch.more:
        batch = fed(work, batch)
        reported += [str(s.decision_id) for s in batch.states if s.flagged]
        close(work.store, batch.entry_ids)
        takes += 1
    assert sorted(reported) == sorted([*roots, *below])
    assert takes <= 5
    assert project(work.raw)["review_incomplete"] is False


def test_a_graph_that_was_never_indexed(work: Work, seed: Seed) -> None:
    """Without an index every flag of the project is reported, however old."""
    old = seed.decisions(
        [(f"d{k:03}", [Heard("t", 1)]) for k in range(60)],
        review_state="needs_review",
        review_reason="source_changed",
    )
    seed.decision("clear", Heard("t", 1))
    other = Seed(work.raw, "q", seed.ticks)
    other.project_node()
    other.task("t")
    other.decision("elsewhere", review_state="needs_review")
    batch = fed(work)
    assert {str(s.decision_id) for s in batch.states if s.flagged} == set(old)


def test_a_flag_of_nobody_knows_when(work: Work, seed: Seed) -> None:
    """What is not dated yet has no time: whoever meets it first knows only that it is older."""
    made = seed.decision("days", Heard("t", 1), review_state="needs_review")
    (state,) = fed(work).states
    assert str(state.decision_id) == made
    assert state.flagged_us is None
    assert state.inferred


def test_causes_are_named_where_the_project_may_read_them(work: Work, seed: Seed) -> None:
    """An index knows documents by id; their titles are for who cites them."""
    policy = seed.document("policy", POLICY, POLICY_15)
    secret = seed.document("secret", POLICY)
    seed.decision("days", CITED)
    with counting() as trips:
        found = cause_documents(work.store, "p", [policy, secret, named("Document", "nowhere")])
    assert trips.count == 1
    assert {identity: one.document_key for identity, one in found.items()} == {policy: "policy"}
    assert cause_documents(work.store, "p", []) == {}


def test_a_job_is_taken_on(work: Work, seed: Seed) -> None:
    """A document that hundreds cite is flagged by whoever comes by, slice by slice."""
    seed.document("policy", POLICY, POLICY_15)
    made = seed.decisions([(f"d{k:03}", [CITED]) for k in range(520)])
    first = settled(work)
    cause = f"document:{named('Document', 'policy')}:2"
    seed.create(
        "CtxJob",
        [
            {
                "_ctx_record": True,
                "id": derived("CtxJob", cause),
                "kind": "flag_citers",
                "cause": cause,
                "reason": "source_changed",
                "document_id": named("Document", "policy"),
                "event_id": "",
                "seq": 2,
                "project_ids": ["p"],
                "us": 1,
                "ctx_open": True,
            }
        ],
    )
    work.raw.run("MATCH (q:Project) SET q.review_incomplete = true, q.review_epoch = 1")
    batch, reported = first, set[str]()
    for _ in range(20):
        batch = fed(work, batch)
        reported |= {str(s.decision_id) for s in batch.states if s.flagged}
        close(work.store, batch.entry_ids)
    assert batch.more is False
    assert reported == set(made)
    assert project(work.raw)["review_incomplete"] is False
    assert "ctx_open" not in node(work.raw, "CtxJob")


# Rows of a page.


def test_rows_of_a_queue_page(work: Work, seed: Seed) -> None:
    """What is still flagged, in the order asked, with dependents and the documents that moved on."""
    seed.document("policy", POLICY, POLICY_15)
    days = seed.decision("days", CITED, review_state="needs_review")
    mail = seed.decision("mail", days, review_state="needs_review")
    seed.decision("letter", days)
    seed.decision("retired", days, status="rejected")
    clear = seed.decision("clear", Heard("t", 1))
    gone = seed.decision("gone", status="rejected", review_state="needs_review")
    with counting() as trips:
        rows = queue_rows(work.store, "p", [mail, clear, derived("x"), gone, days])
    assert trips.count == 1
    assert [str(r.decision.id) for r in rows] == [mail, days]
    assert [r.dependents for r in rows] == [0, 2]
    assert [list(r.documents) for r in rows] == [[], ["Policy"]]
    assert rows[0].decision.task_name == "t"


def test_rows_of_another_project(work: Work, seed: Seed) -> None:
    """Ids of another project give nothing, and no ids cost nothing."""
    days = seed.decision("days", Heard("t", 1), review_state="needs_review")
    assert queue_rows(work.store, "q", [days]) == []
    with counting() as trips:
        assert queue_rows(work.store, "p", []) == []
    assert trips.count == 0


def test_projects_of_a_graph(work: Work, seed: Seed) -> None:
    """Every project by its id, with its mark."""
    Seed(work.raw, "a").project_node(review_incomplete=True)
    assert [(s.project_id, s.review_incomplete) for s in list_projects(work.store)] == [
        ("a", True),
        ("p", False),
    ]


def test_a_look_covers_the_hour_before(work: Work, seed: Seed) -> None:
    """A record whose writer took long to commit is found although a later look came first."""
    first = settled(work)
    late = (datetime.now(UTC) - timedelta(minutes=30)).isoformat()
    made = seed.decision("days", Heard("t", 1), created_at=late, review_state="needs_review")
    assert {str(s.decision_id) for s in fed(work, first).states} == {made}


def test_a_decision_of_the_library_that_we_flagged_first_is_counted(work: Work, seed: Seed) -> None:
    """It was recorded and flagged between two looks; its side of the choice counts all the same."""
    seed.document("policy", POLICY)
    now = datetime.now(UTC).isoformat()
    theirs = seed.decision("days", CITED, created_at=now)
    work.documents.put_document("policy", POLICY_15)
    take(work.store, "p", after_epoch=0)
    assert "ctx_stance" in decision(work.raw, theirs)
    assert stances(work.raw, "days") == (1, [1])
