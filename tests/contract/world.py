"""The operations of one project for one author, and words for what tests do with them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphstore import ConversationHistory, DecisionTraces, Documents, HistoryRetention
from graphstore.changeset import Changeset, Committed
from graphstore.records import Actor, Decision, FetchOutcome
from graphstore.results import WriteResult
from graphstore.store import GraphStore, Row, Unanswered
from graphstore.verbs import Verb
from tests.contract.seeding import Cited, Passage, support_of
from tests.servers import RawGraph

POLICY = """Refunds are paid within 30 days of the request.

A refund above 500 euro needs a second signature.

Shipping is never refunded."""

POLICY_15 = POLICY.replace("30 days", "15 days")
POLICY_45 = POLICY.replace("30 days", "45 days")
DAYS, DAYS_15 = "paid within 30 days", "paid within 15 days"
SIGNED = "a second signature"


@dataclass(frozen=True)
class Work:
    """One project, one author."""

    store: GraphStore
    raw: RawGraph
    project: str = "p"
    agent: str = "agent"
    actor: Actor | None = None
    history: ConversationHistory = field(init=False)
    traces: DecisionTraces = field(init=False)
    documents: Documents = field(init=False)
    retention: HistoryRetention = field(init=False)

    def __post_init__(self) -> None:
        bound: dict[str, Any] = {
            "project_id": self.project,
            "agent_id": self.agent,
            "actor": self.actor,
        }
        for name, made in (
            ("history", ConversationHistory(self.store, **bound)),
            ("traces", DecisionTraces(self.store, **bound)),
            ("documents", Documents(self.store, **bound)),
            ("retention", HistoryRetention(self.store, **bound)),
        ):
            object.__setattr__(self, name, made)

    def by(self, agent: str) -> "Work":
        """The same project for another author."""
        return replace(self, agent=agent)

    def within(self, project: str) -> "Work":
        """The same author in another project."""
        return replace(self, project=project)

    def through(self, store: GraphStore) -> "Work":
        """The same project and author through another store."""
        return replace(self, store=store)

    def record(
        self, choice: str, *cited: Cited, task: str = "t", says: str | None = None
    ) -> Decision:
        """Record a decision on what it cites; it must succeed."""
        result = self.traces.record_decision(
            task, choice, says or f"Conclusion of {choice}", f"Rationale of {choice}", **on(*cited)
        )
        assert result.recorded, result
        assert result.decision is not None
        return result.decision

    def get(self, decision_id: object) -> Decision:
        """A decision as a reader finds it."""
        found = self.traces.get_decision(str(decision_id)).decision
        assert found is not None
        return found


def on(*cited: Cited) -> dict[str, Any]:
    """The arguments `supports` and `fetched_evidence` of a decision on what it cites."""
    fetched: Sequence[FetchOutcome] = [c.outcome for c in cited if isinstance(c, Passage)]
    return {"supports": [support_of(c) for c in cited], "fetched_evidence": fetched}


def evidence(*passages: Passage) -> dict[str, Any]:
    """The arguments of a reaffirmation on these passages."""
    return {
        "evidence": [p.support for p in passages],
        "fetched_evidence": [p.outcome for p in passages],
    }


def answer(result: WriteResult) -> tuple[bool, str | None]:
    """Whether a write is in effect, or why not."""
    return result.recorded, result.error and str(result.error)


class Wrapped:
    """A store that passes everything on to another."""

    def __init__(self, store: GraphStore) -> None:
        self.store = store
        self.ledger_keys = store.ledger_keys

    @property
    def snapshot_reads(self) -> bool:
        """As the store says."""
        return self.store.snapshot_reads

    def read(self, name: str, p: Mapping[str, Any], *, leader: bool = False) -> list[Row]:
        """Read."""
        return self.store.read(name, p, leader=leader)

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        """Commit."""
        return self.store.commit(verb, changeset)

    def setup_schema(self, report: Callable[[str], None] = print) -> None:
        """Make the schema."""
        self.store.setup_schema(report)

    def rewrite_log(self) -> str:
        """Rewrite the log."""
        return self.store.rewrite_log()

    def close(self) -> None:
        """Leave the other store open: it belongs to somebody else."""


class Meanwhile(Wrapped):
    """Lets somebody else act once, after the first gather and before the first commit."""

    def __init__(self, store: GraphStore, act: Callable[[], object]) -> None:
        super().__init__(store)
        self._acts = [act]

    def let_in(self) -> None:
        """Let the other one act, unless that was done."""
        while self._acts:
            self._acts.pop()()

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        """Let the other one act, then commit."""
        self.let_in()
        return super().commit(verb, changeset)


class Deaf(Wrapped):
    """Commits and then loses the answer, once."""

    def __init__(self, store: GraphStore) -> None:
        super().__init__(store)
        self.lost: list[Verb] = []

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        """Commit; the first time, nobody hears of it."""
        committed = super().commit(verb, changeset)
        if not self.lost:
            self.lost.append(verb)
            raise Unanswered
        return committed
