from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class ReviewConsoleConfig(AppConfig):
    name = "reviewconsole"
    verbose_name = "Review Console"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        post_migrate.connect(schedule_sweep, sender=apps.get_app_config("django_q"))


def schedule_sweep(**_signal: object) -> None:
    """Have the workers bring every project level each minute, whoever looks or not."""
    from django_q.models import Schedule  # noqa: PLC0415 - models load after this module

    Schedule.objects.get_or_create(
        name="sweep",
        defaults={
            "func": "reviewconsole.jobs.sweep",
            "schedule_type": Schedule.MINUTES,
            "minutes": 1,
        },
    )
