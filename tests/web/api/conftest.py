"""The API of the console over a real graph, called with tokens that Alice made."""

import pytest

from reviewconsole.models import Role, User
from tests.web.api.calling import Api, bearer, secret_of


@pytest.fixture
def bot(alice: User) -> Api:
    """An agent with the role of a reviewer."""
    return Api(bearer(secret_of(alice)))


@pytest.fixture
def chief(alice: User) -> Api:
    """An agent with the role of an admin that may put documents."""
    alice.is_librarian = True
    alice.save()
    return Api(bearer(secret_of(alice, Role.ADMIN, librarian=True)))
