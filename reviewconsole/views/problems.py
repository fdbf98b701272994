"""Pages for what cannot be shown or done: one template, one sentence, what to do."""

import logging
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from graphstore.faults import StoreFault
from reviewconsole import problems
from reviewconsole.addresses import projects_url
from reviewconsole.document_form import typed_document
from reviewconsole.drafts import draft_id, keep_draft, typed_in, unpack_for, writes_a_why
from reviewconsole.forms import VerdictForm, typed_texts
from reviewconsole.models import User
from reviewconsole.offers import read_offers
from reviewconsole.pages import go, safe_path, whole_page
from reviewconsole.problems import Problem
from reviewconsole.views import document_forms

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5


def problem_page(request: HttpRequest, problem: Problem) -> HttpResponse:
    context = _words(problem) | {"typed": _typed_plan(request)}
    return whole_page(request, "problem.html", context, status=problem.status)


def _typed_plan(request: HttpRequest) -> list[dict[str, str]]:
    """The why of a plan, an asking or an undoing that was on its way, which is saved for when its page opens again."""
    match, user = request.resolver_match, getattr(request, "user", None)
    key = draft_id(match)
    if not (match and key and writes_a_why(match) and request.method == "POST"):
        return []
    why = request.POST.get("explanation", "")
    if not isinstance(user, User) or not why.strip():
        return []
    keep_draft(user, match.kwargs["project"], key, typed_in(request.POST))
    return [{"label": "Why", "text": why}]


def _words(problem: Problem) -> dict[str, str | int]:
    return {
        "status": problem.status,
        "title": problem.title,
        "sentence": problem.sentence,
        "what_to_do": problem.what_to_do,
        "home_url": projects_url(),
    }


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    del exception
    return problem_page(request, problems.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Not theirs to do. Whoever lost a role while they wrote gets their text back."""
    del exception
    problem = problems.FORBIDDEN
    context = {**_words(problem), "typed": _typed(request)}
    return whole_page(request, "problem.html", context, status=problem.status)


def _typed(request: HttpRequest) -> list[dict[str, str]]:
    """What a refused post was about to write, for a page that has no form to show it in."""
    match = request.resolver_match
    if request.method != "POST" or match is None:
        return []
    if match.url_name == "decision":
        return typed_texts(VerdictForm(request.POST, offers=[]))
    if writes_a_why(match):
        return _typed_plan(request)
    return typed_document(request.POST) if match.url_name in document_forms.WRITES else []


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Nothing here for this person. A verdict that they were writing is theirs all the same."""
    del exception
    problem = problems.NOT_FOUND
    context: dict[str, Any] = {**_words(problem), "typed": _typed(request)}
    return whole_page(request, "problem.html", context, status=problem.status)


def broken(_request: HttpRequest) -> HttpResponse:
    """Drawn without the request: whatever broke may be what the page's frame needs."""
    words = _words(problems.BROKEN)
    return HttpResponse(render_to_string("problem.html", words), status=500)


def store_fault(request: HttpRequest, fault: StoreFault) -> HttpResponse:
    """The page for a graph that does not answer; a verdict on its way keeps its text."""
    request.fault = fault  # pyright: ignore[reportAttributeAccessIssue]
    logger.error("%s: %s", type(fault).__name__, fault)
    problem, match = problems.of_fault(fault), request.resolver_match
    if request.method == "POST" and match and match.url_name == "decision":
        project_id, decision_id = match.kwargs["project"], match.kwargs["decision_id"]
        response = held(request, project_id, decision_id, problem)
    elif request.method == "POST" and match and match.url_name in document_forms.WRITES:
        response = document_forms.held(request, problem)
    else:
        response = problem_page(request, problem)
    if response.status_code == 503:
        response["Retry-After"] = str(getattr(fault, "retry_after", RETRY_SECONDS))
    return response


def held(
    request: HttpRequest, project_id: str, decision_id: UUID, problem: Problem
) -> HttpResponse:
    """The verdict form again, by itself and with everything typed, ready to be sent again.

    For posts that cannot be handled at this moment: the graph is down, or the form's
    token is from an earlier sign-in. The request id stays, since the first sending
    may have landed. What was typed is also saved as a draft.
    """
    if isinstance(request.user, User):
        keep_draft(request.user, project_id, decision_id, typed_in(request.POST))
    address = request.get_full_path()
    offers = read_offers(decision_id, request.POST.get("offered", "")) or []
    context = _words(problem) | {
        "form": VerdictForm(request.POST, offers=offers, hidden_choices=True),
        "post_url": address,
        "back_url": address,
    }
    return whole_page(request, "held.html", context, status=problem.status)


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
        if match.url_name == "decision":
            project_id, decision_id = match.kwargs["project"], match.kwargs["decision_id"]
            return held(request, project_id, decision_id, problems.FORM_OUT_OF_DATE)
        if match.url_name in document_forms.WRITES:
            return document_forms.held(request, problems.FORM_OUT_OF_DATE)
        if writes_a_why(match):
            return problem_page(request, problems.FORM_OUT_OF_DATE)
        if match.url_name == "signin" and unpack_for(user, request.POST.get("kept", "")):
            return go(request, safe_path(request, request.POST.get("next", "")) or projects_url())
    problem = problems.FORBIDDEN_FORM
    return whole_page(request, "problem.html", _words(problem), status=problem.status)
