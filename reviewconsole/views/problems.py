"""Pages for what cannot be shown or done: one template, one sentence, what to do."""

import logging
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_noop

from graphstore.faults import StoreFault
from reviewconsole import problems
from reviewconsole.addresses import projects_url
from reviewconsole.document_form import typed_document
from reviewconsole.drafts import draft_id, keep_draft, typed_in, writes_a_why
from reviewconsole.erasing import was_typed
from reviewconsole.forms import VerdictForm, typed_texts
from reviewconsole.models import User
from reviewconsole.note_form import NoteForm
from reviewconsole.offers import read_offers
from reviewconsole.pages import safe_path, whole_page
from reviewconsole.problems import Problem
from reviewconsole.said import Said
from reviewconsole.settling import KeepForm
from reviewconsole.views import document_forms
from reviewconsole.views.carried import go_on

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5


def problem_page(request: HttpRequest, problem: Problem) -> HttpResponse:
    context: dict[str, Any] = {**_words(problem), "typed": _typed(request)}
    return whole_page(request, "problem.html", context, status=problem.status)


def _save_typed(request: HttpRequest) -> None:
    """Save what a post was about to write, for when its page opens again."""
    match, user = request.resolver_match, getattr(request, "user", None)
    key = draft_id(match)
    if match and key and isinstance(user, User):
        keep_draft(user, match.kwargs["project"], key, typed_in(request.POST))


def _words(problem: Problem) -> dict[str, str | int]:
    return {
        "status": problem.status,
        "title": gettext(problem.title),
        "sentence": gettext(problem.sentence),
        "what_to_do": gettext(problem.what_to_do),
        "home_url": projects_url(),
    }


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    del exception
    return problem_page(request, problems.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Not theirs to do. Whoever lost a role while they wrote gets their text back."""
    del exception
    return problem_page(request, problems.FORBIDDEN)


def _typed(request: HttpRequest) -> list[dict[str, str]]:
    """What a refused post was about to write, for a page that has no form to show it in."""
    match = request.resolver_match
    if request.method != "POST" or match is None:
        return []
    if match.url_name == "decision":
        return typed_texts(VerdictForm(request.POST, offers=[]))
    if writes_a_why(match):
        _save_typed(request)
        why = request.POST.get("explanation", "")
        return [{"label": gettext("Why"), "text": why}] if why.strip() else []
    if match.url_name in {"task_delete", "event_redact"}:
        return was_typed(request.POST)
    return typed_document(request.POST) if match.url_name in document_forms.WRITES else []


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Nothing here for this person. A verdict that they were writing is theirs all the same."""
    del exception
    return problem_page(request, problems.NOT_FOUND)


def broken(_request: HttpRequest) -> HttpResponse:
    """Drawn without the request: whatever broke may be what the page's frame needs."""
    words = _words(problems.BROKEN)
    return HttpResponse(render_to_string("problem.html", words), status=500)


def store_fault(request: HttpRequest, fault: StoreFault) -> HttpResponse:
    """The page for a graph that does not answer; a verdict on its way keeps its text."""
    request.fault = fault  # pyright: ignore[reportAttributeAccessIssue]
    logger.error("%s: %s", type(fault).__name__, fault)
    problem = problems.of_fault(fault)
    response = held(request, problem) or problem_page(request, problem)
    if response.status_code == 503:
        response["Retry-After"] = str(getattr(fault, "retry_after", RETRY_SECONDS))
    return response


def held(request: HttpRequest, problem: Problem) -> HttpResponse | None:
    """The form that was sent, by itself and with everything typed, ready to be sent again.

    For posts that cannot be handled at this moment: the graph is down, or the form's
    token is from an earlier sign-in. The request id stays, since the first sending
    may have landed. What was typed is also saved as a draft. None for posts that
    write nothing.
    """
    match = request.resolver_match
    if request.method != "POST" or match is None:
        return None
    if match.url_name in document_forms.WRITES:
        return document_forms.held(request, problem)
    if match.url_name == "decision":
        template, context = "held.html", _held_verdict(request, match.kwargs["decision_id"])
    elif writes_a_why(match):
        template, context = "note_held.html", _held_note(request, match.url_name or "")
    else:
        return None
    _save_typed(request)
    context |= {**_words(problem), "post_url": request.get_full_path()}
    return whole_page(request, template, context, status=problem.status)


def _held_verdict(request: HttpRequest, decision_id: UUID) -> dict[str, Any]:
    offers = read_offers(decision_id, request.POST.get("offered", "")) or []
    form = VerdictForm(request.POST, offers=offers, hidden_choices=True)
    return {"form": form, "back_url": request.get_full_path()}


_SENDING = Said(
    {
        "keep": gettext_noop("Sending it carries out the plan as it was shown."),
        "ask": gettext_noop("Sending it asks for review."),
        "withdraw": gettext_noop("Sending it takes the verdict back."),
    }
)


def _held_note(request: HttpRequest, page_name: str) -> dict[str, Any]:
    form = KeepForm(request.POST) if page_name == "keep" else NoteForm(request.POST)
    return {"form": form, "what_it_does": _SENDING[page_name]}


def csrf_refused(request: HttpRequest, reason: str) -> HttpResponse:  # noqa: ARG001 - Django names it
    """A post without a valid token. From our own pages it keeps what was typed.

    A person who signed in again in another tab sends a form with the earlier token;
    the sign-in page that they left open may carry their text, too.
    From elsewhere nothing of the post is shown, so that no other site can put words
    into a form that the person only has to confirm.
    """
    match = request.resolver_match
    user, ours = request.user, request.headers.get("Sec-Fetch-Site") == "same-origin"
    if ours and match and isinstance(user, User) and user.is_authenticated:
        again = held(request, problems.FORM_OUT_OF_DATE)
        if again is None and match.url_name == "signin":
            next_path = safe_path(request, request.POST.get("next", "")) or projects_url()
            again = go_on(request, user, next_path)
        if again is not None:
            return again
    problem = problems.FORBIDDEN_FORM
    return whole_page(request, "problem.html", _words(problem), status=problem.status)
