"""Searching decisions by words: which come first, and that no word is ever syntax."""

from typing import Any

import pytest

from graphstore.records import ReviewState
from graphstore.store import counting
from tests.contract.looking import dump
from tests.contract.seeding import Bulk, Heard, Seed
from tests.contract.world import Work


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """Two tasks with their goals."""
    seed.project_node()
    seed.task("t", "How long?", goal="Settle the refunds.")
    seed.task("u", goal="Settle the shipping.")


def say(
    seed: Seed, choice: str, conclusion: str, rationale: str = "", task: str = "t", **props: Any
) -> str:
    """A decision in these words, with the copies that FalkorDB's index is over."""
    copies = {"_ft_conclusion": conclusion, "_ft_rationale": rationale}
    words = {"conclusion": conclusion, "rationale": rationale}
    return seed.decision(choice, Heard("t", 1), task=task, **words, **copies, **props)


def found(work: Work, query: str) -> list[str]:
    """The ids of what a search finds, best first."""
    return [str(hit.decision.id) for hit in work.traces.search_decisions(query)]


def test_a_word_of_the_conclusion_or_the_rationale_is_found(work: Work, seed: Seed) -> None:
    """A hit is a precedent: the decision, its task's goal and its supports."""
    by_conclusion = say(seed, "days", "Refunds take thirty days")
    by_rationale = say(seed, "place", "Online", "Nobody refunds thirty times", task="u")
    say(seed, "price", "Free")
    hits = work.traces.search_decisions("Thirty")
    assert {str(hit.decision.id): hit.task_goal for hit in hits} == {
        by_conclusion: "Settle the refunds.",
        by_rationale: "Settle the shipping.",
    }
    assert {(hit.marker, hit.decision.supports[0].kind) for hit in hits} == {("precedent", "event")}


def test_a_recorded_decision_is_found(work: Work, seed: Seed) -> None:
    """What is recorded here can be searched at once, over line breaks."""
    made = work.record("days", Heard("t", 1), says="Thirty\nworking\r\ndays")
    assert found(work, "working days") == [str(made.id)]


def test_all_words_come_before_any(work: Work, seed: Seed) -> None:
    """Whoever has both words comes first, even when the other says one of them often."""
    often = say(seed, "a", "refund refund refund", "refund refund")
    both = say(seed, "b", "Much is said here before the refund", "and after it of a gift card " * 9)
    say(seed, "c", "Shipping")
    assert found(work, "refund gift") == [both, often]


def test_only_active_decisions_are_found(work: Work, seed: Seed) -> None:
    """Flagged decisions are found with their state; rejected and superseded ones are not."""
    flagged = say(seed, "a", "thirty days", review_state="needs_review")
    say(seed, "b", "thirty days", status="rejected")
    say(seed, "c", "thirty days", status="superseded")
    (hit,) = work.traces.search_decisions("thirty")
    assert str(hit.decision.id) == flagged
    assert hit.decision.review_state == ReviewState.NEEDS_REVIEW


def test_a_search_keeps_to_its_task(work: Work, seed: Seed) -> None:
    """With a task's name only its decisions are found, and none of an unknown task."""
    say(seed, "days", "thirty days")
    there = say(seed, "days", "thirty days", task="u")
    hits = work.traces.search_decisions("thirty", task_name="u")
    assert [str(hit.decision.id) for hit in hits] == [there]
    assert work.traces.search_decisions("thirty", task_name="nowhere") == []


def test_a_small_project_is_not_starved(work: Work, seed: Seed) -> None:
    """More than a thousand better hits elsewhere and among the rejected hide none of ours."""
    many = Bulk(seed.raw, "other", seed.ticks)
    many.project_node()
    many.task("t")
    best: dict[str, Any] = {"conclusion": "thirty", "rationale": "thirty"}
    many.decisions(
        [(f"choice {k}", []) for k in range(1500)],
        **best,
        _ft_conclusion="thirty",
        _ft_rationale="thirty",
    )
    many.flush()
    ours = say(seed, "days", "After all that was said it is thirty days", "As ever. " * 20)
    assert found(work, "thirty") == [ours]
    assert len(work.within("other").traces.search_decisions("thirty", limit=1000)) == 100


HOSTILE = [
    "foo(", "foo)", "a:b", "conclusion:foo", "AND", "foo AND", "NOT foo", "OR", "*", "fo*", "f?o",
    '"', '"foo', "'foo'", "\\", "foo\\", "foo~", "foo^9", "[a TO b]", "{a}", "/fo./", "+", "-foo",
    "!foo", "&&", "||", "foo|bar", "@_ft_conclusion:foo", "%foo%", "=>{$weight: 0}", "$p", "#foo",
    "_", "foo_bar", "", " ", "\n\t", "\x00", "\x00foo", "\ud800", "\ud800foo", "日本語", "ﬁ", "İ",
    "\u202efoo", "🙂", "e\u0301", "x" * 1_000_000, "foo " * 250_000, "a b c d e f g h i j k l " * 40,
    "²", "_²", "(" * 5000, "the", "to be or not to be",
]  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE, ids=[f"{k}" for k in range(len(HOSTILE))])
def test_no_text_is_syntax(query: str, work: Work, seed: Seed) -> None:
    """Whatever is typed finds decisions or none, changes nothing, and never fails."""
    quiet = say(seed, "days", "Nothing of all that", "zebra")
    before = dump(work.raw)
    with counting() as trips:
        assert quiet not in found(work, query)
    assert trips.count <= 1
    assert dump(work.raw) == before


OPERATORS = [
    "zebra(", "zebra AND", "NOT zebra", "-zebra", "!zebra", '"zebra', "zebra*", "zebra OR (",
    "rationale:zebra", "@_ft_rationale:zebra", "ZEBRA", "%zebra%", "zebra^0", "~zebra", "\x00zebra",
]  # fmt: skip


@pytest.mark.parametrize("query", OPERATORS)
def test_an_operator_does_not_change_what_a_word_means(query: str, work: Work, seed: Seed) -> None:
    """A word between signs is found as the word alone is."""
    made = say(seed, "days", "Thirty", "The zebra said so")
    say(seed, "place", "Online", "The horse said nothing")
    assert found(work, query)[:1] == [made]


def test_a_browse_by_words_applies_its_filters(work: Work, seed: Seed) -> None:
    """Words are searched among what the filters keep, history included, best first."""
    say(seed, "days", "thirty days")
    rejected = say(seed, "place", "thirty places", status="rejected", author="bob")
    flagged = say(seed, "price", "thirty euro", task="u", review_state="needs_review")
    browse = work.traces.browse_decisions
    pages = [
        browse(words="thirty"),
        browse(words="thirty", status="rejected"),
        browse(words="thirty", author="bob", choice_key="place"),
        browse(words="thirty", review_state="needs_review"),
        browse(words="thirty", task_name="u"),
        browse(words="thirty", review_state="unknown"),
    ]
    assert len(pages[0].decisions) == 3
    assert [[str(d.id) for d in page.decisions] for page in pages[1:]] == [
        [rejected], [rejected], [flagged], [flagged], [],
    ]  # fmt: skip


def test_a_browse_by_words_stops_at_its_limit(work: Work, seed: Seed) -> None:
    """There is no cursor among hits; that there are more is said."""
    for choice in "abc":
        say(seed, choice, "thirty days")
    page = work.traces.browse_decisions(words="thirty", limit=2)
    assert (len(page.decisions), page.truncated, page.next_cursor) == (2, True, None)


def test_hits_read_unknown_while_flags_travel(work: Work, seed: Seed) -> None:
    """A precedent is not clear while the project's queue is not drained."""
    say(seed, "days", "thirty days")
    seed.raw.run("MATCH (q:Project {project_id: 'p'}) SET q.review_incomplete = true", {})
    (hit,) = work.traces.search_decisions("thirty")
    assert hit.decision.review_state == ReviewState.UNKNOWN
