"""A project with a short chain, and the ways to damage it past the product's code."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from graphstore import ConversationHistory, DecisionTraces
from graphstore.ids import sha256
from graphstore.ledger import LedgerEntry, LedgerKey
from graphstore.records import Decision, EventSupportInput
from graphstore.seals import signature
from graphstore.store import GraphStore
from reviewconsole import ledger_check
from reviewconsole.append_only import protect, release
from reviewconsole.ledger_models import LedgerFinding, LedgerRun
from reviewconsole.review_index import catch_up
from tests.servers import RawGraph

PROJECT = "kept"
ENTRIES = "reviewconsole_mirroredentry"
SEALS = "reviewconsole_mirroredseal"
KEYS = {ENTRIES: [("entry_id",)], SEALS: [("entry_id",), ("project_id", "sequence_number")]}


@dataclass
class Chain:
    """Four entries: a task, its two events, and a decision on the first; all sealed."""

    store: GraphStore
    raw: RawGraph
    history: ConversationHistory = field(init=False)
    traces: DecisionTraces = field(init=False)
    made: Decision = field(init=False)

    def __post_init__(self) -> None:
        self.history = ConversationHistory(self.store, project_id=PROJECT, agent_id="agent")
        self.traces = DecisionTraces(self.store, project_id=PROJECT, agent_id="agent")
        self.history.create_task("audit", "Find out.")
        self.history.record_event("audit", "message", role="user", payload="30 days.")
        self.history.record_event("audit", "message", role="user", payload="Or 40.")
        made = self.traces.record_decision(
            "audit",
            "days",
            "30 days",
            "It was said.",
            supports=[EventSupportInput(task_name="audit", seq=1)],
        )
        assert made.decision is not None
        self.made = made.decision
        assert catch_up(self.store, PROJECT)

    @property
    def key(self) -> LedgerKey:
        assert self.store.ledger_keys.current is not None
        return self.store.ledger_keys.current

    def entry(self, number: int) -> dict[str, Any]:
        """A sealed entry's properties."""
        found = self.raw.run(
            "MATCH (x:CtxTrace {project_id: $p, sequence_number: $n}) RETURN properties(x)",
            {"p": PROJECT, "n": number},
        )
        return found[0][0]

    def set(self, number: int, **props: Any) -> None:
        """Write properties of a sealed entry as somebody with the graph's password would."""
        self.raw.run(
            "MATCH (x:CtxTrace {project_id: $p, sequence_number: $n}) SET x += $props",
            {"p": PROJECT, "n": number, "props": props},
        )

    def take_away(self, number: int) -> None:
        """Delete a sealed entry."""
        self.raw.run(
            "MATCH (x:CtxTrace {project_id: $p, sequence_number: $n}) DELETE x",
            {"p": PROJECT, "n": number},
        )

    def run(self) -> LedgerRun:
        """Verify to the end."""
        run = ledger_check.begin(PROJECT)
        while not ledger_check.advance(self.store, run):
            pass
        return run

    def found(self) -> list[tuple[str, int | None]]:
        """What a verification finds: kinds with the number, or None where none is known."""
        return sorted(
            (f.kind, f.sequence_number)
            for f in LedgerFinding.objects.filter(run=self.run()).order_by("sequence_number")
        )


def protect_again() -> None:
    """Put every trigger on, also the one that is off so that databases can be emptied."""
    vendor = connection.vendor
    with connection.cursor() as cursor:
        for table, keys in KEYS.items():
            for statement in [*release(vendor, table), *protect(vendor, table, *keys)]:
                cursor.execute(statement)


def sql(*statements: str) -> None:
    """Change the mirror with its triggers dropped, as the database's owner could."""
    with connection.cursor() as cursor:
        for table in (ENTRIES, SEALS):
            for statement in release(connection.vendor, table):
                cursor.execute(statement)
        for statement in statements:
            cursor.execute(statement)


def _manifest(chain: Chain) -> None:
    changed = chain.entry(2)["manifest_json"].replace("record_event", "record_nothing")
    chain.set(2, manifest_json=changed)


def _rewritten(chain: Chain) -> None:
    changed = chain.entry(2)["manifest_json"].replace('"agent"', '"other"')
    chain.set(2, manifest_json=changed, content_hash=sha256(changed), agent_id="other")


def _relinked(chain: Chain) -> None:
    entry = LedgerEntry.model_validate(chain.entry(3))
    parent = chain.entry(1)["content_hash"]
    signed = signature(chain.key, entry.schema_version, PROJECT, 3, parent, entry.content_hash)
    chain.set(3, parent_hash=parent, signature=signed)


def _beyond(chain: Chain) -> None:
    copy = chain.entry(4) | {"id": "forged", "sequence_number": 9}
    chain.raw.run("CREATE (x:CtxTrace) SET x = $props", {"props": copy})


def _cut(chain: Chain) -> None:
    chain.take_away(4)
    chain.raw.run(
        "MATCH (c:CtxChain {project_id: $p}) SET c.sequence_number = 3, c.head_hash = $hash",
        {"p": PROJECT, "hash": chain.entry(3)["content_hash"]},
    )


def _gone_twice(chain: Chain) -> None:
    identity = chain.entry(2)["id"]
    chain.take_away(2)
    sql(
        f"DELETE FROM {ENTRIES} WHERE entry_id = '{identity}'",  # noqa: S608
        f"DELETE FROM {SEALS} WHERE entry_id = '{identity}'",  # noqa: S608
    )


def _never_sealed(chain: Chain) -> None:
    chain.history.record_event("audit", "message", role="user", payload="Late.")
    chain.raw.run(
        "MATCH (x:CtxTrace {project_id: $p, ctx_unsealed: true}) "
        "SET x.ctx_unsealed = null SET x.ctx_open = null",
        {"p": PROJECT},
    )


def _conclusion(chain: Chain) -> None:
    chain.raw.run(
        "MATCH (d:Decision {id: $id}) SET d.conclusion = '40 days'", {"id": str(chain.made.id)}
    )


def _rationale(chain: Chain) -> None:
    chain.raw.run(
        "MATCH (d:Decision {id: $id}) SET d.rationale = 'Because.'", {"id": str(chain.made.id)}
    )


Damage = tuple[Callable[[Chain], object], list[tuple[str, int | None]]]

DAMAGES: dict[str, Damage] = {
    "manifest": (_manifest, [("altered", 2)]),
    "column beside the manifest": (
        lambda chain: chain.set(2, principal="somebody"),
        [("altered", 2)],
    ),
    "what arrived late": (lambda chain: chain.set(4, late=["forged"]), [("altered", 4)]),
    "number of the last event": (lambda chain: chain.set(2, last_seq=7), [("altered", 2)]),
    "no content hash": (lambda chain: chain.set(2, content_hash=None), [("altered", 2)]),
    "no readable time": (lambda chain: chain.set(2, created_at="never"), [("altered", 2)]),
    "content and hash": (_rewritten, [("bad_mac", 2)]),
    "mac": (lambda chain: chain.set(2, mac="0" * 64), [("bad_mac", 2)]),
    "mac taken off": (lambda chain: chain.set(2, mac=None), [("bad_mac", 2)]),
    "signature": (lambda chain: chain.set(2, signature="0" * 64), [("bad_signature", 2)]),
    "signature taken off": (lambda chain: chain.set(2, signature=None), [("bad_signature", 2)]),
    "entry deleted": (lambda chain: chain.take_away(2), [("missing", None)]),
    "end cut off": (_cut, [("missing", None)]),
    "entry and copies deleted": (_gone_twice, [("gap", 2)]),
    "second child of one parent": (_relinked, [("fork", 3)]),
    "number that was never given": (_beyond, [("fork", 9)]),
    "hidden from the sealer": (_never_sealed, [("unsealed", None)]),
    "copy of the entry changed": (
        lambda chain: sql(
            f"UPDATE {ENTRIES} SET content_hash = 'x' "  # noqa: S608
            f"WHERE entry_id = '{chain.entry(2)['id']}'"
        ),
        [("apart", 2)],
    ),
    "copy of the last entry deleted": (
        lambda chain: sql(
            f"DELETE FROM {ENTRIES} WHERE entry_id = '{chain.entry(4)['id']}'"  # noqa: S608
        ),
        [("apart", 4)],
    ),
    "copy of the place changed": (
        lambda _: sql(f"UPDATE {SEALS} SET signature = 'x' WHERE sequence_number = 2"),  # noqa: S608
        [("apart", 2)],
    ),
    "copy of the place deleted": (
        lambda _: sql(f"DELETE FROM {SEALS} WHERE sequence_number = 2"),  # noqa: S608
        [("apart", 2)],
    ),
    "conclusion": (_conclusion, [("conclusion_changed", 4)]),
    "rationale": (_rationale, [("conclusion_changed", 4)]),
}
