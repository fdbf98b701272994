"""Calling the API as a program does."""

import json
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from reviewconsole.addresses import to_segment
from reviewconsole.models import Role, User
from reviewconsole.tokens import NewToken, make_token
from tests.web.browsing import Answer
from tests.web.world import PROJECT

ROOT = "/api/v1"
BOT = "agent:bot"


@dataclass
class Api:
    """One caller of one project. `headers` go with each call."""

    headers: dict[str, str]
    project: str = PROJECT
    client: Client = field(default_factory=Client)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """`path` is within the project. Header names are written with underscores."""
        return self.send(method, path, "" if body is None else json.dumps(body), **headers)

    def send(self, method: str, path: str, body: str, **headers: str) -> Answer:
        """As `call`, with a body that need not be JSON."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(
            method,
            f"{ROOT}/projects/{to_segment(self.project)}{path}",
            body,
            content_type="application/json",
            headers={**self.headers, **named},
        )

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        return self.call("POST", path, body, **headers)

    def put(self, path: str, body: Any, **headers: str) -> Answer:
        return self.call("PUT", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Answer:
        return self.call("DELETE", path, **headers)


def secret_of(
    maker: User, role: Role = Role.REVIEWER, *, project: str = PROJECT, librarian: bool = False
) -> str:
    """The secret of a new token."""
    new = NewToken("bot", project, role, BOT, days=30, librarian=librarian)
    return make_token(maker, new)[1]


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def code_of(answer: Answer) -> str:
    """The code of a problem; nothing for a success."""
    return answer.json().get("code", "") if answer.status_code >= 400 else ""
