"""Every operation, called by everybody: with a session, with a token and with nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

import pytest
from django.test import Client

from reviewconsole.api.root import api
from reviewconsole.models import Access, Role, User
from tests.web.api.calling import ROOT, Api, bearer, code_of, secret_of
from tests.web.browsing import open_queue
from tests.web.conftest import SignedIn
from tests.web.world import POLICY_KEY, PROJECT, World, passage

READ, WRITE, ADMIN, LIBRARY = Role.READER, Role.REVIEWER, Role.ADMIN, "librarian"
GONE = uuid4()
DAYS = "/decisions/{days}"
POLICY_PATH = f"/documents/{POLICY_KEY}"
NEW = {"conclusion": "c", "rationale": "r", "supports": []}


@dataclass(frozen=True)
class Door:
    """One operation: what it needs, and the code with which it then answers each time."""

    method: str
    path: str
    needs: Role | str = READ
    body: object = None
    code: str = ""


DOORS = {
    "get_project": Door("GET", ""),
    "create_task": Door(
        "POST", "/tasks", WRITE, {"task_name": "audit", "goal": "x"}, "task_exists"
    ),
    "list_tasks": Door("GET", "/tasks"),
    "get_task": Door("GET", "/tasks/audit"),
    "find_task": Door("GET", "/tasks-by-id/{task}"),
    "list_moments": Door("GET", "/tasks-by-id/{task}/moments"),
    "resume_task": Door("POST", "/tasks/audit/resume", WRITE),
    "record_event": Door(
        "POST", "/tasks/none/events", WRITE, {"kind": "note", "payload": "x"}, "task_not_found"
    ),
    "record_events": Door(
        "POST", "/tasks/none/event-batches", WRITE, {"events": []}, "task_not_found"
    ),
    "list_events": Door("GET", "/tasks/audit/events"),
    "fetch_event": Door("GET", "/tasks/audit/events/1"),
    "set_step": Door("PUT", "/tasks/none/steps/x", WRITE, {"state": "failed"}, "task_not_found"),
    "list_steps": Door("GET", "/tasks/audit/steps"),
    "plan_redaction": Door("GET", f"/events/{GONE}/redaction-plan", ADMIN, code="event_not_found"),
    "plan_deletion": Door("GET", "/tasks/audit/deletion-plan", ADMIN),
    "list_jobs": Door("GET", "/jobs", ADMIN),
    "get_job": Door("GET", f"/jobs/{GONE}", ADMIN, code="job_not_found"),
    "pause_job": Door("POST", f"/jobs/{GONE}/pause", ADMIN, code="job_not_found"),
    "resume_job": Door("POST", f"/jobs/{GONE}/resume", ADMIN, code="job_not_found"),
    "cancel_job": Door("POST", f"/jobs/{GONE}/cancel", ADMIN, code="job_not_found"),
    "list_receipts": Door("GET", "/receipts", ADMIN),
    "list_entries": Door("GET", "/ledger", ADMIN),
    "get_entry": Door("GET", f"/ledger/{GONE}", ADMIN, code="not_found"),
    "flagged_by": Door("GET", f"/receipts/{GONE}/flagged", ADMIN, code="not_found"),
    "get_receipt": Door("GET", f"/receipts/{GONE}", ADMIN, code="not_found"),
    "delete_task": Door("DELETE", "/tasks/none", ADMIN, code="task_not_found"),
    "redact_event": Door("POST", f"/events/{GONE}/redact", ADMIN, code="event_not_found"),
    "record_decision": Door(
        "POST", "/tasks/audit/decisions", WRITE, {**NEW, "choice_key": "k"}, "support_required"
    ),
    "list_decisions": Door("GET", "/tasks/audit/decisions"),
    "browse_decisions": Door("GET", "/decisions"),
    "search_decisions": Door("GET", "/decision-search?query=refunds"),
    "get_decision": Door("GET", DAYS),
    "open_desk": Door("GET", f"{DAYS}/desk"),
    "list_dependents": Door("GET", f"{DAYS}/dependents"),
    "list_support_history": Door("GET", f"{DAYS}/supports"),
    "get_lineage": Door("GET", f"{DAYS}/lineage"),
    "list_queue": Door("GET", "/queue"),
    "list_decisions_for_review": Door("GET", "/review"),
    "continue_decision_review": Door("POST", "/review/continue", WRITE, {}),
    "reaffirm_decision": Door("POST", f"{DAYS}/reaffirm", WRITE, {}, "cannot_revalidate"),
    "supersede_decision": Door(
        "POST", f"{DAYS}/supersede", WRITE, {**NEW, "explanation": ""}, "explanation_required"
    ),
    "reject_decision": Door(
        "POST", f"{DAYS}/reject", WRITE, {"reason": "r", "seen": "stale"}, "moved"
    ),
    "ask_for_review": Door("POST", f"{DAYS}/ask", WRITE, {"reason": "r", "seen": "stale"}, "moved"),
    "list_verdicts": Door("GET", "/verdicts"),
    "get_verdict": Door("GET", f"/verdicts/{GONE}", code="verdict_not_found"),
    "plan_withdrawal": Door("GET", f"/verdicts/{GONE}/withdrawal-plan", code="verdict_not_found"),
    "withdraw_verdict": Door(
        "POST", f"/verdicts/{GONE}/withdraw", WRITE, {"explanation": "e"}, "verdict_not_found"
    ),
    "list_conflicts": Door("GET", "/conflicts"),
    "get_conflict": Door("GET", "/conflicts/days"),
    "count_conflicts": Door("GET", "/conflict-count"),
    "list_documents": Door("GET", "/documents"),
    "get_document": Door("GET", POLICY_PATH),
    "put_document": Door("PUT", POLICY_PATH, LIBRARY, {"text": " "}, "document_empty"),
    "remove_document": Door("DELETE", "/documents/none", LIBRARY, code="document_not_found"),
    "plan_put_document": Door("POST", f"{POLICY_PATH}/plan", LIBRARY, {"text": "x"}),
    "plan_remove_document": Door("GET", f"{POLICY_PATH}/removal-plan", LIBRARY),
    "grant_document": Door("PUT", "/documents/none/grant", ADMIN, code="document_not_found"),
    "revoke_document": Door("DELETE", "/documents/none/grant", ADMIN, code="document_not_found"),
    "list_citers": Door("GET", f"{POLICY_PATH}/citers"),
    "list_versions": Door("GET", f"{POLICY_PATH}/versions"),
    "get_version": Door("GET", f"{POLICY_PATH}/versions/1"),
    "fetch_evidence": Door("POST", "/evidence", READ, {"evidence_ids": ["x"]}),
}
EVERYWHERE = {"list_projects"}
"""What is asked outside any project."""


def operations() -> set[str]:
    """What the API's document names."""
    paths = api.get_openapi_schema()["paths"].values()
    return {operation["operationId"] for methods in paths for operation in methods.values()}


def test_every_operation_is_in_the_table() -> None:
    """A new operation without an entry fails here."""
    assert operations() == {*DOORS, *EVERYWHERE}


def expected(kind: str, door: Door) -> str:
    """What somebody of this kind gets."""
    roles = {role.label: role for role in Role} | {"librarian": READ, "superuser": ADMIN}
    outside = {"nobody": "unauthorized", "stranger": "not_found"}
    may_put = {"librarian", "superuser"}
    allowed = (
        kind in may_put if door.needs == LIBRARY else roles.get(kind, READ) >= Role(door.needs)
    )
    return outside.get(kind, door.code if allowed else "forbidden")


def codes(api: Api, world: World) -> dict[str, str]:
    """How each operation answers this caller."""
    names = {"days": world.days.id, "task": world.days.task_id}
    return {
        name: code_of(api.call(door.method, door.path.format(**names), door.body))
        for name, door in DOORS.items()
    }


@pytest.fixture
def user_of(world: World) -> Callable[[str], User]:
    """Somebody of each kind."""

    def make(kind: str) -> User:
        user = User.objects.create_user(
            kind, is_superuser=kind == "superuser", is_librarian=kind == "librarian"
        )
        roles = {role.label: role for role in Role} | {"librarian": READ}
        held = [Access(user=user, project_id=PROJECT, role=roles[kind])] if kind in roles else []
        Access.objects.bulk_create(held)
        return user

    return make


KINDS = ["stranger", "reader", "reviewer", "manager", "admin", "superuser", "librarian"]


@pytest.mark.parametrize("kind", KINDS)
def test_everybody_gets_what_their_role_gives_with_a_session(
    kind: str, world: World, user_of: Callable[[str], User], signed_in: SignedIn
) -> None:
    """Strangers see nothing there, readers are told what is not theirs to do."""
    client = signed_in(user_of(kind))
    client.get("/")
    page = client.get("/api/v1/docs")
    headers = {"X-CSRFToken": str(page.context["csrf_token"])}
    found = codes(Api(headers, client=client), world)
    assert found == {name: expected(kind, door) for name, door in DOORS.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_gives_what_its_maker_may(
    kind: str, world: World, user_of: Callable[[str], User]
) -> None:
    """A token of the highest role is as good as who made it."""
    secret = secret_of(user_of(kind), Role.ADMIN, librarian=True)
    found = codes(Api(bearer(secret)), world)
    assert found == {name: expected(kind, door) for name, door in DOORS.items()}


@pytest.mark.parametrize("role", list(Role), ids=lambda role: role.label)
def test_a_token_gives_no_more_than_its_own_role(
    role: Role, world: World, user_of: Callable[[str], User]
) -> None:
    """Whatever its maker may."""
    secret = secret_of(user_of("superuser"), role)
    found = codes(Api(bearer(secret)), world)
    assert found == {name: expected(str(role.label), door) for name, door in DOORS.items()}


def test_nobody_gets_anything(world: World) -> None:
    """Each answer says how to sign in."""
    assert set(codes(Api({}), world).values()) == {"unauthorized"}
    answer = Api({}).get("/tasks")
    assert (answer.status_code, answer["WWW-Authenticate"][:6]) == (401, "Bearer")


def test_a_project_that_is_not_theirs_answers_like_none(world: World, charlie: User) -> None:
    """The two answers are the same to the letter, and so are their status and headers."""
    headers = bearer(secret_of(charlie))
    there, nowhere = Api(headers).get("/tasks"), Api(headers, "nowhere").get("/tasks")
    assert there.status_code == nowhere.status_code == 404
    assert there.content == nowhere.content
    assert there.headers == nowhere.headers


def test_a_token_of_another_project_finds_nothing_here(world: World, alice: User) -> None:
    """Its maker's role does not travel with it."""
    headers = bearer(secret_of(alice, project="elsewhere"))
    assert code_of(Api(headers).get("/tasks")) == "not_found"


def test_projects_are_listed_as_each_may_see_them(
    world: World, alice: User, charlie: User, signed_in: SignedIn
) -> None:
    """A person sees theirs, a token its own, a stranger none, nobody is asked to sign in."""
    url = f"{ROOT}/projects"
    token = Client().get(url, headers=bearer(secret_of(alice)))
    assert token.json()["projects"] == [{"project_id": PROJECT, "role": "reviewer"}]
    person = signed_in(alice).get(url)
    assert person.json()["projects"] == [{"project_id": PROJECT, "role": "admin"}]
    assert signed_in(charlie).get(url).json()["projects"] == []
    assert Client().get(url).status_code == 401


def test_a_session_writes_only_with_its_csrf_token(
    world: World, bob: User, signed_in: SignedIn
) -> None:
    """Another site cannot make a browser record anything."""
    client = signed_in(bob)
    open_queue(client)
    answer = Api({}, client=client).post("/tasks", {"task_name": "forged", "goal": "x"})
    assert (answer.status_code, code_of(answer)) == (403, "csrf_failed")
    assert not world.history.get_task("forged").found


def test_a_bad_token_is_not_made_up_for_by_a_session(
    world: World, bob: User, signed_in: SignedIn
) -> None:
    """Who sends a token means that token."""
    client = signed_in(bob)
    for value in ("Bearer rc_nonsense", "Bearer ", "Basic Ym9iOmJvYg==", "rc_nonsense"):
        answer = Api({"Authorization": value}, client=client).get("/tasks")
        assert (answer.status_code, answer["WWW-Authenticate"][-22:]) == (
            401,
            ', error="invalid_token"'[-22:],
        )


def test_passages_outside_the_project_are_not_there(world: World, chief: Api) -> None:
    """A document that nothing of the project cites, and nobody granted, cannot be read."""
    assert chief.put("/documents/secret", {"text": "Nobody here cites this."}).status_code == 200
    wanted = passage("Nobody here cites this.", "cites", "secret")
    other = World(world.store, project="elsewhere")
    theirs = passage("Nobody here cites this.", "cites", "secret")
    assert other.documents.fetch_evidence([theirs])[0].status == "unavailable"
    chief.delete("/documents/secret/grant")
    outcome = chief.post("/evidence", {"evidence_ids": [wanted]}).json()["outcomes"][0]
    assert (outcome["status"], outcome["text"]) == ("unavailable", None)
