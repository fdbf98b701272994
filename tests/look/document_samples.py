"""Invented documents, drawn by the code that draws recorded ones."""

from typing import Any, Literal

from graphstore.changed_words import describe_changes, diff_words
from graphstore.citation import public_uri
from graphstore.dangers import Danger
from graphstore.evidence import Comparison
from graphstore.ids import evidence_id, named_id, sha256
from graphstore.present_text import PresentText, Unfit
from graphstore.records import Document, DocumentSupport, DocumentVersion
from graphstore.results import Citer, DocumentPlan
from graphstore.versions_between import OneVersion, VersionsBetween
from reviewconsole import picking_page, problems
from reviewconsole.document_form import (
    MOST_CHARS,
    DocumentForm,
    GrantForm,
    RemovalForm,
)
from reviewconsole.document_page import Cited, citers, marks, title_of, versions
from reviewconsole.document_text import changes_between, folded_text, place_of
from reviewconsole.picking_page import Asked, unfit_words
from reviewconsole.versions_page import context_of
from tests.look.samples import (
    CLEAR,
    DOORS,
    ENDLESS,
    HOLD,
    HOSTILE,
    Context,
    Page,
    ago,
    decision,
    frame,
    text_of,
)

Verb = Literal["add", "update", "delete"]
PROJECT = "tarnica-cold-chain"
OLD, NOW = text_of("sop-021", 2), text_of("sop-021", 3)
FILLER = "\n\n".join(f"{number}.1 {HOLD} Nobody cites this paragraph." for number in range(80))
WAITS = decision("Trailers to Brno warn at 7.0 °C from 1 June to 15 September, as everywhere.")
STANDS = decision("The door of a cold trailer is never open for longer than 12 minutes.", **CLEAR)
WIDE = decision(f"{HOSTILE} {ENDLESS}")


def document(text: str | None, **changes: Any) -> Document:
    values: Context = {
        "id": named_id("Document", "sop-021"),
        "document_key": "sop-021",
        "title": "SOP-021 Temperature excursions",
        "uri": "https://records.tarnica.example/sop/021",
        "current_content_hash": sha256(text) if text is not None else None,
        "activation_seq": 3,
        "updated_at": ago(days=3),
    }
    return Document(**values | changes)


def log(*verbs: Verb) -> list[DocumentVersion]:
    """A change log, newest first."""
    return [
        DocumentVersion(
            activation_seq=number, verb=verb, content_hash=sha256(verb), activated_at=ago(days=9)
        )
        for number, verb in reversed(list(enumerate(verbs, start=1)))
    ]


def head(shown: Document, **changes: Any) -> Context:
    return {
        "document": shown,
        "title": title_of(shown),
        "address": public_uri(shown.uri),
        "documents_url": "documents.html",
        "document_url": "document.html",
        "change_url": "document-form.html",
        "remove_url": "document-remove.html",
        "queue_url": "queue.html",
        "waiting": 42,
        "waiting_capped": False,
        "librarian": True,
        **frame("Documents"),
        **changes,
    }


def read(shown: Document, text: str | None, cited: list[str], **changes: Any) -> Page:
    """The page of one document; `cited` are passages, the last of which went."""
    places = {words: place_of(words, text or "") for words in cited}
    numbers = {place: n for n, place in enumerate(sorted(p for p in places.values() if p), start=1)}
    ids = {words: evidence_id(str(shown.id), sha256(words), 0, len(words)) for words in cited}
    passages = {
        ids[words]: Cited(ids[words], words, place, numbers.get(place, 0) if place else 0)
        for words, place in places.items()
    }
    listed = [
        Citer(decision=one, evidence_ids=list(ids.values()), cited_seq=seq)
        for one, seq in ((STANDS, 3), (WAITS, 2), (WIDE, None), *((WAITS, 1),) * 7)
    ]
    standing = marks(passages.values())
    context = {
        "text": text,
        "blocks": folded_text(text or "", standing),
        "versions": versions(PROJECT, shown, log("add", "update", "update" if text else "delete")),
        "older_url": "document.html?before=1",
        "citers": citers(PROJECT, shown, listed if cited else [], passages),
        "standing": len(standing),
        "more_citers_url": "document.html?citers=x" if cited else None,
        "granted": not cited,
        "may_grant": True,
        "grant_url": "documents.html",
    }
    return Page("document.html", head(shown) | context | changes)


def version(text: str | None, against: str | None, **changes: Any) -> Page:
    shown = document(text)
    newest, _, before = log("add", "update", "update" if text is not None else "delete")
    both = text is not None and against is not None
    context = {
        "version": newest,
        "version_words": "changed" if text is not None else "removed",
        "current": True,
        "text": text,
        "blocks": folded_text(text or ""),
        "against": before if against is not None else None,
        "against_lost": False,
        "changes": changes_between(against or "", text or "") if both else None,
        "choices": [{**one, "chosen": False} for one in versions(PROJECT, shown, [before])],
        "older_url": "document-version.html",
        "here_url": "document-version.html",
    }
    return Page("document_version.html", head(shown) | context | changes)


def flags(count: int) -> Context:
    kinds = [
        {"decision": WAITS, "direct": True, "waits": True, "stays": False},
        {"decision": STANDS, "direct": True, "waits": False, "stays": True},
        {"decision": WIDE, "direct": False, "waits": True, "stays": None},
    ]
    lines = [{**kinds[n % 3], "url": "decision.html"} for n in range(count)]
    return {
        "lines": lines,
        "total": 60 if count else 0,
        "more": 60 - count if count else 0,
        "direct": 40,
        "through": 20,
        "waits": 17,
        "changing": 9,
        "staying": 3,
        "at_least": True,
        "tasks": 12,
    }


def sent(text: str, *, new: bool = False, **typed: str) -> DocumentForm:
    """A form as it was sent, checked."""
    data = {"title": "SOP-021 Excursions", "uri": "", "text": text, **typed}
    form = DocumentForm(data, document=None if new else document(OLD), current=OLD)
    form.is_valid()
    return form


def form_page(form: DocumentForm, **changes: Any) -> Page:
    context = {
        "form": form,
        "post_url": "document-form.html",
        "back_url": "document.html",
        "most_chars": MOST_CHARS,
    }
    return Page("document_form.html", head(document(OLD)) | context | changes)


def preview(form: DocumentForm, **changes: Any) -> Page:
    text = form.text_sent
    context = {
        "form": form,
        "plan": DocumentPlan(seen="x"),
        "changes": changes_between(OLD, text),
        "text_changes": True,
        "facts": [{"label": "Title", "old": "SOP-021 Temperature excursions", "new": ENDLESS}],
        "flags": flags(20),
        "seen": "x",
        "request_id": "y",
        "post_url": "document-form.html",
        "back_url": "document.html",
    }
    return Page("document_preview.html", head(document(OLD)) | context | changes)


def removing(form: RemovalForm, **changes: Any) -> Page:
    context = {
        "form": form,
        "plan": DocumentPlan(seen="x"),
        "flags": flags(3),
        "post_url": "document-remove.html",
    }
    return Page("document_remove.html", head(document(OLD)) | context | changes)


def refusal(problem: problems.Problem) -> Context:
    return {
        "sentence": problem.sentence,
        "what_to_do": problem.what_to_do,
        "links": [{"label": "Change that document", "url": "document-form.html"}],
    }


def listed(*shown: Document, **changes: Any) -> Page:
    lines = [
        {
            "document": one,
            "title": title_of(one),
            "url": "document.html",
            "waiting": waiting,
            "waiting_capped": True,
        }
        for waiting, one in enumerate(shown)
    ]
    return Page("documents.html", head(document(NOW)) | {"documents": lines} | changes)


def one(number: int, comparison: Comparison, verb: Verb = "update", **more: Any) -> OneVersion:
    """One version of those between."""
    at = DocumentVersion(
        activation_seq=number, verb=verb, content_hash=sha256(str(number)), activated_at=ago(days=9)
    )
    return OneVersion(version=at, comparison=comparison, against=number - 1, **more)


def edit(number: int, old: str, new: str, **more: Any) -> OneVersion:
    """A version that edited the passage."""
    segments, _ = diff_words(old, new)
    said = describe_changes(segments)
    return one(number, Comparison.EDITED, text=new, segments=segments, changes=said, **more)


def cites(about: Document) -> DocumentSupport:
    """A support that cites the first version of a document."""
    return DocumentSupport(
        id=str(about.id),
        evidence_id=evidence_id(str(about.id), sha256(OLD), 0, 9),
        document_key=about.document_key,
        document_node_id=about.id,
        content_hash_prefix=sha256(OLD)[:16],
        content_hash=sha256(OLD),
        reference_kind="span",
        recorded_activation_seq=1,
    )


def between(
    cited: str | None, *versions: OneVersion, on: Document | None = None, more: int | None = None
) -> Page:
    """The page of the versions after the first."""
    about = on or document(NOW)
    found = VersionsBetween(
        support=cites(about),
        document=about,
        cited_text=cited,
        after=1 if more else 12,
        versions=versions,
        next_after=more,
    )
    return Page("versions_between.html", {**frame(), **context_of(PROJECT, WAITS.id, found)})


def picking(text: str | None, *, on: Document | None = None, unfit: str = "", **asked: Any) -> Page:
    """The page on which a part of the present text is picked."""
    about = on or document(text)
    present = PresentText(support=cites(about), document=about, text=text)
    shown = picking_page.context_of(PROJECT, WAITS.id, present, Asked(**asked))
    return Page("pick.html", {**frame(), **shown, "unfit": unfit})


def document_pages() -> dict[str, Page]:
    """Every page of documents, ordinary, empty and hostile."""
    hostile = f"{HOSTILE}\n\n{DOORS}\n\n{ENDLESS}\n\n{HOSTILE} 30"
    wide = document(hostile, title=f"{HOSTILE} {ENDLESS}", document_key=ENDLESS, uri=HOSTILE)
    gone = document(None)
    taken = refusal(problems.DOCUMENT_EXISTS)
    bad = sent(" ", new=True, document_key="", uri="javascript:x")
    paged = {"next_url": "documents.html?after=x", "first_url": "documents.html"}
    unmarked = "Every other excursion is told with the weekly quality letter."
    return {
        "documents": listed(document(NOW), gone, wide, form=GrantForm(), new_url="x", **paged),
        "documents-empty": listed(form=GrantForm({"document_key": ""})),
        "document": read(document(NOW), NOW, [DOORS, NOW[20:90], unmarked]),
        "document-long": read(document(NOW), f"{NOW}\n\n{FILLER}\n\n{HOLD}", [HOLD, unmarked]),
        "document-removed": read(gone, None, [DOORS]),
        "document-hostile": read(wide, hostile, [DOORS, HOSTILE, ENDLESS]),
        "document-uncited": read(document(NOW), NOW, []),
        "document-version": version(NOW, OLD),
        "document-version-first": version(NOW, None, choices=[]),
        "document-version-removed": version(None, OLD),
        "document-version-hostile": version(hostile, hostile.replace("30", "15")),
        "document-version-replaced": version(HOLD, f"{DOORS}\n\n{ENDLESS}"),
        "versions-between": between(
            HOLD,
            edit(2, HOLD, HOLD.replace("two", "three")),
            one(
                3,
                Comparison.SURROUNDINGS_CHANGED,
                dangers=[Danger.HEADING],
                heading_then=["4 Limits"],
                heading_now=["5 Limits"],
            ),
            one(4, Comparison.NOT_FOUND),
            one(5, Comparison.REMOVED, "delete"),
            one(6, Comparison.FAILED),
            edit(7, HOLD.replace("two", "three"), HOLD, back_to=1),
            one(8, Comparison.VERBATIM),
            more=8,
        ),
        "versions-between-hostile": between(
            None, edit(13, HOSTILE, ENDLESS), one(14, Comparison.UNREADABLE), on=wide
        ),
        "versions-between-none": between(HOLD),
        "pick": picking(NOW, at=NOW.index(DOORS)),
        "pick-found": picking(NOW, find="excursion", unfit=unfit_words(Unfit.MOVED)),
        "pick-hostile": picking(hostile, on=wide, whole=True, find="x" * 200),
        "pick-unreadable": picking(None),
        "document-form": form_page(DocumentForm(document=document(OLD), current=OLD)),
        "document-new-422": form_page(bad, document=None),
        "document-new-409": form_page(sent("x", new=True), document=None, refusal=taken),
        "document-preview": preview(sent(NOW)),
        "document-preview-same": preview(
            sent(OLD), plan=DocumentPlan(unchanged=True), changes=None
        ),
        "document-preview-title": preview(sent(OLD), text_changes=False, changes=None),
        "document-remove": removing(RemovalForm(document=document(OLD))),
        "document-remove-422": removing(RemovalForm({"name": HOSTILE}, document=document(OLD))),
        "document-held": Page(
            "document_held.html",
            {
                "title": "The graph does not answer",
                "refusal": taken,
                "hidden": [("text", hostile)],
                "typed": [{"label": "Text", "text": hostile}],
                "post_url": "document-form.html",
            }
            | frame("Documents"),
        ),
    }
