"""What the console keeps of judging in bulk, and what a project settles for its reviewers.

A bulk is rows of ids, times, numbers and enumerated codes; the one text in it, why its
decisions still hold, stands in a table of its own and goes when the bulk is over.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

PROJECT_ID_LENGTH = 500

LIMIT = 10
"""How many may rest on a decision before it is no longer judged in bulk, unless a project says otherwise."""
HIGHEST_LIMIT = 50
"""No page counts more than 50 dependents of a decision one by one."""


class ProjectSettings(models.Model):
    """What a manager settles for one project.

    Decisions on which `bulk_limit` others or more rest are never judged in bulk; 0 keeps
    a project from judging in bulk at all. `instructions` stand on queue and desk.
    """

    project_id = models.CharField(max_length=PROJECT_ID_LENGTH, unique=True)
    bulk_limit = models.PositiveSmallIntegerField(default=LIMIT)
    instructions = models.TextField(blank=True, default="")
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"settings of {self.project_id}"


class Stage(models.TextChoices):
    """How far a bulk is. `ENDED` is the end without a button pressed, `DONE` the one after it."""

    SAMPLING = "sampling"
    RUNNING = "running"
    DONE = "done"
    ENDED = "ended"


class Ending(models.TextChoices):
    """Why a bulk ended before it was carried out."""

    SUPERSEDED = "supersede"
    REJECTED = "reject"
    SET_ASIDE = "set_aside"
    UNDECIDED = "undecided"
    STOPPED = "stopped"
    LAPSED = "lapsed"
    FORBIDDEN = "forbidden"
    WITHOUT_WHY = "without_why"


class ItemState(models.TextChoices):
    WAITING = "waiting"
    REAFFIRMED = "reaffirmed"
    LEFT_OUT = "left_out"


class WhyNot(models.TextChoices):
    """Why a decision is not judged in bulk: before it begins, or at its turn."""

    NOT_COMPARED = "not_compared"
    OTHER_CAUSES = "other_causes"
    DANGER = "danger"
    CHANGED = "changed"
    RELIED_ON = "relied_on"
    IN_BULK = "in_bulk"
    CLAIMED = "claimed"
    SET_ASIDE = "set_aside"
    SNOOZED = "snoozed"
    MOVED = "moved"
    JUDGED = "judged"
    REFUSED = "refused"
    BUSY = "busy"


class Bulk(models.Model):
    """Some decisions of one bundle that a person means to reaffirm together.

    `uuid` is also the seed of its sample, and every request id derives from it. `size`
    counts all its decisions, the sample among them. `limit` is the project's when it
    began. The lease keeps two workers from doing the same slice.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    document_id = models.CharField(max_length=80)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bulks"
    )
    session_id = models.CharField(max_length=16, blank=True, default="")
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.SAMPLING)
    ending = models.CharField(max_length=12, choices=Ending, blank=True, default="")
    size = models.PositiveIntegerField()
    sample_size = models.PositiveIntegerField()
    limit = models.PositiveSmallIntegerField()
    started_us = models.BigIntegerField()
    touched_us = models.BigIntegerField()
    confirmed_us = models.BigIntegerField(null=True)
    finished_us = models.BigIntegerField(null=True)
    lease_until_us = models.BigIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["project_id", "document_id", "-id"], name="bulks_of_bundle"),
            models.Index(fields=["stage", "touched_us"], name="bulks_by_stage"),
        ]

    def __str__(self) -> str:
        return f"bulk {self.uuid}, {self.stage}"

    @property
    def open(self) -> bool:
        return self.stage in {Stage.SAMPLING, Stage.RUNNING}


class BulkItem(models.Model):
    """One decision of a bulk, and what became of it.

    `seen` is the fingerprint of its page when a worker found it calm, before the person
    pressed the button; empty until then. `verdict_id` is the verdict's, and its ledger
    entry's.
    """

    bulk = models.ForeignKey(Bulk, on_delete=models.CASCADE, related_name="items")
    ordinal = models.PositiveIntegerField()
    decision_id = models.UUIDField()
    sampled = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=ItemState, default=ItemState.WAITING)
    why_not = models.CharField(max_length=12, choices=WhyNot, blank=True, default="")
    seen = models.CharField(max_length=80, blank=True, default="")
    verdict_id = models.CharField(max_length=64, blank=True, default="")
    done_us = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bulk", "decision_id"], name="once_in_a_bulk"),
        ]
        indexes = [
            models.Index(fields=["bulk", "state", "ordinal"], name="bulk_items_in_order"),
            models.Index(fields=["decision_id"], name="bulk_items_of_decision"),
        ]

    def __str__(self) -> str:
        return f"{self.decision_id}, {self.state}"


class BulkWhy(models.Model):
    """Why the decisions of a bulk still hold, from the button until the last of them is done."""

    bulk = models.OneToOneField(Bulk, on_delete=models.CASCADE, related_name="why")
    text = models.TextField()

    def __str__(self) -> str:
        return f"why of {self.bulk}"
