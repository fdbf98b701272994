"""Tokens: who makes them, what they never give away, when they end, how often they may call."""

import logging
import os
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from reviewconsole.addresses import tokens_url
from reviewconsole.models import Access, Role, Token, User
from reviewconsole.tokens import NewToken, TokenRefused, count_call, last_used, make_token
from tests.browser.console import ROOT, environment
from tests.web.api.calling import Api, bearer, code_of, secret_of
from tests.web.browsing import Answer, post
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World

URL = tokens_url(PROJECT)


@pytest.fixture
def alices(alice: User, signed_in: SignedIn) -> Client:
    """Alice's browser."""
    return signed_in(alice)


def filled(client: Client, **typed: Any) -> dict[str, Any]:
    """The form as it is shown, with a name typed into it."""
    form = client.get(URL).context["form"]
    values = {field.html_name: field.value() for field in form}
    return {name: value for name, value in values.items() if value is not None} | {
        "name": "Nightly Import",
        **typed,
    }


def made(client: Client, **typed: Any) -> Answer:
    return post(client, URL, filled(client, **typed))


def test_a_token_is_made_and_its_secret_is_shown_once(world: World, alices: Client) -> None:
    """It lets an agent in at once; the page that comes after does not know it."""
    answer = made(alices)
    secret = answer.context["secret"]
    assert secret.startswith("rc_")
    assert secret in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert secret not in alices.get(URL).content.decode()
    task = {"task_name": "import", "goal": "Bring it in."}
    assert Api(bearer(secret)).post("/tasks", task).json()["task"]["author"] == (
        "agent:nightly-import"
    )


def test_a_double_click_is_one_token(world: World, alices: Client) -> None:
    """The second answer says that the secret was shown already."""
    form = filled(alices)
    assert post(alices, URL, form).status_code == 200
    again = post(alices, URL, form)
    assert (again.status_code, "secret" in again.context) == (422, False)
    assert Token.objects.count() == 1


@pytest.mark.parametrize(
    "typed",
    [
        {"agent_id": "person:5d9a2c1e-0000-4000-8000-000000000000"},
        {"agent_id": "Person:me"},
        {"days": "0"},
        {"days": "367"},
        {"name": ""},
        {"role": "5"},
    ],
)
def test_what_is_no_token_is_refused(world: World, alices: Client, typed: dict[str, str]) -> None:
    """Nothing is made, and what was typed stays."""
    assert made(alices, **typed).status_code == 422
    assert Token.objects.count() == 0


def test_a_token_gives_at_most_what_its_maker_has_now(
    world: World, alice: User, alices: Client
) -> None:
    """An admin who becomes a reader takes their tokens along."""
    api = Api(bearer(secret_of(alice, Role.ADMIN)))
    assert code_of(api.delete("/tasks/none")) == "task_not_found"
    Access.objects.filter(user=alice).update(role=Role.READER)
    assert code_of(api.delete("/tasks/none")) == "forbidden"
    assert api.get("/tasks").status_code == 200
    Access.objects.filter(user=alice).delete()
    assert code_of(api.get("/tasks")) == "not_found"


def test_a_revoked_token_lets_nobody_in(world: World, alices: Client, bot: Api) -> None:
    """From that moment on; the list keeps it."""
    assert bot.get("/tasks").status_code == 200
    assert post(alices, URL, {"token": str(Token.objects.get().uuid)}).status_code == 303
    assert bot.get("/tasks").status_code == 401
    assert "revoked" in alices.get(URL).content.decode()


def test_a_token_ends(world: World, bot: Api) -> None:
    """On the second."""
    Token.objects.update(expires_at=timezone.now() + timedelta(seconds=60))
    assert bot.get("/tasks").status_code == 200
    Token.objects.update(expires_at=timezone.now())
    assert bot.get("/tasks").status_code == 401


def test_a_token_of_an_account_that_was_switched_off_lets_nobody_in(
    world: World, bot: Api, alice: User
) -> None:
    """A person who left leaves no door open."""
    alice.is_active = False
    alice.save()
    assert bot.get("/tasks").status_code == 401


def test_an_admin_revokes_only_tokens_of_the_project(
    world: World, alice: User, alices: Client
) -> None:
    """A token of another project stays as it is."""
    secret_of(alice, project="elsewhere")
    post(alices, URL, {"token": str(Token.objects.get().uuid)})
    assert Token.objects.get().revoked_at is None


def test_the_secret_stands_nowhere(
    world: World, alices: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """No table and no line of the log holds it, whatever was done with it."""
    caplog.set_level(logging.DEBUG)
    secret = made(alices).context["secret"]
    api = Api(bearer(secret))
    api.get("/tasks")
    api.post("/tasks", {"task_name": "audit", "goal": "another"})
    api.get("/nowhere")
    Api(bearer(f"{secret}x")).get("/tasks")
    Token.objects.update(revoked_at=timezone.now())
    assert api.get("/tasks").status_code == 401
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        rows = [repr(cursor.execute(f'SELECT * FROM "{name}"').fetchall()) for name in tables]  # noqa: S608 - names of our tables
    assert [name for name, held in zip(tables, rows, strict=True) if secret in held] == []
    assert Token.objects.get().secret_sha256 in "".join(rows)
    assert secret not in caplog.text


def test_when_a_token_was_last_used_is_shown(world: World, alices: Client, bot: Api) -> None:
    """To the minute, and written once a minute where calls are not counted."""
    assert "never used" in alices.get(URL).content.decode()
    bot.get("/tasks")
    used = last_used(Token.objects.get())
    assert used is not None
    assert timedelta(0) <= timezone.now() - used < timedelta(minutes=2)
    assert "last used" in alices.get(URL).content.decode()


def test_without_a_limit_a_minute_is_one_write(
    alice: User, settings: Settings, django_assert_num_queries: Any
) -> None:
    """Calls that follow write nothing."""
    settings.API_PER_MINUTE = 0
    secret_of(alice)
    at = datetime(2030, 1, 1, 12, tzinfo=UTC)
    assert count_call(Token.objects.get(), at) == 0
    again = Token.objects.get()
    with django_assert_num_queries(0):
        assert count_call(again, at) == 0


def test_too_many_calls_wait_for_the_next_minute(
    world: World, bot: Api, settings: Settings
) -> None:
    """The answer says how long; a person's session is not counted."""
    settings.API_PER_MINUTE = 1
    answers = [bot.get("/tasks") for _ in range(3)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert code_of(refused[0]) == "too_many_calls"
    assert 1 <= int(refused[0]["Retry-After"]) <= 60


def test_the_next_minute_begins_anew(alice: User, settings: Settings) -> None:
    """And the seconds until then are told exactly."""
    settings.API_PER_MINUTE = 2
    secret_of(alice)
    token, at = Token.objects.get(), datetime(2030, 1, 1, 12, 0, 50, tzinfo=UTC)
    assert [count_call(token, at) for _ in range(3)] == [0, 0, 10]
    assert count_call(token, at + timedelta(seconds=10)) == 0


def test_two_processes_count_together(alice: User, tmp_path: Path) -> None:
    """A limit of 25 lets 25 of 60 calls through, however they are dealt out."""
    secret_of(alice)
    with closing(sqlite3.connect(tmp_path / "console.sqlite3")) as copy:
        copy.executescript("\n".join(connection.connection.iterdump()))
    environ = environment(tmp_path, {}) | {
        "RC_API_PER_MINUTE": "25",
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'bin'}",
    }
    script = [sys.executable, os.fspath(Path(__file__).with_name("counting_process.py")), "30"]
    with ExitStack() as running:
        both = [
            running.enter_context(
                subprocess.Popen(script, cwd=ROOT, env=environ, text=True, stdin=PIPE, stdout=PIPE)
            )
            for _ in range(2)
        ]
        assert [one.stdout.readline() for one in both] == ["ready\n", "ready\n"]
        for one in both:
            one.stdin.write("go\n")
            one.stdin.flush()
        assert sum(int(one.stdout.readline()) for one in both) == 25


def test_a_token_that_a_person_could_be_taken_for_is_never_made(alice: User) -> None:
    """Also past the form."""
    new = NewToken("x", PROJECT, Role.READER, alice.agent_id, days=1)
    with pytest.raises(TokenRefused, match="person"):
        make_token(alice, new)
