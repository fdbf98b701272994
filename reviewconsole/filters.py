"""Which decisions a list of what waits shows, and in which order: what an address says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Self, get_args
from uuid import UUID

from django.http import HttpRequest, QueryDict

from reviewconsole.models import FlaggedDecision

__all__ = [
    "AGES",
    "CLAIMED",
    "ORDERS",
    "Age",
    "Filters",
    "Order",
    "Place",
    "filters_of",
    "read_filters",
]

Order = Literal["stake", "oldest", "newest", "task"]
ORDERS: tuple[Order, ...] = get_args(Order)

_ORDERS_BY_WORD: dict[str, Order] = {order: order for order in ORDERS}

_DAY_US = 86_400_000_000
Age = Literal["day", "week", "month"]
AGES: Mapping[str, int] = {"day": _DAY_US, "week": 7 * _DAY_US, "month": 30 * _DAY_US}
"""How long something has waited at least, in microseconds, by the word in the address."""

CLAIMED = ("mine", "others", "free")

_NO_TASK = UUID(int=0)

LONGEST_KEY = 1_000
LONGEST_AUTHOR = 200
LONGEST_CODE = 64


@dataclass(frozen=True)
class Filters:
    """Which waiting decisions, in which order. As text: the query of the address."""

    order: Order = "stake"
    reason: str = ""
    task: UUID | None = None
    document: str = ""
    """The key of a document because of which they wait, directly or through others."""
    comparison: str = ""
    """What became of the worst of their supports."""
    agent: str = ""
    """Who decided."""
    claimed: str = ""
    age: str = ""
    viewer: int | None = field(default=None, compare=False)
    """Whose claims are “mine”: the account's key. It stands in no address."""

    def query(self, **changes: str | None) -> dict[str, str | None]:
        """The parameters that say so in an address; what is usual is left out."""
        own = {
            "order": "" if self.order == "stake" else self.order,
            "reason": self.reason,
            "comparison": self.comparison,
            "task": str(self.task) if self.task else "",
            "agent": self.agent,
            "document": self.document,
            "claimed": self.claimed,
            "age": self.age,
        }
        return {**own, **changes}

    @property
    def narrow(self) -> bool:
        """Whether anything that waits may be left out."""
        return any(value for name, value in self.query().items() if name != "order")


def read_filters(request: HttpRequest) -> Filters:
    """The filters that the address names; what is not understood filters nothing."""
    return filters_of(request.GET, getattr(request.user, "pk", None))


def filters_of(query: QueryDict, viewer: int | None = None) -> Filters:
    """The filters that a query names, for whoever looks."""
    try:
        task = UUID(query.get("task", ""))
    except ValueError:
        task = None
    order, age, claimed = (query.get(name, "") for name in ("order", "age", "claimed"))
    return Filters(
        order=_ORDERS_BY_WORD.get(order, "stake"),
        reason=query.get("reason", "")[:LONGEST_CODE],
        task=task,
        document=query.get("document", "")[:LONGEST_KEY],
        comparison=query.get("comparison", "")[:LONGEST_CODE],
        agent=query.get("agent", "")[:LONGEST_AUTHOR],
        claimed=claimed if claimed in CLAIMED else "",
        age=age if age in AGES else "",
        viewer=viewer,
    )


@dataclass(frozen=True)
class Place:
    """Where a decision stands in the queue, in any order: after this, the next page begins."""

    flagged_us: int
    decision_id: UUID
    stake: int = 0
    task_id: UUID = _NO_TASK

    @classmethod
    def of(cls, row: FlaggedDecision) -> Self:
        return cls(row.flagged_us, row.decision_id, row.stake, row.task_id)

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The place that `text` writes, None when it writes none."""
        us, ident, stake, task = [*text.split(".", 3), "", "", ""][:4]
        if not all(_is_number(number) for number in (us, stake or "0")):
            return None
        try:
            task_id = UUID(hex=task) if task else _NO_TASK
            return cls(int(us), UUID(hex=ident), int(stake or 0), task_id)
        except ValueError:
            return None

    def __str__(self) -> str:
        return f"{self.flagged_us}.{self.decision_id.hex}.{self.stake}.{self.task_id.hex}"


def _is_number(text: str) -> bool:
    """Whether it is one that every database takes as a whole number."""
    return text.isascii() and text.isdigit() and len(text) <= 18
