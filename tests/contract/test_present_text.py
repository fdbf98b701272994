"""The present text of a cited document, and what of it can be picked as a passage."""

import pytest

from graphstore.locating import PassageNow, sentences
from graphstore.present_text import PresentText, Unfit, present_text
from graphstore.store import counting
from tests.contract.looking import Props
from tests.contract.seeding import Heard, Passage, Seed, derived, digest
from tests.contract.world import DAYS, POLICY, POLICY_15, Work, evidence

CITED = Passage("policy", POLICY, DAYS)
NOW = digest(POLICY_15)
PART = "within 15 days of the request.\n\nA refund"
"""From the middle of one paragraph into the next."""


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A task with two events, and a policy that changed."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")
    seed.document("policy", POLICY, POLICY_15)


@pytest.fixture
def made(seed: Seed) -> str:
    """A decision on the older text and an event, flagged."""
    flag: Props = {"review_state": "needs_review", "review_reason": "source_changed"}
    return seed.decision("days", CITED, Heard("t", 1), **flag)


def read(work: Work, decision: str) -> PresentText:
    """The present text, in one round trip."""
    shown = work.get(decision).supports[0]
    with counting() as trips:
        found = present_text(work.store, "p", decision, shown.id)
    assert trips.count == 1
    assert found is not None
    return found


def test_any_part_of_the_present_text_can_be_reaffirmed_on(work: Work, made: str) -> None:
    """Also one that goes on into the next paragraph; blanks at its ends are left away."""
    found = read(work, made)
    start = POLICY_15.index(PART)
    picked = found.passage(NOW, start - 1, start + len(PART) + 1, f" {PART} ")
    assert isinstance(picked, PassageNow)
    assert (picked.text, picked.start) == (PART, start)
    there = Passage("policy", POLICY_15, PART, seq=2)
    assert picked.evidence_id == there.evidence_id
    done = work.traces.reaffirm_decision(made, **evidence(there), explanation="It still holds.")
    assert done.recorded, done


@pytest.mark.parametrize(
    ("version", "start", "end", "quote", "why"),
    [
        (digest(POLICY), 0, 7, "", Unfit.MOVED),
        ("", 0, 7, "", Unfit.MOVED),
        (NOW, 7, 7, "", Unfit.OUTSIDE),
        (NOW, 9, 7, "", Unfit.OUTSIDE),
        (NOW, 0, len(POLICY_15) + 1, "", Unfit.OUTSIDE),
        (NOW, POLICY_15.index("\n\n"), POLICY_15.index("\n\n") + 2, "", Unfit.OUTSIDE),
        (NOW, 0, 7, "Returns", Unfit.OTHER_WORDS),
    ],
)
def test_what_is_no_part_of_the_present_text_is_not_picked(
    version: str, start: int, end: int, quote: str, why: Unfit, work: Work, made: str
) -> None:
    """Of another version, beyond the text, blank, or not the words that were read."""
    assert read(work, made).passage(version, start, end, quote) is why


def test_a_text_that_is_not_there_cannot_be_picked_from(work: Work, seed: Seed) -> None:
    """The document was removed."""
    seed.document("gone", POLICY, None)
    found = read(work, seed.decision("other", Passage("gone", POLICY, DAYS)))
    assert (found.text, found.passage("", 0, 7)) == (None, Unfit.MOVED)


def test_nobody_else_reads_it(work: Work, seed: Seed, made: str) -> None:
    """Neither another project, nor through another decision or a support that cites no document."""
    cites, heard = (one.id for one in work.get(made).supports)
    other = seed.decision("other", Heard("t", 2))
    assert present_text(work.store, "q", made, cites) is None
    assert present_text(work.store, "p", other, cites) is None
    assert present_text(work.store, "p", made, heard) is None
    assert present_text(work.store, "p", made, derived("x")) is None


def test_sentences_lose_nothing_of_a_paragraph() -> None:
    """Each with the blanks after it, in any language."""
    text = "xx One. Two “three.” Four\nfive! 六。七 yy"
    spans = sentences(text, 3, len(text) - 3)
    assert "".join(text[a:b] for a, b in spans) == text[3:-3]
    assert [text[a:b] for a, b in spans][:2] == ["One. ", "Two “three.” "]
