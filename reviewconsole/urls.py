"""Every address of the console."""

from django.urls import path, register_converter

from reviewconsole.addresses import NameConverter
from reviewconsole.views import (
    decision,
    health,
    lineage,
    problems,
    projects,
    queue,
    sign_in,
    task,
    tasks,
)

register_converter(NameConverter, "name")

urlpatterns = [
    path("", projects.show_projects, name="projects"),
    path("signin", sign_in.sign_in, name="signin"),
    path("signout", sign_in.sign_out, name="signout"),
    path("healthz", health.show_health, name="health"),
    path("p/<name:project>/queue", queue.show_queue, name="queue"),
    path("p/<name:project>/decisions/<uuid:decision_id>", decision.decision, name="decision"),
    path(
        "p/<name:project>/decisions/<uuid:decision_id>/lineage",
        lineage.show_lineage,
        name="lineage",
    ),
    path("p/<name:project>/tasks", tasks.show_tasks, name="tasks"),
    path("p/<name:project>/tasks/<name:task_name>", task.show_task, name="task"),
]

handler400 = problems.bad_request
handler403 = problems.forbidden
handler404 = problems.not_found
handler500 = problems.broken
