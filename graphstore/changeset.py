"""What a write will change, as data, and what it relied on.

A plan returns one `Changeset`; the engine applies it in one statement, after it
has taken the locks and checked the guards (`RULES.md` 1). Ids are known
beforehand, except the numbers of appended events, which only the commit can take.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from graphstore.ids import derived_id

Props = dict[str, Any]


class Stale(Exception):
    """What a plan rests on no longer holds, or was never whole: gather and plan again."""


@dataclass(frozen=True)
class Guard:
    """A node that the plan read: it is locked, then compared with what was seen.

    `seen` are properties with the value they must still have, `absent` those that
    must still be missing (comparing with null never holds, so they are a list of
    their own). An empty guard only takes the lock and requires the node.
    `low` and `high` bound a Task's `event_seq`, inclusive: the numbers for which
    the commit was given ids.
    """

    label: str
    id: str
    seen: Mapping[str, Any] = field(default_factory=dict[str, Any])
    absent: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True)
class SupportsHeld:
    """A judged decision still has as many supports as were seen."""

    decision_id: str
    count: int


@dataclass(frozen=True)
class RevisionsHeld:
    """A choice has as many revisions in its task as were seen.

    Its anchor is the task: whoever records a revision locks it.
    """

    task_id: str
    choice_key: str
    count: int


@dataclass(frozen=True)
class LivesHeld:
    """A name had as many lives as were seen: 0 when nothing of that name was ever deleted.

    Its anchor is the project: whoever deletes a task locks it.
    """

    tombstone_id: str
    lives: int


@dataclass(frozen=True)
class CitersHeld:
    """The supports that cite a document or event are exactly those seen.

    Its anchor is the document, or the event's task: whoever adds a support that
    cites one locks it.
    """

    key: str
    """`document_node_id` or `event_id`."""
    ref: str
    support_ids: tuple[str, ...]


@dataclass(frozen=True)
class Create:
    """A node to create, hung below `owner` where its label has one.

    That no node has its key is guarded by the unique constraint on its id.
    """

    label: str
    props: Props
    owner: str | None = None
    edge: Props | None = None
    """Properties of the relationship from the owner."""


@dataclass(frozen=True)
class Change:
    """Properties to set on a node; None removes one.

    A change that `revises` a Decision or Step raises its `ctx_version`: one of status,
    review state, cause or supports, never of a queue mark or a cache.
    """

    label: str
    id: str
    props: Props
    revises: bool = True


@dataclass(frozen=True)
class QueueRaise:
    """`flags` more decisions were flagged in a project.

    `incomplete` marks its propagation as unfinished; False leaves the mark as it is.
    """

    project_id: str
    flags: int
    incomplete: bool


@dataclass(frozen=True)
class Link:
    type: str
    start: str
    end: str


@dataclass(frozen=True)
class Cites:
    """The documents that a step's result rests on from now on, instead of any before."""

    step_id: str
    document_ids: tuple[str, ...]


@dataclass(frozen=True)
class Scope:
    """A document that a project cites from now on, or that an admin granted it.

    The node is the index for listing a project's documents; whether the document is still
    in scope is looked up when it is read.
    """

    project_id: str
    document_id: str
    document_key: str

    @classmethod
    def cited(cls, project_id: str, supports: Iterable[Mapping[str, Any]]) -> "list[Scope]":
        """Those of the document supports among `supports`."""
        return [
            cls(project_id, s["document_node_id"], s["document_key"])
            for s in supports
            if s["kind"] == "document"
        ]

    @property
    def id(self) -> str:
        return derived_id("CtxScope", self.project_id, self.document_id)

    def props(self) -> Props:
        """The node as it is created; nothing is granted by citing."""
        return {
            "_ctx_record": True,
            "id": self.id,
            "project_id": self.project_id,
            "document_id": self.document_id,
            "document_key": self.document_key,
            "granted": False,
        }


@dataclass(frozen=True)
class Erase:
    """A task that goes with its events and steps; `whole`: with its decisions, too.

    It is guarded to have `made` decisions, and to be cited by exactly `support_ids`.
    `emptied` takes the place of stored results of its requests; of the choices
    `choice_ids` those go that nobody stands on any more.
    """

    task_id: str
    project_id: str
    whole: bool
    made: int
    support_ids: tuple[str, ...]
    choice_ids: tuple[str, ...]
    emptied: str


@dataclass(frozen=True)
class ErasePart:
    """What one commit of a deletion takes from a hidden task.

    Events with a number above `low`, up to `high`; these decisions with their supports and
    the verdicts on them; these steps. What goes is guarded to be cited by exactly
    `support_ids`. `close` removes the task itself, guarded to have nothing attached.
    """

    task_id: str
    support_ids: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    decision_ids: tuple[str, ...] = ()
    choice_ids: tuple[str, ...] = ()
    step_ids: tuple[str, ...] = ()
    close: bool = False


@dataclass(frozen=True)
class Scrub:
    """The stored result of recording one event, found by the digest of that call.

    `result_json` takes the place of whatever holds `event_id`.
    """

    project_id: str
    digest: str
    event_id: str
    result_json: str


@dataclass(frozen=True)
class Append:
    """Events to append to one task's log; the commit takes their numbers.

    `ids` are derived for the numbers `base + 1`, `base + 2`, … and are more than
    the events, so that a few appended meanwhile by others do not matter.
    """

    task_id: str
    base: int
    ids: Sequence[str]
    events: Sequence[Props]


@dataclass(frozen=True)
class StanceCount:
    """One active decision more (`by` = 1) or less on one side of a choice."""

    choice_id: str
    choice: Props
    stance_id: str
    stance: Props
    by: int


@dataclass(frozen=True)
class Late:
    """Flags for dependents that appear between gather and commit.

    After all changes, an active clear dependent of one of `ids` gets `props`, is
    queued so that its own dependents follow, and is returned.
    """

    ids: tuple[str, ...]
    props: Props


@dataclass
class Changeset:
    """One write. `entry` is its ledger entry; `requests` hold stored results."""

    guards: list[Guard] = field(default_factory=list[Guard])
    supports_held: list[SupportsHeld] = field(default_factory=list[SupportsHeld])
    revisions_held: list[RevisionsHeld] = field(default_factory=list[RevisionsHeld])
    lives_held: list[LivesHeld] = field(default_factory=list[LivesHeld])
    citers_held: list[CitersHeld] = field(default_factory=list[CitersHeld])
    creates: list[Create] = field(default_factory=list[Create])
    changes: list[Change] = field(default_factory=list[Change])
    links: list[Link] = field(default_factory=list[Link])
    cites: list[Cites] = field(default_factory=list[Cites])
    scopes: list[Scope] = field(default_factory=list[Scope])
    erase: Erase | None = None
    erase_part: ErasePart | None = None
    restores: list[str] = field(default_factory=list[str])
    """Hidden tasks that are to be seen again."""
    scrubs: list[Scrub] = field(default_factory=list[Scrub])
    identified: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])
    """(task id, number, id) of events that another writer left without an id."""
    appends: list[Append] = field(default_factory=list[Append])
    stances: list[StanceCount] = field(default_factory=list[StanceCount])
    raises: list[QueueRaise] = field(default_factory=list[QueueRaise])
    late: list[Late] = field(default_factory=list[Late])
    finish_projects: list[str] = field(default_factory=list[str])
    """Projects whose propagation mark is set by whether anything is still queued."""
    part_documents: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """(document id, closing time): open parts to close before new ones are hung."""
    open_parts: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """(document id, version id, opening time): an earlier version that is current again."""
    entries: list[Props] = field(default_factory=list[Props])
    request: Props | None = None
    result_parts: tuple[str, str, str] | None = None
    """The stored result of one appended event, to be filled: around its id, then its number."""


@dataclass(frozen=True)
class Committed:
    """What only the commit could know."""

    last_seq: int | None
    """The number of the last appended event."""
    late: list[str]
    """Ids of decisions that arrived meanwhile and were flagged."""

    @property
    def late_ids(self) -> list[UUID]:
        return [UUID(identity) for identity in self.late]
