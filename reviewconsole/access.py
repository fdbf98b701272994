"""Who may do what in which project: one lookup gives the project and the permission.

What a person may not see answers as if it were not there (404). Only a person who
may read a project learns that something in it is not theirs to do (403).
"""

from dataclasses import dataclass
from hashlib import sha256

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from graphstore import ConversationHistory, DecisionTraces, Documents, HistoryRetention
from graphstore.records import Actor
from graphstore.review_feed import list_projects
from graphstore.store import GraphStore
from reviewconsole.models import Access, IndexMark, Role, Token, User
from reviewconsole.stores import store

__all__ = [
    "Caller",
    "Role",
    "Scope",
    "enter",
    "enter_as",
    "enter_as_librarian",
    "readable_projects",
    "reader_of",
]


@dataclass(frozen=True)
class Scope:
    """One project as one person may use it, or whoever holds a token that the person made.

    `may_librarian` is False for a token or a principal that may not put documents
    although the person may.
    """

    project_id: str
    role: Role
    user: User
    actor: Actor
    may_librarian: bool = True

    def may(self, role: Role) -> bool:
        return self.role >= role

    @property
    def librarian(self) -> bool:
        """Whether the person may put and remove documents."""
        return self.may_librarian and _librarian(self.user)

    @property
    def store(self) -> GraphStore:
        return store()

    @property
    def history(self) -> ConversationHistory:
        return ConversationHistory(
            self.store, project_id=self.project_id, agent_id=self.actor.agent_id, actor=self.actor
        )

    @property
    def traces(self) -> DecisionTraces:
        return DecisionTraces(
            self.store, project_id=self.project_id, agent_id=self.actor.agent_id, actor=self.actor
        )

    @property
    def documents(self) -> Documents:
        return Documents(
            self.store, project_id=self.project_id, agent_id=self.actor.agent_id, actor=self.actor
        )

    @property
    def retention(self) -> HistoryRetention:
        return HistoryRetention(self.store, self.project_id, self.actor.agent_id, actor=self.actor)


@dataclass(frozen=True)
class Caller:
    """Who calls over HTTP: a person, or a token; perhaps on behalf of another person."""

    user: User
    """The person, or the one who made the token."""
    session_key: str = ""
    token: Token | None = None
    behalf: User | None = None

    @property
    def actor(self) -> Actor:
        own = self.token.agent_id if self.token else self.user.agent_id
        return Actor(
            agent_id=own,
            principal=self.token.principal if self.token else own,
            on_behalf_of=self.behalf.agent_id if self.behalf else None,
            session_id=_session_id(self.session_key),
            door="api",
        )

    def role_in(self, project_id: str) -> Role | None:
        """The least of what the token, the person and whoever it is done for may do there."""
        if self.token and self.token.project_id != project_id:
            return None
        held = [_role_of(self.user, project_id)]
        if self.token:
            held.append(Role(self.token.role))
        if self.behalf:
            held.append(_role_of(self.behalf, project_id) if self.behalf.is_active else None)
        known = [role for role in held if role is not None]
        return min(known) if len(known) == len(held) else None

    @property
    def may_librarian(self) -> bool:
        return (not self.token or self.token.is_librarian) and (
            not self.behalf or _librarian(self.behalf)
        )


def enter_as(
    caller: Caller, project_id: str, role: Role = Role.READER, *, librarian: bool = False
) -> Scope:
    """The project, for a caller who may act in it as `role`, or as a librarian.

    Raises as `enter` does.
    """
    held = caller.role_in(project_id)
    if held is None:
        raise Http404
    scope = Scope(project_id, held, caller.user, caller.actor, caller.may_librarian)
    if held < role or (librarian and not scope.librarian):
        raise PermissionDenied
    return scope


def reader_of(request: HttpRequest) -> User:
    """The signed-in person. Views that sign-in guards may rely on there being one."""
    user = request.user
    if not isinstance(user, User):
        raise PermissionDenied
    return user


def enter(request: HttpRequest, project_id: str, role: Role = Role.READER) -> Scope:
    """The project, for somebody who may act in it as `role`.

    Raises `Http404` when the person may not read the project or there is none, and
    `PermissionDenied` when they may read it but not act as `role`.
    """
    user = reader_of(request)
    held = _role_of(user, project_id)
    if held is None:
        raise Http404
    scope = Scope(project_id, held, user, _actor(request, user))
    request.scope = scope  # pyright: ignore[reportAttributeAccessIssue]
    if held < role:
        raise PermissionDenied
    return scope


def enter_as_librarian(request: HttpRequest, project_id: str) -> Scope:
    """The project, for somebody who may read it and may put and remove documents.

    Raises as `enter` does.
    """
    scope = enter(request, project_id)
    if not scope.librarian:
        raise PermissionDenied
    return scope


def _librarian(user: User) -> bool:
    return user.is_librarian or user.is_superuser


def _role_of(user: User, project_id: str) -> Role | None:
    if user.is_superuser:
        return Role.ADMIN if _exists(project_id) else None
    held = Access.objects.filter(user=user, project_id=project_id).values_list("role", flat=True)
    return next((Role(role) for role in held), None)


def _exists(project_id: str) -> bool:
    """Whether there is such a project. The index knows it, unless nobody opened it yet."""
    if IndexMark.objects.filter(project_id=project_id).exists():
        return True
    return any(known.project_id == project_id for known in list_projects(store()))


def _actor(request: HttpRequest, user: User) -> Actor:
    return Actor(
        agent_id=user.agent_id,
        principal=user.agent_id,
        session_id=_session_id(request.session.session_key or ""),
        door="form",
    )


def _session_id(key: str) -> str | None:
    """What names a session in the ledger, and lets nobody into it."""
    return sha256(key.encode()).hexdigest()[:16] if key else None


def readable_projects(user: User, after: str = "", limit: int = 50) -> list[tuple[str, Role]]:
    """The projects that a person may read, by id from `after` on, with their role."""
    if user.is_superuser:
        known = sorted(one.project_id for one in list_projects(store()))
        return [(one, Role.ADMIN) for one in known if one > after][:limit]
    held = Access.objects.filter(user=user, project_id__gt=after).order_by("project_id")
    return [(access.project_id, Role(access.role)) for access in held[:limit]]
