"""A project as it stands without ids and times, and what must hold in it whatever happened."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.contract.looking import Props, nodes
from tests.contract.scenario import CHOICES, Scene
from tests.contract.seeding import derived
from tests.servers import RawGraph

ASKED = re.compile(r"asked:[0-9a-f-]{36}")


@dataclass
class Picture:
    """One scene's records, as they stand in the graph."""

    raw: RawGraph
    scene: Scene
    project: Props = field(init=False)
    tasks: list[Props] = field(init=False)
    events: list[Props] = field(init=False)
    steps: list[Props] = field(init=False)
    decisions: dict[str, Props] = field(init=False)
    supports: dict[str, list[Props]] = field(init=False)
    edges: dict[str, list[list[str]]] = field(init=False)
    document: Props = field(init=False)
    activations: list[list[Any]] = field(init=False)
    open_texts: list[str] = field(init=False)
    choices: dict[str, Props] = field(init=False)
    sides: list[Props] = field(init=False)
    verdicts: list[Props] = field(init=False)
    late: dict[str, list[str]] = field(init=False)
    scopes: list[Props] = field(init=False)
    tombstones: list[Props] = field(init=False)

    def __post_init__(self) -> None:
        p = {"p": self.scene.project}
        mark = "_agrag_history_record: true"
        ((project, tasks),) = self.raw.run(
            f"MATCH (q:Project {{{mark}, project_id: $p}}) "
            f"WITH q MATCH (t:Task {{{mark}, project_id: $p}}) WHERE t.name > '' "
            "RETURN properties(q), collect(properties(t))",
            p,
        )
        self.project, self.tasks = _plain(project), [_plain(t) for t in tasks]
        self.events = [
            _plain(row[0])
            for row in self.raw.run(
                f"UNWIND $ids AS i MATCH (e:Event {{{mark}, task_id: i}}) WHERE e.seq > 0 "
                "RETURN properties(e) ORDER BY e.task_id, e.seq",
                {"ids": [t["id"] for t in self.tasks]},
            )
        ]
        self._read_steps()
        self._read_decisions()
        self._read_document()
        self._read_counts()

    def _read_steps(self) -> None:
        found = self.raw.run(
            "UNWIND $ids AS i MATCH (t:Task {_agrag_history_record: true, id: i}) "
            "WITH t MATCH (t)-[:HAS_STEP]->(s:Step) "
            "WITH s OPTIONAL MATCH (s)-[:CTX_CITES]->(d:Document) "
            "WITH s, collect(d.id) AS cited RETURN properties(s), cited ORDER BY s.id",
            {"ids": [t["id"] for t in self.tasks]},
        )
        self.steps = [_plain(s) | {"cited": sorted(cited)} for s, cited in found]

    def _read_decisions(self) -> None:
        found = self.raw.run(
            "MATCH (d:Decision {project_id: $p}) WHERE d.choice_key > '' "
            "OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s) "
            "WITH d, collect(properties(s)) AS supports "
            "OPTIONAL MATCH (d)-[r:DEPENDS_ON|SUPERSEDES]->(x:Decision) "
            "RETURN properties(d), supports, collect([type(r), x.id])",
            {"p": self.scene.project},
        )
        self.decisions = {d["id"]: _plain(d) for d, _, _ in found}
        self.supports = {
            d["id"]: sorted((_plain(s) for s in supports), key=lambda s: s["ordinal"])
            for d, supports, _ in found
        }
        self.edges = {d["id"]: [e for e in edges if e[1] is not None] for d, _, edges in found}

        self.verdicts = nodes(self.raw, "CtxVerdict", project_id=self.scene.project)
        entries = nodes(self.raw, "CtxTrace", project_id=self.scene.project)
        self.late = {entry["id"]: entry.get("late", []) for entry in entries}

    def _read_document(self) -> None:
        ((document, activations),) = self.raw.run(
            "MATCH (d:Document {id: $id}) WITH d MATCH (d)-[:HAS_ACTIVATION]->(a) "
            "RETURN properties(d), collect([a.activation_seq, a.verb])",
            {"id": self.scene.policy_id},
        )
        self.document, self.activations = _plain(document), sorted(activations)
        self.open_texts = [
            row[0]
            for row in self.raw.run(
                "MATCH (d:Document {id: $id}) WITH d MATCH (d)-[h:HAS_PART]->(c:Chunk) "
                "WHERE h.invalid_at IS NULL RETURN c.text ORDER BY c.index",
                {"id": self.scene.policy_id},
            )
        ]

    def _read_counts(self) -> None:
        keys = {derived("CtxChoice", self.scene.project, key): key for key in CHOICES}
        found = self.raw.run(
            "UNWIND $ids AS i MATCH (c:CtxChoice {id: i}) RETURN properties(c)", {"ids": [*keys]}
        )
        self.choices = {row[0]["choice_key"]: _plain(row[0]) for row in found}
        sides = {d["ctx_stance"] for d in self.decisions.values() if "ctx_stance" in d}
        found = self.raw.run(
            "UNWIND $ids AS i MATCH (s:CtxStance {id: i}) RETURN properties(s)",
            {"ids": sorted(sides)},
        )
        self.sides = [_plain(row[0]) for row in found]
        scope = derived("CtxScope", self.scene.project, self.scene.policy_id)
        self.scopes = nodes(self.raw, "CtxScope", id=scope)
        stone = derived("CtxTombstone", self.scene.project, "t")
        self.tombstones = nodes(self.raw, "CtxTombstone", id=stone)

    @property
    def names(self) -> dict[str, str]:
        """What each id is called."""
        task = derived(self.scene.project, "t")
        # What was deleted is still named by whoever cited it.
        names = {self.scene.decision(choice): f"{choice}/1" for choice in CHOICES}
        names |= {derived("Event", task, seq): f"event {seq}" for seq in range(1, 10)}
        names |= {i: f"{d['choice_key']}/{d['revision']}" for i, d in self.decisions.items()}
        names |= {e["id"]: f"event {e['seq']}" for e in self.events}
        names |= {
            d["ctx_stance"]: f"{d['choice_key']}: {d['conclusion']}"
            for d in self.decisions.values()
            if "ctx_stance" in d
        }
        names |= {
            v["id"]: f"{v['kind']} of {names.get(v['decision_id'])} by {v['by']}"
            for v in self.verdicts
        }
        return names | {self.scene.policy_id: "policy", self.scene.project: "project"}

    def _named(self, value: Any) -> Any:
        if isinstance(value, list):
            return sorted(self._named(item) for item in value)
        if isinstance(value, str):
            for identity, name in self.names.items():
                value = value.replace(identity, name)
            # A verdict that was deleted with its decision is still named by whom it flagged.
            return ASKED.sub("asked:somebody", value)
        return value

    def everything(self) -> dict[str, Any]:
        """Every property of the project's records, with its ledger and its requests."""
        records = {key: value for key, value in vars(self).items() if key != "raw"}
        for label in ("CtxTrace", "CtxVerdict", "Request"):
            found = nodes(self.raw, label, project_id=self.scene.project)
            records[label] = sorted(found, key=lambda props: props["id"])
        return records

    def canonical(self) -> dict[str, Any]:
        """What a reader could tell, without ids and times."""
        return {
            "incomplete": self.project["review_incomplete"],
            "tasks": sorted([t["name"], t["goal"], t["event_seq"]] for t in self.tasks),
            "events": sorted(
                [e["seq"], e["kind"], self._named(e["payload"]), e["author"], "redacted_at" in e]
                for e in self.events
            ),
            "steps": [self._step(s) for s in self.steps],
            "decisions": {self.names[i]: self._decision(i, d) for i, d in self.decisions.items()},
            "document": [
                self.document["activation_seq"],
                self.document.get("current_content_hash"),
                self.activations,
                self.open_texts,
            ],
            "choices": {key: c["stances"] for key, c in self.choices.items()},
            "scopes": sorted([self._named(s["document_id"]), s["granted"]] for s in self.scopes),
            "lives": sorted(stone["lives"] for stone in self.tombstones),
            "verdicts": sorted(self._verdict(v) for v in self.verdicts),
            "sides": sorted([self.names[side["id"]], side["active"]] for side in self.sides),
        }

    def _step(self, s: Props) -> dict[str, Any]:
        kept = ("name", "kind", "state", "result_event_seq", "updated_seq", "result_basis",
                "ctx_author", "ctx_version")  # fmt: skip
        return {key: s.get(key) for key in kept} | {
            "supports": self._named(s["result_supports"]),
            "cited": self._named(s["cited"]),
        }

    def _decision(self, identity: str, d: Props) -> dict[str, Any]:
        kept = (
            "status", "conclusion", "author", "review_state", "review_reason",
            "rejection_reason", "rejected_by", "supersession_explanation",
            "ctx_review_explanation",
        )  # fmt: skip
        return {key: d.get(key) for key in kept} | {
            "pending": d.get("review_pending", False),
            "task": "gone" if "ctx_task_gone" in d else "there",
            "causes": self._named(d.get("ctx_causes", [])),
            "edges": sorted([kind, self.names[other]] for kind, other in self.edges[identity]),
            "supports": [self._support(s) for s in self.supports[identity]],
        }

    def _verdict(self, v: Props) -> list[str]:
        made = self._named(v.get("new_decision_id", ""))
        taken_back = "taken back" if "withdrawn_at" in v else "stands"
        flagged = [*v["flagged"], *self.late.get(v["id"], [])]
        return [self.names[v["id"]], v["why"], made, taken_back, *self._named(flagged)]

    def _support(self, s: Props) -> list[Any]:
        kept = ("kind", "ordinal", "current", "content_hash", "recorded_activation_seq",
                "reviewed_by", "review_explanation")  # fmt: skip
        cited = s.get("decision_id") or s.get("event_id") or s.get("document_node_id")
        return [self._named(cited), "ctx_gone_at" in s, *(s.get(key) for key in kept)]

    def broken(self) -> list[str]:
        """What must hold after every commit and does not."""
        return [
            *self._wrongly_clear(),
            *self._gaps(),
            *self._two_active(),
            *self._queue(),
            *self._counts(),
            *self._parts(),
        ]

    def _active_clear(self) -> Iterable[tuple[str, Props]]:
        for identity, d in self.decisions.items():
            if d["status"] == "active" and d["review_state"] == "clear":
                yield identity, d

    def _wrongly_clear(self) -> Iterable[str]:
        for identity, _ in self._active_clear():
            for kind, other in self.edges[identity]:
                parent = self.decisions[other]
                bad = parent["status"] != "active" or parent["review_state"] != "clear"
                if kind == "DEPENDS_ON" and bad and not parent.get("review_pending"):
                    yield f"{self.names[identity]} is clear below {self.names[other]}"
            for s in self.supports[identity]:
                if not s["current"]:
                    continue
                if s["kind"] == "document" and (
                    s["recorded_activation_seq"] != self.document["activation_seq"]
                    or "current_content_hash" not in self.document
                ):
                    yield f"{self.names[identity]} is clear on an outdated passage"
                if s["kind"] == "event" and self._redacted(s["event_id"]):
                    yield f"{self.names[identity]} is clear on a redacted event"
                if "ctx_gone_at" in s or self._missing(s):
                    yield f"{self.names[identity]} is clear on what was deleted"

    def _missing(self, s: Props) -> bool:
        known = {*self.decisions, *(e["id"] for e in self.events), None}
        return not {s.get("event_id"), s.get("decision_id")} <= known

    def _redacted(self, event_id: str) -> bool:
        return any("redacted_at" in e for e in self.events if e["id"] == event_id)

    def _gaps(self) -> Iterable[str]:
        for task in self.tasks:
            seqs = [e["seq"] for e in self.events if e["task_id"] == task["id"]]
            if seqs != list(range(1, task["event_seq"] + 1)):
                yield f"{task['name']} has events {seqs} and says {task['event_seq']}"

    def _two_active(self) -> Iterable[str]:
        active = Counter(
            (d["task_id"], d["choice_key"])
            for d in self.decisions.values()
            if d["status"] == "active"
        )
        return [f"{key} has {n} active revisions" for (_, key), n in active.items() if n > 1]

    def _queue(self) -> Iterable[str]:
        queued = [d for d in self.decisions.values() if d.get("review_pending")]
        if queued and not self.project["review_incomplete"]:
            yield f"{len(queued)} are queued without a mark"

    def _counts(self) -> Iterable[str]:
        standing = Counter(
            d["ctx_stance"]
            for d in self.decisions.values()
            if d["status"] == "active" and "ctx_stance" in d
        )
        for side in self.sides:
            if side["active"] != standing[side["id"]]:
                yield f"a side counts {side['active']} and has {standing[side['id']]}"
        taken = Counter(side["choice_id"] for side in self.sides if side["active"] > 0)
        for key, choice in self.choices.items():
            if choice["stances"] != taken[choice["id"]]:
                yield f"{key} counts {choice['stances']} sides and has {taken[choice['id']]}"

    def _parts(self) -> Iterable[str]:
        removed = "current_content_hash" not in self.document
        if removed == bool(self.open_texts):
            yield "the document's open parts and its current version disagree"
        last = max(seq for seq, _ in self.activations)
        if (
            last != self.document["activation_seq"]
            or len(self.activations) != self.document["activation_seq"]
        ):
            yield "the document's change log and its number disagree"


def _plain(props: Props) -> Props:
    return {key: value for key, value in props.items() if value is not None}
