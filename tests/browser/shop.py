"""What the reference library records in a project before a test opens the browser.

Three decisions cite one document: `signature` a paragraph that stays word for word,
`days` one whose words change, `cards` one that goes. `letter`, in another task,
stands on `days`.
"""

from dataclasses import dataclass, field
from uuid import UUID, uuid4

from agrag.common.data_models.decision import Decision, DocumentSupport, SupportInput
from agrag.common.data_models.task import Event

from reviewconsole.addresses import decision_url, queue_url, task_url, tasks_url
from tests.interop.library import Library, Passage, Peer, passage
from tests.interop.world import decision, document

STAYS = "A refund above 500 euro needs a second signature."
CHANGES = "Refunds are paid within 30 days of the request."
CHANGED = "Refunds are paid within 15 days of the request."
GOES = "Vouchers may be exchanged for coins at any till."
REST = "Shipping is never refunded."

POLICY = f"{CHANGES}\n\n{STAYS}\n\n{GOES}\n\n{REST}"
UPDATED = f"{CHANGED}\n\n{STAYS}\n\n{REST}"
UPDATED_AGAIN = UPDATED.replace("15 days", "10 days")


@dataclass
class Shop:
    """One project in which nothing is flagged yet."""

    peer: Peer
    project: str = field(default_factory=lambda: f"shop-{uuid4().hex[:10]}")
    library: Library = field(init=False)
    signature: UUID = field(init=False)
    days: UUID = field(init=False)
    cards: UUID = field(init=False)
    letter: UUID = field(init=False)

    def __post_init__(self) -> None:
        self.library = self.peer.library(self.project)
        self.put(POLICY)
        assert self.library.create_task("audit", "Find out how refunds work.").recorded
        assert self.library.create_task("letters", "Write to the customers.").recorded
        self.library.record_event("audit", "How long do refunds take?", role="user")
        self.signature = self.record("signature", "Two people sign above 500 euro.", cited=STAYS)
        self.days = self.record("days", "Refunds take at most 30 days.", cited=CHANGES)
        self.cards = self.record("cards", "Vouchers are worth cash.", cited=GOES)
        self.letter = self.record(
            "letter", "The letter promises 30 days.", task="letters", on=self.days
        )

    @property
    def policy(self) -> str:
        return f"{self.project}-policy"

    def put(self, text: str) -> None:
        """The library's ingestion activates a version of the policy."""
        self.library.put_document(self.policy, text, title="Refund policy")

    def cite(self, words: str, text: str = POLICY) -> Passage:
        return passage(self.policy, text, words)

    def record(
        self,
        choice: str,
        conclusion: str,
        *,
        cited: str | None = None,
        on: UUID | None = None,
        task: str = "audit",
        text: str = POLICY,
        rationale: str = "Because it says so.",
    ) -> UUID:
        """A decision that cites some words of the policy or another decision."""
        cites = [self.cite(cited, text)] if cited is not None else []
        supports: list[SupportInput] = [document(one) for one in cites]
        supports += [decision(on)] if on is not None else []
        made = self.library.record_decision(
            task,
            choice,
            conclusion,
            rationale,
            supports=supports,
            fetched_evidence=self.library.fetch_evidence(*cites),
        )
        assert made.decision is not None, made
        return made.decision.id

    def record_many(self, number: int, *, cited: str) -> list[UUID]:
        """As many decisions that cite the same words of the first version."""
        cites = self.cite(cited)
        fetched = self.library.fetch_evidence(cites)
        made = [
            self.library.record_decision(
                "audit",
                f"choice-{place}",
                f"Conclusion {place}.",
                supports=[document(cites)],
                fetched_evidence=fetched,
            ).decision
            for place in range(number)
        ]
        return [one.id for one in made if one is not None]

    def read(self, decision_id: UUID) -> Decision:
        """A decision as the library reads it."""
        found = self.library.get_decision(decision_id).decision
        assert found is not None
        return found

    def all(self) -> list[Decision]:
        """The four decisions as the library reads them."""
        return [self.read(one) for one in (self.signature, self.days, self.cards, self.letter)]

    def passages(self, decision_id: UUID) -> list[DocumentSupport]:
        """The passages that the library ever read as supports of a decision, oldest first."""
        found = self.library.list_support_history(decision_id)
        return [one for one in found if isinstance(one, DocumentSupport)]

    def revision(self, choice: str, number: int, task: str = "audit") -> Decision:
        """One revision of a choice as the library finds it through its task."""
        view = self.library.get_task(task).view
        assert view is not None
        found = [d for d in view.decisions if (d.choice_key, d.revision) == (choice, number)]
        return self.read(found[0].id)

    def log(self, task: str = "audit") -> list[Event]:
        """The events of a task as the library reads them."""
        return list(self.library.list_events(task).events)

    def queue(self, **query: str) -> str:
        """The address of the queue."""
        return queue_url(self.project, **query)

    def tasks(self, **query: str) -> str:
        """The address of the list of tasks."""
        return tasks_url(self.project, **query)

    def task(self, name: str) -> str:
        """The address of one task."""
        return task_url(self.project, name)

    def at(self, decision_id: UUID) -> str:
        """The address of a decision."""
        return decision_url(self.project, decision_id)
