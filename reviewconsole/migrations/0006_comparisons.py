import django.db.models.deletion
from django.db import migrations, models

import reviewconsole.models


class Migration(migrations.Migration):
    dependencies = [
        ("reviewconsole", "0005_ledger"),
    ]

    operations = [
        migrations.CreateModel(
            name="ComparedSupport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ordinal", models.PositiveSmallIntegerField()),
                ("kind", models.CharField(max_length=16)),
                ("ref", models.CharField(max_length=80)),
                ("comparison", models.CharField(max_length=24)),
                ("dangers", models.CharField(blank=True, default="", max_length=160)),
                ("cited_seq", models.BigIntegerField(null=True)),
                ("current_seq", models.BigIntegerField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="ComparingMark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("project_id", models.CharField(max_length=500, unique=True)),
                ("lease_holder", models.UUIDField(null=True)),
                ("lease_until_us", models.BigIntegerField(default=0)),
                ("looked_us", models.BigIntegerField(default=0)),
                ("place", models.CharField(blank=True, default="", max_length=100)),
            ],
        ),
        migrations.RemoveIndex(
            model_name="flaggeddecision",
            name="waiting_by_time",
        ),
        migrations.RemoveIndex(
            model_name="flaggeddecision",
            name="waiting_by_reason",
        ),
        migrations.RemoveIndex(
            model_name="flaggeddecision",
            name="waiting_by_task",
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="algorithm",
            field=models.CharField(blank=True, default="", max_length=16),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="author",
            field=models.CharField(blank=True, default="", max_length=200),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="calm",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="compared_us",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="compared_version",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="comparison",
            field=models.CharField(default="not_compared", max_length=24),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="dangers",
            field=models.CharField(blank=True, default="", max_length=160),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="dependents",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="due",
            field=models.PositiveSmallIntegerField(
                choices=[
                    (0, "nothing"),
                    (1, "what became of its supports"),
                    (2, "what rests on it, then what became of its supports"),
                ],
                default=2,
            ),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="inferred",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="open_tasks",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="parked_us",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="stake",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="supports",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="flaggeddecision",
            name="worst",
            field=models.PositiveSmallIntegerField(default=reviewconsole.models.rank_not_compared),
        ),
        migrations.AddIndex(
            model_name="flaggeddecision",
            index=models.Index(
                condition=models.Q(("cleared_us__isnull", True), ("parked_us__isnull", True)),
                fields=["project_id", "flagged_us", "decision_id"],
                name="waiting_by_time",
            ),
        ),
        migrations.AddIndex(
            model_name="flaggeddecision",
            index=models.Index(
                condition=models.Q(("cleared_us__isnull", True), ("parked_us__isnull", True)),
                fields=["project_id", "reason", "flagged_us", "decision_id"],
                name="waiting_by_reason",
            ),
        ),
        migrations.AddIndex(
            model_name="flaggeddecision",
            index=models.Index(
                condition=models.Q(("cleared_us__isnull", True), ("parked_us__isnull", True)),
                fields=["project_id", "task_id", "flagged_us", "decision_id"],
                name="waiting_by_task",
            ),
        ),
        migrations.AddIndex(
            model_name="flaggeddecision",
            index=models.Index(
                condition=models.Q(("cleared_us__isnull", True), ("parked_us__isnull", True)),
                fields=["project_id", "-stake", "flagged_us", "decision_id"],
                name="waiting_by_stake",
            ),
        ),
        migrations.AddIndex(
            model_name="flaggeddecision",
            index=models.Index(
                condition=models.Q(("cleared_us__isnull", True), ("parked_us__isnull", False)),
                fields=["project_id", "-stake", "flagged_us", "decision_id"],
                name="parked_by_stake",
            ),
        ),
        migrations.AddIndex(
            model_name="flaggeddecision",
            index=models.Index(
                condition=models.Q(("cleared_us__isnull", True), ("due__gt", 0)),
                fields=["project_id", "due", "-stake", "flagged_us", "decision_id"],
                name="due_by_stake",
            ),
        ),
        migrations.AddField(
            model_name="comparedsupport",
            name="flagged",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="compared",
                to="reviewconsole.flaggeddecision",
            ),
        ),
        migrations.AddIndex(
            model_name="comparedsupport",
            index=models.Index(fields=["kind", "ref", "current_seq"], name="compared_by_source"),
        ),
    ]
