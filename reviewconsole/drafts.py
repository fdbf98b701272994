"""What people typed and could not send: kept per person and decision until a verdict takes it."""

from collections.abc import Iterable
from datetime import timedelta
from itertools import batched
from typing import Any
from uuid import UUID, uuid5

from django.core import signing
from django.http import QueryDict
from django.urls import ResolverMatch
from django.utils import timezone

from reviewconsole.backlog import take_up_touched
from reviewconsole.forms import TEXTS, VerdictForm, evidence_name, picked_name, typed_texts
from reviewconsole.models import Access, Draft, Role, User
from reviewconsole.offers import unchanged_texts

__all__ = [
    "draft_id",
    "drop_draft",
    "erase_drafts",
    "keep_draft",
    "keep_pick",
    "kept_draft",
    "pack",
    "packed_texts",
    "save_draft",
    "sweep_drafts",
    "typed_in",
    "unpack_for",
    "why_id",
    "writes_a_why",
]

_SALT = "reviewconsole.drafts"
_DAY = 24 * 60 * 60
_NAMES = ("verdict", "ground", *TEXTS)
_CHOSEN = ("evidence_", "support_", "picked_")
KEPT_DAYS = 14

Typed = dict[str, list[str]]


def typed_in(sent: QueryDict) -> Typed:
    """What a person entered in a verdict form, in full: also what is too long to record.

    Words of the decision itself, which a new revision starts from, are nobody's typing.
    """
    texts = {name: sent.get(name, "") for name in TEXTS}
    old = unchanged_texts(sent.get("offered", ""), texts)
    names = [name for name in sent if name in _NAMES or name.startswith(_CHOSEN)][:60]
    return {name: sent.getlist(name)[:60] for name in names if name not in old}


def keep_draft(user: User, project_id: str, decision_id: UUID, typed: Typed) -> None:
    """Save what was typed over an earlier draft; nothing typed leaves that one alone."""
    if any(value.strip() for name in TEXTS for value in typed.get(name, [])):
        Draft.objects.update_or_create(
            user=user, project_id=project_id, decision_id=decision_id, defaults={"typed": typed}
        )
        take_up_touched(project_id, decision_id)


def save_draft(user: User, project_id: str, decision_id: UUID, typed: Typed) -> bool:
    """Save what a page holds while it is written: also a choice, and that all was taken away.

    A passage alone is no choice, unless it was picked: the page offers one by itself. Returns
    whether anything is kept now.
    """
    written = any(value.strip() for name in _NAMES for value in typed.get(name, []))
    if not written and not any(name.startswith("picked_") for name in typed):
        drop_draft(user, project_id, decision_id)
        return False
    Draft.objects.update_or_create(
        user=user, project_id=project_id, decision_id=decision_id, defaults={"typed": typed}
    )
    return True


def keep_pick(user: User, project_id: str, decision_id: UUID, index: int, evidence_id: str) -> None:
    """Save that a passage was picked for a support, beside whatever is typed already."""
    kept = kept_draft(user, project_id, decision_id)
    typed = {
        **(kept.typed if kept else {}),
        evidence_name(index): [evidence_id],
        picked_name(index): [evidence_id],
    }
    save_draft(user, project_id, decision_id, typed)


def sweep_drafts() -> None:
    """Drop what nobody wrote on for 14 days."""
    Draft.objects.filter(saved_at__lt=timezone.now() - timedelta(days=KEPT_DAYS)).delete()


_WHYS = {"keep": "decision_id", "ask": "decision_id", "withdraw": "verdict_id", "bulk": "bulk_id"}
"""Pages besides the desk on which a why is written, by name, and what each is about."""


def writes_a_why(match: ResolverMatch | None) -> bool:
    return match is not None and match.url_name in _WHYS


def draft_id(match: ResolverMatch | None) -> UUID | None:
    """Under which id what is typed on a page is kept; None for pages that keep nothing."""
    if match is None or match.url_name is None:
        return None
    if match.url_name in ("decision", "pick"):
        return match.kwargs["decision_id"]
    about = _WHYS.get(match.url_name)
    return why_id(match.url_name, match.kwargs[about]) if about else None


def why_id(page: str, about: UUID) -> UUID:
    """Under which id the why of such a page is kept, apart from verdicts on the same decision."""
    return uuid5(about, page)


def kept_draft(user: User, project_id: str, decision_id: UUID) -> Draft | None:
    return Draft.objects.filter(user=user, project_id=project_id, decision_id=decision_id).first()


def drop_draft(user: User, project_id: str, decision_id: UUID) -> None:
    Draft.objects.filter(user=user, project_id=project_id, decision_id=decision_id).delete()


def erase_drafts(project_id: str, decision_ids: Iterable[UUID]) -> None:
    """Drop what anybody typed about decisions that were deleted, on their desk or beside it."""
    of_decisions = [page for page, about in _WHYS.items() if about == "decision_id"]
    for ids in batched(decision_ids, 200):
        whys = [why_id(page, one) for page in of_decisions for one in ids]
        Draft.objects.filter(project_id=project_id, decision_id__in=[*ids, *whys]).delete()


def pack(project_id: str, decision_id: UUID, typed: Typed, needs: Role = Role.REVIEWER) -> str:
    """What was typed when the session had ended, signed, to travel through sign-in.

    `needs` is the role without which it could not be sent. Signed, so that no other
    site can have its own words saved as somebody's draft.
    """
    content = {
        "project": project_id,
        "decision": str(decision_id),
        "typed": typed,
        "needs": needs.value,
    }
    return signing.dumps(content, salt=_SALT, compress=True)


def unpack_for(user: User, packed: str) -> bool:
    """Save what `pack` held as the draft of whoever signed in, if they may send it there."""
    try:
        content: dict[str, Any] = signing.loads(packed, salt=_SALT, max_age=_DAY)
    except signing.BadSignature:
        return False
    project_id = content["project"]
    needs = content.get("needs", Role.REVIEWER)
    roles = Access.objects.filter(user=user, project_id=project_id, role__gte=needs)
    if not user.is_superuser and not roles.exists():
        return False
    keep_draft(user, project_id, UUID(content["decision"]), content["typed"])
    return True


def packed_texts(packed: str) -> list[dict[str, str]]:
    """What `pack` held, however old, for a page that shows it; nothing of what is not ours."""
    try:
        content: dict[str, Any] = signing.loads(packed, salt=_SALT)
    except signing.BadSignature:
        return []
    first = {name: values[0] for name, values in content["typed"].items() if values}
    return typed_texts(VerdictForm(first, offers=[]))
