"""What every write shares: who calls, under which id, and what it leaves in ledger and requests.

Each call has an operation id, its request id or one minted here, which the
commit claims as the key of its ledger entry. So a commit whose answer was lost
is found by the next gather instead of being repeated (`RULES.md` 1).
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast
from uuid import uuid4

from graphstore.changeset import Props, Stale
from graphstore.ids import derived_id, sha256
from graphstore.records import Actor
from graphstore.refusals import WriteErrorCode
from graphstore.results import WriteResult
from graphstore.rows import Row, canonical, found, iso, microseconds, named
from graphstore.schema import CTX_MARKER, MARKER

__all__ = ["Call", "Entry", "dump", "storable", "too_long"]

MAX_REQUEST_ID = 64
MAX_NAME = 1_000
"""UTF-8 bytes of a name. A longer one in an index stops FalkorDB's server."""
INDEXED_NAMES = ("task_name", "choice_key", "document_key", "name")
NEW_KEYS = {
    "create_task": "task_name",
    "record_decision": "choice_key",
    "set_step": "name",
}
"""The argument of an action that becomes part of a unique key."""
LEDGER_SCHEMA = 1


def storable(text: str) -> bool:
    """Whether every engine gives `text` back as it was: no NUL, no lone surrogate."""
    return "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | Sequence):
        nested = cast("Mapping[str, Any] | Sequence[Any]", value)
        for item in nested.values() if isinstance(nested, Mapping) else nested:
            yield from _texts(item)


def keyable(name: str) -> bool:
    """Whether a unique key may hold `name`.

    FalkorDB's server dies of one that is empty, has ASCII white space at an end, or
    holds U+0001 (seen on modules 41603 and 42201).
    """
    return bool(name) and name == name.strip(" \t\n\v\f\r") and "\x01" not in name


def too_long(name: str | None) -> bool:
    """Whether an index, or whoever reads a line, has no room for `name`."""
    return name is not None and len(name.encode("utf-8", "replace")) > MAX_NAME


@dataclass(frozen=True)
class Call:
    """One call of a write operation, kept over its retries.

    `arguments` are the library's, in its form, since both sides compare digests
    over them (`reference library: sha256 of the canonical operation and arguments`).
    """

    action: str
    project_id: str
    actor: Actor
    arguments: Mapping[str, Any]
    request_id: str | None = None
    cited: Mapping[str, Any] | None = None
    """The arguments our own digest covers, where it leaves out evidence not cited."""
    at: datetime = field(default_factory=lambda: datetime.now(UTC))
    operation_id: str = field(default_factory=lambda: str(uuid4()))

    @property
    def entry_id(self) -> str:
        return derived_id("CtxTrace", self.project_id, self.request_id or self.operation_id)

    @property
    def digest(self) -> str:
        """The reference library's digest of this call."""
        return _digest(self.action, self.arguments)

    @property
    def own_digest(self) -> str:
        return _digest(self.action, self.cited or self.arguments)

    def keys(self) -> dict[str, Any]:
        """The parameters that every gather needs."""
        return {
            "project_id": self.project_id,
            "request_id": self.request_id or "",
            "entry_id": self.entry_id,
        }

    def invalid(self, *more: Any) -> WriteErrorCode | None:
        """Why this call is refused before anything is read, or None.

        `more` is what it would store besides its arguments.
        """
        if self.request_id is not None and not (
            1 <= len(self.request_id) <= MAX_REQUEST_ID and keyable(self.request_id)
        ):
            return WriteErrorCode.INVALID_REQUEST_ID
        who = self.actor.model_dump()
        names = [self.arguments.get(name) for name in INDEXED_NAMES]
        if any(map(too_long, [self.project_id, *names, *who.values()])):
            return WriteErrorCode.NAME_TOO_LONG
        new_key = self.arguments.get(NEW_KEYS.get(self.action, ""), "-")
        if not (keyable(self.project_id) and keyable(new_key)):
            return WriteErrorCode.INVALID_NAME
        written = [self.project_id, self.request_id, who, self.arguments, more]
        return None if all(map(storable, _texts(written))) else WriteErrorCode.INVALID_TEXT

    def replay[R: WriteResult](
        self, row: Row, result: Callable[[str], R], refuse: Callable[[WriteErrorCode], R]
    ) -> R | None:
        """The stored result when this request id was used before, or its refusal.

        None when it was not. The same id from another author, with other
        arguments or for another operation is `request_id_reused`.
        """
        if not found(row):
            return None
        stored = named("request", row)
        same = (
            stored["ctx_digest"] == self.own_digest
            if "ctx_digest" in stored
            else stored.get("payload_sha256") == self.digest
        )
        other = stored.get("ctx_author", self.actor.agent_id) != self.actor.agent_id
        if not same or other or stored.get("operation") != self.action:
            return refuse(WriteErrorCode.REQUEST_ID_REUSED)
        if "result_json" not in stored:
            # The library, on FalkorDB, leaves the claim of a refused write behind.
            return refuse(WriteErrorCode.REQUEST_ID_REUSED)
        return result(stored["result_json"])

    def landed(self, request: Row, entry: Row) -> bool:
        """Whether an earlier try of this call landed and only its answer was lost.

        To be asked after `replay`. Raises `Stale` when the entry is there and the request
        of the same commit is not: the read saw half of a commit, perhaps another caller's.
        """
        if not found(entry):
            return False
        if self.request_id is not None and not found(request):
            raise Stale
        return True

    def request(self, result_json: str | None, task_id: str | None) -> Props | None:
        """The Request node that keeps this call's result for a retry."""
        if self.request_id is None:
            return None
        return {
            MARKER: True,
            "id": derived_id("Request", self.project_id, self.request_id),
            "project_id": self.project_id,
            "request_id": self.request_id,
            "operation": self.action,
            "payload_sha256": self.digest,
            "result_json": result_json,
            "ctx_digest": self.own_digest,
            "ctx_author": self.actor.agent_id,
            "ctx_task_id": task_id,
        }

    def entry(self, entry: "Entry", project_id: str | None = None) -> Props:
        """The ledger entry's properties: ids, enumerated values and hashes, never a text.

        Nothing in it can hold what somebody wrote: of a request id, which a caller makes up,
        it has the hash. It is written open, the outbox from which a console fills its index
        (`RULES.md` 6), and unsealed: without a place in the project's chain. `project_id`
        differs from the call's for documents, which leave one entry in each project that
        they touched.
        """
        project = project_id or self.project_id
        manifest = {
            "schema": LEDGER_SCHEMA,
            "action": self.action,
            "project": project,
            "at": iso(self.at),
            "actor": self.actor.model_dump(mode="json", exclude_none=True),
            "request": sha256(self.request_id) if self.request_id else None,
            "task": entry.task_id,
            "created": list(entry.created),
            "changed": entry.changed,
            "superseded": entry.superseded,
            "flagged": list(entry.flagged),
            "gone": [identity for identity, _ in entry.gone],
            "cause": entry.cause,
            "hashes": entry.hashes,
            "ground": entry.ground,
            "seen": entry.seen,
            **({} if entry.erased is None else {"erased": dict(entry.erased)}),
        }
        text = canonical(manifest)
        own = (
            self.entry_id
            if project == self.project_id
            else derived_id("CtxTrace", project, self.operation_id)
        )
        return {
            CTX_MARKER: True,
            "id": own,
            "project_id": project,
            "schema_version": LEDGER_SCHEMA,
            "kind": "decision",
            "action": self.action,
            "task_id": entry.task_id,
            "agent_id": self.actor.agent_id,
            "principal": self.actor.principal,
            "on_behalf_of": self.actor.on_behalf_of,
            "session_id": self.actor.session_id,
            "parent_trace": self.actor.parent_trace,
            "door": self.actor.door,
            "operation_id": self.operation_id,
            "created_at": iso(self.at),
            "us": microseconds(self.at),
            "ctx_erased_us": None if entry.erased is None else microseconds(self.at),
            "decisions": list(dict.fromkeys([*entry.decisions, *entry.flagged])),
            "gone": [identity for identity, _ in entry.gone] or None,
            "gone_versions": [version for _, version in entry.gone] or None,
            "manifest_json": text,
            "content_hash": sha256(text),
            "ctx_open": True,
            "ctx_unsealed": True,
        }


@dataclass(frozen=True)
class Entry:
    """What one write did, for its ledger entry.

    `changed` maps a record's id to its enumerated properties as `[before, after]`;
    `hashes` maps an id to the SHA-256 of what was written there; `decisions` are
    those whose state a review index should look at, besides `flagged`; `gone` are
    ones that were deleted, with the version that an index is to give them.
    """

    task_id: str | None = None
    created: Sequence[str] = ()
    changed: Mapping[str, Mapping[str, list[Any]]] = field(
        default_factory=dict[str, Mapping[str, list[Any]]]
    )
    flagged: Sequence[str] = ()
    decisions: Sequence[str] = ()
    gone: Sequence[tuple[str, int]] = ()
    cause: str | None = None
    hashes: Mapping[str, str] = field(default_factory=dict[str, str])
    ground: str | None = None
    seen: str | None = None
    erased: Mapping[str, int] | None = None
    """How many records of each kind went or were emptied; given by what erases alone."""

    @property
    def superseded(self) -> list[str]:
        """The decisions that this write replaced."""
        return [
            identity
            for identity, properties in self.changed.items()
            if properties.get("status", [None])[-1] == "superseded"
        ]


def _digest(action: str, arguments: Mapping[str, Any]) -> str:
    return sha256(canonical({"operation": action, "arguments": arguments}))


def dump(result: WriteResult) -> str:
    """A result as a Request stores it, in the shape that the library reads too."""
    return json.dumps(result.model_dump(mode="json"))
