"""What became of a passage, with both versions of its document seen whole."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.handbook import EXPECTED, Kind, Rule, rules, versions
from graphstore.dangers import Danger
from graphstore.evidence import Comparison
from graphstore.looking import Cited, Outcome, look
from graphstore.versions_apart import Paragraphs, VersionsApart, without_number

RULES = rules()
OLD, *_, NEW = versions(RULES)
APART = VersionsApart.of(OLD, NEW)

FOUND: dict[Kind, tuple[Comparison, list[Danger]]] = {
    Kind.ROOT: (Comparison.EDITED, []),
    Kind.CALM: (Comparison.VERBATIM, []),
    Kind.LEANS: (Comparison.VERBATIM, []),
    Kind.TWO_CAUSES: (Comparison.VERBATIM, []),
    Kind.HEADING: (Comparison.SURROUNDINGS_CHANGED, [Danger.HEADING]),
    Kind.NEIGHBOUR: (Comparison.SURROUNDINGS_CHANGED, [Danger.NEIGHBOUR]),
    Kind.ELSEWHERE: (Comparison.VERBATIM, [Danger.ELSEWHERE]),
    Kind.NUMBER: (Comparison.EDITED, [Danger.NUMBER]),
    Kind.UNIT: (Comparison.EDITED, [Danger.UNIT]),
    Kind.NEGATION: (Comparison.EDITED, [Danger.NEGATION]),
    Kind.MARK: (Comparison.EDITED, []),
    Kind.WORDING: (Comparison.EDITED, []),
    Kind.GONE: (Comparison.NOT_FOUND, []),
}


def outcome(old: str, new: str, words: str) -> Outcome:
    """What became of some words of the older text."""
    start = old.index(words)
    cited = Cited(words, old[:start], old[start + len(words) :], start)
    return look(cited, new, VersionsApart.of(old, new))


def of_rule(rule: Rule) -> Outcome:
    said = rule.paragraph(1) or ""
    start = OLD.index(said)
    return look(Cited(said, OLD[:start], OLD[start + len(said) :], start), NEW, APART)


@pytest.mark.parametrize("kind", Kind)
def test_each_kind_of_change_is_told_apart(kind: Kind) -> None:
    """Of three hundred passages of one document each is found as what it is, dangers named."""
    found = [of_rule(rule) for rule in RULES if rule.kind is kind]
    assert len(found) == EXPECTED[kind]
    assert [(one.comparison, list(one.dangers)) for one in found] == [FOUND[kind]] * len(found)


def test_an_exception_elsewhere_is_shown() -> None:
    """The paragraph that makes it one stands first among what else changed."""
    exempt = [rule for rule in RULES if rule.kind is Kind.ELSEWHERE]
    assert [of_rule(rule).also_changed[0].now for rule in exempt] == [
        f"From May on the {rule.pump} pump is exempt: no service is due for it." for rule in exempt
    ]


def test_the_headings_are_those_above() -> None:
    """The titles then and now, the outermost first."""
    rule = next(rule for rule in RULES if rule.kind is Kind.HEADING)
    found = of_rule(rule)
    chapter = f"Chapter {rule.number + 1}"
    assert found.heading_then == ("Service handbook", f"{chapter}: indoor use")
    assert found.heading_now == ("Service handbook", f"{chapter}: outdoor use only")


LONG = "The supplier keeps a list of every tool that was lent, and of who has it. " * 4


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# A\n\n{}", "# B\n\n{}"),
        ("A\n=\n\n{}", "B\n=\n\n{}"),
        ("# Terms\n\n## Sale\n\n{}", "# Terms\n\n## Rent\n\n{}"),
        ("1. Sale\n\n{}", "1. Rent\n\n{}"),
        ("Article 3 Sale\n\n{}", "Article 3 Rent\n\n{}"),
    ],
)
def test_a_heading_however_it_is_marked(old: str, new: str) -> None:
    """Marked, underlined or numbered, over a filler that kept the passage's surroundings."""
    filling = f"{LONG}\n\nThe fee is paid at once.\n\n{LONG}"
    found = outcome(old.format(filling), new.format(filling), "The fee is paid at once.")
    assert found.comparison is Comparison.SURROUNDINGS_CHANGED
    assert list(found.dangers) == [Danger.HEADING]


def test_a_chapter_that_is_only_counted_otherwise() -> None:
    """A chapter put in before renumbers the others and changes none of them."""
    body = f"{LONG}\n\nThe fee is paid at once.\n\n{LONG}"
    old, new = f"## 1. Sale\n\n{body}", f"## 1. News\n\nNone yet.\n\n## 2. Sale\n\n{body}"
    found = outcome(old, new, "The fee is paid at once.")
    assert (found.comparison, list(found.dangers)) == (Comparison.VERBATIM, [])


@pytest.mark.parametrize(
    ("title", "rest"),
    [
        ("3.2 Refunds", "Refunds"),
        ("Chapter 5: indoor use", "indoor use"),
        ("IV. Sale", "Sale"),
        ("A pump", "A pump"),
        ("7", "7"),
    ],
)
def test_what_counts_a_title_is_left_away(title: str, rest: str) -> None:
    """Numbers go, words stay, and a title that is all number stays as it is."""
    assert without_number(title) == rest


TEXTS = st.lists(st.sampled_from(["Alpha beta.", "Gamma delta.", "# One", "Eps zeta eta."])).map(
    "\n\n".join
)


@given(TEXTS, TEXTS)
def test_paragraphs_are_paired_at_most_once(old: str, new: str) -> None:
    """Each paragraph became one other at most, equal ones in order; blanks keep every offset."""
    apart = VersionsApart.of(old, new)
    assert max(Counter(apart.partners.values()).values(), default=1) == 1
    in_order = [apart.partners[number] for number in sorted(apart.partners)]
    assert in_order == sorted(in_order)
    blanked = apart.only_of(range(0))
    assert len(blanked) == len(new)
    assert {a for a, b in zip(blanked, new, strict=True) if a != b} <= {" "}


@given(TEXTS)
def test_a_text_is_like_itself(text: str) -> None:
    """Nothing of it changed, and every paragraph is its own partner."""
    apart = VersionsApart.of(text, text)
    assert apart.changed == []
    assert apart.partners == {n: n for n in range(len(Paragraphs.of(text).spans))}
