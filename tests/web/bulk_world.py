"""A handbook of many rules, a decision on each, and a change of one rule at its end."""

from dataclasses import dataclass, field
from uuid import UUID

from django.test import Client

from graphstore.records import Decision
from reviewconsole import jobs
from reviewconsole.bulk_models import BulkItem, ItemState
from reviewconsole.models import Bulk, FlaggedDecision
from tests.web.browsing import Answer, at, open_decision, post, shown_form
from tests.web.world import PROJECT, World

KEY = "bad"
"""A document that agents of these tests may cite before anybody else did."""

FILLER = (
    "This paragraph keeps its neighbours apart, so that a change of one rule is far away "
    "from all others, as it would be in a handbook that people wrote with some patience. "
    "It says nothing that anybody could decide on, and it is the same wherever it stands. "
)


def rule(number: int) -> str:
    return f"Rule {number}: whoever is on shift {number} locks the door behind them."


def handbook(rules: int, last: str = "Lunch is at noon.") -> str:
    return "\n\n".join([*(f"{rule(n)}\n\n{FILLER}" for n in range(rules)), last])


@dataclass
class Shifts:
    """A decision on each rule; all wait since the last line of the handbook changed."""

    world: World
    rules: int = 7
    decisions: list[Decision] = field(default_factory=list)

    def __post_init__(self) -> None:
        text = handbook(self.rules)
        self.world.documents.put_document(KEY, text, title="Handbook")
        self.decisions = [
            self.world.decide(
                f"shift-{n}", f"Shift {n} locks up.", [self.world.cite_from(KEY, text, rule(n))]
            )
            for n in range(self.rules)
        ]

    def change(self, last: str = "Lunch is at one.") -> None:
        """Change the last line, and have the console find out what that means."""
        changed = self.world.documents.put_document(
            KEY, handbook(self.rules, last), title="Handbook"
        )
        assert changed.recorded
        noticed()

    def settle_sample(self, bulk: Bulk) -> None:
        """As if each of the sample had been reaffirmed on its desk."""
        sample = BulkItem.objects.filter(bulk=bulk, sampled=True)
        FlaggedDecision.objects.filter(decision_id__in=sample.values("decision_id")).update(
            cleared_us=1
        )
        sample.update(state=ItemState.REAFFIRMED)


def noticed() -> None:
    """What workers do after a change: the index is level, what it flagged is compared."""
    jobs.catch_up(PROJECT)
    jobs.compare(PROJECT)


def sampled(client: Client, decision: UUID, **typed: str) -> Answer:
    """Send a desk in a sample as its main button does."""
    form = shown_form(open_decision(client, decision))
    return post(client, at(decision), {**form, "then": "sample", **typed})
