"""A document's text as pages show it: nothing left away, nothing made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewconsole.document_text import (
    LONGEST_COMPARED,
    MOST_SENTENCES,
    Change,
    Changes,
    Mark,
    as_it_breaks_lines,
    changes_between,
    folded_text,
    place_of,
)

WORDS = st.sampled_from(["Refunds", "take", "30", "15", "days.", "Nobody", "must", "not", "ärgern"])
PARAGRAPH = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
TEXT = st.lists(PARAGRAPH, max_size=12).map("\n\n".join)


def shown(changes: Changes) -> list[Change]:
    return [paragraph for run in changes.runs for paragraph in run.paragraphs]


def side(changes: Changes, left_out: str) -> list[str]:
    """The words of one of the two texts, as the comparison shows them."""
    segments = [segment for one in shown(changes) for segment in one.segments]
    texts = [
        " ".join(segment.text for segment in one.segments if segment.kind != left_out)
        for one in shown(changes)
    ]
    assert all(segment.text for segment in segments)
    return " ".join(texts).split()


@given(TEXT, TEXT)
def test_a_comparison_holds_both_texts(old: str, new: str) -> None:
    """Whatever was deleted or inserted, each text can be read off in its order."""
    changes = changes_between(old, new)
    assert "".join(side(changes, "deleted")) == "".join(new.split())
    assert "".join(side(changes, "inserted")) == "".join(old.split())


@given(TEXT)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    """Nor from itself with other spacing."""
    changes = changes_between(text, text.replace("\n\n", "\n \n\n"))
    assert not changes.any
    assert all(run.folded for run in changes.runs)


def test_paragraphs_are_changed_new_or_gone() -> None:
    """Each is numbered, and what changed in it is said in words with its number."""
    changes = changes_between(
        "One.\n\nTake 30 days.\n\nGone.", "One.\n\nTake 15 days.\n\nNew.\n\nMore."
    )
    assert (shown(changes)[0].kind, shown(changes)[0].number) == ("same", 0)
    assert changes.sentences[0] == (1, "number 30 became 15")
    assert [one.number for one in shown(changes) if one.number] == list(
        range(1, sum(changes.counts.values()) + 1)
    )


def test_old_paragraphs_end_before_the_new_ones_begin() -> None:
    """Where several were replaced by others, no line holds one of each."""
    changes = changes_between(
        "Apples are red\n\nPears are green", "Trains run late\n\nBuses never come"
    )
    assert [one.kind for one in shown(changes)] == ["gone", "gone", "new", "new"]


def test_long_texts_are_not_compared() -> None:
    """A page must not take minutes for what nobody reads."""
    changes = changes_between("a " * (LONGEST_COMPARED // 2), "b")
    assert changes.too_long
    assert not changes.runs


def test_many_changes_are_named_up_to_a_dozen() -> None:
    """The rest is only said to be there."""
    old = "\n\n".join(
        f"Rule {letter}: take {n} days." for n, letter in enumerate("abcdefghijklmnop")
    )
    new = "\n\n".join(
        f"Rule {letter}: take {n + 100} days." for n, letter in enumerate("abcdefghijklmnop")
    )
    changes = changes_between(old, new)
    assert len(changes.sentences) == MOST_SENTENCES
    assert changes.more_sentences


@given(TEXT, st.data())
def test_marks_leave_the_text_as_it_is(text: str, data: st.DataObject) -> None:
    """Wherever passages begin and end, also inside each other."""
    spot = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(spot, spot).map(sorted), max_size=5))
    marks = [Mark(number, start, end) for number, (start, end) in enumerate(spans) if start < end]
    blocks = folded_text(text, marks)
    pieces = [piece for block in blocks for one in block.paragraphs for piece in one.pieces]
    assert "".join("".join(piece.text for piece in pieces).split()) == "".join(text.split())
    begun = [number for piece in pieces for number in piece.begins]
    assert len(begun) == len(set(begun))


def test_a_marked_passage_is_never_folded() -> None:
    """However deep it stands in a long text, and alone among what is folded."""
    paragraphs = [f"Paragraph {number} says nothing. " * 20 for number in range(100)]
    text = "\n\n".join(paragraphs)
    start = text.index("Paragraph 70")
    blocks = folded_text(text, [Mark(1, start, start + 30)])
    assert [(block.folded, len(block.paragraphs)) for block in blocks] == [
        (False, 12),
        (True, 58),
        (False, 1),
        (True, 29),
    ]
    assert sum(block.words for block in blocks) == len(text.split())


def test_indented_first_lines_stay_indented() -> None:
    """A listing without its first blanks is another one."""
    (block,) = folded_text("Say:\n\n    make demo\n      now\n")
    assert [one.pieces[0].text for one in block.paragraphs] == ["Say:", "    make demo\n      now"]


@pytest.mark.parametrize(
    ("current", "written"),
    [
        (None, "a\nb"),
        ("x\ny", "a\nb"),
        ("x\r\ny", "a\r\nb"),
        ("x\r\ny\nz", "a\nb"),
        ("a\r\nb", "a\r\nb"),
        ("a\rb", "a\rb"),
    ],
)
def test_line_ends_follow_the_text_that_was_shown(current: str | None, written: str) -> None:
    """A form sends CR LF for all of them."""
    assert as_it_breaks_lines("a\r\nb", current) == written


@pytest.mark.parametrize(
    ("cited", "text", "place"),
    [
        ("b c", "a b c d", (2, 5)),
        ("b\nc", "a b  c d", (2, 6)),
        (" ", "a b", None),
        ("x", "a b", None),
        ("b c", "a " * 150_000 + "b c", (300_000, 300_003)),
        ("b\nc", "a " * 150_000 + "b c", None),
    ],
)
def test_a_passage_is_found_word_for_word(
    cited: str, text: str, place: tuple[int, int] | None
) -> None:
    """Spacing aside, but in very long texts letter by letter."""
    assert place_of(cited, text) == place
