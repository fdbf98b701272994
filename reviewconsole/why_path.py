"""Why a decision was flagged, as steps from each cause to here."""

from typing import Any
from uuid import UUID

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from graphstore.desk import Desk
from graphstore.records import ReviewState
from graphstore.why import Cause, Hop, WayDown, why_flagged
from reviewconsole.access import Scope
from reviewconsole.addresses import (
    decision_url,
    document_url,
    event_url,
    verdict_url,
    version_url,
)
from reviewconsole.directions import closed
from reviewconsole.templatetags.desk import age, who

__all__ = ["decision_link", "verdict_link", "why_of"]

Step = dict[str, Any]

MOST_WAYS = 3


def why_of(scope: Scope, desk: Desk) -> dict[str, Any]:
    """At most three ways from a cause to this decision, and how many causes there are besides.

    Nothing for a decision that is not flagged; else one read.
    """
    decision = desk.decision
    if decision.review_state != ReviewState.NEEDS_REVIEW:
        return {"ways": [], "more": ""}
    found = why_flagged(scope.store, scope.project_id, decision)
    more = len(found) - MOST_WAYS
    ways = [_way(scope.project_id, way) for way in found[:MOST_WAYS]]
    if not ways:
        here = Hop(
            decision_id=str(decision.id),
            conclusion="",
            revision=decision.revision,
            task_name="",
            state="flagged",
            at=decision.flagged_at,
        )
        ways = [{"steps": [_here(here)], "note": _("Nobody recorded what caused this flag.")}]
    return {
        "ways": ways,
        "more": ngettext("and %(count)s more cause", "and %(count)s more causes", more)
        % {"count": more}
        if more > 0
        else "",
    }


def _way(project: str, way: WayDown) -> dict[str, Any]:
    *between, here = way.hops
    steps = [_cause(project, way.cause)]
    if way.longer:
        steps.append(
            _step(_("More decisions in between"), _("the way is longer than what is read"))
        )
    steps += [_hop(project, hop) for hop in between]
    note = _("The flag names no cause; this one was inferred.") if way.inferred else ""
    return {"steps": [*steps, _here(here)], "note": note}


def _step(
    title: str, detail: str, at: Any = None, url: str | None = None, *, here: bool = False
) -> Step:
    return {"title": title, "detail": detail, "at": at, "url": url, "here": here}


def _here(hop: Hop) -> Step:
    waited = age(hop.at)
    detail = _("waiting %(time)s, since") % {"time": waited} if waited else _("waiting")
    return _step(_("This decision"), detail, hop.at, here=True)


def _hop(project: str, hop: Hop) -> Step:
    words = {
        "flagged": _("flagged"),
        "clear": _("clear again"),
        "superseded": _("was superseded"),
        "rejected": _("was rejected"),
    }
    return _step(hop.conclusion, words[hop.state], hop.at, decision_link(project, hop.decision_id))


def _cause(project: str, cause: Cause) -> Step:
    match cause.kind:
        case "document":
            return _document(project, cause)
        case "event":
            words = {"redacted": _("was redacted"), "deleted": _("was deleted")}
            detail = words.get(cause.state, _("changed"))
            if not cause.task_name or cause.seq is None:
                return _step(_("An event"), detail, cause.at)
            title = _("Event %(seq)s in %(task)s") % {
                "seq": cause.seq,
                "task": closed(cause.task_name),
            }
            return _step(title, detail, cause.at, event_url(project, cause.task_name, cause.seq))
        case "decision":
            words = {
                "superseded": _("was superseded"),
                "rejected": _("was rejected"),
                "flagged": _("waits for review itself"),
            }
            title = cause.title or _("A decision further up")
            detail = words.get(cause.state, _("changed"))
            return _step(title, detail, cause.at, decision_link(project, cause.ref))
        case _:
            return _asked(project, cause)


def _document(project: str, cause: Cause) -> Step:
    number = {"number": cause.version}
    detail = _("version %(number)s") % number if cause.version else _("changed")
    if cause.state == "removed":
        detail = _("removed")
    if not cause.document_key:
        return _step(_("A document further up"), detail, cause.at)
    url = document_url(project, cause.document_key)
    if cause.version and cause.state != "removed":
        # To what that version changed.
        url = version_url(project, cause.document_key, cause.version)
    return _step(cause.title, detail, cause.at, url)


def _asked(project: str, cause: Cause) -> Step:
    """Who asked for review, when and why; of a request that is gone, only that somebody did."""
    url = verdict_link(project, cause.ref)
    if cause.state != "asked":
        return _step(_("Somebody asked for review"), _("of a decision further up"), None, url)
    title = _("%(name)s asked for review") % {"name": who(cause.by)}
    return _step(title, f"“{closed(Truncator(cause.why).chars(200))}”", cause.at, url)


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
