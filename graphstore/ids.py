"""Derived ids and evidence ids, as the reference library derives them.

Two writers that share one graph must give one record one id, so these follow
`agentic-graphrag` 0.0.7 to the letter: version 5 UUIDs in the OID namespace.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Literal
from uuid import NAMESPACE_OID, uuid5

__all__ = [
    "EvidenceReference",
    "MalformedEvidenceId",
    "derived_id",
    "evidence_id",
    "named_id",
    "parse_evidence_id",
    "sha256",
    "tombstone_id",
]

HASH_PREFIX_LENGTH = 16


def derived_id(*parts: object) -> str:
    """The id of a history or decision record: a UUID 5 over a JSON list of its parts."""
    return str(uuid5(NAMESPACE_OID, json.dumps([str(part) for part in parts])))


def tombstone_id(project_id: str, name: str) -> str:
    """Where a project counts the lives of a task's name, without keeping the name."""
    return derived_id("CtxTombstone", project_id, name)


def named_id(label: str, key: str) -> str:
    """The id of a knowledge node (`Document`, `DocumentActivation`, `HAS_PART`)."""
    return str(uuid5(NAMESPACE_OID, f"{label}:{key}".encode("utf-8", "surrogatepass")))


def sha256(text: str) -> str:
    """Hex SHA-256 of the UTF-8 bytes of `text`; a lone surrogate is hashed, not refused."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class MalformedEvidenceId(ValueError):
    """The text is not a canonical evidence id."""


@dataclass(frozen=True)
class EvidenceReference:
    """What an evidence id names: a span of one version's text, or one chunk of it.

    `start` and `end` are character offsets, end exclusive; a chunk reference has
    `chunk_id` instead.
    """

    kind: Literal["span", "chunk"]
    document_id: str
    hash_prefix: str
    start: int | None = None
    end: int | None = None
    chunk_id: str | None = None


_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_OFFSET = r"0|[1-9][0-9]{0,11}"
_SPAN = re.compile(rf"ev1:s:({_UUID}):([0-9a-f]{{16}}):({_OFFSET})-({_OFFSET})")
_CHUNK = re.compile(rf"ev1:c:({_UUID}):([0-9a-f]{{16}}):({_UUID})")


def evidence_id(document_id: str, content_hash: str, start: int, end: int) -> str:
    """The id of the characters `start` to `end` of the version with `content_hash`."""
    return f"ev1:s:{document_id}:{content_hash[:HASH_PREFIX_LENGTH]}:{start}-{end}"


def parse_evidence_id(text: str) -> EvidenceReference:
    """What `text` names.

    Raises `MalformedEvidenceId` unless it is the canonical form of a non-empty
    span or of a chunk.
    """
    if span := _SPAN.fullmatch(text):
        start, end = int(span[3]), int(span[4])
        if start < end:
            return EvidenceReference("span", span[1], span[2], start, end)
    elif chunk := _CHUNK.fullmatch(text):
        return EvidenceReference("chunk", chunk[1], chunk[2], chunk_id=chunk[3])
    raise MalformedEvidenceId(text)
