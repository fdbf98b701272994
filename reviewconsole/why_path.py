"""Why a decision was flagged, as steps from the cause to here."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.text import Truncator

from graphstore.desk import Desk, SupportOnDesk
from graphstore.evidence import Comparison
from graphstore.records import Decision, ReviewState
from reviewconsole.addresses import decision_url, document_url, task_url, verdict_url, version_url
from reviewconsole.templatetags.desk import age, who

__all__ = ["decision_link", "verdict_link", "why_path"]

Step = dict[str, Any]

MOST_CAUSES = 3
_PARENT_WORDS = {
    Comparison.FLAGGED: "waits for review itself",
    Comparison.SUPERSEDED: "was superseded",
    Comparison.REJECTED: "was rejected",
}
_EVENT_WORDS = {
    Comparison.REDACTED: "was redacted",
    Comparison.DELETED: "was deleted",
}


def why_path(project: str, desk: Desk) -> list[Step]:
    """At most three causes, the unclear decision between, then this one.

    A flag of another writer names no cause; what is unlike on the desk stands in.
    Empty for a decision that is not flagged.
    """
    decision = desk.decision
    if decision.review_state != ReviewState.NEEDS_REVIEW:
        return []
    named = [_cause(project, desk, cause) for cause in decision.causes[:MOST_CAUSES]]
    direct = _unlike(project, desk)
    steps = [step for step in named if step] or direct[:MOST_CAUSES]
    known = {step["title"] for step in steps}
    between = [step for step in _parents(project, desk) if step["title"] not in known][:1]
    return [*steps, *between, _here(decision)]


def _step(title: str, detail: str, url: str | None = None, *, here: bool = False) -> Step:
    return {"title": title, "detail": detail, "url": url, "here": here}


def _here(decision: Decision) -> Step:
    waited = age(decision.flagged_at)
    return _step("This decision", f"waiting {waited}" if waited else "waiting", here=True)


def _cause(project: str, desk: Desk, cause: str) -> Step | None:
    kind, _, rest = cause.partition(":")
    match kind:
        case "document":
            return _document_cause(project, desk, *rest.split(":", 1))
        case "event":
            return next(
                (_event(project, one) for one in desk.supports if _is_event(one, rest)), None
            ) or _step("An event", "was erased further up")
        case "decision":
            return next(
                (_parent(project, one) for one in desk.supports if _is_parent(one, rest)), None
            ) or _step("A decision further up", "changed", decision_link(project, rest))
        case "asked":
            return _asked(project, desk, rest)
        case _:
            return None


def _asked(project: str, desk: Desk, ident: str) -> Step:
    """Who asked for review, when and why; further up, only that somebody did."""
    url = verdict_link(project, ident)
    asked = next((one for one in desk.verdicts if one.id == ident), None)
    if asked is None:
        return _step("Somebody asked for review", "of a decision further up", url)
    why = Truncator(asked.why).chars(200)
    return _step(f"{who(asked.by)} asked for review", f"“{why}”{_on(asked.at)}", url)


def verdict_link(project: str, ident: str) -> str | None:
    """The page of a verdict that a cause names; a program may have named anything."""
    try:
        return verdict_url(project, UUID(ident))
    except ValueError:
        return None


def decision_link(project: str, ident: str) -> str | None:
    """The page of a decision that a cause names, as `verdict_link`."""
    try:
        return decision_url(project, UUID(ident))
    except ValueError:
        return None


def _document_cause(project: str, desk: Desk, ref: str, number: str = "") -> Step:
    for shown in desk.supports:
        if shown.document is not None and str(shown.document.id) == ref:
            return _document(project, shown, number)
    return _step("A document further up", f"version {number}" if number else "changed")


def _document(project: str, shown: SupportOnDesk, number: str = "") -> Step:
    document = shown.document
    if document is None:
        return _step("A cited document", "was removed")
    title = document.title or document.document_key
    if document.removed:
        url = document_url(project, document.document_key)
        return _step(title, f"removed{_on(shown.current_at)}", url)
    activation = number or str(document.activation_seq)
    newest = activation == str(document.activation_seq)
    # To what that version changed.
    url = (
        version_url(project, document.document_key, int(activation))
        if activation.isdecimal()
        else document_url(project, document.document_key)
    )
    return _step(title, f"version {activation}{_on(shown.current_at) if newest else ''}", url)


def _on(at: datetime | None) -> str:
    if at is None:
        return ""
    local = timezone.localtime(at)
    return f", {local.day} {local:%b %H:%M}"


def _event(project: str, shown: SupportOnDesk) -> Step:
    support = shown.support
    seq, task = getattr(support, "seq", 0), getattr(support, "task_name", "")
    what = _EVENT_WORDS.get(shown.comparison, "changed")
    url = f"{task_url(project, task, after=seq - 1)}#event-{seq}" if shown.event else None
    where = f"in {task}" if task else "of a deleted task"
    return _step(f"Event {seq} {where}", what, url)


def _parent(project: str, shown: SupportOnDesk) -> Step:
    parent = shown.parent
    what = _PARENT_WORDS.get(shown.comparison, "changed")
    if parent is None:
        return _step("A cited decision", "is gone")
    return _step(parent.conclusion, what, decision_url(project, parent.id))


def _is_event(shown: SupportOnDesk, ident: str) -> bool:
    return str(getattr(shown.support, "event_id", "")) == ident


def _is_parent(shown: SupportOnDesk, ident: str) -> bool:
    return str(getattr(shown.support, "decision_id", "")) == ident


def _parents(project: str, desk: Desk) -> list[Step]:
    return [_parent(project, one) for one in desk.supports if one.comparison in _PARENT_WORDS]


def _unlike(project: str, desk: Desk) -> list[Step]:
    """What on the desk would explain a flag, worst first."""
    steps: list[Step] = []
    for shown in desk.supports:
        if shown.comparison in _PARENT_WORDS:
            steps.append(_parent(project, shown))
        elif shown.comparison in _EVENT_WORDS:
            steps.append(_event(project, shown))
        elif shown.support.kind == "document" and _moved_on(shown):
            steps.append(_document(project, shown))
    return steps


def _moved_on(shown: SupportOnDesk) -> bool:
    if shown.document is None or shown.document.removed:
        return True
    cited = getattr(shown.support, "recorded_activation_seq", None)
    return cited != shown.document.activation_seq
