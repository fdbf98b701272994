"""What the console keeps of comparisons: values, versions and numbers, never a text.

Erasing a record in the graph therefore leaves nothing to erase here, and a document's
passage stands nowhere but in the graph.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

PROJECT_ID_LENGTH = 500


class Due(models.IntegerChoices):
    """What is still to be found out about a flagged decision; the higher, the sooner."""

    NOTHING = 0, "nothing"
    COMPARISON = 1, "what became of its supports"
    STAKE = 2, "what rests on it, then what became of its supports"


class ComparedSupport(models.Model):
    """What a worker found about one support of a flagged decision, and of which versions.

    `ref` is the id of the document, event or decision; `cited_seq` and `current_seq` are
    a document's activations. A current one that the graph no longer has makes it due again.
    """

    flagged = models.ForeignKey(
        "FlaggedDecision", on_delete=models.CASCADE, related_name="compared"
    )
    ordinal = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=16)
    ref = models.CharField(max_length=80)
    comparison = models.CharField(max_length=24)
    dangers = models.CharField(max_length=160, blank=True, default="")
    cited_seq = models.BigIntegerField(null=True)
    current_seq = models.BigIntegerField(null=True)

    class Meta:
        indexes = [models.Index(fields=["kind", "ref", "current_seq"], name="compared_by_source")]

    def __str__(self) -> str:
        return f"{self.ordinal}: {self.comparison}"


class ComparingMark(models.Model):
    """Who compares in a project now, and up to where its sources were looked at again.

    The lease only saves work: what two workers find at once is the same, and each row is
    written only as it was read.
    """

    project_id = models.CharField(max_length=PROJECT_ID_LENGTH, unique=True)
    lease_holder = models.UUIDField(null=True)
    lease_until_us = models.BigIntegerField(default=0)
    looked_us = models.BigIntegerField(default=0)
    place = models.CharField(max_length=100, blank=True, default="")

    def __str__(self) -> str:
        return self.project_id


class IntakeKind(models.TextChoices):
    """What a manager did with a portion of what is flagged."""

    KEPT = "kept", "kept in the queue, the rest parked"
    PARKED = "parked", "put into the backlog"
    TAKEN_UP = "taken_up", "taken up from the backlog"


class IntakeStep(models.Model):
    """One step of opening a queue in portions: who, when, which portion, how many decisions.

    `portion` is a code of `reviewconsole.intake`, `ref` the document's id where it is one.
    """

    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="intake_steps"
    )
    at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=16, choices=IntakeKind)
    portion = models.CharField(max_length=16)
    ref = models.CharField(max_length=80, blank=True, default="")
    kept = models.PositiveIntegerField(default=0)
    moved = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["project_id", "-at"], name="intake_of_project")]

    def __str__(self) -> str:
        return f"{self.kind} {self.portion}: {self.moved}"
