"""Pick the passage that a decision stands on now, out of the present text."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from graphstore.locating import PassageNow
from graphstore.present_text import PresentText, Unfit, present_text
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import decision_url, pick_url
from reviewconsole.drafts import keep_pick, save_draft, typed_in
from reviewconsole.pages import go, page, swaps
from reviewconsole.picking_page import (
    LONGEST_FOUND,
    Asked,
    context_of,
    read_chosen,
    unfit_words,
)

_TEMPLATE = "pick.html"
_STATUS = {Unfit.MOVED: 409, Unfit.OUTSIDE: 422, Unfit.OTHER_WORDS: 409}


@require_http_methods(["GET", "HEAD", "POST"])
def pick(request: HttpRequest, project: str, decision_id: UUID, support_id: UUID) -> HttpResponse:
    """The text to pick from; a post picks, or comes from a verdict form that must not be lost."""
    scope = enter(request, project, Role.REVIEWER)
    asked = _asked(request)
    if _looks(request):
        save_draft(scope.user, project, decision_id, typed_in(request.POST))
        return go(request, pick_url(project, decision_id, str(support_id), **asked.query()))
    found = present_text(scope.store, project, decision_id, support_id)
    if found is None:
        raise Http404
    if request.method == "POST":
        return _picked(request, scope, decision_id, found, asked)
    return page(request, _TEMPLATE, context_of(project, decision_id, found, asked), fragment="text")


def _picked(
    request: HttpRequest, scope: Scope, decision_id: UUID, found: PresentText, asked: Asked
) -> HttpResponse:
    sent = request.POST
    chosen = read_chosen(sent.get("version", ""), sent.getlist("part"), sent.get("quote", ""))
    if chosen is None:
        return _unfit(request, scope, decision_id, found, asked, _("Select some words first."), 422)
    passage = found.passage(chosen.version, chosen.start, chosen.end, chosen.quote)
    if not isinstance(passage, PassageNow):
        words = unfit_words(passage)
        return _unfit(request, scope, decision_id, found, asked, words, _STATUS[passage])
    keep_pick(scope.user, scope.project_id, decision_id, asked.index, passage.evidence_id)
    if swaps(request):
        one = {
            "value": passage.evidence_id,
            "text": passage.text,
            "checked": True,
            "picked": True,
        }
        return page(request, "shared/picked.html", {"one": one, "index": asked.index})
    back = decision_url(scope.project_id, decision_id)
    return go(request, f"{back}#picker-{asked.index}")


def _unfit(
    request: HttpRequest,
    scope: Scope,
    decision_id: UUID,
    found: PresentText,
    asked: Asked,
    words: str,
    status: int,
) -> HttpResponse:
    """Why nothing was picked. What is typed for the verdict stays where it is."""
    context = context_of(scope.project_id, decision_id, found, asked)
    context["unfit"] = words
    response = page(request, _TEMPLATE, context, fragment="unfit", status=status)
    if swaps(request):
        response["HX-Retarget"] = f"#pick-unfit-{asked.index}"
        response["HX-Reswap"] = "innerHTML"
    return response


def _looks(request: HttpRequest) -> bool:
    """Whether a verdict form was sent here, to be kept until one comes back."""
    return request.POST.get("then") == "look"


def _asked(request: HttpRequest) -> Asked:
    given = request.POST if request.method == "POST" and not _looks(request) else request.GET
    return Asked(
        at=_number(given.get("at", "")),
        find=" ".join(given.get("find", "").split())[:LONGEST_FOUND],
        whole=given.get("whole") == "1",
        index=min(_number(given.get("index", "")), 999),
        card=given.get("card") == "1",
    )


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 12 else 0
