"""Putting, changing and removing a document: what was typed, what it would do, then the write.

Each address answers three steps of one form: `preview` shows what a version would
change and whom it would flag, `edit` goes back to the text, `put` writes. Nothing
is kept between them but what the form itself carries.
"""

import logging
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods

from graphstore.faults import StoreFault
from graphstore.records import Document
from graphstore.refusals import WriteErrorCode
from graphstore.results import PutDocumentResult
from reviewconsole import problems
from reviewconsole.access import Scope, enter_as_librarian
from reviewconsole.addresses import (
    change_document_url,
    document_url,
    documents_url,
    new_document_url,
    queue_url,
    remove_document_url,
)
from reviewconsole.document_form import (
    MOST_CHARS,
    DocumentForm,
    RemovalForm,
    typed_document,
)
from reviewconsole.document_page import head, title_of, would_flag
from reviewconsole.document_text import changes_between, folded_text
from reviewconsole.forms import new_request_id
from reviewconsole.jobs import catch_up_later
from reviewconsole.pages import go, page
from reviewconsole.problems import Problem
from reviewconsole.review_index import catch_up

__all__ = [
    "WRITES",
    "change_document",
    "held",
    "new_document",
    "pack",
    "packed_texts",
    "remove_document",
    "send_again",
]

logger = logging.getLogger(__name__)

WRITES = ("document_new", "document_change", "document_remove")
"""Names of the addresses whose posts carry what a librarian typed."""

_SALT = "reviewconsole.document_forms"
_DAY = 24 * 60 * 60


@dataclass(frozen=True)
class _Desk:
    """What one form is about: a new document, or one with its current text."""

    scope: Scope
    document: Document | None = None
    text: str | None = None

    @property
    def url(self) -> str:
        if self.document is None:
            return new_document_url(self.scope.project_id)
        return change_document_url(self.scope.project_id, self.document.document_key)

    @property
    def back_url(self) -> str:
        if self.document is None:
            return documents_url(self.scope.project_id)
        return document_url(self.scope.project_id, self.document.document_key)

    def form(self, request: HttpRequest) -> DocumentForm:
        data, files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
        return DocumentForm(data, files, document=self.document, current=self.text)


@require_http_methods(["GET", "HEAD", "POST"])
def new_document(request: HttpRequest, project: str) -> HttpResponse:
    return _edit(request, _Desk(enter_as_librarian(request, project)))


@require_http_methods(["GET", "HEAD", "POST"])
def change_document(request: HttpRequest, project: str, document_key: str) -> HttpResponse:
    scope = enter_as_librarian(request, project)
    lookup = scope.documents.get_document(document_key)
    if lookup.document is None:
        raise Http404
    return _edit(request, _Desk(scope, lookup.document, lookup.text))


def _edit(request: HttpRequest, desk: _Desk) -> HttpResponse:
    form, step = desk.form(request), request.POST.get("step", "preview")
    if request.method != "POST":
        return _form_page(request, desk, form)
    if not form.is_valid():
        return _form_page(request, desk, form, status=422)
    if step == "edit":
        return _form_page(request, desk, form)
    if step == "put" and request.POST.get("seen"):
        return _put(request, desk, form)
    return _preview(request, desk, form)


def _preview(
    request: HttpRequest, desk: _Desk, form: DocumentForm, *, refusal: dict[str, Any] | None = None
) -> HttpResponse:
    """What the version would change and whom it would flag; nothing is written."""
    if desk.document is None:
        there = desk.scope.documents.get_document(form.key, scope=frozenset({form.key}))
        if there.found:
            return _form_page(request, desk, form, refusal=_key_taken(desk.scope, form.key))
    plan = desk.scope.documents.plan_put_document(form.key, form.text_sent, **form.metadata)
    if plan.error is not None:
        refused = _refusal(problems.about_document(plan.error), plan.error)
        return _form_page(request, desk, form, refusal=refused)
    context = {
        **_frame(desk, form),
        "plan": plan,
        "changes": changes_between(desk.text, form.text_sent) if desk.text is not None else None,
        "blocks": folded_text(form.text_sent) if desk.text is None else [],
        "facts": _facts(desk, form),
        "text_changes": form.text_sent != desk.text,
        "flags": would_flag(desk.scope, form.key, plan, form.text_sent),
        "seen": plan.seen,
        "request_id": new_request_id(),
        "refusal": refusal,
    }
    status = refusal["status"] if refusal else 200
    return page(request, "document_preview.html", context, status=status)


def _put(request: HttpRequest, desk: _Desk, form: DocumentForm) -> HttpResponse:
    """Write the version that was previewed, once however often the form is sent."""
    scope, key = desk.scope, form.key
    result = scope.documents.put_document(
        key,
        form.text_sent,
        **form.metadata,
        request_id=request.POST.get("request_id", ""),
        seen=request.POST["seen"],
    )
    if result.error == WriteErrorCode.MOVED:
        refusal = _refusal(problems.about_document(result.error), result.error)
        return _preview(request, desk, form, refusal=refusal)
    if result.error is not None:
        refusal = _refusal(problems.about_document(result.error), result.error)
        return _form_page(request, desk, form, refusal=refusal)
    if desk.document is None:
        # Nothing cites it yet, so without a grant nobody of this project could read it.
        scope.documents.grant_document(key)
    _follow_up(scope)
    messages.success(request, _put_words(scope, key, result))
    return go(request, document_url(scope.project_id, key))


@require_http_methods(["GET", "HEAD", "POST"])
def remove_document(request: HttpRequest, project: str, document_key: str) -> HttpResponse:
    """Take a document out of use, once its name was typed under what that would flag."""
    scope = enter_as_librarian(request, project)
    lookup = scope.documents.get_document(document_key)
    if lookup.document is None:
        raise Http404
    document = lookup.document
    form = RemovalForm(request.POST if request.method == "POST" else None, document=document)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return _removal_page(request, scope, document, form, status=status)
    result = scope.documents.remove_document(
        document_key,
        request_id=request.POST.get("request_id", ""),
        seen=request.POST.get("seen", ""),
    )
    if result.error is not None:
        refusal = _refusal(problems.about_document(result.error), result.error)
        return _removal_page(request, scope, document, form, refusal=refusal)
    _follow_up(scope)
    messages.success(request, _removed_words(scope, document_key, result))
    return go(request, document_url(project, document_key))


def _removal_page(
    request: HttpRequest,
    scope: Scope,
    document: Document,
    form: RemovalForm,
    *,
    refusal: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    key = document.document_key
    plan = scope.documents.plan_remove_document(key)
    if plan.error is not None and refusal is None:
        refusal = _refusal(problems.about_document(plan.error), plan.error)
    context = {
        **head(scope, document),
        "form": form,
        "plan": plan,
        "flags": would_flag(scope, key, plan, None),
        "seen": plan.seen,
        "request_id": _kept_request_id(request, form, refusal),
        "refusal": refusal,
        "post_url": remove_document_url(scope.project_id, key),
    }
    status = refusal["status"] if refusal else status
    return page(request, "document_remove.html", context, status=status)


def _kept_request_id(
    request: HttpRequest, form: RemovalForm, refusal: dict[str, Any] | None
) -> str:
    """The form's own id while nothing was sent with it, else another."""
    sent = request.POST.get("request_id", "")
    return sent if sent and form.errors and refusal is None else new_request_id()


def held(request: HttpRequest, problem: Problem) -> HttpResponse:
    """The same step again with everything typed, for a post that cannot be handled now.

    Nothing here reads the graph. The request id stays, since the first sending may
    have landed.
    """
    context = {
        "title": gettext(problem.title),
        "refusal": _refusal(problem, ""),
        **_carried_on(_sent(request), request.get_full_path()),
    }
    return page(request, "document_held.html", context, status=problem.status)


def pack(request: HttpRequest) -> str:
    """What was sent, signed, to be carried through the sign-in page."""
    return signing.dumps(_sent(request), salt=_SALT, compress=True)


def send_again(request: HttpRequest, packed: str, path: str) -> HttpResponse | None:
    """What was carried through the sign-in, ready to be sent; None when nothing was."""
    try:
        sent: dict[str, str] = signing.loads(packed, salt=_SALT, max_age=_DAY)
    except signing.BadSignature:
        return None
    context = {"title": gettext("Your text is back"), **_carried_on(sent, path)}
    return page(request, "document_held.html", context)


def packed_texts(packed: str) -> list[dict[str, str]]:
    """What `pack` held, however old, for a page that shows it; nothing of what is not ours."""
    try:
        return typed_document(signing.loads(packed, salt=_SALT))
    except signing.BadSignature:
        return []


def _sent(request: HttpRequest) -> dict[str, str]:
    """Every field of the form; what a chosen file says counts as typed."""
    form = DocumentForm(request.POST, request.FILES)
    form.is_valid()
    names = ["document_key", "title", "uri", "text", "clears", "name", "seen", "request_id", "step"]
    return {name: form.data[name] for name in names if name in form.data}


def _carried_on(sent: dict[str, str], path: str) -> dict[str, Any]:
    return {"hidden": list(sent.items()), "typed": typed_document(sent), "post_url": path}


def _form_page(
    request: HttpRequest,
    desk: _Desk,
    form: DocumentForm,
    *,
    refusal: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        **_frame(desk, form),
        "refusal": refusal,
        "most_chars": MOST_CHARS,
    }
    status = refusal["status"] if refusal else status
    return page(request, "document_form.html", context, status=status)


def _frame(desk: _Desk, form: DocumentForm) -> dict[str, Any]:
    """What the form and its preview share."""
    return {
        "document": desk.document,
        "title": title_of(desk.document) if desk.document else gettext("New document"),
        "documents_url": documents_url(desk.scope.project_id),
        "document_url": desk.back_url,
        "back_url": desk.back_url,
        "post_url": desk.url,
        "form": form,
    }


def _facts(desk: _Desk, form: DocumentForm) -> list[dict[str, str]]:
    """Title and address, where the version changes them."""
    document = desk.document
    pairs = [
        (gettext("Title"), (document and document.title) or "", form.cleaned_data["title"]),
        (gettext("Address"), (document and document.uri) or "", form.cleaned_data["uri"]),
    ]
    return [{"label": label, "old": old, "new": new} for label, old, new in pairs if old != new]


def _key_taken(scope: Scope, key: str) -> dict[str, Any]:
    refusal = _refusal(problems.DOCUMENT_EXISTS, "document_exists")
    if scope.documents.get_document(key).found:
        url = change_document_url(scope.project_id, key)
        return refusal | {"links": [{"label": gettext("Change that document"), "url": url}]}
    return refusal | {
        "details": [
            gettext("This project may not read it yet; an admin of the project can change that.")
        ]
    }


def _refusal(problem: Problem, code: str) -> dict[str, Any]:
    return {
        "status": problem.status,
        "code": code,
        "title": gettext(problem.title),
        "sentence": gettext(problem.sentence),
        "what_to_do": gettext(problem.what_to_do),
        "details": [],
        "links": [],
    }


def _follow_up(scope: Scope) -> None:
    """Bring the queue level with what is in the graph, or have a worker do it."""
    try:
        level = catch_up(scope.store, scope.project_id)
    except StoreFault as fault:
        logger.warning("the index follows later: %s", type(fault).__name__)
        level = False
    if not level:
        catch_up_later(scope.project_id)


def _put_words(scope: Scope, key: str, result: PutDocumentResult) -> str:
    if result.unchanged:
        return gettext("Nothing was changed: the document says this already.")
    return _flagged_words(scope, key, gettext("The document says this now."), result)


def _removed_words(scope: Scope, key: str, result: PutDocumentResult) -> str:
    if result.unchanged:
        return gettext("Nothing was changed: the document was removed before.")
    return _flagged_words(scope, key, gettext("The document is removed."), result)


def _flagged_words(scope: Scope, key: str, told: str, result: PutDocumentResult) -> str:
    """What happened, and how many decisions of this project are flagged by it."""
    if not result.flagged:
        nothing = gettext("No decision of this project is flagged by it.")
        return f"{told} {nothing}"
    flagged = ngettext(
        "%(count)s decision is flagged by it.",
        "%(count)s decisions are flagged by it.",
        result.flagged,
    ) % {"count": f"{result.flagged:,}"}
    url = queue_url(scope.project_id, document=key)
    queue = gettext("See them in the queue")
    return format_html('{} {} <a href="{}">{}</a>', told, flagged, url, queue)
