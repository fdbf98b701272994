"""A decision with all that a verdict on it rests on, and the fingerprint of what was shown."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from graphstore import rows
from graphstore.changeset import Guard, SupportsHeld
from graphstore.ids import sha256
from graphstore.operations.citing import Parent
from graphstore.operations.flagging import MAX_FLAGS, unchanged
from graphstore.results import BlockedBy, Blocker
from graphstore.rows import Row, canonical


class JudgedRows(Protocol):
    """What the `judged` clause gives, in whatever gather it stands."""

    @property
    def decision(self) -> Row: ...
    @property
    def task(self) -> Row: ...
    @property
    def supports(self) -> Sequence[Row]: ...
    @property
    def documents(self) -> Sequence[Row]: ...
    @property
    def events(self) -> Sequence[Row]: ...
    @property
    def parents(self) -> Sequence[Row]: ...


@dataclass(frozen=True)
class Judged:
    """One decision, its current supports and what they cite, as one gather saw them."""

    decision: dict[str, Any]
    task: Row
    supports: list[dict[str, Any]]
    documents: dict[str, tuple[dict[str, Any], bool]]
    """Cited documents by id, with whether they have a current text."""
    events: dict[str, Row]
    """Cited events by id: id, task id, redacted_at."""
    parents: dict[str, Parent]

    @classmethod
    def of(cls, read: JudgedRows) -> "Judged | None":
        """None when the project has no such decision."""
        if not rows.found(read.decision):
            return None
        return cls(
            rows.named("decision", read.decision),
            read.task,
            [rows.named("support", s) for s in read.supports if rows.found(s)],
            {row[0][0]: (rows.named("document", row[0]), bool(row[1])) for row in read.documents},
            {row[0]: row for row in read.events},
            {row[0]: Parent.of(row) for row in read.parents},
        )

    @property
    def id(self) -> str:
        return self.decision["id"]

    @property
    def current(self) -> list[dict[str, Any]]:
        current = [s for s in self.supports if s.get("current")]
        return sorted(current, key=lambda s: s["ordinal"])

    @property
    def task_name(self) -> str:
        return self.task[2] if rows.found(self.task) else ""

    def cited_documents(self) -> set[str]:
        return {s["document_node_id"] for s in self.current if s["kind"] == "document"}

    def guards(self) -> list[Guard]:
        """The decision as it was read, whoever changes it next, and its task."""
        watched = ("status", "review_state", "review_reason", "ctx_version", "ctx_stance")
        seen, absent = unchanged({key: self.decision.get(key) for key in watched})
        guards = [Guard("Decision", self.id, seen, absent)]
        if rows.found(self.task):
            guards.append(Guard("Task", self.task[0]))
        return guards

    def supports_held(self) -> SupportsHeld:
        return SupportsHeld(self.id, len(self.supports))

    def fingerprint(self, dependents: Iterable[str]) -> str:
        """What a page showed, in four parts, so that a refusal can say which of them moved.

        `dependents` are the direct ones that are active, at most 501.
        """
        known = sorted(dependents)
        parts = {
            "decision": [
                self.decision.get(key) or 0
                for key in ("status", "review_state", "review_reason", "ctx_version")
            ]
            + sorted(s["id"] for s in self.current),
            "documents": sorted(
                [i, d.get("activation_seq"), d.get("current_content_hash"), live]
                for i, (d, live) in self.documents.items()
            ),
            "parents": sorted(
                [[p.id, p.status, p.review_state] for p in self.parents.values()]
                + [[i, row[2], ""] for i, row in self.events.items()],
                key=str,
            ),
            "dependents": known if len(known) <= MAX_FLAGS else [f"over {MAX_FLAGS}"],
        }
        return ".".join(sha256(canonical(parts[name]))[:16] for name in PARTS)

    def blockers(self) -> list[Blocker]:
        """Supports that no reaffirmation can mend, whatever evidence it brings."""
        found: list[Blocker] = []
        for s in self.current:
            match s["kind"]:
                case "document":
                    document, live = self.documents.get(s["document_node_id"], ({}, False))
                    if not live or "current_content_hash" not in document:
                        label = document.get("title") or s["document_key"]
                        found.append(
                            _blocker(
                                "document", s["document_node_id"], label, BlockedBy.DOCUMENT_REMOVED
                            )
                        )
                case "event":
                    event = self.events.get(s["event_id"])
                    label = f"{s['task_name'] or 'a deleted task'}, event {s['seq']}"
                    if event is None:
                        found.append(_blocker("event", s["event_id"], label, BlockedBy.EVENT_GONE))
                    elif event[2] is not None:
                        found.append(
                            _blocker("event", s["event_id"], label, BlockedBy.EVENT_REDACTED)
                        )
                case _:
                    found += self._parent_blocker(s["decision_id"])
        return found

    def _parent_blocker(self, parent_id: str) -> list[Blocker]:
        parent = self.parents.get(parent_id)
        if parent is None:
            return [_blocker("decision", parent_id, "a deleted decision", BlockedBy.PARENT_GONE)]
        cause = {
            "rejected": BlockedBy.PARENT_REJECTED,
            "superseded": BlockedBy.PARENT_SUPERSEDED,
        }.get(parent.status)
        if cause is None and parent.review_state != "clear":
            cause = BlockedBy.PARENT_NEEDS_REVIEW
        return [_blocker("decision", parent_id, parent.choice_key, cause)] if cause else []


PARTS = ("decision", "documents", "parents", "dependents")
_FINGERPRINT = re.compile(r"[0-9a-f]{16}(\.[0-9a-f]{16}){3}")


def moved(seen: str | None, now: str, *, dependents: bool) -> list[str]:
    """The parts of fingerprint `seen` that differ from `now`; none when nothing was passed.

    A reaffirmation does not depend on who depends on the decision.
    """
    if seen is None:
        return []
    pairs = zip(PARTS, _parts(seen), _parts(now), strict=True)
    return [
        name
        for name, before, after in pairs
        if before != after and (dependents or name != "dependents")
    ]


def _parts(fingerprint: str) -> list[str]:
    """A text that is no fingerprint agrees with none; it must not reach the ledger either."""
    whole = _FINGERPRINT.fullmatch(fingerprint)
    return fingerprint.split(".") if whole else [""] * len(PARTS)


def _blocker(kind: Any, ref: str, label: str, cause: BlockedBy) -> Blocker:
    return Blocker(support_kind=kind, ref=ref, label=label, cause=cause)
