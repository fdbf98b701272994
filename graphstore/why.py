"""Why a decision is flagged: from each cause the shortest way down to it, each hop dated.

A cause travels along what decisions cite. What a decision rests on is read level by
level, at most eight, and the way is found among what was read; a decision that carries
the cause itself is preferred to one that does not any more.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple

from graphstore.records import Decision, Record
from graphstore.store import GraphStore, Row

__all__ = ["Cause", "Hop", "WayDown", "why_flagged"]

LEVELS = 8
MAX_CAUSES = 20
"""Causes that are looked into; each costs a walk over what was read, and no read."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Cause(Record):
    """What started a flag, as far as it is known.

    `kind` and `ref` are those of the cause; `state` is what happened: `changed`,
    `removed`, `redacted`, `deleted`, `superseded`, `rejected`, `flagged`, `asked`, or
    `unknown`. `title` is empty where nothing of the project that was read cites it.
    """

    kind: Literal["document", "event", "decision", "asked"]
    ref: str
    state: str
    at: datetime | None = None
    title: str = ""
    document_key: str = ""
    version: int | None = None
    task_name: str = ""
    seq: int | None = None
    by: str = ""
    why: str = ""


class Hop(Record):
    """One decision on the way. `at` is when it was flagged, or since when it is clear again."""

    decision_id: str
    conclusion: str
    revision: int
    task_name: str
    state: Literal["flagged", "clear", "superseded", "rejected"]
    at: datetime | None = None


class WayDown(Record):
    """From a cause to the decision, which is the last hop.

    `longer` says that the way is longer than eight decisions, or through more than were
    read: then the decision stands alone. `inferred` says that the flag named no cause,
    and that this one was found by what stands out.
    """

    cause: Cause
    hops: Sequence[Hop]
    longer: bool = False
    inferred: bool = False


class _Source(NamedTuple):
    ref: str
    current: bool
    changed: bool | None
    key: str | None
    title: str | None
    version: int | None
    updated_at: str | None


@dataclass(frozen=True)
class _Node:
    id: str
    conclusion: str
    revision: int
    task_name: str
    status: str
    review_state: str
    flagged_us: int | None
    causes: frozenset[str]
    rejected_at: str | None
    superseded_at: str | None
    reviewed_at: str | None
    sources: Sequence[_Source]

    @classmethod
    def of(cls, row: Row) -> "_Node":
        conclusion, revision, task_name, status, review_state, flagged_us, causes = row[1:8]
        rejected_at, superseded_at, reviewed_at, sources = row[8:12]
        return cls(
            row[0],
            conclusion,
            revision,
            task_name or "",
            status,
            review_state,
            flagged_us,
            frozenset(causes or ()),
            rejected_at,
            superseded_at,
            reviewed_at,
            [_Source(*source) for source in sources],
        )

    @property
    def retired_at(self) -> datetime | None:
        return _time(self.rejected_at if self.status == "rejected" else self.superseded_at)

    def hop(self) -> Hop:
        if self.status in ("superseded", "rejected"):
            state, at = self.status, self.retired_at
        elif self.review_state == "needs_review":
            known = self.flagged_us is not None
            at = _EPOCH + timedelta(microseconds=self.flagged_us or 0) if known else None
            state = "flagged"
        else:
            state, at = "clear", _time(self.reviewed_at)
        return Hop.model_validate(
            {
                "decision_id": self.id,
                "conclusion": self.conclusion,
                "revision": self.revision,
                "task_name": self.task_name,
                "state": state,
                "at": at,
            }
        )


def why_flagged(store: GraphStore, project_id: str, decision: Decision) -> list[WayDown]:
    """The way from each cause of a flagged decision down to it; one read.

    At most 20 causes. A flag that names none (another writer's) gets those that stand
    out nearest: a cited document that moved on, a cited decision that was retired.
    """
    named = [_parsed(cause) for cause in decision.causes[:MAX_CAUSES]]
    p = {
        "project_id": project_id,
        "decision_id": str(decision.id),
        "documents": [
            {"id": ref, "seq": version} for kind, ref, version in named if kind == "document"
        ],
        "events": [ref for kind, ref, _ in named if kind == "event"],
        "asked": [ref for kind, ref, _ in named if kind == "asked"],
    }
    found = store.read("why_flagged", p)
    if not found:
        return []
    read = _Read.of(str(decision.id), found[0])
    ways = [
        read.way(text, *one)
        for text, one in zip(decision.causes, named, strict=False)
        if one[0] in _KINDS
    ]
    return ways or read.inferred()


_KINDS = {"document", "event", "decision", "asked"}


def _parsed(cause: str) -> tuple[str, str, int]:
    """Kind, id and number of a cause; a program may have named anything."""
    kind, _, rest = cause.partition(":")
    ref, _, number = rest.partition(":")
    return (
        kind,
        ref,
        int(number) if number.isascii() and number.isdigit() and len(number) < 18 else 0,
    )


@dataclass(frozen=True)
class _Read:
    """What one read brought, as a graph to walk."""

    root: str
    above: Mapping[str, Sequence[str]]
    """What each decision cites, nearest levels first."""
    nodes: Mapping[str, _Node]
    versions: Mapping[tuple[str, int], Row]
    events: Mapping[str, Row]
    asked: Mapping[str, Row]
    deeper: bool

    @classmethod
    def of(cls, root: str, row: Row) -> "_Read":
        levels, nodes, versions, events, asked = row
        above: dict[str, dict[str, None]] = defaultdict(dict)
        for level in levels:
            for identity, below in level:
                for one in below:
                    above[one][identity] = None
        return cls(
            root,
            {one: list(cited) for one, cited in above.items()},
            {one[0]: _Node.of(one) for one in nodes},
            {(one[0], one[1]): one for one in versions},
            {one[0]: one for one in events},
            {one[0]: one for one in asked},
            bool(levels[-1]) or any(len(level) > 50 for level in levels),
        )

    def way(self, text: str, kind: str, ref: str, number: int) -> WayDown:
        """The way from a named cause."""
        origin = self._origin(kind, ref)
        carries: Callable[[_Node], bool] = lambda node: text in node.causes  # noqa: E731
        # A decision that fell carries no flag itself.
        struck: Callable[[_Node], bool] = lambda node: (  # noqa: E731
            origin(node) and (kind == "decision" or carries(node))
        )
        path = self._path(struck, carries) or self._path(origin, lambda _: True)
        return self._down(self._cause(kind, ref, number, path), path)

    def inferred(self) -> list[WayDown]:
        """Ways from what stands out: at the nearest level that has any, each source once."""
        level, seen = [self.root], {self.root}
        while level:
            causes = {
                (cause.kind, cause.ref): (cause, identity)
                for identity in reversed(level)
                for cause in self._standing_out(identity)
            }
            if causes:
                return [
                    self._down(
                        cause, self._path(lambda node, i=identity: node.id == i, lambda _: True)
                    ).model_copy(update={"inferred": True})
                    for cause, identity in causes.values()
                ]
            level = [one for below in level for one in self.above.get(below, ()) if one not in seen]
            seen.update(level)
        return []

    def _standing_out(self, identity: str) -> Iterable[Cause]:
        for source in self.nodes[identity].sources:
            if source.current and source.changed and source.key is not None:
                yield self._document(source, source.version or 0)
        for one in self.above.get(identity, ()):
            if self.nodes[one].status != "active":
                yield self._decision(self.nodes[one])

    def _origin(self, kind: str, ref: str) -> Callable[[_Node], bool]:
        """Which decision a cause struck first."""
        if kind == "decision":
            return lambda node: node.id == ref
        if kind == "asked":
            about = self.asked[ref][1] if ref in self.asked else ""
            return lambda node: node.id == about
        return lambda node: any(source.ref == ref for source in node.sources)

    def _path(
        self, origin: Callable[[_Node], bool], through: Callable[[_Node], bool]
    ) -> list[_Node]:
        """The shortest way from an origin to the root, breadth first from the root; else empty."""
        came: dict[str, str | None] = {self.root: None}
        level = [self.root]
        while level:
            struck = next((one for one in level if origin(self.nodes[one])), None)
            if struck is not None:
                path: list[_Node] = []
                step: str | None = struck
                while step is not None:
                    path.append(self.nodes[step])
                    step = came[step]
                return path
            following: list[str] = []
            for below in level:
                for one in self.above.get(below, ()):
                    node = self.nodes.get(one)
                    if node is None or one in came or not (through(node) or origin(node)):
                        continue
                    came[one] = below
                    following.append(one)
            level = following
        return []

    def _down(self, cause: Cause, path: Sequence[_Node]) -> WayDown:
        hops = [node.hop() for node in path if cause.kind != "decision" or node.id != cause.ref]
        if not path:
            hops = [self.nodes[self.root].hop()]
        return WayDown(cause=cause, hops=hops, longer=not path and self.deeper)

    def _cause(self, kind: str, ref: str, number: int, path: Sequence[_Node]) -> Cause:
        struck = path[0] if path else None
        match kind:
            case "document":
                sources = struck.sources if struck else ()
                source = next((one for one in sources if one.ref == ref), None)
                unknown = _Source(ref, True, None, None, None, None, None)
                return self._document(source or unknown, number)
            case "event":
                return self._event(ref)
            case "asked":
                return self._asked(ref)
            case _:
                if struck is None:
                    return Cause(kind="decision", ref=ref, state="unknown")
                return self._decision(struck)

    def _document(self, source: _Source, number: int) -> Cause:
        _, _, at, verb = self.versions.get((source.ref, number), ["", number, None, ""])
        if at is None and source.version == number:
            at = source.updated_at
        return Cause(
            kind="document",
            ref=source.ref,
            state="removed" if verb == "delete" else "changed",
            at=_time(at),
            title=source.title or source.key or "",
            document_key=source.key or "",
            version=number or None,
        )

    def _event(self, ref: str) -> Cause:
        if ref not in self.events:
            return Cause(kind="event", ref=ref, state="deleted")
        _, redacted_at, task_name, seq = self.events[ref]
        state = "redacted" if redacted_at else "changed"
        at = _time(redacted_at)
        return Cause(kind="event", ref=ref, state=state, at=at, task_name=task_name, seq=seq)

    def _asked(self, ref: str) -> Cause:
        if ref not in self.asked:
            return Cause(kind="asked", ref=ref, state="unknown")
        _, _, at, by, why = self.asked[ref]
        return Cause(kind="asked", ref=ref, state="asked", at=_time(at), by=by or "", why=why or "")

    def _decision(self, node: _Node) -> Cause:
        hop = node.hop()
        return Cause(
            kind="decision",
            ref=node.id,
            state=hop.state,
            at=hop.at,
            title=node.conclusion,
            task_name=node.task_name,
        )


def _time(stored: Any) -> datetime | None:
    """A recorded time; what other writers left there may be none."""
    try:
        return datetime.fromisoformat(stored) if stored else None
    except (TypeError, ValueError):
        return None
