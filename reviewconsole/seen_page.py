"""The page of a verdict as it was seen, in words."""

from typing import Any

from django.utils.translation import gettext, gettext_noop

from graphstore.as_seen import AsSeen, SupportAsSeen
from graphstore.evidence import Comparison
from graphstore.records import Exhibit
from reviewconsole import words
from reviewconsole.access import Scope
from reviewconsole.addresses import decision_url, document_url, task_url
from reviewconsole.said import Said
from reviewconsole.verdict_words import row_of
from reviewconsole.why_path import decision_link, verdict_link

__all__ = ["context_of"]

_ERASED = Said(
    {
        "cited": gettext_noop("The passage that was cited has been erased since."),
        "present": gettext_noop("The passage that was set beside it has been erased since."),
        "event": gettext_noop("The event was deleted since."),
        "body": gettext_noop("The text of the event was erased since."),
        "decision": gettext_noop("The decision was deleted since."),
        "document": gettext_noop("The document was erased since, with all its versions."),
    }
)


def context_of(scope: Scope, seen: AsSeen) -> dict[str, Any]:
    """Everything that `verdict.html` draws."""
    exhibit = seen.verdict.exhibit
    return {
        "item": row_of(scope, seen.verdict),
        "decision": seen.decision,
        "exhibit": exhibit,
        "took": _took(exhibit),
        "in_bulk_with": exhibit.in_bulk - 1 if exhibit else 0,
        "causes": [_cause(scope.project_id, cause, seen) for cause in exhibit.causes]
        if exhibit
        else [],
        "cards": [_card(scope.project_id, shown) for shown in seen.supports],
    }


def _took(exhibit: Exhibit | None) -> str:
    """How long the page was open before the verdict."""
    if exhibit is None or exhibit.opened_at is None or exhibit.decided_at is None:
        return ""
    spent = exhibit.decided_at - exhibit.opened_at
    return words.duration_words(max(0.0, spent.total_seconds()))


def _card(project: str, shown: SupportAsSeen) -> dict[str, Any]:
    support = shown.support
    known = support.comparison in list(Comparison)
    return {
        "shown": shown,
        "title": _title(shown),
        "comparison": Comparison(support.comparison) if known else None,
        "found": "" if known else support.comparison.replace("_", " "),
        "url": _address(project, shown),
        "place": _place(shown),
        "erased": [_ERASED[name] for name in shown.erased],
    }


def _title(shown: SupportAsSeen) -> str:
    """What it was called; of what is gone, what kind of thing it was."""
    match shown.support.kind:
        case "event" if shown.event is not None:
            return gettext("Event %(number)s") % {"number": shown.event.seq}
        case "event":
            return gettext("An event")
        case "document" if shown.document_key is None:
            return gettext("A document")
        case "decision" if shown.decision is None:
            return gettext("A decision")
        case _:
            return shown.title


def _address(project: str, shown: SupportAsSeen) -> str | None:
    if shown.document_key is not None:
        return document_url(project, shown.document_key)
    if shown.event is not None and shown.task_name is not None:
        seq = shown.event.seq
        return f"{task_url(project, shown.task_name, after=seq - 1)}#event-{seq}"
    return decision_url(project, shown.decision.id) if shown.decision else None


def _place(shown: SupportAsSeen) -> str:
    """Which versions were compared, or where the support belongs."""
    support = shown.support
    if support.kind == "document":
        return _versions(support.cited_seq, support.present_seq)
    if support.kind == "event":
        return gettext("in %(task)s") % {"task": shown.task_name} if shown.task_name else ""
    if shown.decision is None:
        return ""
    return gettext("revision %(number)s") % {"number": shown.decision.revision}


def _versions(cited: int | None, present: int | None) -> str:
    if present is None or present == cited:
        said = (
            gettext("cited from version %(cited)s")
            if cited
            else gettext("cited from an earlier version")
        )
    elif cited:
        said = gettext("cited from version %(cited)s, then version %(present)s")
    else:
        said = gettext("cited from an earlier version, then version %(present)s")
    return said % {"cited": cited, "present": present}


def _cause(project: str, cause: str, seen: AsSeen) -> dict[str, str | None]:
    """A cause as the flag carried it: in words, with where it leads."""
    kind, _, rest = cause.partition(":")
    ref = rest.partition(":")[0]
    number = rest.partition(":")[2]
    version = gettext(", version %(number)s") % {"number": number} if number else ""
    version = version if kind == "document" else ""
    shown = next((one for one in seen.supports if one.support.ref == ref), None)
    if kind == "asked":
        return {"words": gettext("Somebody asked for review"), "url": verdict_link(project, ref)}
    if shown is not None:
        return {"words": f"{_title(shown)}{version}", "url": _address(project, shown)}
    further = {
        "document": gettext("A document further up"),
        "event": gettext("An event further up"),
        "decision": gettext("A decision further up"),
    }
    url = decision_link(project, ref) if kind == "decision" else None
    return {"words": (further.get(kind) or gettext("Something further up")) + version, "url": url}
