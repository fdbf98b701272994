"""The record from a shell: `manage.py record`, `inspect` and `token`."""

import io
import json
import sys
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from pytest import MonkeyPatch  # noqa: PT013 - the name of its type

from reviewconsole.models import Token, User
from reviewconsole.shell_calls import OPERATIONS
from tests.web.api.calling import Api, bearer
from tests.web.api.test_parity import public_operations
from tests.web.world import PROJECT, World

READS = {"get_", "list_", "find_", "fetch_", "search_", "browse_", "count_", "plan_", "flagged_"}
NOT_FROM_A_SHELL = {
    "continue_decision_review": "adopt, reindex and the sweep do it",
}


def run(*words: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command(*words, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def record(*words: str) -> list[dict[str, Any]]:
    """The results that the command printed."""
    out, _ = run("record", *words, "--project", PROJECT, "--agent", "agent:shell")
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def typed(monkeypatch: MonkeyPatch) -> Any:
    """Puts lines into the command's input."""

    def put(*lines: object) -> None:
        text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))

    return put


def test_every_write_can_be_done_from_a_shell() -> None:
    """An operation that a shell cannot call fails here."""
    writes = {
        name for name in public_operations() if not any(name.startswith(read) for read in READS)
    }
    assert writes - set(NOT_FROM_A_SHELL) == set(OPERATIONS)


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_a_line_takes_every_argument(name: str) -> None:
    """Under the operation's own names."""
    assert set(OPERATIONS[name].model_fields) == public_operations()[name]


def test_one_call_from_the_arguments(world: World) -> None:
    """A value that is JSON counts as such, anything else is text."""
    [result] = record("create_task", "task_name=shell work", "goal=42 things")
    assert result["task"]["author"] == "agent:shell"
    assert result["task"]["goal"] == "42 things"
    [event] = record("record_event", "task_name=shell work", "kind=note", "payload=Done.")
    assert event["event"]["seq"] == 1


def test_many_calls_from_lines(world: World, typed: Any) -> None:
    """Each answered by one line; what is cited is fetched, and a repeat is answered as before."""
    cited = world.cite("Shipping is never refunded.").evidence_id
    decision = {
        "operation": "record_decision",
        "request_id": str(uuid4()),
        "task_name": "audit",
        "choice_key": "shipping",
        "conclusion": "No refund of shipping.",
        "rationale": "The policy says so.",
        "supports": [{"evidence_id": cited}, {"task_name": "audit", "seq": 1}],
    }
    step = {"operation": "set_step", "task_name": "audit", "name": "read", "state": "completed"}
    typed(decision, "", step, decision)
    first, step_set, again = record()
    assert first == again
    assert step_set["step"]["state"] == "completed"
    kinds = [one["kind"] for one in first["decision"]["supports"]]
    assert kinds == ["document", "event"]
    typed({"operation": "reaffirm_decision", "decision_id": first["decision"]["id"],
           "evidence": [{"evidence_id": cited}]})  # fmt: skip
    assert record()[0]["recorded"] is True


def test_a_refusal_ends_with_its_own_code_and_stops_nothing(
    world: World, typed: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines after it are carried out."""
    typed(
        {"operation": "create_task", "task_name": "audit", "goal": "another"},
        {"operation": "create_task", "task_name": "after", "goal": "x"},
    )
    with pytest.raises(CommandError, match="1 refused") as ended:
        record()
    assert ended.value.returncode == 1
    assert world.history.get_task("after").found


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", "Line 1: this is no JSON"),
        ("[]", "no JSON object"),
        ({"operation": "drop"}, "no operation 'drop'"),
        ({"operation": "create_task", "task_name": "x"}, "create_task: goal"),
        ({"operation": "create_task", "task_name": "x", "goal": "y", "z": 1}, "create_task: z"),
        ({"operation": "resume_task", "task_name": "x", "request_id": 1}, "is a text"),
    ],
)
def test_a_line_that_is_no_call_says_why(world: World, typed: Any, line: object, told: str) -> None:
    """With its number, before anything is written."""
    typed(line)
    with pytest.raises(CommandError, match=told) as ended:
        record()
    assert ended.value.returncode == 2


def test_inspecting_shows_text_or_json(world: World) -> None:
    """A task, a decision, and what needs review."""
    world.shorten_policy()
    task, _ = run("inspect", "task", "audit", "--project", PROJECT)
    assert "Find out how refunds work." in task
    assert "Refunds take at most 30 days." in task
    decision, _ = run("inspect", "decision", str(world.days.id), "--project", PROJECT)
    assert "needs_review" in decision
    assert "event 2 of audit" in decision
    queue, _ = run("inspect", "queue", "--project", PROJECT)
    assert queue.startswith("3 need review")
    as_json, _ = run("inspect", "decision", str(world.days.id), "--project", PROJECT, "--json")
    assert json.loads(as_json)["id"] == str(world.days.id)


def test_inspecting_lets_nothing_through_to_the_terminal(world: World) -> None:
    """What agents wrote is text, whatever a terminal would make of it."""
    world.history.create_task("sly", "\x1b[2J\x1b]0;owned\x07 clean\r\nup\u202e")
    shown, _ = run("inspect", "task", "sly", "--project", PROJECT)
    assert not set("\x1b\x07\r\u202e") & set(shown)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["task", "none"], "no task 'none'"),
        (["decision", "nonsense"], "no decision 'nonsense'"),
        (["task"], "Name the task"),
        (["queue", "x"], "takes no name"),
    ],
)
def test_inspecting_says_what_is_not_there(world: World, words: list[str], told: str) -> None:
    """In one sentence."""
    with pytest.raises(CommandError, match=told):
        run("inspect", *words, "--project", PROJECT)


def test_a_token_from_the_shell(world: World, alice: User) -> None:
    """The secret alone is on the output; listed without it; revoked by its id."""
    words = ["--project", PROJECT, "--role", "reader", "--by", "alice"]
    secret, about = run("token", "make", "Night shift", *words)
    assert Api(bearer(secret.strip())).get("/tasks").status_code == 200
    token = Token.objects.get()
    assert str(token.uuid) in about
    listed, _ = run("token", "list", "--project", PROJECT)
    assert "agent:night-shift" in listed
    assert secret.strip() not in listed
    run("token", "revoke", str(token.uuid), "--project", PROJECT)
    assert Api(bearer(secret.strip())).get("/tasks").status_code == 401


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["make", "x", "--by", "nobody"], "no account"),
        (["make", "x", "--by", "alice", "--days", "0"], "1 to 366"),
        (["make", "x", "--by", "alice", "--agent", "person:x"], "person"),
        (["revoke", "5d9a2c1e-0000-4000-8000-000000000000"], "no such token"),
    ],
)
def test_a_token_that_cannot_be_says_why(alice: User, words: list[str], told: str) -> None:
    """In one sentence."""
    with pytest.raises(CommandError, match=told):
        run("token", *words, "--project", PROJECT)
