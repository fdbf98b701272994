"""Every address of the console."""

from django.urls import path, register_converter

from reviewconsole import handlers
from reviewconsole.addresses import NameConverter, SegmentConverter
from reviewconsole.api import reference
from reviewconsole.api.root import api
from reviewconsole.views import (
    asking,
    background,
    bulks,
    bundles,
    conflicts,
    decision,
    decisions,
    document,
    document_forms,
    documents,
    flow,
    health,
    impact,
    intake,
    keep,
    ledger,
    lineage,
    picking,
    project_settings,
    projects,
    queue,
    receipts,
    retention,
    saved_views,
    sign_in,
    steps,
    task,
    task_log,
    tasks,
    tokens,
    verdicts,
    versions_between,
    withdrawing,
)

register_converter(NameConverter, "name")
register_converter(SegmentConverter, "segment")

urlpatterns = [
    path("", projects.show_projects, name="projects"),
    path("signin", sign_in.sign_in, name="signin"),
    path("signout", sign_in.sign_out, name="signout"),
    path("api/v1/docs", reference.show_reference, name="reference"),
    path("api/v1/", api.urls),
    path("healthz", health.show_health, name="health"),
    path("p/<name:project>/queue", queue.show_queue, name="queue"),
    path("p/<name:project>/queue/news", queue.show_news, name="queue_news"),
    path("p/<name:project>/queue/views", saved_views.show_views, name="queue_views"),
    path(
        "p/<name:project>/queue/views/<uuid:view_uuid>",
        saved_views.saved_view,
        name="saved_view",
    ),
    path(
        "p/<name:project>/bundles/<name:document_key>",
        bundles.show_bundle,
        name="bundle",
    ),
    path(
        "p/<name:project>/bundles/<name:document_key>/bulk",
        bundles.start_bulk,
        name="bulk_start",
    ),
    path("p/<name:project>/bulks/<uuid:bulk_id>", bulks.bulk, name="bulk"),
    path(
        "p/<name:project>/settings",
        project_settings.project_settings,
        name="project_settings",
    ),
    path("p/<name:project>/decisions", decisions.show_decisions, name="decisions"),
    path("p/<name:project>/decisions/<uuid:decision_id>", decision.decision, name="decision"),
    path(
        "p/<name:project>/decisions/<uuid:decision_id>/lineage",
        lineage.show_lineage,
        name="lineage",
    ),
    path(
        "p/<name:project>/decisions/<uuid:decision_id>/impact",
        impact.show_impact,
        name="impact",
    ),
    path(
        "p/<name:project>/decisions/<uuid:decision_id>/lineage.svg",
        lineage.export_svg,
        name="lineage_svg",
    ),
    path(
        "p/<name:project>/decisions/<uuid:decision_id>/lineage.csv",
        lineage.export_csv,
        name="lineage_csv",
    ),
    path(
        "p/<name:project>/decisions/<uuid:decision_id>/versions/<uuid:support_id>",
        versions_between.show_versions,
        name="versions_between",
    ),
    path(
        "p/<name:project>/decisions/<uuid:decision_id>/passages/<uuid:support_id>",
        picking.pick,
        name="pick",
    ),
    path("p/<name:project>/decisions/<uuid:decision_id>/ask", asking.ask, name="ask"),
    path("p/<name:project>/next", flow.go_next, name="next"),
    path("p/<name:project>/decisions/<uuid:decision_id>/claim", flow.claim, name="claim"),
    path("p/<name:project>/decisions/<uuid:decision_id>/leave", flow.leave, name="leave"),
    path("p/<name:project>/decisions/<uuid:decision_id>/draft", flow.draft, name="draft"),
    path("p/<name:project>/verdicts", verdicts.show_verdicts, name="verdicts"),
    path("p/<name:project>/verdicts/<uuid:verdict_id>", verdicts.show_verdict, name="verdict"),
    path(
        "p/<name:project>/verdicts/<uuid:verdict_id>/withdraw",
        withdrawing.withdraw,
        name="withdraw",
    ),
    path("p/<name:project>/conflicts", conflicts.show_conflicts, name="conflicts"),
    path(
        "p/<name:project>/conflicts/<name:choice_key>",
        conflicts.show_conflict,
        name="conflict",
    ),
    path(
        "p/<name:project>/conflicts/<name:choice_key>/keep/<uuid:decision_id>",
        keep.keep,
        name="keep",
    ),
    path("p/<name:project>/documents", documents.show_documents, name="documents"),
    path("p/<name:project>/new-document", document_forms.new_document, name="document_new"),
    path(
        "p/<name:project>/documents/<name:document_key>",
        document.show_document,
        name="document",
    ),
    path(
        "p/<name:project>/documents/<name:document_key>/versions/<int:seq>",
        document.show_version,
        name="document_version",
    ),
    path(
        "p/<name:project>/documents/<name:document_key>/change",
        document_forms.change_document,
        name="document_change",
    ),
    path(
        "p/<name:project>/documents/<name:document_key>/remove",
        document_forms.remove_document,
        name="document_remove",
    ),
    path("p/<name:project>/tokens", tokens.show_tokens, name="tokens"),
    path("p/<name:project>/tasks", tasks.show_tasks, name="tasks"),
    path("p/<name:project>/tasks/<name:task_name>", task.show_task, name="task"),
    path(
        "p/<name:project>/tasks/<name:task_name>/delete", retention.delete_task, name="task_delete"
    ),
    path(
        "p/<name:project>/tasks/<name:task_name>/events/<int:seq>/redact",
        retention.redact_event,
        name="event_redact",
    ),
    path(
        "p/<name:project>/tasks/<name:task_name>/events/<int:seq>/check",
        task_log.check_event,
        name="event_check",
    ),
    path(
        "p/<name:project>/tasks/<name:task_name>/markdown",
        task_log.show_markdown,
        name="log_markdown",
    ),
    path("p/<name:project>/tasks/<name:task_name>/export", task_log.export_log, name="log_export"),
    path("p/<name:project>/intake", intake.show_intake, name="intake"),
    path("p/<name:project>/jobs", background.show_jobs, name="jobs"),
    path("p/<name:project>/ledger", ledger.show_ledger, name="ledger"),
    path(
        "p/<name:project>/ledger/verification",
        ledger.show_verification,
        name="ledger_verification",
    ),
    path("p/<name:project>/ledger/<uuid:entry_id>", ledger.show_entry, name="ledger_entry"),
    path("p/<name:project>/retention", receipts.show_retention, name="retention"),
    path("p/<name:project>/retention/<uuid:entry_id>", receipts.receipt, name="receipt"),
    path("p/<name:project>/tasks/<name:task_name>/steps", steps.show_steps, name="steps"),
]

handler400 = handlers.bad_request
handler403 = handlers.forbidden
handler404 = handlers.not_found
handler500 = handlers.broken
