"""Who is at which decision, and what is left for later: claims, snoozes, what somebody set aside.

Like drafts, these rows are the console's own and survive a reindex.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

PROJECT_ID_LENGTH = 500


class ClaimState(models.TextChoices):
    HELD = "held"
    JUDGING = "judging"


class Claim(models.Model):
    """A reviewer's lease on a decision. It is over when `until_us` is past, whatever else it says.

    `fence` rises whenever it is taken, also by the same person again: a page that was
    left behind can neither prolong nor release what was taken after it. `why` is what
    was written by whoever took it from somebody else.
    """

    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    decision_id = models.UUIDField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="claims"
    )
    fence = models.BigIntegerField()
    state = models.CharField(max_length=8, choices=ClaimState, default=ClaimState.HELD)
    since_us = models.BigIntegerField()
    until_us = models.BigIntegerField()
    why = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project_id", "decision_id"], name="one_claim_per_decision"
            ),
        ]
        indexes = [models.Index(fields=["until_us"], name="claims_by_end")]

    def __str__(self) -> str:
        return f"{self.decision_id}, {self.state} by {self.user_id}"  # pyright: ignore[reportAttributeAccessIssue]


class SetAside(models.Model):
    """A decision that a person cannot judge, and why.

    It counts for as long as the decision is of `version`: once it changed, that person
    may be able to.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="set_aside"
    )
    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    decision_id = models.UUIDField()
    version = models.BigIntegerField()
    why = models.TextField()
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project_id", "decision_id", "user"], name="set_aside_once_each"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.decision_id} set aside by {self.user_id}"  # pyright: ignore[reportAttributeAccessIssue]


class Snooze(models.Model):
    """A decision that nobody is to be offered until a time, or until it changes.

    Whichever is first wakes it: `until_us` (None for no time) or another version than
    `version`.
    """

    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    decision_id = models.UUIDField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="snoozes"
    )
    version = models.BigIntegerField()
    until_us = models.BigIntegerField(null=True)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project_id", "decision_id"], name="one_snooze_per_decision"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.decision_id} until {self.until_us}"


class ReviewerPlace(models.Model):
    """Where a person is in a project's queue: at which decision, with which filters.

    `judged` counts verdicts since they began with these filters, so that "item 12 of
    41" goes on counting while the queue shrinks.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="places"
    )
    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    decision_id = models.UUIDField()
    filters = models.JSONField(default=dict)
    judged = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "project_id"], name="one_place_per_project"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.decision_id}"  # pyright: ignore[reportAttributeAccessIssue]
