"""One system behind three doors: each operation has an address, and refuses there as everywhere."""

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

import graphstore
from reviewconsole.addresses import (
    ask_url,
    change_document_url,
    documents_url,
    remove_document_url,
    withdraw_url,
)
from reviewconsole.api.problems import over_http
from reviewconsole.api.root import api
from reviewconsole.models import User
from reviewconsole.problems import REFUSALS
from tests.web.api.calling import Api, code_of
from tests.web.browsing import Answer, at, judge, open_decision, post, shown_form
from tests.web.conftest import SignedIn
from tests.web.test_asking import fields
from tests.web.world import POLICY, POLICY_KEY, PROJECT, World, passage

CLASSES = (
    graphstore.ConversationHistory,
    graphstore.DecisionTraces,
    graphstore.Documents,
    graphstore.HistoryRetention,
)
NOT_SENT = {
    "fetched_evidence": "the API fetches what is cited itself",
    "exhibit": "only the console's own pages say what stood on them",
    "scope": "only a program that nobody has to keep to a project widens what it reads",
    "request_id": "the header Idempotency-Key",
}
"""Arguments that no call sends in its body, and why."""
NOT_CALLED = {"finish_jobs": "a console's workers run the jobs; no call waits for their end"}
"""Operations without an address, and why."""
SNAPSHOT = Path(__file__).with_name("openapi.json")


def public_operations() -> dict[str, set[str]]:
    """Each operation and read of the public classes, with its arguments."""
    return {
        name: set(inspect.signature(method).parameters) - {"self"} - set(NOT_SENT)
        for cls in CLASSES
        for name, method in inspect.getmembers(cls, inspect.isfunction)
        if not name.startswith("_") and name not in NOT_CALLED
    }


@cache
def doors() -> dict[str, set[str]]:
    """Each operation of the API, with everything that its call names."""
    document = api.get_openapi_schema()
    found: dict[str, set[str]] = {}
    for methods in document["paths"].values():
        for operation in methods.values():
            names = {one["name"] for one in operation["parameters"]}
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            ref = body.get("schema", {}).get("$ref", "").rsplit("/", 1)[-1]
            schema = document["components"]["schemas"].get(ref, {})
            found[operation["operationId"]] = names | set(schema.get("properties", {}))
    return found


RENAMED = {
    "delete_task": {"name": "task_name"},
    "plan_deletion": {"name": "task_name"},
    "flagged_by": {"receipt": "entry_id"},
}
"""Where one address serves two operations, the part of the address has one name."""


def test_every_operation_has_a_door() -> None:
    """An operation of the public classes without an address in the API fails here."""
    assert set(public_operations()) - set(doors()) == set()


@pytest.mark.parametrize("name", sorted(public_operations()))
def test_a_door_takes_every_argument(name: str) -> None:
    """Under the operation's own names."""
    renamed = RENAMED.get(name, {})
    wanted = {renamed.get(one, one) for one in public_operations()[name]}
    assert wanted - doors()[name] == set()


def test_the_document_is_as_it_was_agreed() -> None:
    """A change of the API is a change of this file: `manage.py openapi > tests/web/api/openapi.json`."""
    made = json.loads(json.dumps(api.get_openapi_schema()))
    assert made == json.loads(SNAPSHOT.read_text())


def test_over_http_a_refusal_has_the_status_of_the_table() -> None:
    """Only the words differ, where they speak of a form."""
    assert {code: over_http(code).status for code in REFUSALS} == {
        code: problem.status for code, problem in REFUSALS.items()
    }
    words = " ".join(
        f"{over_http(code).sentence} {over_http(code).what_to_do}" for code in REFUSALS
    )
    assert not [
        word
        for word in ("form", "page", "reload", "below", "queue")
        if f" {word} " in words.lower()
    ]


@dataclass
class Doors:
    """Both doors to one project: a person at a form, an agent at the API."""

    world: World
    client: Client
    api: Api

    def refused(self, answer: Answer) -> str:
        """The code that a page shows."""
        return answer.context["refusal"]["code"]


@pytest.fixture
def both(world: World, alice: User, signed_in: SignedIn, chief: Api) -> Doors:
    """Alice at the forms, and an agent with a token that she made."""
    return Doors(world, signed_in(alice), chief)


def already_rejected(doors: Doors) -> tuple[str, Answer]:
    """The decision was judged while somebody wrote."""
    form = shown_form(open_decision(doors.client, doors.world.signature))
    doors.world.traces.reject_decision(doors.world.signature.id, "Too late.")
    sent = {**form, "verdict": "reject", "explanation": "So."}
    shown = doors.refused(post(doors.client, at(doors.world.signature), sent))
    path = f"/decisions/{doors.world.signature.id}/reject"
    return shown, doors.api.post(path, {"reason": "So.", "seen": form["seen"]})


def moved(doors: Doors) -> tuple[str, Answer]:
    """A cited document changed while somebody wrote."""
    form = shown_form(open_decision(doors.client, doors.world.signature))
    doors.world.shorten_policy()
    sent = {**form, "verdict": "reject", "explanation": "So."}
    shown = doors.refused(post(doors.client, at(doors.world.signature), sent))
    path = f"/decisions/{doors.world.signature.id}/reject"
    return shown, doors.api.post(path, {"reason": "So.", "seen": form["seen"]})


def not_the_current_passage(doors: Doors) -> tuple[str, Answer]:
    """A reaffirmation that takes up the passage of an older version."""
    doors.world.shorten_policy()
    old = passage(POLICY, "A refund above 500 euro needs a second signature.")
    form = shown_form(open_decision(doors.client, doors.world.signature))
    sent = {**form, "verdict": "reaffirm", "evidence_0": old, "explanation": "So."}
    shown = doors.refused(post(doors.client, at(doors.world.signature), sent))
    path = f"/decisions/{doors.world.signature.id}/reaffirm"
    return shown, doors.api.post(path, {"evidence": [{"evidence_id": old}]})


def superseded_on_what_fell(doors: Doors) -> tuple[str, Answer]:
    """A new revision that cites a decision which was rejected meanwhile."""
    form = shown_form(open_decision(doors.client, doors.world.letter))
    doors.world.traces.reject_decision(doors.world.days.id, "Gone.")
    sent = {
        **form,
        "verdict": "supersede",
        "conclusion": "c",
        "rationale": "r",
        "explanation": "e",
        "support_0": "keep",
    }
    shown = doors.refused(post(doors.client, at(doors.world.letter), sent))
    body = {
        "conclusion": "c",
        "rationale": "r",
        "explanation": "e",
        "supports": [{"decision_id": str(doors.world.days.id)}],
        "seen": form["seen"],
    }
    return shown, doors.api.post(f"/decisions/{doors.world.letter.id}/supersede", body)


def asked_too_late(doors: Doors) -> tuple[str, Answer]:
    """Review asked for a decision that was rejected meanwhile."""
    url = ask_url(PROJECT, doors.world.signature.id)
    form = fields(doors.client.get(url).context["form"])
    doors.world.traces.reject_decision(doors.world.signature.id, "Too late.")
    shown = doors.refused(post(doors.client, url, {**form, "explanation": "So."}))
    path = f"/decisions/{doors.world.signature.id}/ask"
    return shown, doors.api.post(path, {"reason": "So.", "seen": form.get("seen")})


def built_upon(doors: Doors) -> tuple[str, Answer]:
    """A verdict on which another was given."""
    asked = doors.world.traces.ask_for_review(doors.world.signature.id, "Look.")
    assert asked.verdict_id is not None
    url = withdraw_url(PROJECT, asked.verdict_id)
    form = fields(doors.client.get(url).context["form"])
    judge(doors.client, doors.world.signature, "reject", explanation="So.")
    shown = doors.refused(post(doors.client, url, {**form, "explanation": "Back."}))
    path = f"/verdicts/{asked.verdict_id}/withdraw"
    return shown, doors.api.post(path, {"explanation": "Back."})


def document_moved(doors: Doors) -> tuple[str, Answer]:
    """A document changed after the preview of another change."""
    url = change_document_url(PROJECT, POLICY_KEY)
    typed = {"title": "Refund policy", "uri": "", "text": f"{POLICY}\n\nMore.", "step": "preview"}
    preview = post(doors.client, url, typed)
    seen, request_id = preview.context["seen"], preview.context["request_id"]
    doors.world.shorten_policy()
    sent = {**typed, "step": "put", "seen": seen, "request_id": request_id}
    shown = doors.refused(post(doors.client, url, sent))
    return shown, doors.api.put(f"/documents/{POLICY_KEY}", {"text": typed["text"], "seen": seen})


CASES = [
    already_rejected,
    moved,
    not_the_current_passage,
    superseded_on_what_fell,
    asked_too_late,
    built_upon,
    document_moved,
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_form_and_the_api_refuse_alike(
    case: Callable[[Doors], tuple[str, Answer]], both: Doors
) -> None:
    """The same code for the same reason, and the status that the table gives it."""
    shown, answer = case(both)
    assert shown == code_of(answer)
    problem: dict[str, Any] = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert problem["status"] == answer.status_code == REFUSALS[problem["code"]].status


def test_a_blocked_reaffirmation_says_what_is_in_the_way(world: World, bot: Api) -> None:
    """Each support with its cause, and in words what would make it possible."""
    world.shorten_policy()
    answer = bot.post(f"/decisions/{world.letter.id}/reaffirm", {})
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (409, "cannot_revalidate")
    assert problem["blockers"][0]["cause"] == "parent_needs_review"
    assert problem["blockers"][0]["ref"] == str(world.days.id)
    assert "Judge that one first" in problem["details"][0]


def test_the_forms_of_documents_and_the_api_do_the_same(both: Doors) -> None:
    """Granting, and removing what is managed by nobody else."""
    post(both.client, documents_url(PROJECT), {"document_key": POLICY_KEY, "then": "grant"})
    assert both.api.get(f"/documents/{POLICY_KEY}").json()["granted"] is True
    assert both.api.delete(f"/documents/{POLICY_KEY}/grant").status_code == 200
    assert both.world.documents.get_document(POLICY_KEY).granted is False
    plan = both.api.get(f"/documents/{POLICY_KEY}/removal-plan").json()
    shown = both.client.get(remove_document_url(PROJECT, POLICY_KEY)).context["plan"]
    assert plan["seen"] == shown.seen
