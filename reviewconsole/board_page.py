"""What the board of one choice shows: its sides beside each other, and what can be done."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext as _

from graphstore.board import Surroundings, surroundings
from graphstore.records import (
    Decision,
    DecisionStatus,
    DecisionSupport,
    DocumentSupport,
    EventSupport,
    FetchOutcome,
    ReviewState,
    Support,
    VersionStatus,
)
from reviewconsole import words
from reviewconsole.access import Role, Scope
from reviewconsole.addresses import (
    ask_url,
    conflicts_url,
    decision_url,
    decisions_url,
    document_url,
    keep_url,
    task_url,
)
from reviewconsole.sides import Side, sides_of
from reviewconsole.waiting import CAP

__all__ = ["board_context"]

DECISIONS_OPEN = 3
"""Decisions of a side that are in view; the others fold."""
EVIDENCE_OPEN = 4
PASSAGES = 60
"""Passages that one board reads."""
QUOTE = 400
"""Characters of a passage that are shown."""
EARLIER = 50


def board_context(scope: Scope, choice_key: str) -> dict[str, Any]:
    """Everything that `conflict.html` draws.

    Raises `Http404` when nothing was ever decided about the choice.
    """
    project = scope.project_id
    group = scope.traces.get_conflict(choice_key)
    decisions = group.decisions if group else []
    history = scope.traces.browse_decisions(choice_key=choice_key, limit=EARLIER)
    earlier = [one for one in history.decisions if one.status != DecisionStatus.ACTIVE]
    if not decisions and not earlier:
        raise Http404
    sides = sides_of(decisions)
    around = surroundings(scope.store, project, [one.id for one in decisions])
    quotes = _quotes(scope, sides)
    may_settle = scope.may(Role.MANAGER) and len(sides) > 1
    return {
        "key": choice_key,
        "conflicts_url": conflicts_url(project),
        "list_url": decisions_url(project, choice=choice_key),
        "sides": [_side(scope, choice_key, side, around, quotes) for side in sides],
        "tasks": len({one.task_id for one in decisions}),
        "oldest": min((side.oldest for side in sides), default=None),
        "newest": max((side.newest for side in sides), default=None),
        "truncated": bool(group and group.truncated),
        "may_settle": may_settle,
        "may_ask": scope.may(Role.REVIEWER),
        "earlier": [{"decision": one, "url": decision_url(project, one.id)} for one in earlier],
        "earlier_cut": history.next_cursor is not None,
    }


def _side(
    scope: Scope,
    choice_key: str,
    side: Side,
    around: Mapping[UUID, Surroundings],
    quotes: Mapping[str, FetchOutcome],
) -> dict[str, Any]:
    project = scope.project_id
    lines = [_line(scope, one, around.get(one.id, Surroundings())) for one in side.decisions]
    cited = [
        _evidence(one, support, around.get(one.id, Surroundings()), quotes, project=project)
        for one, support in _supports(side)
    ]
    return {
        "side": side,
        "id": f"side-{side.first.id}",
        "many": len(lines) > 1,
        "lines": lines[:DECISIONS_OPEN],
        "more_lines": lines[DECISIONS_OPEN:],
        "evidence": cited[:EVIDENCE_OPEN],
        "more_evidence": cited[EVIDENCE_OPEN:],
        "dependents": min(sum(line["dependents"] for line in lines), CAP),
        "dependents_capped": any(line["dependents"] >= CAP for line in lines),
        "keep_url": keep_url(project, choice_key, side.first.id),
    }


def _line(scope: Scope, decision: Decision, around: Surroundings) -> dict[str, Any]:
    project = scope.project_id
    asks = scope.may(Role.REVIEWER) and decision.review_state != ReviewState.NEEDS_REVIEW
    return {
        "decision": decision,
        "url": decision_url(project, decision.id),
        "task_url": task_url(project, decision.task_name),
        "ask_url": ask_url(project, decision.id) if asks else None,
        "goal": around.goal,
        "dependents": around.dependents,
        "capped": around.dependents >= CAP,
    }


# Evidence


def _supports(side: Side) -> list[tuple[Decision, Support]]:
    """What the decisions of a side stand on, each passage, event and decision once."""
    found: dict[str, tuple[Decision, Support]] = {}
    for decision in side.decisions:
        for support in decision.supports:
            found.setdefault(_identity(support), (decision, support))
    return list(found.values())


def _identity(support: Support) -> str:
    match support:
        case DocumentSupport():
            return support.evidence_id
        case EventSupport():
            return str(support.event_id)
        case DecisionSupport():
            return str(support.decision_id)


def _quotes(scope: Scope, sides: Sequence[Side]) -> dict[str, FetchOutcome]:
    """The first passages of every side as they were cited, in one read."""
    wanted = [
        support.evidence_id
        for side in sides
        for _, support in _supports(side)[: EVIDENCE_OPEN * 3]
        if isinstance(support, DocumentSupport)
    ]
    ids = list(dict.fromkeys(wanted))[:PASSAGES]
    fetched = scope.documents.fetch_evidence(ids, max_chars=QUOTE) if ids else []
    return {outcome.evidence_id: outcome for outcome in fetched}


def _evidence(
    decision: Decision,
    support: Support,
    around: Surroundings,
    quotes: Mapping[str, FetchOutcome],
    *,
    project: str,
) -> dict[str, Any]:
    """One support: what it is called, its words, and `since`: what became of it."""
    match support:
        case DocumentSupport():
            return _cited_document(project, support, around, quotes.get(support.evidence_id))
        case EventSupport():
            return _cited_event(project, decision, support, around)
        case DecisionSupport():
            return _cited_decision(project, support, around)


def _shown(kind: str, title: str, quote: str, since: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "title": title, "quote": quote, "since": since, "url": None, **more}


def _cited_document(
    project: str, support: DocumentSupport, around: Surroundings, outcome: FetchOutcome | None
) -> dict[str, Any]:
    document = around.documents.get(support.document_node_id)
    title = (document and document.title) or support.document_key
    text = (outcome.text if outcome else None) or ""
    cut = "…" if outcome and outcome.status == "truncated" else ""
    quote, url = f"{text}{cut}", document_url(project, support.document_key)
    if document is None or document.removed:
        return _shown("document", title, quote, "removed", url=url)
    moved = (
        outcome.status_of_version == VersionStatus.SUPERSEDED
        if outcome and outcome.status_of_version
        else document.activation_seq != support.recorded_activation_seq
    )
    return _shown("document", title, quote, "changed" if moved else "", url=url)


def _cited_event(
    project: str, decision: Decision, support: EventSupport, around: Surroundings
) -> dict[str, Any]:
    event = around.events.get(support.event_id)
    if not support.task_name:
        return _shown("event", _("An event of a task that is gone"), "", "deleted")
    own = support.task_name == decision.task_name
    title = (
        _("Event %(number)s of its task") % {"number": support.seq}
        if own
        else _("Event %(number)s of %(task)s") % {"number": support.seq, "task": support.task_name}
    )
    if event is None:
        return _shown("event", title, "", "deleted")
    address = task_url(project, support.task_name, after=support.seq - 1)
    shown = f"{words.EVENTS[event.kind]}{f' {event.name}' if event.name else ''}"
    if event.redacted_at is not None:
        return _shown("event", title, "", "redacted", url=f"{address}#event-{support.seq}")
    return _shown(
        "event", f"{title}, {shown}", event.start, "", url=f"{address}#event-{support.seq}"
    )


def _cited_decision(project: str, support: DecisionSupport, around: Surroundings) -> dict[str, Any]:
    cited = around.decisions.get(support.decision_id)
    if cited is None:
        return _shown("decision", _("A decision that is gone"), "", "deleted")
    since = "" if cited.status == DecisionStatus.ACTIVE else words.STATUSES[cited.status]
    url = decision_url(project, support.decision_id)
    return _shown("decision", _("Another decision"), cited.conclusion, since, url=url)
