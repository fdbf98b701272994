"""What the console keeps of the ledger: a mirror that only grows, and what was verified.

Ids, numbers and hashes: nothing here can hold what somebody wrote, so erasing a record
in the graph leaves nothing to erase here.
"""

from __future__ import annotations

from django.db import models

from graphstore.ledger import FindingKind

PROJECT_ID_LENGTH = 500
HASH = 64


class MirroredEntry(models.Model):
    """A ledger entry as it was before it was sealed. The database refuses to change or delete it."""

    entry_id = models.CharField(max_length=64, unique=True)
    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    content_hash = models.CharField(max_length=HASH)
    mac = models.CharField(max_length=HASH, blank=True)
    arrived = models.CharField(max_length=HASH)
    """The hash of what only the commit knew."""

    class Meta:
        indexes = [models.Index(fields=["project_id", "id"], name="mirrored_in_order")]

    def __str__(self) -> str:
        return self.entry_id


class MirroredSeal(models.Model):
    """An entry's place in its project's chain. The database refuses to change or delete it."""

    entry_id = models.CharField(max_length=64, unique=True)
    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    sequence_number = models.BigIntegerField()
    parent_hash = models.CharField(max_length=HASH, blank=True)
    signature = models.CharField(max_length=HASH, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project_id", "sequence_number"], name="one_entry_per_number"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project_id} {self.sequence_number}"


class LedgerRun(models.Model):
    """One verification of a project's ledger, and how far it has got.

    `cursor` moves by conditional updates, so that two runners cannot both count one step.
    """

    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    asked_by = models.CharField(max_length=PROJECT_ID_LENGTH, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)
    cursor = models.TextField(blank=True)
    steps = models.BigIntegerField(default=0)
    reached = models.BigIntegerField(default=0)
    entries = models.BigIntegerField(default=0)
    conclusions = models.BigIntegerField(default=0)
    erased = models.BigIntegerField(default=0)
    left = models.BigIntegerField(default=0)
    found = models.BigIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["project_id", "-id"], name="runs_newest_first")]

    def __str__(self) -> str:
        return f"{self.project_id} at {self.started_at}"


class LedgerFinding(models.Model):
    """One thing that a verification found."""

    run = models.ForeignKey(LedgerRun, on_delete=models.CASCADE, related_name="findings")
    kind = models.CharField(
        max_length=24, choices=[(kind.value, kind.value) for kind in FindingKind]
    )
    entry_id = models.CharField(max_length=64, blank=True)
    decision_id = models.CharField(max_length=64, blank=True)
    sequence_number = models.BigIntegerField(null=True)
    until = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.entry_id or self.sequence_number}"
