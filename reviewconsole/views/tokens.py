"""The tokens of a project: an admin makes, sees and revokes them."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from reviewconsole import words
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import reference_url, tokens_url
from reviewconsole.models import Token
from reviewconsole.pages import go, page
from reviewconsole.token_form import RevokeForm, TokenForm, fresh_token_form
from reviewconsole.tokens import TokenRefused, last_used, live, make_token, revoke_token

SHOWN = 200


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_tokens(request: HttpRequest, project: str) -> HttpResponse:
    """The list, and a form for one more. A new secret stands on the answer and nowhere else."""
    scope = enter(request, project, Role.ADMIN)
    if request.method != "POST":
        return page(request, "tokens.html", _context(scope, _fresh(scope)))
    return _revoke(request, scope) if "token" in request.POST else _make(request, scope)


def _make(request: HttpRequest, scope: Scope) -> HttpResponse:
    form = TokenForm(request.POST, most=scope.role, librarian=scope.librarian)
    if not form.is_valid():
        return page(request, "tokens.html", _context(scope, form), status=422)
    try:
        made, secret = make_token(scope.user, form.token(scope.project_id))
    except TokenRefused as refused:
        form.add_error(None, str(refused))
        return page(request, "tokens.html", _context(scope, form), status=422)
    context = _context(scope, _fresh(scope)) | {"made": made, "secret": secret}
    return page(request, "tokens.html", context)


def _revoke(request: HttpRequest, scope: Scope) -> HttpResponse:
    form = RevokeForm(request.POST)
    if form.is_valid() and revoke_token(scope.project_id, form.uuid):
        messages.success(request, gettext("The token is revoked: it lets nobody in any more."))
    return go(request, tokens_url(scope.project_id))


def _fresh(scope: Scope) -> TokenForm:
    return fresh_token_form(scope.role, librarian=scope.librarian)


def _context(scope: Scope, form: TokenForm) -> dict[str, Any]:
    held = Token.objects.filter(project_id=scope.project_id).select_related("created_by")
    shown = [
        {
            "token": token,
            "live": live(token),
            "role": words.ROLES[Role(token.role)],
            "last_used": last_used(token),
        }
        for token in held.order_by("-created_at")[:SHOWN]
    ]
    return {
        "tokens": shown,
        "form": form,
        "post_url": tokens_url(scope.project_id),
        "reference_url": reference_url(),
    }
