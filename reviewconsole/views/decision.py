"""One decision: everything recorded about it, and the verdict."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from graphstore.desk import Desk, open_desk
from graphstore.refusals import WriteErrorCode
from graphstore.results import RecordDecisionResult, RejectDecisionResult
from reviewconsole import problems, words
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import decision_url, withdraw_url
from reviewconsole.claim_page import claim_context, claim_refusal
from reviewconsole.claims import Claimed
from reviewconsole.desk_page import context_of, passages_of
from reviewconsole.drafts import keep_draft, kept_draft, save_draft, typed_in
from reviewconsole.exhibits import exhibit_for
from reviewconsole.filters import read_filters
from reviewconsole.forms import (
    Passage,
    VerdictForm,
    evidence_name,
    new_request_id,
    typed_texts,
)
from reviewconsole.in_sample import after_verdict, sample_context, with_verdict
from reviewconsole.last_verdict import note_last_verdict, undo_url
from reviewconsole.models import Draft
from reviewconsole.offers import (
    Offer,
    offers_of,
    old_texts,
    read_offers,
    read_opened_at,
    write_offers,
)
from reviewconsole.onward import after
from reviewconsole.pages import go, go_on, page, swaps, whole_page
from reviewconsole.picked import picked_passages
from reviewconsole.refused import refusal, refusal_of
from reviewconsole.verdicts import VerdictResult, follow_up, give

_TEMPLATE = "decision.html"
_INLINE = "inline"
_SIDES = ("beside", _INLINE)


@require_http_methods(["GET", "HEAD", "POST"])
def decision(request: HttpRequest, project: str, decision_id: UUID) -> HttpResponse:
    scope = enter(request, project)
    if request.method != "POST":
        chosen = request.GET.get("diff", "")
        return _as_chosen(request, scope, decision_id, chosen) or _show(request, scope, decision_id)
    if not scope.may(Role.REVIEWER):
        # A role may be taken away while somebody writes; their text must not go with it.
        return _refused(request, scope, decision_id, refusal_of("forbidden", problems.FORBIDDEN))
    chosen = request.POST.get("then", "")
    return _as_chosen(request, scope, decision_id, chosen) or _judge(request, scope, decision_id)


def _as_chosen(
    request: HttpRequest, scope: Scope, decision_id: UUID, chosen: str
) -> HttpResponse | None:
    """The page anew with differences shown as chosen, for browsers without scripts.

    What was typed is kept. None when nothing was chosen.
    """
    if chosen not in _SIDES:
        return None
    if request.method == "POST":
        save_draft(scope.user, scope.project_id, decision_id, typed_in(request.POST))
    query = read_filters(request).query()
    response = go(request, f"{decision_url(scope.project_id, decision_id, **query)}#evidence-title")
    if chosen == _INLINE:
        response.set_cookie("diff", _INLINE, max_age=31_536_000, samesite="Lax")
    else:
        response.delete_cookie("diff", samesite="Lax")
    return response


def _show(request: HttpRequest, scope: Scope, decision_id: UUID) -> HttpResponse:
    desk = _desk(scope, decision_id)
    draft = kept_draft(scope.user, scope.project_id, decision_id)
    context = _context(request, scope, desk, _fresh_form(scope, desk, draft))
    context["draft_saved_at"] = draft.saved_at if draft else None
    return page(request, _TEMPLATE, context, fragment="verdict")


def _judge(request: HttpRequest, scope: Scope, decision_id: UUID) -> HttpResponse:
    """Submit the verdict, or show the page again with the reason and everything typed."""
    offers = read_offers(decision_id, request.POST.get("offered", ""))
    if offers is None:
        out_of_date = problems.REFUSALS[WriteErrorCode.MOVED]
        return _refused(request, scope, decision_id, refusal_of("moved", out_of_date))
    form = VerdictForm(with_verdict(request.POST), offers=offers)
    if not form.is_valid():
        return _incomplete(request, scope, decision_id)
    opened_at = read_opened_at(decision_id, form.cleaned_data["offered"])
    exhibit = exhibit_for(scope, decision_id, form, opened_at)
    try:
        result = give(scope, decision_id, form, exhibit)
    except Claimed as lost:
        return _refused(request, scope, decision_id, claim_refusal(lost.holder))
    if result.error is not None:
        return _refused(request, scope, decision_id, refusal(result))
    follow_up(scope, decision_id)
    note_last_verdict(request, scope.project_id, result.verdict_id)
    messages.success(request, _done_words(scope, decision_id, form.verdict_chosen, result))
    filters = read_filters(request)
    onward = after_verdict(scope, decision_id, form.verdict_chosen, result.verdict_id)
    if request.POST.get("then") == "stay":
        here = decision_url(scope.project_id, decision_id, **filters.query())
        return go_on(request, here, _TEMPLATE)
    return go_on(request, onward or after(request, scope, filters, decision_id), _TEMPLATE)


def _incomplete(request: HttpRequest, scope: Scope, decision_id: UUID) -> HttpResponse:
    """422: something is missing. A fragment keeps the offer that the page still shows."""
    keep_draft(scope.user, scope.project_id, decision_id, typed_in(request.POST))
    desk = _desk(scope, decision_id)
    form = _form_again(request, scope, desk, decision_id, same_page=swaps(request))
    context = _context(request, scope, desk, form)
    return page(request, _TEMPLATE, context, fragment="verdict", status=422)


def _refused(
    request: HttpRequest, scope: Scope, decision_id: UUID, shown: dict[str, Any]
) -> HttpResponse:
    """The whole page as things stand now, with what stood in the way."""
    keep_draft(scope.user, scope.project_id, decision_id, typed_in(request.POST))
    desk = _desk(scope, decision_id)
    form = _form_again(request, scope, desk, decision_id, same_page=False)
    context = _context(request, scope, desk, form)
    context |= {"refusal": shown, "typed": typed_texts(form)}
    return whole_page(request, _TEMPLATE, context, status=shown["status"])


def _context(request: HttpRequest, scope: Scope, desk: Desk, form: VerdictForm) -> dict[str, Any]:
    filters = read_filters(request)
    context = context_of(scope, desk, filters, form)
    reviewable: bool = context["reviewable"]
    context |= claim_context(request, scope, desk, filters, reviewable=reviewable)
    context |= sample_context(scope, desk.decision.id)
    return context | {"undo_url": undo_url(request, scope.project_id)}


def _desk(scope: Scope, decision_id: UUID) -> Desk:
    desk = open_desk(scope.store, scope.project_id, str(decision_id))
    if desk is None:
        raise Http404
    return desk


def _fresh_form(scope: Scope, desk: Desk, draft: Draft | None) -> VerdictForm:
    """A form with the old texts, or what was typed here before. No verdict is chosen."""
    offers, passages = offers_of(desk), passages_of(desk)
    kept = {name: values[0] for name, values in (draft.typed if draft else {}).items() if values}
    picked = picked_passages(scope, offers, kept)
    initial: dict[str, Any] = {
        **old_texts(desk.decision),
        "seen": desk.seen,
        "request_id": new_request_id(),
        "offered": write_offers(desk.decision, offers),
    }
    initial |= kept
    for offer in offers:
        if initial.get(evidence_name(offer.index)) not in _drawn(offer, passages, picked):
            initial[evidence_name(offer.index)] = offer.proposed
    return VerdictForm(offers=offers, passages=passages, picked=picked, initial=initial)


def _drawn(
    offer: Offer, passages: Mapping[int, Sequence[Passage]], picked: Mapping[int, Passage]
) -> set[str]:
    """The evidence ids among which the page lets a person choose for one support."""
    own = [picked[offer.index]] if offer.index in picked else []
    return {ident for ident, _ in [*passages[offer.index], *own]}


def _form_again(
    request: HttpRequest, scope: Scope, desk: Desk, decision_id: UUID, *, same_page: bool
) -> VerdictForm:
    """The form as sent. Unless the page stays as it is, it takes up what the page shows now."""
    sent, passages = request.POST.copy(), passages_of(desk)
    offers = read_offers(decision_id, sent.get("offered", "")) if same_page else None
    picked: Mapping[int, Passage] = {}
    if offers is None:
        offers = offers_of(desk)
        picked = picked_passages(scope, offers, sent)
        sent["seen"] = desk.seen
        sent["offered"] = write_offers(desk.decision, offers)
        sent["request_id"] = new_request_id()
        for offer in offers:
            if sent.get(evidence_name(offer.index)) not in _drawn(offer, passages, picked):
                sent[evidence_name(offer.index)] = offer.proposed
    return VerdictForm(sent, offers=offers, passages=passages, picked=picked)


def _done_words(scope: Scope, decision_id: UUID, verdict: str, result: VerdictResult) -> str:
    """What happened, how many are flagged now, and the way back."""
    flagged = len({*getattr(result, "flagged", []), *result.arrived})
    told = ""
    if isinstance(result, RecordDecisionResult | RejectDecisionResult) and flagged:
        told = ngettext(
            "%(count)s decision that rests on it is flagged now.",
            "%(count)s decisions that rest on it are flagged now.",
            flagged,
        ) % {"count": f"{flagged:,}"}
    new = result.decision.id if result.decision else decision_id
    back = decision_url(scope.project_id, new)
    done = format_html(
        '{}.{}{} <a href="{}">{}</a>',
        words.VERDICTS[verdict],
        " " if told else "",
        told,
        back,
        _("Look at it again"),
    )
    if result.verdict_id is None:
        return done
    undo = withdraw_url(scope.project_id, result.verdict_id)
    return format_html('{} · <a href="{}" data-undo>{}</a>', done, undo, _("Undo"))
