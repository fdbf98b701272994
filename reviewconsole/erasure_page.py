"""What plans and receipts of erasures show."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from graphstore.erasures import Quote, Receipt, RetentionJob
from graphstore.records import Decision, ReviewState
from reviewconsole.access import Scope
from reviewconsole.addresses import (
    decision_url,
    document_url,
    event_url,
    receipt_url,
    verdict_url,
)
from reviewconsole.said import Said

__all__ = ["counted", "flag_lines", "job_of", "quote_lines", "receipt_of"]

_COUNTED: Mapping[str, Callable[[int], str]] = {
    "bodies": lambda n: ngettext("%(number)s event body", "%(number)s event bodies", n),
    "events": lambda n: ngettext("%(number)s event", "%(number)s events", n),
    "steps": lambda n: ngettext("%(number)s step", "%(number)s steps", n),
    "decisions": lambda n: ngettext("%(number)s decision", "%(number)s decisions", n),
    "supports": lambda n: ngettext("%(number)s support", "%(number)s supports", n),
    "verdicts": lambda n: ngettext("%(number)s verdict", "%(number)s verdicts", n),
    "requests": lambda n: ngettext(
        "%(number)s stored answer emptied", "%(number)s stored answers emptied", n
    ),
}
_QUOTED = Said(
    {
        "decision": gettext_noop("Decision"),
        "verdict": gettext_noop("Verdict"),
        "event": gettext_noop("Event"),
        "document": gettext_noop("Document"),
    }
)
_LOGS = Said(
    {
        "rewritten": gettext_noop(
            "The graph's own log was rewritten: its files hold none of it any more."
        ),
        "transaction_logs": gettext_noop(
            "The graph keeps erased text in its transaction logs until they are rotated out, two days"
            " by default; Neo4j gives no way to empty them sooner."
        ),
        "not_allowed": gettext_noop(
            "The graph's server does not let the console rewrite its log. Run BGREWRITEAOF there, or"
            " the erased text stays in its append-only file."
        ),
        "failed": gettext_noop(
            "The graph's server could not rewrite its log. Look at its disk and run BGREWRITEAOF"
            " there; the erased text is still in its append-only file."
        ),
    }
)
_STATES = Said(
    {
        "open": gettext_noop("under way"),
        "paused": gettext_noop("paused"),
        "done": gettext_noop("done"),
        "cancelled": gettext_noop("called off"),
    }
)


def counted(erased: Mapping[str, int]) -> list[str]:
    """How much goes, one kind a line."""
    return [
        said(erased[kind]) % {"number": f"{erased[kind]:,}"}
        for kind, said in _COUNTED.items()
        if erased.get(kind)
    ]


def flag_lines(scope: Scope, decisions: Iterable[Decision]) -> list[dict[str, Any]]:
    """Decisions that are flagged or go, each with its page."""
    return [
        {
            "decision": decision,
            "url": decision_url(scope.project_id, decision.id),
            "waits": decision.review_state == ReviewState.NEEDS_REVIEW,
        }
        for decision in decisions
    ]


def quote_lines(scope: Scope, quotes: Iterable[Quote]) -> list[dict[str, Any]]:
    """Places that repeat the text, each with its page."""
    return [
        {"quote": quote, "kind": _QUOTED[quote.kind], "url": _place(scope.project_id, quote)}
        for quote in quotes
    ]


def _place(project: str, quote: Quote) -> str:
    match quote.kind:
        case "decision":
            return decision_url(project, quote.ref)
        case "verdict":
            return verdict_url(project, quote.ref)
        case "event":
            return event_url(project, quote.label, quote.seq or 1)
        case "document":
            return document_url(project, quote.label)


def receipt_of(scope: Scope, receipt: Receipt) -> dict[str, Any]:
    """One erasure as lists and its own page show it."""
    redacted = receipt.action == "redact_event"
    job, log = receipt.job, receipt.log
    if job is not None and job.state == "cancelled":
        what = _("Deletion called off")
    elif redacted:
        what = _("Event redacted")
    elif job is not None and job.state != "done":
        what = _("Task is being deleted")
    else:
        what = _("Task deleted")
    return {
        "receipt": receipt,
        "what": what,
        "url": receipt_url(scope.project_id, receipt.entry_id),
        "counts": counted(_erased(receipt)),
        "hashes": sorted(receipt.hashes.items()),
        "job": job_of(job) if job else None,
        "log": _LOGS.get((log and log.outcome) or "") if log else None,
        "log_waits": log is not None and log.state == "open",
        "behalf": receipt.actor.get("on_behalf_of"),
    }


def _erased(receipt: Receipt) -> Mapping[str, int]:
    job = receipt.job
    if job is None:
        return receipt.erased
    return {
        "events": job.erased_events,
        "steps": job.erased_steps,
        "decisions": job.erased_decisions,
        "requests": job.erased_requests,
    }


def job_of(job: RetentionJob) -> dict[str, Any]:
    """How far a deletion is, and what may be done about it."""
    return {
        "job": job,
        "state": _STATES[job.state],
        "percent": int(job.share * 100),
        "may_pause": job.state == "open",
        "may_resume": job.state == "paused",
        "may_cancel": job.cancellable,
        "moves": job.state == "open",
    }
