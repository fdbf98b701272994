"""What was judged in a project, newest first, and each verdict as it was seen."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from graphstore.as_seen import open_as_seen
from graphstore.records import VerdictKind
from reviewconsole import seen_page, words
from reviewconsole.access import Scope, enter
from reviewconsole.addresses import verdicts_url
from reviewconsole.pages import page
from reviewconsole.templatetags.desk import who
from reviewconsole.verdict_words import row_of

PAGE = 50
ME = "me"


@require_safe
def show_verdicts(request: HttpRequest, project: str) -> HttpResponse:
    """One page of verdicts by the filters in the address; one read."""
    scope = enter(request, project)
    chosen = _chosen(request)
    cursor = request.GET.get("cursor", "")
    shown = scope.traces.list_verdicts(
        chosen["agent"] or None,
        by=scope.actor.agent_id if chosen["by"] == ME else None,
        kind=VerdictKind(chosen["kind"]) if chosen["kind"] else None,
        cursor=cursor or None,
        limit=PAGE,
    )
    following = verdicts_url(project, **chosen, cursor=shown.next_cursor)
    context = {
        "rows": [row_of(scope, verdict) for verdict in shown.verdicts],
        "filtered": any(chosen.values()),
        "everything_url": verdicts_url(project),
        "next_url": following if shown.next_cursor else None,
        "first_url": verdicts_url(project, **chosen) if cursor else None,
        **_filters(scope, chosen),
    }
    return page(request, "verdicts.html", context, fragment="rows")


@require_safe
def show_verdict(request: HttpRequest, project: str, verdict_id: UUID) -> HttpResponse:
    """One verdict with the page that it was given on; two reads."""
    scope = enter(request, project)
    seen = open_as_seen(scope.store, project, str(verdict_id))
    if seen is None:
        raise Http404
    context = seen_page.context_of(scope, seen) | {"verdicts_url": verdicts_url(project)}
    return page(request, "verdict.html", context)


def _chosen(request: HttpRequest) -> dict[str, str]:
    """The filters that the address names; what is not understood filters nothing."""
    kind = request.GET.get("kind", "")
    return {
        "by": ME if request.GET.get("by") == ME else "",
        "kind": kind if kind in list(VerdictKind) else "",
        "agent": request.GET.get("agent", "")[:1000],
    }


def _filters(scope: Scope, chosen: dict[str, str]) -> dict[str, Any]:
    project = scope.project_id

    def choice(name: str, value: str, label: str) -> dict[str, Any]:
        url = verdicts_url(project, **(chosen | {name: value}))
        return {"value": value, "label": label, "url": url, "active": chosen[name] == value}

    kinds = [
        ("", gettext("Every kind")),
        *((kind.value, words.VERDICTS[kind]) for kind in VerdictKind),
    ]
    return {
        "by_choices": [
            choice("by", "", gettext("By everybody")),
            choice("by", ME, gettext("By me")),
        ],
        "kind_choices": [choice("kind", value, label) for value, label in kinds],
        "agent": who(chosen["agent"]),
        "all_agents_url": verdicts_url(project, **(chosen | {"agent": ""})),
    }
