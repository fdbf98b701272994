"""Views of the queue that people saved under a name."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

PROJECT_ID_LENGTH = 500
NAME_LENGTH = 60


class SavedView(models.Model):
    """Filters and an order under a name; `query` is what stands in the address.

    It is its owner's. When `shared`, everybody in the project sees it, too. What is
    “mine” in it is whoever's looks at it.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_views"
    )
    project_id = models.CharField(max_length=PROJECT_ID_LENGTH)
    name = models.CharField(max_length=NAME_LENGTH)
    query = models.TextField(blank=True)
    shared = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "project_id", "name"], name="one_view_of_a_name"
            ),
        ]
        indexes = [
            models.Index(
                fields=["project_id", "name"], condition=Q(shared=True), name="shared_views"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.uuid} of {self.project_id}"
