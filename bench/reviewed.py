"""What became of a queue that a reviewer worked through, read from the graph and held to what was meant."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from playwright.sync_api import Page

from bench.hand import Hand
from bench.handbook import AGENT, OTHER_TITLE, TITLE, Kind, Rule
from bench.reviewer import Reviewer
from graphstore import DecisionTraces, GraphStore
from graphstore.records import ReviewState, VerdictRecord

__all__ = ["TRAPS", "Outcome", "Run", "misses", "read_back", "work_through"]

MOST_SINGLY = 3
MOST_IN_BULK = 25
MOST_ROUND_TRIPS = 5

TRAPS = {
    Kind.HEADING: ("stands under", "outdoor"),
    Kind.NEIGHBOUR: ("next to them changed",),
    Kind.ELSEWHERE: ("Elsewhere in the document", "is exempt"),
    Kind.NUMBER: ("number",),
    Kind.UNIT: ("unit",),
    Kind.NEGATION: ("not",),
    Kind.MARK: ("Wording only",),
    Kind.WORDING: ("Wording only",),
    Kind.GONE: ("do not stand in the present text",),
    Kind.TWO_CAUSES: (TITLE, OTHER_TITLE, "number"),
}
"""What must never be offered in bulk, and words that its page must say."""


@dataclass(frozen=True)
class Outcome:
    """What the record holds in the end: all verdicts, and how each decision stands."""

    verdicts: list[VerdictRecord]
    states: dict[UUID, ReviewState]

    @property
    def in_bulk(self) -> set[UUID]:
        """The decisions that a bulk reaffirmed unopened."""
        exhibits = {one.decision_id: one.exhibit for one in self.verdicts}
        return {of for of, exhibit in exhibits.items() if exhibit and exhibit.in_bulk > 1}


@dataclass(frozen=True)
class Run:
    """One queue, worked through."""

    engine: str
    rules: list[Rule]
    reviewer: Reviewer
    outcome: Outcome

    def decisions(self, kind: Kind) -> set[UUID]:
        return {rule.decision_id for rule in self.rules if rule.kind is kind and rule.decision_id}

    @property
    def offered(self) -> set[UUID]:
        """The decisions that were in the bulk, its sample included."""
        return self.outcome.in_bulk | set(self.reviewer.bulk.sampled)

    @property
    def judged(self) -> set[str]:
        """What was done singly, by its name."""
        return {seen.verdict for seen in self.reviewer.seen}


def work_through(page: Page, project: str, pauses: int = 0) -> Reviewer:
    """The queue of a signed-in reviewer's page until nothing waits: bulk first, then singly.

    `pauses` says how often the reviewer pauses over what was typed, until it is saved.
    """
    reviewer = Reviewer(Hand(page), project, pauses)
    reviewer.open_queue()
    reviewer.reaffirm_the_calm()
    reviewer.judge_the_rest()
    return reviewer


def read_back(store: GraphStore, project: str, rules: Sequence[Rule]) -> Outcome:
    """The record, past the console."""
    traces = DecisionTraces(store, project_id=project, agent_id=AGENT)
    ids = [rule.decision_id for rule in rules if rule.decision_id]
    found = [traces.get_decision(one).decision for one in ids]
    return Outcome(
        list(_verdicts(traces)), {one.id: one.review_state for one in found if one is not None}
    )


def _verdicts(traces: DecisionTraces) -> Iterator[VerdictRecord]:
    cursor: str | None = None
    while True:
        page = traces.list_verdicts(cursor=cursor, limit=100)
        yield from page.verdicts
        cursor = page.next_cursor
        if cursor is None:
            return


def misses(run: Run) -> list[str]:
    """What was not reached, in words; nothing when all was."""
    return [*_too_much(run), *_unsaid(run), *_unclear(run)]


def _too_much(run: Run) -> Iterator[str]:
    hand = run.reviewer.hand
    for seen in run.reviewer.seen:
        if seen.interactions > MOST_SINGLY:
            yield f"{seen.verdict} {seen.decision_id}: {seen.interactions} interactions"
        # From the last of all there is no next: it leads to the queue.
        if seen.loads and seen is not run.reviewer.seen[-1]:
            yield f"{seen.verdict} {seen.decision_id}: a page was loaded as a whole"
    bulk = sum(step.interactions for step in hand.steps if step.name in ("bulk", "sample"))
    if bulk > MOST_IN_BULK:
        yield f"the bulk: {bulk} interactions"
    most = Counter[str]()
    for answer in hand.answers:
        # The first look at a project takes every flag that there is into the console's index.
        if answer.step != "first look":
            most[answer.kind] = max(most[answer.kind], answer.round_trips)
    for kind, number in most.items():
        if number > MOST_ROUND_TRIPS:
            yield f"{kind}: {number} round trips"


def _unsaid(run: Run) -> Iterator[str]:
    for kind, words in TRAPS.items():
        own = run.decisions(kind)
        if offered := own & run.offered:
            yield f"{len(offered)} of {kind} offered in bulk"
        for seen in run.reviewer.seen:
            said = " ".join(seen.said)
            if seen.decision_id in own and not all(word in said for word in words):
                yield f"{kind} {seen.decision_id}: its page says only “{said}”"


def _unclear(run: Run) -> Iterator[str]:
    judged = Counter(one.decision_id for one in run.outcome.verdicts)
    recorded = {one.decision_id: one.kind for one in run.outcome.verdicts}
    given = {seen.decision_id: seen.verdict for seen in run.reviewer.seen}
    for rule in run.rules:
        assert rule.decision_id is not None
        kind = recorded.get(rule.decision_id, "")
        verdict = given.get(rule.decision_id, "reaffirm in bulk")
        if not verdict.startswith(kind):
            yield f"{rule.kind} {rule.decision_id}: {verdict} was given, {kind} is recorded"
        if judged[rule.decision_id] != 1:
            yield f"{rule.kind} {rule.decision_id}: judged {judged[rule.decision_id]} times"
        if run.outcome.states.get(rule.decision_id) == ReviewState.NEEDS_REVIEW:
            yield f"{rule.kind} {rule.decision_id}: still waits"
    if stray := set(judged) - {rule.decision_id for rule in run.rules}:
        yield f"{len(stray)} others were judged"
