"""What a manager settles for a project: instructions, and when a decision is judged singly."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from reviewconsole.access import Role, enter
from reviewconsole.addresses import project_settings_url
from reviewconsole.pages import go, page
from reviewconsole.settings_form import SettingsForm, fresh_settings


@require_http_methods(["GET", "HEAD", "POST"])
def project_settings(request: HttpRequest, project: str) -> HttpResponse:
    """The form as things are settled; a post settles them."""
    scope = enter(request, project, Role.MANAGER)
    url = project_settings_url(project)
    form, known = fresh_settings(project)
    if request.method == "POST":
        form = SettingsForm(request.POST)
        if form.is_valid():
            form.save(project, scope.user)
            messages.success(request, _("Settled. It holds from now on."))
            return go(request, url)
    context = {"form": form, "settled": known, "post_url": url}
    status = 422 if form.is_bound else 200
    return page(request, "project_settings.html", context, status=status)
