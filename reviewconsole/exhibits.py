"""What stood on the page of a verdict, kept with it: ids, hashes and findings, never a text.

The page that was shown is opened once more when the verdict arrives. It counts as what
the person saw only if its fingerprint is the form's; otherwise nothing is kept, and the
verdict is refused as out of date anyway.
"""

from datetime import datetime
from uuid import UUID

from django.utils import timezone

from graphstore.desk import Desk, SupportOnDesk, open_desk
from graphstore.evidence import COMPARISON_VERSION
from graphstore.records import (
    DecisionStatus,
    DecisionSupport,
    DocumentSupport,
    EventSupport,
    Exhibit,
    ExhibitSupport,
)
from reviewconsole.access import Scope
from reviewconsole.desk_page import impact_of
from reviewconsole.forms import VerdictForm, evidence_name

__all__ = ["exhibit_for", "exhibit_of", "read_opened", "support_of"]


def exhibit_for(
    scope: Scope, decision_id: UUID, form: VerdictForm, opened_at: datetime | None
) -> Exhibit | None:
    """The exhibit of a valid verdict form: one read. None when the page is another by now."""
    desk = open_desk(scope.store, scope.project_id, str(decision_id))
    if desk is None or desk.seen != form.cleaned_data["seen"]:
        return None
    return exhibit_of(desk, form, opened_at)


def exhibit_of(desk: Desk, form: VerdictForm, opened_at: datetime | None) -> Exhibit:
    """What the page of `desk` showed, with the passages chosen in the form."""
    impact = impact_of(desk)
    opened = read_opened(form.cleaned_data["opened"])
    return Exhibit(
        causes=desk.decision.causes,
        supports=[
            support_of(shown, _picked(form, index), opened=_unfolded(shown) or index in opened)
            for index, shown in enumerate(desk.supports)
        ],
        algorithm=COMPARISON_VERSION,
        dependents=impact.direct,
        transitive=impact.through_others,
        tasks=impact.tasks,
        in_bulk=1,
        opened_at=opened_at,
        decided_at=timezone.now(),
    )


def read_opened(text: str) -> frozenset[int]:
    """The numbers of the evidence cards that the page says were opened; anything else is none."""
    numbers = (part for part in text.split(",") if part.isascii() and part.isdigit())
    return frozenset(int(number) for number in numbers)


def _unfolded(shown: SupportOnDesk) -> bool:
    """Whether the page shows this support without anybody opening it."""
    return not shown.quiet


def _picked(form: VerdictForm, index: int) -> str:
    return form.cleaned_data.get(evidence_name(index)) or ""


def support_of(shown: SupportOnDesk, picked: str, *, opened: bool) -> ExhibitSupport:
    """One support as the page showed it, with the passage that was picked for it, if one was."""
    support = shown.support
    match support:
        case DocumentSupport():
            document = shown.document
            found = shown.passage.evidence_id if shown.passage else ""
            return ExhibitSupport(
                support_id=support.id,
                kind="document",
                ref=str(support.document_node_id),
                comparison=shown.comparison.value,
                cited=support.evidence_id,
                present=picked or found,
                cited_seq=support.recorded_activation_seq,
                present_seq=document.activation_seq if document else None,
                present_hash=document.current_content_hash if document else None,
                opened=opened,
            )
        case EventSupport():
            return ExhibitSupport(
                support_id=support.id,
                kind="event",
                ref=str(support.event_id),
                comparison=shown.comparison.value,
                opened=opened,
            )
        case DecisionSupport():
            return ExhibitSupport(
                support_id=support.id,
                kind="decision",
                ref=str(support.decision_id),
                comparison=shown.comparison.value,
                state=_state(shown),
                opened=opened,
            )


def _state(shown: SupportOnDesk) -> str:
    parent = shown.parent
    if parent is None:
        return "deleted"
    active = parent.status == DecisionStatus.ACTIVE
    return parent.review_state.value if active else parent.status.value
