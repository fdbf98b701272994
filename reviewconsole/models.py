"""What the console itself owns: accounts, access, the review index, drafts.

The index holds ids, times and numbers, never a text, so that erasing a record in
the graph leaves no copy here. Drafts hold what people typed themselves.
"""

from __future__ import annotations

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q

from graphstore.evidence import Comparison
from reviewconsole.bulk_models import Bulk, BulkItem, BulkWhy, ProjectSettings
from reviewconsole.flow_models import Claim, ClaimState, ReviewerPlace, SetAside, Snooze
from reviewconsole.intake_models import (
    ComparedSupport,
    ComparingMark,
    Due,
    IntakeKind,
    IntakeStep,
)
from reviewconsole.ledger_models import LedgerFinding, LedgerRun, MirroredEntry, MirroredSeal
from reviewconsole.saved_view_models import SavedView

__all__ = [
    "WAITS",
    "Access",
    "Bulk",
    "BulkItem",
    "BulkWhy",
    "CauseKind",
    "Claim",
    "ClaimState",
    "ComparedSupport",
    "ComparingMark",
    "Draft",
    "Due",
    "FlagCause",
    "FlaggedDecision",
    "IndexMark",
    "IntakeKind",
    "IntakeStep",
    "LedgerFinding",
    "LedgerRun",
    "MirroredEntry",
    "MirroredSeal",
    "ProjectSettings",
    "ReviewerPlace",
    "Role",
    "SavedView",
    "SetAside",
    "Snooze",
    "SweepCount",
    "SweepMark",
    "Token",
    "User",
]

PROJECT_ID_LENGTH = 500
"""Longer project ids cannot be granted: no database indexes a text of any length."""


class User(AbstractUser):
    """An account. Records name it by `agent_id`, never by its name or address.

    An account that is no longer used is switched off, not deleted: its verdicts
    would lose their name, and `person_uuid` must never come back for another.
    """

    person_uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    is_librarian = models.BooleanField(default=False)
    """Puts and removes documents. They belong to the graph, so this is no project's role."""

    @property
    def agent_id(self) -> str:
        return f"person:{self.person_uuid}"

    @property
    def shown_name(self) -> str:
        return self.get_full_name() or self.get_username()

    @property
    def initials(self) -> str:
        words = self.shown_name.replace(".", " ").replace("_", " ").split()
        return "".join(word[0] for word in words[:2]).upper()


class Role(models.IntegerChoices):
    """What a person may do in one project; each includes the one before."""

    READER = 1, "reader"
    REVIEWER = 2, "reviewer"
    MANAGER = 3, "manager"
    ADMIN = 4, "admin"


class Access(models.Model):
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="accesses")
    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    role = models.PositiveSmallIntegerField(choices=Role)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "project_id"], name="one_role_per_project"),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {Role(self.role).label} of {self.project_id}"


class IndexMark(models.Model):
    """How far the review index of one project follows the graph, and who updates it.

    `epoch`, `lock` and `looked_at` were read before what was last stored; None means
    that nothing was indexed yet. The lease keeps consumers of one project from
    overtaking each other: whoever writes rows must still hold it in that
    transaction.
    """

    project_id = models.CharField(max_length=PROJECT_ID_LENGTH, unique=True)
    epoch = models.BigIntegerField(null=True)
    lock = models.BigIntegerField(null=True)
    looked_at = models.DateTimeField(null=True)
    lease_holder = models.UUIDField(null=True)
    lease_until_us = models.BigIntegerField(default=0)
    adopt_cursor = models.TextField(blank=True, default="")
    adopted = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.project_id} up to {self.epoch}"


def rank_not_compared() -> int:
    """Where what was not compared yet stands among the comparisons, worst first."""
    return Comparison.NOT_COMPARED.rank


WAITS = Q(cleared_us__isnull=True, parked_us__isnull=True)
"""What the queue shows: neither cleared nor parked in the backlog."""


class FlaggedDecision(models.Model):
    """One decision that waits, or waited (`cleared_us`), for a verdict.

    `version` is the decision's own; an older one never overwrites a newer one.
    `applied` rises with each change of the row, so that whoever clears a row on
    the ground of an earlier read leaves one alone that was set since.

    What follows `applied` is filled by a worker after the flag was noticed: None, and
    the comparison `not_compared`, say that it has not come to that yet. `comparison`
    is the worst of the supports', `worst` its rank, `dangers` the codes of all,
    joined by commas. `dependents` and `open_tasks` are counted to 1,000. `calm` is
    True only when the decision has one cause, nothing about its supports asks to be
    looked at and no danger was seen. `inferred` flags were set by another writer: the
    causes were found by comparing versions, and `flagged_us` is when that was, the
    flag being older. `parked_us` is when it was put into the backlog.
    """

    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    decision_id = models.UUIDField()
    task_id = models.UUIDField()
    reason = models.CharField(max_length=64, blank=True)
    version = models.BigIntegerField()
    flagged_us = models.BigIntegerField()
    created_us = models.BigIntegerField()
    cleared_us = models.BigIntegerField(null=True)
    applied = models.BigIntegerField(default=0)
    due = models.PositiveSmallIntegerField(choices=Due, default=Due.STAKE)
    """What a worker still has to find out, see `reviewconsole.comparing`."""
    comparison = models.CharField(max_length=24, default=Comparison.NOT_COMPARED.value)
    worst = models.PositiveSmallIntegerField(default=rank_not_compared)
    dangers = models.CharField(max_length=160, blank=True, default="")
    supports = models.PositiveSmallIntegerField(null=True)
    dependents = models.PositiveIntegerField(null=True)
    open_tasks = models.PositiveIntegerField(null=True)
    stake = models.BigIntegerField(default=0)
    """The place in the order by what is at stake; the highest comes first."""
    author = models.CharField(max_length=200, blank=True, default="")
    calm = models.BooleanField(default=False)
    compared_version = models.BigIntegerField(null=True)
    compared_us = models.BigIntegerField(null=True)
    algorithm = models.CharField(max_length=16, blank=True, default="")
    inferred = models.BooleanField(default=False)
    parked_us = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project_id", "decision_id"], name="one_row_per_decision"
            ),
        ]
        indexes = [
            models.Index(
                fields=["project_id", "flagged_us", "decision_id"],
                condition=WAITS,
                name="waiting_by_time",
            ),
            models.Index(
                fields=["project_id", "reason", "flagged_us", "decision_id"],
                condition=WAITS,
                name="waiting_by_reason",
            ),
            models.Index(
                fields=["project_id", "task_id", "flagged_us", "decision_id"],
                condition=WAITS,
                name="waiting_by_task",
            ),
            models.Index(
                fields=["project_id", "-stake", "flagged_us", "decision_id"],
                condition=WAITS,
                name="waiting_by_stake",
            ),
            models.Index(
                fields=["project_id", "reason", "-stake", "flagged_us", "decision_id"],
                condition=WAITS,
                name="waiting_reason_by_stake",
            ),
            models.Index(
                fields=["project_id", "task_id", "-stake", "flagged_us", "decision_id"],
                condition=WAITS,
                name="waiting_task_by_stake",
            ),
            models.Index(
                fields=["project_id", "comparison", "flagged_us", "decision_id"],
                condition=WAITS,
                name="waiting_comparison_by_time",
            ),
            models.Index(
                fields=["project_id", "comparison", "-stake", "flagged_us", "decision_id"],
                condition=WAITS,
                name="waiting_comparison_by_stake",
            ),
            models.Index(
                fields=["project_id", "author", "flagged_us", "decision_id"],
                condition=WAITS,
                name="waiting_author_by_time",
            ),
            models.Index(
                fields=["project_id", "author", "-stake", "flagged_us", "decision_id"],
                condition=WAITS,
                name="waiting_author_by_stake",
            ),
            models.Index(
                fields=["project_id", "-stake", "flagged_us", "decision_id"],
                condition=Q(cleared_us__isnull=True, parked_us__isnull=False),
                name="parked_by_stake",
            ),
            models.Index(
                fields=["project_id", "due", "parked_us", "-stake", "flagged_us"],
                condition=Q(cleared_us__isnull=True),
                name="due_by_stake",
            ),
            models.Index(
                fields=["project_id", "cleared_us"],
                condition=Q(cleared_us__isnull=False),
                name="cleared_by_time",
            ),
            models.Index(
                fields=["project_id", "task_id", "flagged_us", "decision_id"],
                name="flags_of_task",
            ),
        ]

    def __str__(self) -> str:
        return str(self.decision_id)


class CauseKind(models.TextChoices):
    DOCUMENT = "document"
    EVENT = "event"
    DECISION = "decision"
    ASKED = "asked"


class FlagCause(models.Model):
    """What started a flag. A decision may have several; one verdict answers all.

    `number` is the document's activation.
    """

    flagged = models.ForeignKey(FlaggedDecision, on_delete=models.CASCADE, related_name="causes")
    kind = models.CharField(max_length=16, choices=CauseKind)
    ref = models.CharField(max_length=80)
    number = models.BigIntegerField(null=True)

    class Meta:
        indexes = [models.Index(fields=["kind", "ref", "number"], name="flags_by_cause")]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"


class Draft(models.Model):
    """What a person typed for one decision and could not send yet.

    It is kept when a verdict was refused, the graph was down or the session had
    ended, and goes with the verdict that takes it.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="drafts")
    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    decision_id = models.UUIDField()
    typed = models.JSONField()
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "project_id", "decision_id"], name="one_draft_per_decision"
            ),
        ]

    def __str__(self) -> str:
        return f"draft of {self.user} for {self.decision_id}"


class Token(models.Model):
    """What lets an agent in over HTTP: one project, one role, until a day.

    Only a hash of the secret is kept; 256 random bits need no slow one. `agent_id`
    is the author of what is recorded with it, never a person. `minute` and `calls`
    count the calls of the last minute in which there were any, so that the minute
    is also when it was last used; both count from 1970.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    secret_sha256 = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=100)
    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    role = models.PositiveSmallIntegerField(choices=Role)
    is_librarian = models.BooleanField(default=False)
    """Puts and removes documents, as long as its maker may."""
    agent_id = models.CharField(max_length=200)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    minute = models.BigIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["project_id", "-created_at"], name="tokens_of_project")]

    def __str__(self) -> str:
        return f"{self.name} of {self.project_id}"

    @property
    def principal(self) -> str:
        """As whom the ledger knows it."""
        return f"token:{self.uuid}"


class SweepMark(models.Model):
    """Where the sweep stands: one row for each project, and one without a name for the whole graph.

    `place` is where the survey of the graph goes on. `epoch` and `older_epoch` are the
    project's, as the sweep read them at `epoch_at` and an hour or more before: a flag that
    was carried since then is looked at again.
    """

    project_id = models.CharField(max_length=PROJECT_ID_LENGTH, unique=True)
    swept_at = models.DateTimeField(null=True)
    place = models.JSONField(default=dict)
    epoch = models.BigIntegerField(default=0)
    epoch_at = models.DateTimeField(null=True)
    older_epoch = models.BigIntegerField(default=0)
    more = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.project_id or 'the graph'}, swept {self.swept_at}"


class SweepCount(models.Model):
    """How much of one kind the sweep mended in a project on a day, or had to leave (`left`)."""

    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    day = models.DateField()
    kind = models.CharField(max_length=40)
    left = models.BooleanField(default=False)
    number = models.BigIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project_id", "day", "kind", "left"], name="one_count_a_day_and_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.kind} in {self.project_id} on {self.day}"
