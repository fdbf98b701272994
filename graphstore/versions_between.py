"""What became of a cited passage version by version, from the one cited on, in one read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from pydantic import SkipValidation

from graphstore import rows
from graphstore.comparing import cited_passage
from graphstore.dangers import Danger
from graphstore.evidence import Comparison, Segment, normalised
from graphstore.looking import Cited, Outcome, look
from graphstore.passages import version_text
from graphstore.records import Document, DocumentSupport, DocumentVersion, Record
from graphstore.store import GraphStore, Row
from graphstore.versions_apart import VersionsApart

__all__ = ["MAX_VERSIONS", "OneVersion", "VersionsBetween", "versions_between"]

MAX_VERSIONS = 12
"""Versions of one page: each is read whole and compared with the one before it."""

_GONE = frozenset({"delete", "purge"})


class OneVersion(Record):
    """What one version made of the passage, against `against`, the last version that holds it.

    The comparison is `identical` where the whole text is that of `against`, `removed` where
    the document went, `failed` where the text of this version cannot be read any more, and
    `unreadable` where nothing before it can. `back_to` is the version in which the passage
    said the same as here, after it said something else or was not there.
    """

    version: DocumentVersion
    comparison: Comparison
    against: int | None = None
    text: str | None = None
    segments: Sequence[Segment] = ()
    changes: Sequence[SkipValidation[str]] = ()
    dangers: Sequence[Danger] = ()
    heading_then: Sequence[str] = ()
    heading_now: Sequence[str] = ()
    back_to: int | None = None

    @property
    def unchanged(self) -> bool:
        """Whether neither the passage nor what stands around it is another."""
        return self.comparison.quiet and not self.dangers


class VersionsBetween(Record):
    """The versions after the one cited, oldest first, at most `MAX_VERSIONS` of them.

    `cited_text` is None when it cannot be read any more. `after` is the version that the
    first follows; `next_after` is to be passed on for more.
    """

    support: DocumentSupport
    document: Document
    cited_text: str | None
    after: int
    versions: Sequence[OneVersion]
    next_after: int | None = None


def versions_between(
    store: GraphStore,
    project_id: str,
    decision_id: UUID | str,
    support_id: UUID | str,
    *,
    after: int = 0,
) -> VersionsBetween | None:
    """The versions of what one support cites, after number `after`.

    None when the project has no such decision, or the decision no such document support.
    """
    p = {
        "project_id": project_id,
        "decision_id": str(decision_id),
        "support_id": str(support_id),
        "after": after,
        "limit": MAX_VERSIONS + 1,
    }
    found = store.read("versions_between", p)
    if not found:
        return None
    support_row, document_row, before, listed, chunks = found[0]
    support = rows.support(rows.named("support", support_row))
    if not isinstance(support, DocumentSupport):
        return None
    versions = [rows.version(row) for row in listed]
    earlier = [rows.version(row) for row in before]
    if support.recorded_activation_seq is None and not after:
        versions = _since_cited(versions, support.content_hash)
    shown = versions[:MAX_VERSIONS]
    seen = _Seen(support, chunks)
    if earlier and after > (support.recorded_activation_seq or 0):
        seen.of(earlier[0])
    return VersionsBetween(
        support=support,
        document=rows.document(document_row),
        cited_text=seen.cited_text,
        after=max(after, support.recorded_activation_seq or 0),
        versions=[seen.of(version) for version in shown],
        next_after=shown[-1].activation_seq if len(versions) > len(shown) else None,
    )


def _since_cited(versions: list[DocumentVersion], content_hash: str) -> list[DocumentVersion]:
    """Of a support that does not say which version it cites: what follows the first with its text."""
    for place, version in enumerate(versions):
        if version.content_hash == content_hash:
            return versions[place + 1 :]
    return versions


@dataclass(frozen=True)
class _Place:
    """The passage as it last stood somewhere: the version, its whole text and the place in it.

    `whole` is empty where the text cannot be read by characters; then `cited` brings along
    what stood around it.
    """

    seq: int
    content_hash: str
    whole: str
    cited: Cited


@dataclass
class _Seen:
    """The passage on its way through the versions."""

    support: DocumentSupport
    chunks: Sequence[Row]
    cited_text: str | None = None
    _last: _Place | None = None
    _says: str = ""
    """What it says now, spacing aside; nothing while it is nowhere."""

    _said: dict[str, int] = field(default_factory=dict[str, int])
    """The first version that says it so."""

    def __post_init__(self) -> None:
        content_hash = self.support.content_hash
        whole = self._text(content_hash)
        chunks = [chunk for key, chunk in self.chunks if key == content_hash]
        cited = cited_passage(self.support, chunks, whole)
        if cited is None:
            return
        placed = bool(whole) and whole[cited.start : cited.end] == cited.text
        place = Cited(
            cited.text,
            whole[: cited.start] if placed else cited.before,
            whole[cited.end :] if placed else cited.after,
            cited.start,
        )
        seq = self.support.recorded_activation_seq or 0
        self._last = _Place(seq, content_hash, whole if placed else "", place)
        self.cited_text = cited.text
        self._says = normalised(cited.text)
        self._said = {self._says: seq}

    def of(self, version: DocumentVersion) -> OneVersion:
        """What this version, the next in order, made of the passage."""
        last = self._last
        against = last.seq if last else None
        if version.verb in _GONE or version.content_hash is None:
            self._says = ""
            return OneVersion(version=version, comparison=Comparison.REMOVED, against=against)
        found = version_text(chunk for key, chunk in self.chunks if key == version.content_hash)
        if found is None:
            return OneVersion(version=version, comparison=Comparison.FAILED, against=against)
        if last is None:
            return OneVersion(version=version, comparison=Comparison.UNREADABLE)
        text, citable = found
        if version.content_hash == last.content_hash:
            outcome, shown = Outcome(Comparison.IDENTICAL), last.cited.text
        else:
            apart = VersionsApart.of(last.whole, text) if last.whole else None
            outcome = look(last.cited, text, apart)
            shown = outcome.passage.text if outcome.passage else None
            self._move(version, text if citable else "", outcome)
        return OneVersion(
            version=version,
            comparison=outcome.comparison,
            against=against,
            text=shown,
            segments=outcome.segments,
            changes=outcome.changes,
            dangers=outcome.dangers,
            heading_then=outcome.heading_then,
            heading_now=outcome.heading_now,
            back_to=self._says_again(normalised(shown or ""), version.activation_seq),
        )

    def _says_again(self, says: str, seq: int) -> int | None:
        """The first version that said this, where it was not said right before."""
        before, self._says = self._says, says
        if not says:
            return None
        again = next((was for words, was in self._said.items() if _holds(says, words)), None)
        known = again is not None and _holds(before, self._words_of(again))
        self._said.setdefault(says, seq)
        return None if known else again

    def _words_of(self, seq: int) -> str:
        return next(words for words, was in self._said.items() if was == seq)

    def _move(self, version: DocumentVersion, whole: str, outcome: Outcome) -> None:
        """Where the passage stands from now on; where it is not found, it stays where it was."""
        now = outcome.passage
        if now is None:
            return
        placed = whole[now.start : now.end] == now.text
        place = Cited(
            now.text,
            whole[: now.start] if placed else now.before,
            whole[now.end :] if placed else now.after,
            now.start,
        )
        self._last = _Place(
            version.activation_seq, version.content_hash or "", whole if placed else "", place
        )

    def _text(self, content_hash: str) -> str:
        """The whole version; empty where it cannot be read by characters."""
        found = version_text(chunk for key, chunk in self.chunks if key == content_hash)
        return found[0] if found and found[1] else ""


def _holds(text: str, words: str) -> bool:
    """Whether the words stand in the text: what was found again may be the sentence around them."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None
