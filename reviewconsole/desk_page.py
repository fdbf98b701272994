"""What the decision page shows, from the desk that one query brought."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from graphstore.citation import public_uri
from graphstore.desk import Desk, SupportOnDesk, Verdict
from graphstore.evidence import Comparison
from graphstore.records import (
    DecisionStatus,
    DecisionSupport,
    Document,
    DocumentSupport,
    EventSupport,
    ReviewState,
    VerdictKind,
)
from reviewconsole import words
from reviewconsole.access import Role, Scope
from reviewconsole.addresses import (
    ask_url,
    conflict_url,
    decision_url,
    document_url,
    impact_url,
    lineage_url,
    pick_url,
    queue_url,
    task_url,
    verdict_url,
    verdicts_url,
    version_url,
    versions_between_url,
    withdraw_url,
)
from reviewconsole.backlog import flag_marks
from reviewconsole.danger_words import warnings_of
from reviewconsole.document_page import HERE
from reviewconsole.forms import Passage, VerdictForm
from reviewconsole.new_revision import support_choice, texts_of
from reviewconsole.note_form import fresh_note
from reviewconsole.picker import picker_of
from reviewconsole.possible import doing_nothing, possible_verdicts
from reviewconsole.rail import next_url, rail_context
from reviewconsole.templatetags.desk import who
from reviewconsole.verdict_words import LOOKS, may_take_back
from reviewconsole.waiting import CAP, Filters
from reviewconsole.why_path import why_of

__all__ = ["Impact", "context_of", "impact_of", "inlined", "passages_of", "title_of"]


_SEVERAL = 2
"""Versions since the one cited from which on they are told one by one; the card tells of one."""


@dataclass(frozen=True)
class Impact:
    """How many decisions rest on one, as far as its page counts; `capped` when there are more."""

    direct: int
    through_others: int
    tasks: int
    capped: bool

    @property
    def total(self) -> int:
        return self.direct + self.through_others


def context_of(scope: Scope, desk: Desk, filters: Filters, form: VerdictForm) -> dict[str, Any]:
    """Everything `decision.html` draws, besides the refusal."""
    project, decision = scope.project_id, desk.decision
    may_judge = scope.may(Role.REVIEWER)
    dependents = _dependents(project, desk)
    reviewable = (
        may_judge
        and decision.status == DecisionStatus.ACTIVE
        and decision.review_state == ReviewState.NEEDS_REVIEW
    )
    cards = _cards(project, desk, form, reviewable=reviewable)
    return {
        "desk": desk,
        "task_url": task_url(project, desk.task.name) if desk.task else None,
        "queue_url": queue_url(project, **filters.query()),
        "cards": cards,
        "may_inline": any(card["inlined"] for card in cards),
        "why": why_of(scope, desk),
        **flag_marks(project, decision.id),
        **_reaffirmed(desk),
        **rail_context(scope, filters, decision.id),
        "revisions": [
            {"decision": revision, "url": decision_url(project, revision.id, **filters.query())}
            for revision in desk.revisions
        ],
        "board_url": conflict_url(project, decision.choice_key) if desk.rivals else None,
        "rivals": [
            {"decision": rival, "url": decision_url(project, rival.id)} for rival in desk.rivals
        ],
        "verdicts": [_verdict(scope, verdict) for verdict in desk.verdicts],
        "verdicts_url": verdicts_url(project),
        "lineage_url": lineage_url(project, decision.id),
        "dependents": dependents,
        "may_judge": may_judge,
        "reviewable": reviewable,
        "ask": _ask(project, desk, filters) if may_judge and not reviewable else None,
        "possible": possible_verdicts(project, desk, form.offers),
        "doing_nothing": doing_nothing(desk) if reviewable else "",
        "consequences": _consequences(dependents),
        "impact_url": impact_url(project, decision.id),
        "form": form,
        "texts": texts_of(desk, form) if reviewable else {},
        "refusal": None,
        "next_url": next_url(project, filters, decision.id),
        "post_url": decision_url(project, decision.id, **filters.query()),
    }


def _reaffirmed(desk: Desk) -> dict[str, Any]:
    """Who reaffirmed it last on what it stands on now, and when: what waits again is met anew."""
    reviewed = [one.support for one in desk.supports if one.support.reviewed_at is not None]
    last = max(reviewed, key=lambda support: str(support.reviewed_at), default=None)
    return {
        "reaffirmed_at": last and last.reviewed_at,
        "reaffirmed_by": last and last.reviewed_by,
    }


def _ask(project: str, desk: Desk, filters: Filters) -> dict[str, Any] | None:
    """The form that asks for review, where there is something to ask about and nothing to judge."""
    if desk.decision.status != DecisionStatus.ACTIVE:
        return None
    url = ask_url(project, desk.decision.id, **filters.query())
    return {"form": fresh_note(desk.seen), "url": url}


def _verdict(scope: Scope, verdict: Verdict) -> dict[str, Any]:
    """A line of what was judged before; a verdict of the library has no page of its own."""
    tone, icon = LOOKS[VerdictKind(verdict.kind)]
    own = verdict.by == scope.actor.agent_id
    return {
        "kind": verdict.kind,
        "words": words.VERDICTS[verdict.kind],
        "tone": tone,
        "icon": icon,
        "by_name": who(verdict.by),
        "at": verdict.at,
        "why": verdict.why,
        "ground": words.GROUNDS[verdict.ground] if verdict.ground else "",
        "revision": verdict.revision,
        "taken_back": verdict.withdrawn_at,
        "url": verdict_url(scope.project_id, verdict.id) if verdict.id else None,
        "undo_url": withdraw_url(scope.project_id, verdict.id)
        if verdict.id and may_take_back(scope, own=own) and _open(verdict)
        else None,
    }


def _open(verdict: Verdict) -> bool:
    return verdict.withdrawn_at is None and verdict.kind != VerdictKind.WITHDRAW


def title_of(shown: SupportOnDesk) -> str:
    """What a support is called on pages: the document's title, the event, the conclusion."""
    support = shown.support
    match support:
        case DocumentSupport():
            return (shown.document and shown.document.title) or support.document_key
        case EventSupport():
            kind = f" · {words.EVENTS[shown.event.kind]}" if shown.event else ""
            name = f" · {shown.event.name}" if shown.event and shown.event.name else ""
            event = _("Event %(number)s") % {"number": support.seq}
            return f"{event}{kind}{name}"
        case DecisionSupport():
            return shown.parent.conclusion if shown.parent else _("A decision that is gone")


def passages_of(desk: Desk) -> dict[int, list[Passage]]:
    """The passages to choose from for each document, the proposed one first."""
    choices: dict[int, list[Passage]] = {}
    for index, shown in enumerate(desk.supports):
        present = [shown.passage] if shown.passage else []
        listed = {passage.evidence_id: passage.text for passage in [*present, *shown.paragraphs]}
        choices[index] = [(ident, text) for ident, text in listed.items() if ident]
    return choices


def _cards(
    project: str, desk: Desk, form: VerdictForm, *, reviewable: bool
) -> list[dict[str, Any]]:
    """The supports, with what can be chosen about them where there is a form to choose in."""
    offers = form.offers if reviewable else []
    return [
        {
            "index": index,
            "support_on_desk": shown,
            "title": title_of(shown),
            "url": _support_url(project, shown),
            **_whole_urls(project, shown),
            "inlined": inlined(shown),
            "source_url": _source_url(shown),
            "place_words": _place_words(shown),
            **_versions(project, desk, shown),
            "warnings": warnings_of(shown),
            **(picker_of(form, offers[index], shown) if index < len(offers) else {"field": None}),
            "pick_url": _pick_url(project, desk, index, shown),
            "choice": support_choice(form, offers[index], shown) if index < len(offers) else None,
            "proposed": index < len(offers) and bool(offers[index].proposed),
        }
        for index, shown in enumerate(desk.supports)
    ]


def _pick_url(project: str, desk: Desk, index: int, shown: SupportOnDesk) -> str | None:
    """Where a passage is picked out of the present text, from the place of this one on."""
    if not shown.support.id:
        return None
    place = shown.passage or shown.cited
    at = place.start if place else None
    return pick_url(project, desk.decision.id, shown.support.id, at=at, index=index or None)


def _support_url(project: str, shown: SupportOnDesk) -> str | None:
    support = shown.support
    match support:
        case DocumentSupport():
            return document_url(project, support.document_key) if shown.document else None
        case EventSupport():
            if shown.event is None:
                return None
            address = task_url(project, support.task_name, after=support.seq - 1)
            return f"{address}#event-{support.seq}"
        case DecisionSupport():
            return decision_url(project, support.decision_id) if shown.parent else None


def _versions(project: str, desk: Desk, shown: SupportOnDesk) -> dict[str, Any]:
    """The way to the versions since the one cited, where there are some between it and the newest."""
    support, document = shown.support, shown.document
    if not isinstance(support, DocumentSupport) or document is None or not support.id:
        return {}
    cited, newest = support.recorded_activation_seq, document.activation_seq
    since = newest - (cited or 0)
    if since < _SEVERAL:
        return {}
    return {
        "versions_url": versions_between_url(project, desk.decision.id, support.id),
        "versions_words": ngettext(
            "%(count)d version since the one cited", "%(count)d versions since the one cited", since
        )
        % {"count": since}
        if cited
        else "",
    }


def inlined(shown: SupportOnDesk) -> bool:
    """Whether both texts can be shown as one: they are, where they are not a place apart."""
    both = shown.cited is not None and shown.passage is not None
    return both and not shown.comparison.quiet and shown.comparison is not Comparison.MOVED


def _whole_urls(project: str, shown: SupportOnDesk) -> dict[str, str]:
    """The document and the version cited, each at the place of the passage."""
    support, document = shown.support, shown.document
    if not isinstance(support, DocumentSupport) or document is None:
        return {}
    key, found = document.document_key, shown.passage
    now = found.evidence_id if found else ""
    urls = {"whole_url": document_url(project, key, passage=now) + (f"#{HERE}" if now else "")}
    seq = support.recorded_activation_seq
    if seq and seq != document.activation_seq and shown.cited:
        cited = version_url(project, key, seq, passage=support.evidence_id)
        urls["cited_url"] = f"{cited}#{HERE}"
    return urls


def _source_url(shown: SupportOnDesk) -> str | None:
    """Where a cited document stands outside the console."""
    return public_uri(shown.document.uri) if shown.document else None


def _place_words(shown: SupportOnDesk) -> str:
    support = shown.support
    match support:
        case DocumentSupport():
            return _version_words(support.recorded_activation_seq, shown.document)
        case EventSupport():
            return (
                _("in %(task)s") % {"task": support.task_name}
                if support.task_name
                else _("task deleted")
            )
        case DecisionSupport():
            return (
                _("revision %(number)s") % {"number": shown.parent.revision} if shown.parent else ""
            )


def _version_words(cited: int | None, document: Document | None) -> str:
    """From which version a document is cited, and how that stands to the newest."""
    numbers = {"cited": cited, "newest": document.activation_seq if document else None}
    if document is None or document.removed:
        said = (
            _("cited from version %(cited)s, since removed")
            if cited
            else _("cited from an earlier version, since removed")
        )
    elif not cited:
        said = _("cited from an earlier version, now version %(newest)s")
    elif cited == document.activation_seq:
        said = _("cited from version %(cited)s, still the newest")
    else:
        said = _("cited from version %(cited)s, now version %(newest)s")
    return said % numbers


def impact_of(desk: Desk) -> Impact:
    """The figures that the page says before a verdict."""
    page = desk.dependents
    depths = _depths(desk)
    direct = depths.count(1)
    return Impact(
        direct=direct,
        through_others=len(depths) - direct,
        tasks=len({decision.task_id for decision in page.decisions}),
        capped=page.truncated,
    )


def _depths(desk: Desk) -> list[int]:
    page = desk.dependents
    return [page.depths.get(str(decision.id), 1) for decision in page.decisions]


def _dependents(project: str, desk: Desk) -> dict[str, Any]:
    impact = impact_of(desk)
    return {
        "total": min(impact.total, CAP),
        "total_capped": impact.capped,
        "direct": impact.direct,
        "tasks": impact.tasks,
        "list": [
            {"decision": decision, "url": decision_url(project, decision.id), "depth": depth}
            for decision, depth in zip(desk.dependents.decisions, _depths(desk), strict=True)
        ],
    }


def _consequences(dependents: dict[str, Any]) -> list[dict[str, Any]]:
    """What superseding or rejecting does to others; nothing when nothing rests on it."""
    direct, total, capped = dependents["direct"], dependents["total"], dependents["total_capped"]
    if not total:
        return []
    lines = [
        (_("Flags decisions that cite it"), direct, direct > 0),
        (_("… and through them"), total - direct, False),
        (_("Tasks they belong to"), dependents["tasks"], False),
    ]
    return [
        {"label": label, "number": number, "harm": harm, "capped": capped}
        for label, number, harm in lines
    ]
