"""Sign-in and sign-out."""

from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from reviewconsole.addresses import projects_url, sign_in_url
from reviewconsole.drafts import draft_id, pack, typed_in
from reviewconsole.models import Role, User
from reviewconsole.pages import go, page, safe_path, whole_page
from reviewconsole.views import document_forms
from reviewconsole.views.carried import go_on

__all__ = ["ask_to_sign_in", "sign_in", "sign_out"]


@login_not_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Signs a person in and takes them where they wanted to go, text in hand."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    next_path = safe_path(request, wanted) or projects_url()
    if request.method == "GET" and request.user.is_authenticated:
        return go(request, next_path)
    form = AuthenticationForm(request, data=request.POST or None)
    if form.is_valid():
        user = form.get_user()
        login(request, user)
        again = go_on(request, user, next_path) if isinstance(user, User) else None
        return again or go(request, next_path)
    status = 422 if form.is_bound else 200
    carried = {name: request.POST.get(name, "") for name in ("kept", "held")}
    context = {"form": form, "next": next_path, **carried}
    return page(request, "login.html", context, status=status)


@login_not_required
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Ends the session, and has the browser forget the pages that it kept."""
    logout(request)
    response = go(request, sign_in_url())
    response["Clear-Site-Data"] = '"cache"'
    return response


def ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """What somebody without a session sees. A verdict that they were writing goes along."""
    match = request.resolver_match
    draft = draft_id(match)
    if request.method == "POST" and match and draft:
        needs = Role.MANAGER if match.url_name == "keep" else Role.REVIEWER
        context = {
            "form": AuthenticationForm(request),
            "next": request.path,
            "kept": pack(match.kwargs["project"], draft, typed_in(request.POST), needs),
        }
        return whole_page(request, "login.html", context, status=403)
    if request.method == "POST" and match and match.url_name in document_forms.WRITES:
        held = document_forms.pack(request)
        context = {"form": AuthenticationForm(request), "next": request.path, "held": held}
        return whole_page(request, "login.html", context, status=403)
    next_path = request.get_full_path() if request.method == "GET" else projects_url()
    return go(request, f"{sign_in_url()}?{urlencode({'next': next_path})}")
