"""What a console does between two looks at its queue, without the console."""

from datetime import datetime
from uuid import UUID

from graphstore.records import Actor, ReviewReason
from graphstore.review_feed import FeedBatch, FlagState, close, queue_rows, take
from tests.interop.world import Side

CONSOLE = Actor(agent_id="console", door="job")


class Index:
    """What a console keeps between two looks: where it stood, and the flags it knows."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.epoch: int | None = None
        self.since: datetime | None = None
        self.flags: dict[UUID, FlagState] = {}

    def look(self) -> dict[str, ReviewReason | None]:
        """One queue page: take what moved, keep it, and read the rows that are still flagged."""
        while self.take().more:
            pass
        flagged = [state.decision_id for state in self.flags.values() if state.flagged]
        rows = queue_rows(self.side.store, self.side.project, flagged)
        return {row.decision.choice_key: row.decision.review_reason for row in rows}

    def take(self) -> FeedBatch:
        """One batch, kept and closed."""
        batch = take(
            self.side.store,
            self.side.project,
            after_epoch=self.epoch,
            since=self.since,
            actor=CONSOLE,
        )
        self.flags |= {state.decision_id: state for state in batch.states}
        close(self.side.store, batch.entry_ids)
        self.epoch, self.since = batch.epoch, batch.looked_at
        return batch
