"""What the sign-in page carried for somebody whose session had ended while they wrote."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from reviewconsole import problems
from reviewconsole.addresses import projects_url
from reviewconsole.drafts import packed_texts, unpack_for
from reviewconsole.models import User
from reviewconsole.pages import go, whole_page
from reviewconsole.views import document_forms

__all__ = ["go_on"]


def go_on(request: HttpRequest, user: User, next_path: str) -> HttpResponse | None:
    """Where somebody who signed in goes on with the text that the sign-in page carried.

    A text that cannot be put back where it was written is shown. None when the page
    carried none, or one that is not ours.
    """
    kept, held = request.POST.get("kept", ""), request.POST.get("held", "")
    if kept and unpack_for(user, kept):
        return go(request, next_path)
    again = document_forms.send_again(request, held, next_path) if held else None
    if again is not None:
        return again
    typed = packed_texts(kept) or document_forms.packed_texts(held)
    return _shown(request, typed) if typed else None


def _shown(request: HttpRequest, typed: list[dict[str, str]]) -> HttpResponse:
    problem = problems.NOT_PUT_BACK
    context: dict[str, Any] = {
        "status": problem.status,
        "title": gettext(problem.title),
        "sentence": gettext(problem.sentence),
        "what_to_do": gettext(problem.what_to_do),
        "home_url": projects_url(),
        "typed": typed,
    }
    return whole_page(request, "problem.html", context, status=problem.status)
