"""One call of an operation, and what comes of it: the words that model and record share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Spec(NamedTuple):
    """A support as a call names it.

    `kind` is document, event, decision or malformed. Of a document `ref` is its key, `text`
    the version and `seq` the activation it was read at; `how` is `read`, `unread` (no
    outcome was passed on) or `forged` (the outcome says what is not there).
    """

    kind: str
    ref: str = ""
    seq: int = 0
    text: str = ""
    how: str = "read"


@dataclass(frozen=True)
class Seen:
    """What a caller was shown: our fingerprint, and the model's own picture of the same."""

    fingerprint: str
    picture: Mapping[str, Any]


@dataclass(frozen=True)
class Call:
    """One write."""

    op: str
    project: str
    agent: str
    args: Mapping[str, Any]
    request_id: str | None = None
    seen: Seen | None = None


@dataclass(frozen=True)
class Outcome:
    """The code of a refusal, or None; and what can be told of the result."""

    error: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
