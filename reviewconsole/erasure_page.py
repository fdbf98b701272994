"""What plans and receipts of erasures show."""

from collections.abc import Iterable, Mapping
from typing import Any

from graphstore.erasures import Quote, Receipt, RetentionJob
from graphstore.records import Decision, ReviewState
from reviewconsole import words
from reviewconsole.access import Scope
from reviewconsole.addresses import (
    decision_url,
    document_url,
    event_url,
    receipt_url,
    verdict_url,
)

__all__ = ["counted", "flag_lines", "job_of", "quote_lines", "receipt_of"]

_COUNTED = {
    "bodies": ("event body", "event bodies"),
    "events": ("event", "events"),
    "steps": ("step", "steps"),
    "decisions": ("decision", "decisions"),
    "supports": ("support", "supports"),
    "verdicts": ("verdict", "verdicts"),
    "requests": ("stored answer emptied", "stored answers emptied"),
}
_QUOTED = {"decision": "Decision", "verdict": "Verdict", "event": "Event", "document": "Document"}
_LOGS = {
    "rewritten": "The graph's own log was rewritten: its files hold none of it any more.",
    "transaction_logs": (
        "The graph keeps erased text in its transaction logs until they are rotated out, two days"
        " by default; Neo4j gives no way to empty them sooner."
    ),
    "not_allowed": (
        "The graph's server does not let the console rewrite its log. Run BGREWRITEAOF there, or"
        " the erased text stays in its append-only file."
    ),
    "failed": (
        "The graph's server could not rewrite its log. Look at its disk and run BGREWRITEAOF"
        " there; the erased text is still in its append-only file."
    ),
}
_STATES = {"open": "under way", "paused": "paused", "done": "done", "cancelled": "called off"}


def counted(erased: Mapping[str, int]) -> list[str]:
    """How much goes, one kind a line."""
    return [
        words.plural(erased[kind], *names) for kind, names in _COUNTED.items() if erased.get(kind)
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
        what = "Deletion called off"
    elif redacted:
        what = "Event redacted"
    elif job is not None and job.state != "done":
        what = "Task is being deleted"
    else:
        what = "Task deleted"
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
