"""What a new version of a document, or its removal, would do: the write's own plan, not carried out."""

from graphstore import rows
from graphstore.calls import Call
from graphstore.operations.flagging import MAX_FLAGS
from graphstore.operations.put_document import draft, gather, invalid
from graphstore.operations.versions import Version
from graphstore.queries import documents
from graphstore.records import Decision
from graphstore.refusals import WriteErrorCode
from graphstore.results import DocumentPlan
from graphstore.store import GraphStore


def plan_document(store: GraphStore, call: Call, wanted: Version) -> DocumentPlan:
    """The gather and the plan of `put_document`, without its commit.

    Only decisions of the call's project are named and counted, and the plan is the same
    however many others there are (`RULES.md` 5). When more than 500 of the project cite
    the document a job would flag them: then `flagged` are the newest 200 of these.
    """
    if error := invalid(call, wanted):
        return DocumentPlan(error=error)
    drafted = draft(call, wanted, gather(store, call, wanted, shown=True))
    if isinstance(drafted, WriteErrorCode):
        return DocumentPlan(error=drafted)
    if drafted.too_many:
        return _left_to_job(store, call, wanted, drafted.seen)
    direct = [drafted.before[i] for i in drafted.flagged if i in drafted.before]
    return DocumentPlan(
        unchanged=drafted.result.unchanged,
        flagged=_decisions(store, call.project_id, drafted.flagged),
        direct=len(direct),
        again=sum(one["review_state"][0] == "needs_review" for one in direct),
        seen=drafted.seen,
    )


def _left_to_job(store: GraphStore, call: Call, wanted: Version, seen: str) -> DocumentPlan:
    page = documents.list_citers(store, call.project_id, wanted.key, limit=documents.MAX_PAGE)
    flagged = [citer.decision for citer in page.citers]
    return DocumentPlan(
        flagged=flagged,
        direct=len(flagged),
        again=sum(d.review_state == "needs_review" for d in flagged),
        left_to_job=True,
        seen=seen,
    )


def _decisions(store: GraphStore, project_id: str, ids: list[str]) -> list[Decision]:
    if not ids:
        return []
    found = store.read("decisions_planned", {"project_id": project_id, "ids": ids[:MAX_FLAGS]})
    by_id = {
        decision[0]: rows.decision(decision, name or "", supports, travelling=travelling)
        for travelling, decision, name, supports in found
    }
    return [by_id[i] for i in ids if i in by_id]
