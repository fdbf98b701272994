"""Tokens: what an agent shows to be let in over HTTP.

A token acts in one project, with its own role and never more than its maker has
there at that moment. Its secret is shown once and kept nowhere.
"""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from django.utils.translation import gettext as _

from reviewconsole.models import Role, Token, User

__all__ = [
    "LONGEST_DAYS",
    "NewToken",
    "TokenRefused",
    "count_call",
    "find_token",
    "last_used",
    "live",
    "make_token",
    "revoke_token",
]

PREFIX = "rc_"
"""What a scan for leaked secrets recognises."""
LONGEST_DAYS = 366
PERSON = "person:"


class TokenRefused(ValueError):
    """A token cannot be made so. The message is one sentence for a person."""


@dataclass(frozen=True)
class NewToken:
    """A token as its maker asks for it. `key` makes asking twice one token."""

    name: str
    project_id: str
    role: Role
    agent_id: str
    days: int
    librarian: bool = False
    key: UUID | None = None


def make_token(maker: User, new: NewToken) -> tuple[Token, str]:
    """The token and its secret, which nobody can read again.

    Raises `TokenRefused` when the agent's id is a person's, the days are not 1 to
    366, or the key was used before.
    """
    if new.agent_id.strip().casefold().startswith(PERSON):
        raise TokenRefused(_("A token acts for an agent, and a person's id names a person."))
    if new.agent_id != new.agent_id.strip() or not new.agent_id or "\0" in new.agent_id:
        raise TokenRefused(_("An agent's id is not empty and has no blanks at its ends."))
    if not 1 <= new.days <= LONGEST_DAYS:
        raise TokenRefused(_("A token holds for 1 to %(most)s days.") % {"most": LONGEST_DAYS})
    secret = PREFIX + secrets.token_urlsafe(32)
    token = Token(
        secret_sha256=_digest(secret),
        name=new.name,
        project_id=new.project_id,
        role=new.role,
        is_librarian=new.librarian,
        agent_id=new.agent_id,
        created_by=maker,
        expires_at=timezone.now() + timedelta(days=new.days),
        **({"uuid": new.key} if new.key else {}),
    )
    try:
        with transaction.atomic():
            token.save(force_insert=True)
    except IntegrityError:
        raise TokenRefused(
            _(
                "This token was made already, and its secret was shown then. Make another if it "
                "is lost."
            )
        ) from None
    return token, secret


def find_token(secret: str) -> Token | None:
    """The token of this secret while it holds and its maker may sign in."""
    found = Token.objects.select_related("created_by").filter(secret_sha256=_digest(secret)).first()
    return found if found is not None and live(found) else None


def live(token: Token) -> bool:
    """Whether it lets anybody in now."""
    return (
        token.revoked_at is None
        and token.expires_at > timezone.now()
        and token.created_by.is_active
    )


def revoke_token(project_id: str, uuid: UUID) -> bool:
    """Let nobody in with it from now on; False when it was revoked or is not of this project."""
    held = Token.objects.filter(project_id=project_id, uuid=uuid, revoked_at__isnull=True)
    return held.update(revoked_at=timezone.now()) == 1


def count_call(token: Token, at: datetime | None = None) -> int:
    """Count one more call of this minute; the seconds to wait when there were too many.

    One conditional update, so that any number of processes share one count. With
    no limit it writes once a minute, for when the token was last used.
    """
    most, now = settings.API_PER_MINUTE, (at or datetime.now(UTC)).timestamp()
    minute = int(now // 60)
    if not most and token.minute == minute:
        return 0
    open_still = ~Q(minute=minute) | Q(calls__lt=most) if most else ~Q(minute=minute)
    counted = Token.objects.filter(open_still, pk=token.pk).update(
        calls=Case(When(minute=minute, then=F("calls") + 1), default=Value(1)),
        minute=minute,
    )
    return 0 if counted or not most else 60 - int(now % 60)


def last_used(token: Token) -> datetime | None:
    """The minute in which it was last used."""
    return datetime.fromtimestamp(token.minute * 60, UTC) if token.minute else None


def _digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest()
