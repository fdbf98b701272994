"""Who calls the API: a bearer token, or the session of a person; perhaps on behalf of another."""

import re
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from ninja.errors import AuthenticationError, ValidationError
from ninja.security import APIKeyCookie, HttpBearer

from reviewconsole.access import Caller
from reviewconsole.api.answers import TooManyCalls
from reviewconsole.models import User
from reviewconsole.tokens import count_call, find_token

__all__ = ["BEHALF", "caller_of", "session", "token"]

BEHALF = "On-Behalf-Of"
_PERSON = re.compile(r"person:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_NOBODY = User(is_active=False)


class Token(HttpBearer):
    """`Authorization: Bearer rc_…`. A header that lets nobody in is not made up for by a cookie."""

    def __call__(self, request: HttpRequest) -> Caller | None:
        if "Authorization" not in request.headers:
            return None
        caller = super().__call__(request)
        if caller is None:
            raise AuthenticationError
        return caller

    def authenticate(self, request: HttpRequest, token: str) -> Caller | None:
        found = find_token(token.strip())
        if found is None:
            return None
        if wait := count_call(found):
            raise TooManyCalls(wait)
        return Caller(found.created_by, token=found, behalf=_behalf(request))


class Session(APIKeyCookie):
    """The console's own sign-in. Whatever is not a plain read also sends the CSRF token."""

    param_name = settings.SESSION_COOKIE_NAME

    def _get_key(self, request: HttpRequest) -> str | None:
        if not isinstance(request.user, User):
            return None
        return super()._get_key(request)

    def authenticate(self, request: HttpRequest, key: str | None) -> Caller | None:  # noqa: ARG002
        user = request.user
        if not isinstance(user, User):
            return None
        return Caller(user, request.session.session_key or "", behalf=_behalf(request))


def _behalf(request: HttpRequest) -> User | None:
    """The person that the header names. One who is unknown may do nothing anywhere."""
    named = request.headers.get(BEHALF)
    if named is None:
        return None
    person = _PERSON.fullmatch(named)
    if person is None:
        message = "Write person: and the UUID of an account, as answers name people"
        raise ValidationError([{"loc": ("header", BEHALF), "msg": message}])
    return User.objects.filter(person_uuid=UUID(person[1])).first() or _NOBODY


def caller_of(request: HttpRequest) -> Caller:
    """Whoever was let in."""
    caller: Caller = request.auth  # pyright: ignore[reportAttributeAccessIssue] - django-ninja sets it
    return caller


token, session = Token(), Session()
