"""A queue of 300 flags from one document with three changes, for measuring a reviewer's work.

`fill` records the decisions and activates the versions; what became of each cited passage is
known beforehand: one root on which twelve rest, 240 passages that stay word for word, 40 that
are edited, 19 that go. Among them are traps: 12 passages that stay while their heading, their
neighbour or an exception elsewhere now says otherwise, 10 edits of one number, unit or "not",
10 that change a mark only, and 8 decisions that wait because of a second document as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from uuid import UUID

from graphstore import ConversationHistory, DecisionTraces, Documents, GraphStore
from graphstore.ids import evidence_id, named_id, sha256
from graphstore.records import DecisionSupportInput, DocumentSupportInput, SupportInput

__all__ = ["EXPECTED", "FEW", "Kind", "Rule", "fill", "versions"]

TASK = "service-plan"
AGENT = "planner"
TITLE = "Service handbook"
OTHER_TITLE = "Price list"

_COLOURS = (
    "amber", "azure", "bronze", "cobalt", "copper", "coral", "crimson", "emerald", "golden",
    "hazel", "indigo", "ivory", "jade", "khaki", "lilac", "maroon", "ochre", "olive", "pearl",
    "ruby", "russet", "sable", "scarlet", "sienna", "silver",
)  # fmt: skip
_BIRDS = (
    "avocet", "bittern", "condor", "dunlin", "egret", "falcon", "gannet", "heron", "ibis",
    "jackdaw", "kestrel", "linnet", "merlin", "nightjar", "osprey",
)  # fmt: skip


class Kind(StrEnum):
    """What becomes of the passage that a decision cites."""

    ROOT = "root"
    CALM = "calm"
    LEANS = "leans"
    """Calm, and resting on the root as well."""
    TWO_CAUSES = "two causes"
    HEADING = "heading"
    NEIGHBOUR = "neighbour"
    ELSEWHERE = "elsewhere"
    NUMBER = "number"
    UNIT = "unit"
    NEGATION = "negation"
    MARK = "mark"
    WORDING = "wording"
    GONE = "gone"


EXPECTED = {
    Kind.ROOT: 1, Kind.CALM: 208, Kind.LEANS: 12, Kind.TWO_CAUSES: 8,
    Kind.HEADING: 4, Kind.NEIGHBOUR: 4, Kind.ELSEWHERE: 4,
    Kind.NUMBER: 4, Kind.UNIT: 3, Kind.NEGATION: 3, Kind.MARK: 10, Kind.WORDING: 20,
    Kind.GONE: 19,
}  # fmt: skip
"""How many of each; the root's own passage is worded otherwise, and counts by itself."""

FEW = dict.fromkeys(Kind, 1) | {Kind.CALM: 6}
"""A small queue with every trap in it, and just enough for a bulk."""


@dataclass(frozen=True)
class Rule:
    """One paragraph of the handbook with the decision that cites it. `number` counts from 0."""

    number: int
    kind: Kind
    decision_id: UUID | None = None

    @property
    def pump(self) -> str:
        """A name that stands nowhere else in the handbook."""
        colour, bird = list(product(_COLOURS, _BIRDS))[self.number]
        return f"{colour.capitalize()} {bird}"

    @property
    def weeks(self) -> int:
        return 3 + self.number % 40

    @property
    def changed_in(self) -> int:
        """The version, 2 to 4, in which something about it changes."""
        return 2 + self.number % 3

    def paragraph(self, version: int) -> str | None:
        """Its text in a version, None once it is gone."""
        said = (
            f"The {self.pump} pump is serviced every {self.weeks} weeks by the field team. "
            f"Its seals are replaced when they leak, and its pressure is kept below 12 bar."
        )
        if version < self.changed_in:
            return said
        match self.kind:
            case Kind.NUMBER:
                return said.replace(f"every {self.weeks} weeks", f"every {self.weeks * 2} weeks")
            case Kind.UNIT:
                return said.replace("12 bar", "12 psi")
            case Kind.NEGATION:
                return said.replace("are replaced", "are not replaced")
            case Kind.MARK:
                return said.replace("leak, and", "leak; and")
            case Kind.WORDING | Kind.ROOT:
                return said.replace("by the field team", "by whoever of the field team is free")
            case Kind.GONE:
                return None
            case _:
                return said

    def section(self, version: int) -> Iterator[str]:
        """Its part of the handbook: heading, what stands before it, itself, what stands behind."""
        changed = version >= self.changed_in
        turned = changed and self.kind is Kind.HEADING
        place = "outdoor use only" if turned else "indoor use"
        yield f"## Chapter {self.number + 1}: {place}"
        yield _filler(self.number, "before")
        if own := self.paragraph(version):
            yield own
        if self.kind is Kind.NEIGHBOUR:
            yield (
                "In frost this does not hold: the service is left out."
                if changed
                else "In frost this holds as well: no service is left out."
            )
        yield _filler(self.number, "behind")


def _filler(number: int, side: str) -> str:
    """A paragraph that nobody cites and that never changes, longer than what counts as near."""
    return (
        f"What stands {side} rule {number + 1} is general. Work is planned a week ahead, the office "
        "is told of it in writing, and whoever does it signs the sheet that hangs beside the door. "
        "Tools go back where they were found. Waste oil is collected in the yard and fetched once a "
        "month by the carrier that the office has chosen for it."
    )


def rules(numbers: Mapping[Kind, int] = EXPECTED) -> list[Rule]:
    """All of them, mixed so that no kind stands together, the root in the middle."""
    left = {kind: number for kind, number in numbers.items() if kind is not Kind.ROOT}
    total, mixed = sum(left.values()), list[Kind]()
    for _ in range(total):
        # Whichever kind is furthest behind its even spread comes next.
        kind = max(left, key=lambda one: left[one] / numbers[one])
        left[kind] -= 1
        mixed.append(kind)
    mixed.insert(total // 2, Kind.ROOT)
    return [Rule(number, kind) for number, kind in enumerate(mixed)]


def versions(made: Sequence[Rule]) -> list[str]:
    """The handbook in its four versions."""
    return [_text(made, version) for version in (1, 2, 3, 4)]


def _text(made: Sequence[Rule], version: int) -> str:
    parts = ["# Service handbook", _filler(len(made), "before")]
    parts += [part for rule in made for part in rule.section(version)]
    parts += ["## Annex", _filler(len(made) + 1, "before")]
    parts += [
        f"From May on the {rule.pump} pump is exempt: no service is due for it."
        for rule in made
        if rule.kind is Kind.ELSEWHERE and version >= rule.changed_in
    ]
    return "\n\n".join(parts)


def _prices(year: int) -> str:
    return f"A service costs {year - 1900} euro in {year}.\n\nTravel is charged by the hour."


def fill(store: GraphStore, project_id: str, numbers: Mapping[Kind, int] = EXPECTED) -> list[Rule]:
    """Record the decisions in an empty project, so many of each kind, then activate versions 2 to 4.

    Returns the rules with the ids of their decisions. Afterwards all of them wait.
    """
    named = {"project_id": project_id, "agent_id": AGENT}
    history = ConversationHistory(store, **named)
    traces = DecisionTraces(store, **named)
    documents = Documents(store, **named)
    keys = (f"{project_id}-handbook", f"{project_id}-prices")
    made = rules(numbers)
    texts = versions(made)
    assert history.create_task(TASK, "Plan the service of every pump.").recorded
    assert documents.put_document(keys[0], texts[0], title=TITLE).recorded
    assert documents.put_document(keys[1], _prices(2025), title=OTHER_TITLE).recorded
    writer = _Writer(traces, documents, keys, texts[0])
    root = writer.record(next(rule for rule in made if rule.kind is Kind.ROOT))
    recorded = [
        root if rule.kind is Kind.ROOT else writer.record(rule, root.decision_id) for rule in made
    ]
    for text in texts[1:]:
        assert documents.put_document(keys[0], text, title=TITLE).recorded
    assert documents.put_document(keys[1], _prices(2026), title=OTHER_TITLE).recorded
    return recorded


@dataclass(frozen=True)
class _Writer:
    traces: DecisionTraces
    documents: Documents
    keys: tuple[str, str]
    text: str

    def record(self, rule: Rule, root: UUID | None = None) -> Rule:
        said = rule.paragraph(1)
        assert said is not None
        cited = [self._passage(self.keys[0], self.text, said)]
        if rule.kind is Kind.TWO_CAUSES:
            prices = _prices(2025)
            cited.append(self._passage(self.keys[1], prices, prices.split("\n")[0]))
        supports: list[SupportInput] = [DocumentSupportInput(evidence_id=one) for one in cited]
        if rule.kind is Kind.LEANS:
            supports.append(DecisionSupportInput(decision_id=str(root)))
        result = self.traces.record_decision(
            TASK,
            f"interval-{rule.number + 1}",
            f"Service the {rule.pump} pump every {rule.weeks} weeks.",
            f"The handbook asks for a service of the {rule.pump} pump every {rule.weeks} weeks.",
            supports=supports,
            fetched_evidence=self.documents.fetch_evidence(cited, scope=frozenset(self.keys)),
        )
        assert result.decision is not None, result
        return replace(rule, decision_id=result.decision.id)

    def _passage(self, key: str, text: str, words: str) -> str:
        start = text.index(words)
        return evidence_id(named_id("Document", key), sha256(text), start, start + len(words))
