import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from reviewconsole.append_only import protect, release

TABLES = {
    "reviewconsole_mirroredentry": [("entry_id",)],
    "reviewconsole_mirroredseal": [("entry_id",), ("project_id", "sequence_number")],
}


def protect_the_mirror(_apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for table, keys in TABLES.items():
        for statement in protect(schema_editor.connection.vendor, table, *keys):
            schema_editor.execute(statement)


def release_the_mirror(_apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for table in TABLES:
        for statement in release(schema_editor.connection.vendor, table):
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [
        ("reviewconsole", "0004_sweeps"),
    ]

    operations = [
        migrations.CreateModel(
            name="LedgerRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("project_id", models.CharField(max_length=500)),
                ("asked_by", models.CharField(blank=True, max_length=500)),
                ("started_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("cursor", models.TextField(blank=True)),
                ("steps", models.BigIntegerField(default=0)),
                ("reached", models.BigIntegerField(default=0)),
                ("entries", models.BigIntegerField(default=0)),
                ("conclusions", models.BigIntegerField(default=0)),
                ("erased", models.BigIntegerField(default=0)),
                ("left", models.BigIntegerField(default=0)),
                ("found", models.BigIntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(fields=["project_id", "-id"], name="runs_newest_first")],
            },
        ),
        migrations.CreateModel(
            name="LedgerFinding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("altered", "altered"),
                            ("bad_mac", "bad_mac"),
                            ("bad_signature", "bad_signature"),
                            ("unknown_key", "unknown_key"),
                            ("unattested", "unattested"),
                            ("missing", "missing"),
                            ("gap", "gap"),
                            ("fork", "fork"),
                            ("unsealed", "unsealed"),
                            ("apart", "apart"),
                            ("conclusion_changed", "conclusion_changed"),
                        ],
                        max_length=24,
                    ),
                ),
                ("entry_id", models.CharField(blank=True, max_length=64)),
                ("decision_id", models.CharField(blank=True, max_length=64)),
                ("sequence_number", models.BigIntegerField(null=True)),
                ("until", models.BigIntegerField(null=True)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="findings",
                        to="reviewconsole.ledgerrun",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="MirroredEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("entry_id", models.CharField(max_length=64, unique=True)),
                ("project_id", models.CharField(max_length=500)),
                ("content_hash", models.CharField(max_length=64)),
                ("mac", models.CharField(blank=True, max_length=64)),
                ("arrived", models.CharField(max_length=64)),
            ],
            options={
                "indexes": [models.Index(fields=["project_id", "id"], name="mirrored_in_order")],
            },
        ),
        migrations.CreateModel(
            name="MirroredSeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("entry_id", models.CharField(max_length=64, unique=True)),
                ("project_id", models.CharField(max_length=500)),
                ("sequence_number", models.BigIntegerField()),
                ("parent_hash", models.CharField(blank=True, max_length=64)),
                ("signature", models.CharField(blank=True, max_length=64)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project_id", "sequence_number"), name="one_entry_per_number"
                    )
                ],
            },
        ),
        migrations.RunPython(protect_the_mirror, release_the_mirror),
    ]
