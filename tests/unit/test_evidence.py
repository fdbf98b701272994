"""Passages are found by their text, compared word by word, and changes named in words."""

import time
import unicodedata
from typing import Literal

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from graphstore.changed_words import describe_changes, diff_words
from graphstore.evidence import (
    Comparison,
    best_window,
    compare,
    locate,
    normalised,
    paragraphs,
    passage_at,
)

RULE = "Cumulative time above 8 °C shall not exceed thirty (30) minutes."
BEFORE = "Readings are taken from the warmest sensor of the consignment.\n\n"
AFTER = "\n\nBeyond that limit the quality unit releases or destroys the goods."
FILLER = "\n\n".join(
    f"Clause {n} speaks about pallets, seals and the papers of lorry {n}." for n in range(40)
)

WORDS = st.text(alphabet="aäbc e\u0301\u0308Å.\n\t\u00a0日", max_size=60)


@given(before=WORDS, passage=WORDS, after=WORDS)
@example(before="e", passage="\u0301a", after="")
def test_a_passage_that_is_there_is_found_exactly(before: str, passage: str, after: str) -> None:
    """What stands in the text word for word is found, and the offsets give it back."""
    assume(passage.strip())
    text = before + passage + after
    found = locate(passage, text, near=len(before))
    assert found.kind == "exact"
    assert text[found.start : found.end] == passage
    assert found.start == len(before)


@given(passage=WORDS, text=WORDS, near=st.integers(-5, 80))
def test_offsets_always_give_back_what_was_sought(passage: str, text: str, near: int) -> None:
    """Whatever `locate` finds is equal to the passage once both are normalised."""
    found = locate(passage, text, near)
    sought = {"none": "", "exact": normalised(passage), "normalised": normalised(passage)}[
        found.kind
    ]
    assert normalised(text[found.start : found.end]) == sought


@given(
    passage=WORDS,
    gap=st.sampled_from(["\n", "  ", " \u00a0", "\r\n\t"]),
    form=st.sampled_from(["NFC", "NFD"]),
)
def test_spacing_and_composition_do_not_hide_a_passage(
    passage: str, gap: str, form: Literal["NFC", "NFD"]
) -> None:
    """A passage is found again after its lines were wrapped and its letters recomposed."""
    assume(normalised(passage))
    text = "First. " + gap.join(unicodedata.normalize(form, passage).split()) + " last."
    found = locate(passage, text)
    assert found.kind in {"exact", "normalised"}
    assert normalised(text[found.start : found.end]) == normalised(passage)


def test_of_equal_passages_the_nearest_is_taken() -> None:
    """The old place breaks the tie between two equal passages, in both kinds of search."""
    text = "same words " * 3
    assert locate("same words", text, near=12).start == 11
    assert locate("same  words", text, near=21).start == 22
    assert locate("same words", text, near=9_999).start == 22


def test_a_blank_passage_is_nowhere() -> None:
    """Nothing is found for a passage without a word."""
    assert locate(" \n", "a text \n here").kind == "none"
    assert best_window("  ", "text") is None
    assert best_window("text", " ") is None


@given(text=st.text(alphabet="ab \n\t\r\u2028.", max_size=120))
def test_paragraphs_hold_everything_but_outer_blanks(text: str) -> None:
    """Paragraphs are in order, trimmed, without blank lines, and nothing visible is left out."""
    spans = paragraphs(text)
    pieces = [text[start:end] for start, end in spans]
    assert all(piece == piece.strip() and piece for piece in pieces)
    assert all(line.strip() for piece in pieces for line in piece.splitlines())
    assert spans == sorted(spans)
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_paragraphs_part_at_blank_lines_only() -> None:
    """A line end alone does not part paragraphs; blanks in the empty line do not join them."""
    text = "  One\ntwo.\n \t\nThree.\r\n\r\nFour."
    assert [text[a:b] for a, b in paragraphs(text)] == ["One\ntwo.", "Three.", "Four."]


def test_an_edited_passage_is_found_in_whole_sentences() -> None:
    """The window begins and ends where sentences do, whatever the characters align to."""
    now = "Cumulative time above 8 °C may not exceed fifteen (15) minutes, in writing."
    text = FILLER + "\n\n" + BEFORE + now + AFTER
    start, end = best_window(RULE, text) or (0, 0)
    assert text[start:end] == now


def test_an_unrelated_text_has_no_window() -> None:
    """Prose about something else is not taken for an edited passage."""
    assert best_window(RULE, FILLER) is None
    assert best_window("30 minutes", "Drivers rest in marked bays.") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BEFORE + RULE + AFTER, Comparison.IDENTICAL),
        (FILLER + "\n\n" + BEFORE + RULE + AFTER, Comparison.VERBATIM),
        (
            BEFORE + "It does not apply to vaccines.\n\n" + RULE + AFTER,
            Comparison.SURROUNDINGS_CHANGED,
        ),
        (RULE + "\n\n" + FILLER + "\n\n" + BEFORE.strip() + AFTER, Comparison.MOVED),
        (BEFORE + RULE.replace("thirty (30)", "fifteen (15)") + AFTER, Comparison.EDITED),
        (BEFORE + AFTER, Comparison.NOT_FOUND),
        ("", Comparison.NOT_FOUND),
    ],
)
def test_comparisons_say_what_became_of_a_passage(text: str, expected: Comparison) -> None:
    """Each thing that can happen to a passage has its word."""
    assert compare(RULE, (BEFORE, AFTER), text, len(BEFORE))[0] is expected


def test_a_passage_with_its_old_neighbours_is_verbatim_wherever_it_stands() -> None:
    """What changed further away than the neighbourhood does not count."""
    old = FILLER + "\n\n" + BEFORE + RULE + AFTER + "\n\n" + FILLER
    before, after = old.split(RULE)
    text = "A new foreword.\n\n" + old.replace("\n\n", "\n \n") + "\n\nA new annex."
    comparison, passage, segments, changes = compare(RULE, (before, after), text, len(before))
    assert comparison is Comparison.VERBATIM
    assert passage is not None
    assert text[passage.start : passage.end] == passage.text == RULE
    assert (segments, changes) == ([], [])


def test_changed_surroundings_show_how_they_changed() -> None:
    """The passage carries the difference around it, near to far, and names it in words."""
    far = "Nobody reads this far. " * 40
    old = f"{far}Drivers call within 5 minutes. {RULE} The unit answers in two hours. {far}"
    text = f"{far}Drivers must call within 9 minutes. {RULE} The unit answers in two hours. {far}"
    before, after = old.split(RULE)
    comparison, passage, segments, changes = compare(RULE, (before, after), text, len(before))
    assert (comparison, segments) == (Comparison.SURROUNDINGS_CHANGED, [])
    assert passage is not None
    shown = [(s.kind, s.text) for s in passage.before_segments if s.kind != "same"]
    assert shown == [("inserted", "must "), ("deleted", "5"), ("inserted", "9")]
    assert {s.kind for s in passage.after_segments} == {"same"}
    assert changes == ["nearby: ‘must’ is new", "nearby: number 5 became 9"]


def test_what_was_put_in_between_is_not_taken_for_the_whole_surroundings() -> None:
    """An inserted paragraph shows as one insertion; what it pushed away stays as it was."""
    lead = " ".join(f"Sentence {n} of the lead stands here." for n in range(30)) + "\n\n"
    text = lead + "This paragraph is new.\n\n" + RULE
    _, passage, _, _ = compare(RULE, (lead, ""), text, len(lead))
    assert passage is not None
    changed = [(s.kind, s.text.strip()) for s in passage.before_segments if s.kind != "same"]
    assert changed == [("inserted", "This paragraph is new.")]


def test_the_nearest_surroundings_come_from_one_paragraph() -> None:
    """At first sight only the paragraph beside the passage is shown, and whether it is cut."""
    text = f"# Title\n\nA heading\n\n{RULE} It goes on." + " More words." * 40
    start = text.index(RULE)
    shown = passage_at(text, start, start + len(RULE))
    assert (shown.lead.text, shown.lead.apart, shown.lead.cut) == ("A heading", True, False)
    assert shown.trail.text.startswith(" It goes on. More words.")
    assert not shown.trail.apart
    assert shown.trail.cut


def test_of_equal_passages_the_one_with_its_neighbours_is_compared() -> None:
    """A repeated sentence is followed by what stands around it, not by its old offset."""
    old = BEFORE + RULE + AFTER
    text = RULE + "\n\n" + FILLER + "\n\n" + old
    _, passage, _, _ = compare(RULE, (BEFORE, AFTER), text, 0)
    assert passage is not None
    assert passage.start == text.rindex(RULE)


@given(before=WORDS, passage=WORDS, after=WORDS, text=WORDS)
def test_a_compared_passage_is_part_of_the_present_text(
    before: str, passage: str, after: str, text: str
) -> None:
    """Offsets, text and surroundings of the passage agree with the text."""
    _, now, segments, _ = compare(passage, (before, after), text, len(before))
    shown = now or passage_at(text, 0, 0)
    assert text[shown.start : shown.end] == shown.text
    assert text[: shown.start].endswith(shown.before)
    assert text[shown.end :].startswith(shown.after)
    assert "".join(s.text for s in segments if s.kind != "deleted") in {"", shown.text}


@given(old=WORDS, new=WORDS)
def test_segments_rebuild_both_passages(old: str, new: str) -> None:
    """Unchanged and inserted words give the newer passage; unchanged and deleted ones the older."""
    segments, stopped_early = diff_words(old, new)
    assert not stopped_early
    assert "".join(s.text for s in segments if s.kind != "deleted") == new
    older = "".join(s.text for s in segments if s.kind != "inserted")
    assert normalised(older) == normalised(old)


def test_a_passage_carries_its_evidence_id() -> None:
    """With document and hash the passage names itself; without it does not."""
    named = passage_at("One. Two.", 5, 9, document_id="d", content_hash="0123456789abcdef0000")
    assert named.evidence_id == "ev1:s:d:0123456789abcdef:5-9"
    assert passage_at("One. Two.", 5, 9).evidence_id == ""


def test_surroundings_are_cut_between_words_and_say_so() -> None:
    """Long surroundings end at a word, and the passage says that there is more."""
    text = "word " * 200 + RULE + " word" * 200
    shown = passage_at(text, 1000, 1000 + len(RULE))
    assert shown.cut_before
    assert shown.cut_after
    assert shown.before.split() == ["word"] * len(shown.before.split())
    assert shown.after.split() == ["word"] * len(shown.after.split())


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("no more than 30 minutes", "no more than 15 minutes", ["number 30 became 15"]),
        ("within thirty (30) minutes", "within fifteen (15) minutes", ["number 30 became 15"]),
        ("carriers shall report", "carriers may report", ["‘shall’ became ‘may’"]),
        ("30 minutes", "30 hours", ["unit ‘minutes’ became ‘hours’"]),
        ("within 24 h", "within 2 d", ["number 24 became 2", "unit ‘h’ became ‘d’"]),
        (
            "valid until 3 March 2024",
            "valid until 13 April 2024",
            ["date 3 March 2024 became 13 April 2024"],
        ),
        ("loggers must not be opened", "loggers must be opened", ["‘not’ is gone"]),
        ("at least two seals", "at most two seals", ["‘at least’ became ‘at most’"]),
        ("below -5 °C", "below 5 °C", ["number -5 became 5"]),
        ("costs EUR 1,000", "costs EUR 1000", []),
        ("In May they may travel", "In May they must travel", ["‘may’ became ‘must’"]),
        ("a grey box", "a blue box", []),
        (
            "held in writing",
            "held in writing for 5 days",
            ["number 5 is new", "unit ‘days’ is new"],
        ),
    ],
)
def test_changes_that_matter_are_named_in_words(old: str, new: str, changes: list[str]) -> None:
    """Numbers, units, dates, negations and obligations are named; other words are not."""
    assert describe_changes(diff_words(old, new)[0]) == changes


def test_many_changes_are_counted_rather_than_listed() -> None:
    """The list ends after twelve lines and says how many more there are."""
    old = " and then ".join(f"{n} boxes of kind {chr(97 + n)}" for n in range(20))
    new = " and then ".join(f"{n + 100} boxes of kind {chr(97 + n)}" for n in range(20))
    changes = describe_changes(diff_words(old, new)[0])
    assert changes[0] == "number 0 became 100"
    assert changes[-1] == "and 9 more of this kind"
    assert len(changes) == 12


def test_replaced_words_with_a_mark_between_them_are_one_change() -> None:
    """A number with its figure in brackets is replaced as a whole and not in two halves."""
    segments, _ = diff_words("not exceed thirty (30) minutes", "not exceed fifteen (15) minutes")
    assert [(s.kind, s.text) for s in segments] == [
        ("same", "not exceed "),
        ("deleted", "thirty (30"),
        ("inserted", "fifteen (15"),
        ("same", ") minutes"),
    ]


def test_long_unchanged_text_can_be_folded_between_words() -> None:
    """Beginning, middle and end of a long unchanged run give the run back."""
    segments, _ = diff_words("word " * 200 + "old", "word " * 200 + "new")
    folded = segments[0].folded
    assert folded is not None
    assert "".join(folded) == segments[0].text
    assert segments[-1].folded is None


@pytest.mark.parametrize("length", [200, 3_000, 30_000])
def test_a_large_document_is_compared_in_seconds(length: int) -> None:
    """A megabyte of text stays within seconds, however long the passage."""
    text = "\n\n".join(
        f"Clause {n}: lorry {n % 97} carries {n * 7 % 31} pallets to hub {n % 13}."
        for n in range(20_000)
    )
    passage = text[400_000 : 400_000 + length].replace("pallets", "crates").replace("hub", "depot")
    started = time.monotonic()
    comparison, *_ = compare(passage, ("", ""), text, 0)
    assert comparison is Comparison.EDITED
    assert time.monotonic() - started < 15


def test_every_comparison_has_its_place_from_worst_to_quiet() -> None:
    """Each value is ranked once; whatever is quiet comes after whatever is not."""
    ranked = sorted(Comparison, key=lambda comparison: comparison.rank)
    assert len({comparison.rank for comparison in Comparison}) == len(Comparison)
    quiet = [comparison.quiet for comparison in ranked]
    assert quiet == sorted(quiet)
    assert Comparison.MOVED.word_for_word
    assert not Comparison.EDITED.word_for_word


def test_a_comparison_that_stopped_early_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a difference found in time shows may be more than what changed."""
    monkeypatch.setattr("graphstore.changed_words.DIFF_SECONDS", 0)
    old, new = "Refunds are paid within 30 days.", "Refunds are paid within 15 days."
    *_, changes = compare(old, ("", ""), new, 0)
    assert changes == [
        "number 30 became 15",
        "the comparison stopped early, so more may have changed",
    ]
