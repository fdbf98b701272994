"""The documents that a project may read, and which ones an admin lets it read."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from graphstore.refusals import WriteErrorCode
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import document_url, documents_url, new_document_url, queue_url
from reviewconsole.document_form import GrantForm
from reviewconsole.document_page import title_of, waiting_for
from reviewconsole.pages import go, page
from reviewconsole.problems import about_document

PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
def show_documents(request: HttpRequest, project: str) -> HttpResponse:
    """One page of documents by key, each with how many decisions wait because of it."""
    scope = enter(request, project)
    if request.method == "POST":
        return _grant(request, scope)
    return page(request, "documents.html", _context(request, scope, GrantForm()))


def _context(request: HttpRequest, scope: Scope, form: GrantForm) -> dict[str, Any]:
    project, cursor = scope.project_id, request.GET.get("after") or None
    try:
        shown = scope.documents.list_documents(cursor=cursor, limit=PAGE)
    except ValueError:
        raise Http404 from None
    counts, more = waiting_for(project, shown.documents)
    after = shown.next_cursor
    return {
        "documents": [
            {
                "document": document,
                "title": title_of(document),
                "url": document_url(project, document.document_key),
                "waiting": counts[str(document.id)],
                "waiting_capped": more,
            }
            for document in shown.documents
        ],
        "next_url": documents_url(project, after=after) if after else None,
        "first_url": documents_url(project) if cursor else None,
        "queue_url": queue_url(project),
        "new_url": new_document_url(project) if scope.librarian else None,
        "form": form if scope.may(Role.ADMIN) else None,
        "post_url": documents_url(project),
    }


def _grant(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Let the project read a document, or take that back."""
    if not scope.may(Role.ADMIN):
        raise PermissionDenied
    project, form = scope.project_id, GrantForm(request.POST)
    if not form.is_valid():
        return page(request, "documents.html", _context(request, scope, form), status=422)
    key = form.cleaned_data["document_key"]
    revoking = request.POST.get("then") == "revoke"
    operation = scope.documents.revoke_document if revoking else scope.documents.grant_document
    result = operation(key)
    if result.error is not None:
        problem = about_document(result.error)
        form.add_error("document_key", f"{gettext(problem.sentence)} {gettext(problem.what_to_do)}")
        # Whoever asks about a key is told on this page; 404 would say that the page is gone.
        missing = result.error == WriteErrorCode.DOCUMENT_NOT_FOUND
        status = 422 if missing else problem.status
        return page(request, "documents.html", _context(request, scope, form), status=status)
    messages.success(request, _done_words(project, key, revoking=revoking))
    return go(request, documents_url(project))


def _done_words(project: str, key: str, *, revoking: bool) -> str:
    if revoking:
        return gettext(
            "The grant is taken back. The project reads this document only where it cites it."
        )
    url = document_url(project, key)
    told, look = gettext("The project may read it now."), gettext("Look at it")
    return format_html('{} <a href="{}">{}</a>', told, url, look)
