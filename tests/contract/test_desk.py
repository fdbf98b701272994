"""The desk: everything that the page of one decision shows, in one read."""

from typing import Any

import pytest

from graphstore.desk import Desk, open_desk
from graphstore.evidence import Comparison
from graphstore.store import counting
from tests.contract.looking import Props, dump
from tests.contract.seeding import Heard, Passage, Seed, derived, digest, named
from tests.contract.world import DAYS, DAYS_15, POLICY, POLICY_15, SIGNED, Work, evidence

CITED = Passage("policy", POLICY, DAYS)
TASK = derived("p", "t")
FLAG: Props = {"review_state": "needs_review", "review_reason": "source_changed"}


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A task with two events."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")


def desk(work: Work, decision_id: object) -> Desk:
    """The desk of a decision that is there; reading it changes nothing and is one round trip."""
    before = dump(work.raw)
    with counting() as trips:
        found = open_desk(work.store, "p", str(decision_id))
    assert found is not None
    assert trips.count == 1
    assert dump(work.raw) == before
    return found


def test_a_decision_that_is_not_there(work: Work, seed: Seed) -> None:
    """An unknown decision, or one of another project, has no desk."""
    made = seed.decision("days")
    assert open_desk(work.store, "p", derived("x")) is None
    assert open_desk(work.store, "q", made) is None
    assert open_desk(work.store, "p", "days") is None


def test_the_decision_and_its_task(work: Work) -> None:
    """Both are what their own reads give."""
    made = work.record("days", Heard("t", 1))
    found = desk(work, made.id)
    assert found.decision == work.get(made.id)
    assert found.task == work.history.list_tasks().tasks[0]
    assert (found.flags_travelling, found.verdicts, found.blockers) == (False, [], [])


def test_while_flags_travel(work: Work, seed: Seed) -> None:
    """The page says so, and nothing reads clear."""
    made = seed.decision("days", Heard("t", 1))
    below = seed.decision("below", made)
    work.raw.run("MATCH (q:Project) SET q.review_incomplete = true")
    found = desk(work, below)
    assert found.flags_travelling is True
    assert found.decision.review_state == "unknown"
    assert [s.comparison for s in found.supports] == [Comparison.UNKNOWN]


def test_a_passage_whose_words_changed(work: Work, seed: Seed) -> None:
    """As cited and as it is now, with what changed in words and the paragraphs to choose from."""
    seed.document("policy", POLICY, POLICY_15)
    made = seed.decision("days", CITED, **FLAG)
    (shown,) = desk(work, made).supports
    assert shown.comparison is Comparison.EDITED
    assert shown.cited_text == DAYS
    assert shown.cited is not None
    assert (shown.cited.text, shown.cited.before) == (DAYS, "Refunds are ")
    assert shown.document is not None
    assert (shown.document.title, shown.document.activation_seq) == ("Policy", 2)
    assert (shown.recorded_at, shown.current_at) != (None, None)
    assert list(shown.changes) == ["number 30 became 15"]
    assert [p.text for p in shown.paragraphs] == POLICY_15.split("\n\n")
    assert {s.kind for s in shown.segments} >= {"deleted", "inserted"}
    assert shown.passage is not None
    assert "15 days" in shown.passage.text
    ids = [p.evidence_id for p in shown.paragraphs if p.evidence_id is not None]
    fetched = work.documents.fetch_evidence(ids)
    assert [f.text for f in fetched] == POLICY_15.split("\n\n")
    assert {f.status.value for f in fetched} == {"ok"}


def test_a_passage_that_stands_there_unchanged(work: Work, seed: Seed) -> None:
    """It is proposed with an id of the version now, which can be reaffirmed as it is."""
    longer = "A new first paragraph.\n\n" + POLICY_15
    seed.document("policy", POLICY, longer)
    made = seed.decision("signed", Passage("policy", POLICY, SIGNED), **FLAG)
    (shown,) = desk(work, made).supports
    assert shown.comparison.word_for_word
    assert shown.passage is not None
    now = Passage("policy", longer, SIGNED, seq=2)
    assert (shown.passage.text, shown.passage.evidence_id) == (SIGNED, now.evidence_id)
    assert list(shown.paragraphs) == []
    assert work.traces.reaffirm_decision(made, **evidence(now)).recorded


def test_the_same_text_activated_again(work: Work, seed: Seed) -> None:
    """Nothing to read anew: the text is identical."""
    seed.document("policy", POLICY, POLICY_15, POLICY)
    made = seed.decision("days", CITED, **FLAG)
    (shown,) = desk(work, made).supports
    assert (shown.comparison, list(shown.changes)) == (Comparison.IDENTICAL, [])
    assert shown.passage is not None
    assert shown.passage.evidence_id == CITED.evidence_id


def test_a_document_that_is_gone(work: Work, seed: Seed) -> None:
    """The words as cited are still shown, and what no form can mend is named."""
    seed.document("policy", POLICY, None)
    made = seed.decision("days", CITED, **FLAG)
    found = desk(work, made)
    assert [s.comparison for s in found.supports] == [Comparison.REMOVED]
    assert found.supports[0].cited_text == DAYS
    assert [(b.support_kind, b.cause.value) for b in found.blockers] == [
        ("document", "document_removed")
    ]


def test_a_version_that_is_gone(work: Work, seed: Seed) -> None:
    """The words as cited cannot be read any more; the present ones can."""
    seed.document("policy", POLICY, POLICY_15)
    made = seed.decision("days", CITED, **FLAG)
    work.raw.run("MATCH (c:Chunk {content_hash: $h}) DETACH DELETE c", {"h": digest(POLICY)})
    (shown,) = desk(work, made).supports
    assert (shown.comparison, shown.cited_text) == (Comparison.UNREADABLE, None)
    assert [p.text for p in shown.paragraphs] == POLICY_15.split("\n\n")


EVENTS = {
    "intact": ("RETURN 1", Comparison.INTACT),
    "cut": ("MATCH (e:Event {seq: 1}) SET e.truncated = true", Comparison.CUT),
    "redacted": (
        "MATCH (e:Event {seq: 1}) SET e.payload = '[REDACTED]', e.redacted_at = '2026-03-02'",
        Comparison.REDACTED,
    ),
    "deleted": ("MATCH (e:Event {seq: 1}) DETACH DELETE e", Comparison.DELETED),
}


@pytest.mark.parametrize("what", EVENTS)
def test_events(what: str, work: Work, seed: Seed) -> None:
    """An event is shown with its body, or as what has become of it."""
    statement, comparison = EVENTS[what]
    made = seed.decision("days", Heard("t", 1))
    work.raw.run(statement)
    (shown,) = desk(work, made).supports
    assert shown.comparison is comparison
    bodies = [e.payload for e in work.history.list_events("t").events if e.seq == 1]
    assert [e.payload for e in [shown.event] if e is not None] == bodies


PARENTS: list[tuple[Props, Comparison]] = [
    ({}, Comparison.CLEAR),
    ({"review_state": "needs_review"}, Comparison.FLAGGED),
    ({"status": "rejected"}, Comparison.REJECTED),
    ({"status": "superseded"}, Comparison.SUPERSEDED),
]


@pytest.mark.parametrize(("props", "comparison"), PARENTS)
def test_parents(props: Props, comparison: Comparison, work: Work, seed: Seed) -> None:
    """A cited decision is shown as it stands."""
    parent = seed.decision("scope", Heard("t", 2), **props)
    made = seed.decision("days", parent)
    (shown,) = desk(work, made).supports
    assert shown.comparison is comparison
    assert shown.parent is not None
    assert (str(shown.parent.id), shown.parent.task_name) == (parent, "t")


def test_a_parent_that_is_gone(work: Work, seed: Seed) -> None:
    """What was deleted is shown as deleted."""
    parent = seed.decision("scope")
    made = seed.decision("days", parent)
    work.raw.run("MATCH (d:Decision {id: $id}) DETACH DELETE d", {"id": parent})
    (shown,) = desk(work, made).supports
    assert (shown.comparison, shown.parent) == (Comparison.DELETED, None)


def test_the_worst_comes_first(work: Work, seed: Seed) -> None:
    """Supports are in the order of what they ask for, not of how they were cited."""
    seed.document("policy", POLICY, POLICY_15)
    seed.document("gone", POLICY, None)
    parent = seed.decision("scope", Heard("t", 2))
    made = seed.decision("days", parent, Heard("t", 1), CITED, Passage("gone", POLICY, DAYS))
    shown = desk(work, made).supports
    ranks = [s.comparison.rank for s in shown]
    assert ranks == sorted(ranks)
    assert [s.comparison for s in shown][:2] == [Comparison.REMOVED, Comparison.EDITED]


def test_archived_supports_are_not_shown(work: Work, seed: Seed) -> None:
    """Only what it stands on now is on the page."""
    seed.document("policy", POLICY, POLICY_15)
    made = seed.decision("days", CITED, Heard("t", 1), **FLAG)
    work.traces.reaffirm_decision(made, **evidence(Passage("policy", POLICY_15, DAYS_15, seq=2)))
    found = desk(work, made)
    assert len(found.supports) == 2
    assert {s.comparison for s in found.supports} == {Comparison.IDENTICAL, Comparison.INTACT}


def test_revisions_and_verdicts(work: Work) -> None:
    """All revisions of the choice, newest first, and what was judged about them, by whom and why."""
    first = work.by("one").record("days", Heard("t", 1))
    work.by("two").traces.reaffirm_decision(first.id, [], explanation="Fine.")
    newer = (
        work.by("three")
        .traces.supersede_decision(
            first.id,
            "Else",
            "r",
            explanation="Better.",
            supports=[Heard("t", 2).support],
        )
        .decision
    )
    assert newer is not None
    work.by("four").traces.reject_decision(newer.id, "Wrong.")
    found = desk(work, newer.id)
    assert [(d.revision, d.status.value) for d in found.revisions] == [
        (2, "rejected"),
        (1, "superseded"),
    ]
    assert [(v.kind, v.by, v.why, v.revision) for v in found.verdicts] == [
        ("reject", "four", "Wrong.", 2),
        ("supersede", "three", "Better.", 1),
        ("reaffirm", "two", "Fine.", 1),
    ]
    older = desk(work, first.id)
    assert [(v.kind, v.by, v.why, v.revision) for v in older.verdicts] == [
        ("reject", "four", "Wrong.", 2),
        ("supersede", "three", "Better.", 1),
        ("reaffirm", "two", "Fine.", 1),
    ]
    assert all(v.at is not None for v in older.verdicts)


def test_rivals(work: Work, seed: Seed) -> None:
    """Active decisions on the same choice in other tasks that say something else."""
    seed.task("u")
    seed.task("v")
    made = seed.decision("days", Heard("t", 1))
    rival = seed.decision("days", task="u", conclusion="Else")
    seed.decision("days", task="v")
    seed.decision("other", task="u", conclusion="Else")
    found = desk(work, made)
    assert [(str(d.id), d.task_name) for d in found.rivals] == [(rival, "u")]


def test_dependents(work: Work, seed: Seed) -> None:
    """At most fifty are shown, nearest first, and whether there are more."""
    made = seed.decision("root")
    below = seed.decisions([(f"d{k:02}", [made]) for k in range(60)])
    seed.decision("deep", below[0])
    found = desk(work, made).dependents
    assert (len(found.decisions), found.truncated) == (50, True)
    assert set(found.depths.values()) == {1}


@pytest.mark.parametrize("number", [0, 3, 500, 501, 600])
def test_a_verdict_on_a_page_with_many_dependents(number: int, work: Work, seed: Seed) -> None:
    """What the page showed is recognised, however many stand on the decision."""
    made = seed.decision("root", Heard("t", 1))
    seed.decisions([(f"d{k:03}", [made]) for k in range(number)])
    first, again = (open_desk(work.store, "p", made) for _ in range(2))
    assert first is not None
    assert first == again
    assert work.traces.reject_decision(made, "Wrong.", seen=first.seen).recorded


def test_a_decision_whose_task_is_gone(work: Work, seed: Seed) -> None:
    """It is shown all the same."""
    made = seed.decision("days", Heard("t", 1))
    work.raw.run("MATCH (t:Task) DETACH DELETE t")
    found = desk(work, made)
    assert (found.task, found.decision.task_name) == (None, "")


def test_many_supports_of_every_kind(work: Work, seed: Seed) -> None:
    """Twenty supports are still one read."""
    cited: list[Any] = []
    for k in range(8):
        seed.document(f"doc {k}", POLICY, POLICY_15)
        cited += [Passage(f"doc {k}", POLICY, DAYS), seed.decision(f"parent {k}")]
    cited += [Heard("t", 1), Heard("t", 2), *cited[:2]]
    made = seed.decision("days", *cited, **FLAG)
    assert len(desk(work, made).supports) == 20


def test_a_long_document(work: Work, seed: Seed) -> None:
    """At most two hundred paragraphs are offered; the passage is found wherever it stands."""
    old = POLICY
    filler = "\n\n".join(f"Paragraph {k} about something else." for k in range(400))
    new = f"{filler}\n\n{SIGNED} is needed, always.\n\n{filler}"
    seed.document("policy", old, new)
    moved = seed.decision("signed", Passage("policy", old, SIGNED), **FLAG)
    lost = seed.decision("days", CITED, **FLAG)
    (shown,) = desk(work, moved).supports
    assert shown.passage is not None
    assert shown.passage.start == new.index(SIGNED)
    (gone,) = desk(work, lost).supports
    assert gone.comparison in {Comparison.NOT_FOUND, Comparison.EDITED}
    assert len(gone.paragraphs) == 200


def test_a_document_of_the_library_with_headings(work: Work, seed: Seed) -> None:
    """Chunks without offsets are read, not cited by characters."""
    seed.document("policy", POLICY, POLICY_15)
    work.raw.run(
        "MATCH (c:Chunk {content_hash: $h}) SET c.char_start = null, c.char_end = null, "
        "c.text = 'Heading\\n' + c.text",
        {"h": digest(POLICY_15)},
    )
    made = seed.decision("days", CITED, **FLAG)
    (shown,) = desk(work, made).supports
    assert shown.comparison in {Comparison.EDITED, Comparison.NOT_FOUND}
    assert list(shown.paragraphs) == []
    assert shown.document is not None
    assert str(shown.document.id) == named("Document", "policy")
