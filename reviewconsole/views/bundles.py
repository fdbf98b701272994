"""What waits because of one document, and what of it may be reaffirmed in bulk."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from reviewconsole.access import Role, enter
from reviewconsole.addresses import bulk_start_url, bulk_url, open_url
from reviewconsole.bulk_rules import project_limit, with_why_not
from reviewconsole.bulks import begin, next_in_sample, offered
from reviewconsole.bundle_page import bundle_context, known_why, list_rows, start_context
from reviewconsole.bundles import BundlePlace, document_id, look_at, waiting_in
from reviewconsole.jobs import catch_up_later, run_bulk_later
from reviewconsole.pages import go, page
from reviewconsole.review_index import catch_up


@require_safe
def show_bundle(request: HttpRequest, project: str, document_key: str) -> HttpResponse:
    """One page of the bundle, root first, and how far it is; level with the graph as of now."""
    scope = enter(request, project)
    document = document_id(document_key)
    level = catch_up(scope.store, project, seal_later=catch_up_later)
    if not level:
        catch_up_later(project)
    after = BundlePlace.read(request.GET.get("after", ""))
    listed = list_rows(scope, waiting_in(project, document), document, after)
    bundle = look_at(project, document)
    if document not in listed.documents and not (bundle.total or bundle.parked):
        raise Http404
    may = offered(scope, document) if scope.may(Role.REVIEWER) else None
    context = bundle_context(scope, document_key, document, bundle, listed, may)
    context |= {"catching_up": not level, "later": bool(after)}
    return page(request, "bundle.html", context, fragment="offer")


@require_http_methods(["GET", "HEAD", "POST"])
def start_bulk(request: HttpRequest, project: str, document_key: str) -> HttpResponse:
    """Which decisions qualify and why others do not; a post begins with the sample."""
    scope = enter(request, project, Role.REVIEWER)
    document = document_id(document_key)
    if request.method == "POST":
        bulk = begin(scope, document)
        if bulk is None:
            return go(request, bulk_start_url(project, document_key))
        run_bulk_later(bulk.pk)
        first = next_in_sample(bulk)
        url = open_url(project, first) if first else bulk_url(project, bulk.uuid)
        return go(request, url)
    why = known_why(request.GET.get("why", ""))
    rows = with_why_not(
        waiting_in(project, document), scope.user.pk, project_limit(project)
    ).filter(why_not=why)
    after = BundlePlace.read(request.GET.get("after", ""))
    listed = list_rows(scope, rows, document, after)
    may = offered(scope, document)
    if document not in listed.documents and not (may.qualify or may.whys):
        raise Http404
    context = start_context(scope, document_key, document, listed, may, why)
    return page(request, "bulk_start.html", context)
