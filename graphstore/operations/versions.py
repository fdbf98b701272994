"""A document's version as chunks, in the shape of the reference library's knowledge layer."""

import json
from dataclasses import dataclass
from itertools import pairwise

from graphstore.changeset import Changeset, Create, Props
from graphstore.evidence import paragraphs
from graphstore.ids import derived_id, named_id, sha256

CHUNK_CHARACTERS = 1_200
"""A chunk is whole paragraphs up to about this length."""
CHUNKER = "review-console"
CHUNKER_HASH = sha256(f"{CHUNKER}:paragraphs:{CHUNK_CHARACTERS}")


@dataclass(frozen=True)
class Version:
    """What the document shall be: a text with its metadata, or removed when `text` is None."""

    key: str
    text: str | None
    title: str | None = None
    uri: str | None = None

    @property
    def id(self) -> str:
        return named_id("Document", self.key)

    @property
    def content_hash(self) -> str | None:
        return None if self.text is None else sha256(self.text)

    def metadata(self) -> Props:
        """The title and address that were given; None leaves what is there."""
        given = {"title": self.title, "uri": self.uri}
        return {key: value for key, value in given.items() if value is not None}

    @property
    def version_id(self) -> str:
        return derived_id("Version", self.content_hash, "", "")


def hang_version(changes: Changeset, wanted: Version, at: str, *, there_already: bool) -> None:
    """Hang the version's chunks below its document, or open those that are there again."""
    if wanted.text is None or wanted.content_hash is None:
        return
    if there_already:
        changes.open_parts.append((wanted.id, wanted.version_id, at))
        return
    for index, (start, end) in enumerate(chunk_ranges(wanted.text)):
        identity = derived_id("Chunk", wanted.id, wanted.version_id, CHUNKER_HASH, index)
        part = f"{wanted.id}:{identity}:{wanted.version_id}"
        edge = {
            "id": named_id("HAS_PART", part),
            "version_id": wanted.version_id,
            "valid_at": at,
        }
        provenance = {
            "kind": "text",
            "char_start": start,
            "char_end": end,
            "line_start": None,
            "line_end": None,
        }
        props: Props = {
            "id": identity,
            "document_id": wanted.id,
            "content_hash": wanted.content_hash,
            "index": index,
            "text": wanted.text[start:end],
            "provenance": json.dumps(provenance),
            "heading_path": [],
            "section_ids": [],
            "content_kind": "text",
            "char_start": start,
            "char_end": end,
            "chunker": CHUNKER,
            "chunker_hash": CHUNKER_HASH,
            "created_at": at,
        }
        changes.creates.append(Create("Chunk", props, wanted.id, edge))


def chunk_ranges(text: str) -> list[tuple[int, int]]:
    """Neighbouring ranges that cover the whole text, cut where paragraphs begin."""
    starts = [start for start, _ in paragraphs(text)]
    cuts = [0]
    for start, following in pairwise([*starts[1:], len(text)]):
        if following - cuts[-1] > CHUNK_CHARACTERS:
            cuts.append(start)
    ends = [*cuts[1:], len(text)]
    return list(zip(cuts, ends, strict=True))
