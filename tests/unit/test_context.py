"""Two whole paragraphs around a passage, then and now."""

from graphstore.context import in_context
from graphstore.evidence import Comparison
from graphstore.locating import PassageNow, passage_at

BEFORE = ["One far off.", "Two says thirty days.", "Three is near."]
AFTER = ["Five is near.", "Six says much.", "Seven far off."]
OWN = "It begins. Cited words stand here. It ends."
CITED = "Cited words stand here."


def text_of(*paragraphs: str) -> str:
    return "\n\n".join(paragraphs)


def cited_in(text: str, words: str = CITED) -> PassageNow:
    start = text.index(words)
    return passage_at(text, start, start + len(words))


def said(passage: PassageNow | None, kind: str, *, side: str) -> str:
    """What one side of a passage says: the words that are there then (deleted) or now (inserted)."""
    assert passage is not None
    segments = passage.before_segments if side == "before" else passage.after_segments
    return "".join(one.text for one in segments if one.kind in ("same", kind)).strip()


def test_the_rest_of_its_own_paragraph_and_two_more_on_either_side() -> None:
    """Whole, and whether the text goes on beyond them."""
    text = text_of(*BEFORE, OWN, *AFTER)
    _, now = in_context(Comparison.IDENTICAL, cited_in(text), text, cited_in(text), text)
    assert said(now, "inserted", side="before") == text_of(*BEFORE[1:], "It begins.")
    assert said(now, "inserted", side="after") == text_of("It ends.", *AFTER[:2])
    assert now is not None
    assert (now.cut_before, now.cut_after) == (True, True)


def test_at_the_edges_of_a_text_there_is_nothing_more() -> None:
    """A passage that is the whole text has no surroundings; one that opens it has none before."""
    _, now = in_context(Comparison.IDENTICAL, cited_in(CITED), CITED, cited_in(CITED), CITED)
    assert now is not None
    assert (now.before_segments, now.after_segments, now.cut_before) == ([], [], False)
    text = text_of(CITED, *AFTER)
    _, now = in_context(Comparison.IDENTICAL, cited_in(text), text, cited_in(text), text)
    assert said(now, "inserted", side="after") == text_of(*AFTER[:2])


def test_what_changed_around_it_is_marked() -> None:
    """Also where a paragraph was put in between, which pushes others out of sight."""
    old = text_of(*BEFORE, OWN, *AFTER)
    new = text_of(*BEFORE, OWN, "A new exception.", *AFTER).replace("thirty", "ten")
    cited, now = in_context(Comparison.SURROUNDINGS_CHANGED, cited_in(old), old, cited_in(new), new)
    assert cited == cited_in(old)
    assert now is not None
    changed = [(one.kind, one.text.strip()) for one in now.before_segments if one.kind != "same"]
    assert changed == [("deleted", "thirty"), ("inserted", "ten")]
    assert now.after_segments[0].text == " "
    assert said(now, "deleted", side="after") == text_of("It ends.", *AFTER[:2])
    assert "A new exception." in said(now, "inserted", side="after")


def test_a_passage_that_moved_has_its_own_surroundings_on_either_side() -> None:
    """Nothing there became anything here."""
    old, new = text_of(*BEFORE, OWN, *AFTER), text_of(OWN, *BEFORE, *AFTER)
    cited, now = in_context(Comparison.MOVED, cited_in(old), old, cited_in(new), new)
    assert said(cited, "deleted", side="before") == text_of(*BEFORE[1:], "It begins.")
    assert said(now, "inserted", side="after") == text_of("It ends.", *BEFORE[:2])


def test_a_text_that_cannot_be_read_leaves_its_passage_as_it_is() -> None:
    """The other one is shown in its surroundings all the same."""
    text = text_of(*BEFORE, OWN, *AFTER)
    cited, now = in_context(Comparison.EDITED, cited_in(text), "", cited_in(text), text)
    assert cited == cited_in(text)
    assert said(now, "inserted", side="after") == text_of("It ends.", *AFTER[:2])


def test_a_title_that_grew_stays_apart_from_the_passage() -> None:
    """The blank line below it is in neither change."""
    old, new = text_of("4 Limits", CITED), text_of("5 Limits for all", CITED)
    _, now = in_context(Comparison.EDITED, cited_in(old), old, cited_in(new), new)
    assert now is not None
    assert (now.before_segments[-1].kind, now.before_segments[-1].text) == ("same", "\n\n")


def test_what_is_equal_by_chance_alone_makes_no_edit() -> None:
    """A full stop that both have: each passage keeps its own surroundings."""
    old = text_of(CITED, "Shipping is never refunded.")
    new = text_of(CITED, "Whoever asks gets an answer within a week, or nothing whatever comes.")
    cited, now = in_context(Comparison.SURROUNDINGS_CHANGED, cited_in(old), old, cited_in(new), new)
    assert said(cited, "deleted", side="after") == "Shipping is never refunded."
    assert said(now, "inserted", side="after").endswith("nothing whatever comes.")


def test_a_title_at_the_far_end_that_was_edited_is_shown() -> None:
    """It is the furthest thing to be seen, and no mere edge."""
    far = "Another rule that nobody touched."
    old = text_of("0 Scope", "5 Limits", far, CITED)
    new = text_of("0 Scope", "5 Limits for biologics", far, CITED)
    _, now = in_context(Comparison.SURROUNDINGS_CHANGED, cited_in(old), old, cited_in(new), new)
    assert said(now, "inserted", side="before") == text_of("5 Limits for biologics", far)
    assert said(now, "deleted", side="before") == text_of("5 Limits", far)
