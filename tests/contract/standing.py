"""What must hold in a graph whatever happened, looked at for many projects in a few reads."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.contract.looking import Props
from tests.servers import RawGraph

OURS = "_agrag_history_record: true"


@dataclass
class Standing:
    """Every record of the projects whose id begins with `prefix`, as it stands."""

    raw: RawGraph
    prefix: str
    projects: dict[str, Props] = field(init=False)
    tasks: dict[str, Props] = field(init=False)
    events: dict[str, Props] = field(init=False)
    decisions: dict[str, Props] = field(init=False)
    documents: dict[str, Props] = field(init=False)
    supports: list[tuple[str, Props]] = field(init=False)
    parents: list[tuple[str, str]] = field(init=False)
    choices: dict[str, Props] = field(init=False)
    sides: dict[str, Props] = field(init=False)
    entries: list[Props] = field(init=False)
    lives: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.projects = self._nodes(f"Project {{{OURS}}}", "project_id")
        self.tasks = self._nodes(f"Task {{{OURS}}}")
        self.decisions = self._nodes(f"Decision {{{OURS}}}")
        self.choices, self.sides = self._nodes("CtxChoice"), self._nodes("CtxStance")
        self.entries = [*self._nodes("CtxTrace").values()]
        self.lives = {
            i: stone["lives"]
            for i, stone in self._nodes("CtxTombstone").items()
            if "lives" in stone
        }
        found = self.raw.run(
            f"MATCH (n:Event {{{OURS}}}) OPTIONAL MATCH (t:Task {{{OURS}, id: n.task_id}}) "
            "WITH n, t WHERE t IS NULL OR t.project_id STARTS WITH $p RETURN properties(n)",
            {"p": self.prefix},
        )
        # Also those that their task's end left behind.
        self.events = {row[0]["id"]: _plain(row[0]) for row in found}
        found = self.raw.run("MATCH (n:Document) RETURN properties(n)")
        self.documents = {row[0]["id"]: _plain(row[0]) for row in found}
        pairs = self.raw.run(
            "MATCH (d:Decision)-[:HAS_SUPPORT]->(s) WHERE d.project_id STARTS WITH $p "
            "RETURN d.id, properties(s)",
            {"p": self.prefix},
        )
        self.supports = [(identity, _plain(s)) for identity, s in pairs]
        pairs = self.raw.run(
            "MATCH (d:Decision)-[:DEPENDS_ON]->(x:Decision) WHERE d.project_id STARTS WITH $p "
            "RETURN d.id, x.id",
            {"p": self.prefix},
        )
        self.parents = [(identity, parent) for identity, parent in pairs]

    def _nodes(self, pattern: str, key: str = "id") -> dict[str, Props]:
        found = self.raw.run(
            f"MATCH (n:{pattern}) WHERE n.project_id STARTS WITH $p RETURN properties(n)",
            {"p": self.prefix},
        )
        return {row[0][key]: _plain(row[0]) for row in found}

    def broken(self) -> list[str]:
        """Whatever does not hold, in words."""
        return [
            *self._wrongly_clear(),
            *self._gaps(),
            *self._two_active(),
            *self._queue(),
            *self._counts(),
            *self._epochs(),
        ]

    def _clear(self, identity: str) -> bool:
        d = self.decisions[identity]
        return d["status"] == "active" and d["review_state"] == "clear"

    def _wrongly_clear(self) -> Iterator[str]:
        for identity, s in self.supports:
            if not (self._clear(identity) and s["current"]):
                continue
            who = self.decisions[identity]["choice_key"]
            if s["kind"] == "document":
                document = self.documents[s["document_node_id"]]
                cited = s["recorded_activation_seq"], s["content_hash"]
                if cited != (document["activation_seq"], document.get("current_content_hash")):
                    yield f"{who} is clear on an outdated version"
            if s["kind"] == "event" and "redacted_at" in self.events.get(s["event_id"], {}):
                yield f"{who} is clear on a redacted event"
            gone = {s.get("event_id"), s.get("decision_id")} - {*self.events, *self.decisions, None}
            if gone or "ctx_gone_at" in s:
                yield f"{who} is clear on what was deleted"
        for identity, parent_id in self.parents:
            parent = self.decisions[parent_id]
            stands = self._clear(parent_id) or parent.get("review_pending")
            if self._clear(identity) and not stands:
                yield f"{self.decisions[identity]['choice_key']} is clear below {parent['choice_key']}"

    def _gaps(self) -> Iterator[str]:
        numbers: dict[str, list[int]] = defaultdict(list)
        for event in self.events.values():
            numbers[event["task_id"]].append(event["seq"])
        for identity, task in self.tasks.items():
            if sorted(numbers[identity]) != list(range(1, task["event_seq"] + 1)):
                yield f"{task['name']} has {sorted(numbers[identity])} of {task['event_seq']}"

    def _two_active(self) -> Iterator[str]:
        active = Counter(
            (d["task_id"], d["choice_key"])
            for d in self.decisions.values()
            if d["status"] == "active"
        )
        yield from (f"{key} has {n} active revisions" for (_, key), n in active.items() if n > 1)

    def _queue(self) -> Iterator[str]:
        queued = {d["project_id"] for d in self.decisions.values() if d.get("review_pending")}
        for project in queued:
            if not self.projects[project]["review_incomplete"]:
                yield f"{project} has a queue and no mark"

    def _counts(self) -> Iterator[str]:
        standing = Counter(
            d["ctx_stance"] for d in self.decisions.values() if d["status"] == "active"
        )
        for identity, side in self.sides.items():
            if side["active"] != standing[identity]:
                yield f"a side counts {side['active']} of {standing[identity]}"
        if missing := standing.keys() - self.sides.keys():
            yield f"{len(missing)} sides are not there"
        taken = Counter(side["choice_id"] for side in self.sides.values() if side["active"] > 0)
        for identity, choice in self.choices.items():
            if choice["stances"] != taken[identity]:
                yield f"{choice['choice_key']} counts {choice['stances']} of {taken[identity]} sides"

    def _epochs(self) -> Iterator[str]:
        for project, props in self.projects.items():
            least = self.flags_of(project)
            if props["review_epoch"] != least:
                yield f"{project} is in epoch {props['review_epoch']}, with {least} flags"

    def flags_of(self, project: str) -> int:
        """How many flags the ledger of a project tells of."""
        own = [e for e in self.entries if e["project_id"] == project]
        return sum(len(manifest(e)["flagged"]) + len(e.get("late", [])) for e in own)


def manifest(entry: Props) -> dict[str, Any]:
    """What a ledger entry says."""
    return json.loads(entry["manifest_json"])


def _plain(props: Props) -> Props:
    return {key: value for key, value in props.items() if value is not None}
