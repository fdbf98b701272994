"""Calling: once and again, for whom, under odd names, badly, and when the graph is away."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as console
from django.test import Client
from pytest_django.fixtures import Settings

import graphstore
from graphstore.records import ReviewState
from reviewconsole import stores
from reviewconsole.models import Access, Draft, FlaggedDecision, Role, User
from tests.servers import RawGraph
from tests.web.api.calling import BOT, ROOT, Api, bearer, code_of, secret_of
from tests.web.browsing import TOKEN
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, SHORTER, World


def entry(raw: RawGraph, action: str) -> dict[str, Any]:
    """The newest ledger entry of an action, as it is stored."""
    rows = raw.run(
        "MATCH (e:CtxTrace {action: $action}) RETURN e.agent_id, e.principal, e.on_behalf_of,"
        " e.door, e.session_id ORDER BY e.us DESC LIMIT 1",
        {"action": action},
    )
    names = ("agent_id", "principal", "on_behalf_of", "door", "session_id")
    return dict(zip(names, rows[0], strict=True))


def test_a_repeated_call_returns_the_first_result(world: World, bot: Api) -> None:
    """Nothing happens twice, and the same id with other arguments is refused."""
    key, event = str(uuid4()), {"kind": "note", "payload": "Once."}
    first = bot.post("/tasks/audit/events", event, Idempotency_Key=key)
    again = bot.post("/tasks/audit/events", event, Idempotency_Key=key)
    assert first.json() == again.json()
    assert first.json()["event"]["seq"] == world.history.list_events("audit").events[-1].seq
    other = bot.post("/tasks/audit/events", {**event, "payload": "Twice."}, Idempotency_Key=key)
    assert (other.status_code, code_of(other)) == (409, "request_id_reused")


def test_a_repeat_by_another_token_is_refused(world: World, bot: Api, alice: User) -> None:
    """A request id belongs to its author."""
    key, task = str(uuid4()), {"task_name": "new", "goal": "x"}
    assert bot.post("/tasks", task, Idempotency_Key=key).status_code == 200
    person = Api({}, client=Client(enforce_csrf_checks=False))
    person.client.force_login(alice)
    person.client.cookies[console.CSRF_COOKIE_NAME] = TOKEN
    again = person.post("/tasks", task, Idempotency_Key=key, X_CSRFToken=TOKEN)
    assert code_of(again) == "request_id_reused"


@pytest.mark.parametrize("key", ["x" * 65, ""])
def test_a_request_id_that_is_none_is_refused(world: World, bot: Api, key: str) -> None:
    """As in every other door."""
    answer = bot.post("/tasks/audit/resume", None, Idempotency_Key=key)
    assert (answer.status_code, code_of(answer)) == (422, "invalid_request_id")


def test_an_agent_records_and_a_person_judges(
    world: World, bot: Api, bob: User, signed_in: SignedIn
) -> None:
    """From the task to the verdict, all over HTTP; what is cited is fetched by the server."""
    bot.post("/tasks", {"task_name": "quote", "goal": "Quote the policy."})
    cited = world.cite("Shipping is never refunded.").evidence_id
    fetched = bot.post("/evidence", {"evidence_ids": [cited]}).json()["outcomes"][0]
    assert (fetched["status"], fetched["text"]) == ("ok", "Shipping is never refunded.")
    body = {
        "choice_key": "shipping",
        "conclusion": "Shipping stays with the customer.",
        "rationale": "The policy says so.",
        "supports": [{"evidence_id": cited}, {"task_name": "audit", "seq": 1}],
    }
    made = bot.post("/tasks/quote/decisions", body).json()["decision"]
    assert [one["kind"] for one in made["supports"]] == ["document", "event"]
    world.shorten_policy()
    waiting = bot.get("/queue?limit=1").json()
    assert waiting["next_cursor"]
    desk = bot.get(f"/decisions/{made['id']}/desk").json()
    now = desk["supports"][0]["passage"]["evidence_id"]
    client = signed_in(bob)
    client.cookies[console.CSRF_COOKIE_NAME] = TOKEN
    sent = {"evidence": [{"evidence_id": now}], "seen": desk["seen"], "ground": "still_holds"}
    answer = Api({"X-CSRFToken": TOKEN}, client=client).post(
        f"/decisions/{made['id']}/reaffirm", sent
    )
    assert answer.json()["decision"]["review_state"] == "clear"
    assert not FlaggedDecision.objects.filter(
        decision_id=made["id"], cleared_us__isnull=True
    ).exists()
    given = bot.get(f"/verdicts?decision_id={made['id']}").json()
    assert given["verdicts"][0]["by"] == bob.agent_id
    assert given["people"] == {bob.agent_id: "Bob"}


def test_the_queue_has_the_orders_and_filters_of_its_page(world: World, bot: Api) -> None:
    """Most at stake first, and narrowed by what became of the worst support."""
    world.shorten_policy()
    bot.get("/queue")
    rows = FlaggedDecision.objects
    rows.filter(decision_id=world.letter.id).update(stake=9)
    rows.filter(decision_id=world.days.id).update(comparison="edited", dangers="number,unit")
    first = bot.get("/queue?order=stake&limit=1").json()["waiting"][0]
    assert (first["decision"]["id"], first["comparison"]) == (str(world.letter.id), "not_compared")
    (edited,) = bot.get("/queue?comparison=edited").json()["waiting"]
    assert (edited["decision"]["id"], edited["dangers"]) == (str(world.days.id), ["number", "unit"])
    assert bot.get("/queue?age=month").json()["waiting"] == []


def test_a_text_that_holds_an_accounts_id_names_nobody(world: World, bot: Api, bob: User) -> None:
    """Only fields that say who did something are answered with a name."""
    made = bot.post("/tasks", {"task_name": "asked", "goal": bob.agent_id}).json()
    assert made["task"]["goal"] == bob.agent_id
    assert "people" not in made


def test_a_posted_passage_is_not_believed(world: World, bot: Api) -> None:
    """A body that brings its own evidence is no call."""
    body = {
        "choice_key": "k",
        "conclusion": "c",
        "rationale": "r",
        "supports": [{"evidence_id": world.cite("Shipping is never refunded.").evidence_id}],
        "fetched_evidence": [{"evidence_id": "x", "status": "ok", "text": "Anything."}],
    }
    answer = bot.post("/tasks/audit/decisions", body)
    assert (answer.status_code, code_of(answer)) == (422, "invalid")
    assert answer.json()["errors"][0]["place"] == "body.fetched_evidence"
    assert "Anything." not in answer.content.decode()


def test_a_version_put_over_http_flags_at_once(world: World, chief: Api) -> None:
    """The queue has it with the answer."""
    plan = chief.post("/documents/policy/plan", {"text": SHORTER}).json()
    flagged = {one["id"] for one in plan["flagged"]}
    assert chief.put("/documents/policy", {"text": SHORTER, "seen": plan["seen"]}).json()[
        "flagged"
    ] == len(flagged)
    rows = FlaggedDecision.objects.filter(project_id=PROJECT, cleared_us__isnull=True)
    assert {str(row.decision_id) for row in rows} == flagged
    assert world.now(world.days).review_state == ReviewState.NEEDS_REVIEW


def test_a_new_document_can_be_read_where_it_was_put(world: World, chief: Api) -> None:
    """Nothing cites it yet; other projects do not see it, and a librarian there neither."""
    assert chief.put("/documents/new", {"text": "Something new."}).status_code == 200
    assert chief.get("/documents/new").json()["text"] == "Something new."
    assert chief.put("/documents/new", {"text": "Something newer."}).status_code == 200
    assert chief.delete("/documents/new/grant").status_code == 200
    hidden = [
        chief.get("/documents/new"),
        chief.put("/documents/new", {"text": "Mine."}),
        chief.post("/documents/new/plan", {"text": "Mine."}),
        chief.get("/documents/new/removal-plan"),
        chief.delete("/documents/new"),
    ]
    assert {code_of(answer) for answer in hidden} == {"document_not_found"}


def test_an_agent_acts_for_a_person_and_both_are_named(
    world: World, bot: Api, bob: User, raw: RawGraph
) -> None:
    """The record names the agent, the ledger also the token and the person."""
    answer = bot.post(
        f"/decisions/{world.days.id}/ask", {"reason": "Bob says so."}, On_Behalf_Of=bob.agent_id
    )
    assert answer.status_code == 200
    named = entry(raw, "ask_for_review")
    assert named["agent_id"] == BOT
    assert named["principal"].startswith("token:")
    assert (named["on_behalf_of"], named["door"]) == (bob.agent_id, "api")


def test_an_admin_reads_the_ledger(world: World, bot: Api, chief: Api, bob: User) -> None:
    """Whom an entry names finds it; the answer gives the names of people."""
    bot.post(f"/decisions/{world.days.id}/ask", {"reason": "So."}, On_Behalf_Of=bob.agent_id)
    page = chief.get(f"/ledger?who={bob.agent_id}&limit=1").json()
    assert [one["action"] for one in page["entries"]] == ["ask_for_review"]
    assert page["people"] == {bob.agent_id: "Bob"}
    whole = chief.get(f"/ledger/{page['entries'][0]['id']}").json()
    assert (whole["entry"]["on_behalf_of"], whole["task_name"]) == (bob.agent_id, "audit")


def test_on_behalf_of_gives_what_both_may(
    world: World, alice: User, bob: User, charlie: User, dora: User
) -> None:
    """A token of an admin for a reader reads; a token of a reader for an admin reads."""
    high, low = (
        Api(bearer(secret_of(alice, Role.ADMIN))),
        Api(bearer(secret_of(alice, Role.READER))),
    )
    task = {"task_name": "audit", "goal": "other"}

    def asked(api: Api, person: str) -> tuple[str, ...]:
        named = {"On_Behalf_Of": person}
        calls = (
            api.get("/tasks", **named),
            api.post("/tasks", task, **named),
            api.delete("/tasks/none", **named),
        )
        return tuple(map(code_of, calls))

    assert asked(high, alice.agent_id) == ("", "task_exists", "task_not_found")
    assert asked(high, bob.agent_id) == ("", "task_exists", "forbidden")
    assert asked(high, dora.agent_id) == ("", "forbidden", "forbidden")
    assert asked(low, alice.agent_id) == ("", "forbidden", "forbidden")
    assert asked(high, charlie.agent_id) == ("not_found",) * 3
    assert asked(high, f"person:{uuid4()}") == ("not_found",) * 3
    bob.is_active = False
    bob.save()
    assert asked(high, bob.agent_id) == ("not_found",) * 3


def test_a_librarian_for_somebody_who_is_none_puts_nothing(
    world: World, chief: Api, bob: User
) -> None:
    """The lesser of both, here too."""
    answer = chief.put("/documents/policy", {"text": "x"}, On_Behalf_Of=bob.agent_id)
    assert code_of(answer) == "forbidden"


@pytest.mark.parametrize("named", ["bob", "person:bob", "person:", "agent:bot"])
def test_on_behalf_of_names_a_person(world: World, bot: Api, named: str) -> None:
    """Anything else is a mistake of the caller, and said so."""
    answer = bot.get("/tasks", On_Behalf_Of=named)
    assert (answer.status_code, answer.json()["errors"][0]["place"]) == (422, "header.On-Behalf-Of")


@pytest.mark.parametrize(
    ("name", "segment"),
    [
        ("plain", "plain"),
        ("two words", "two%20words"),
        ("größe", "gr%C3%B6%C3%9Fe"),
        ("a/b", "a~2Fb"),
        ("..", "~2E~2E"),
        ("a~b", "a~7Eb"),
        ("100%", "100%25"),
        ("x?y#z", "x%3Fy%23z"),
    ],
)
def test_any_name_has_an_address(world: World, bot: Api, name: str, segment: str) -> None:
    """With percent encoding, and with the console's own writing where no path holds it."""
    bot.post("/tasks", {"task_name": name, "goal": "x"})
    assert bot.get(f"/tasks/{segment}").json()["view"]["task_name"] == name


def test_pages_go_on_where_the_last_ended(world: World, bot: Api) -> None:
    """Each list by its cursor, without gap or repeat."""
    events = [{"kind": "note", "payload": str(number)} for number in range(5)]
    bot.post("/tasks/letters/event-batches", {"events": events})

    def walk(path: str, key: str) -> list[Any]:
        found, cursor = [], ""
        while cursor is not None:
            page = bot.get(f"{path}?limit=2{f'&cursor={cursor}' if cursor else ''}").json()
            found += page[key]
            cursor = page["next_cursor"]
        return found

    assert [one["seq"] for one in walk("/tasks/letters/events", "events")] == [1, 2, 3, 4, 5]
    assert len(walk("/decisions", "decisions")) == 4
    assert len(walk("/tasks", "tasks")) == 2


@pytest.mark.parametrize(
    ("path", "cursor"),
    [
        ("/tasks", "x"),
        ("/tasks", "2026-13-01~y"),
        ("/decisions", "2026-01-01~y"),
        ("/verdicts", "-1"),
        ("/queue", "1.x"),
        ("/tasks/audit/events", "9" * 30),
        ("/documents/policy/citers", "x"),
        ("/receipts", "x"),
    ],
)
def test_a_cursor_that_no_page_gave_is_refused(
    world: World, bot: Api, path: str, cursor: str
) -> None:
    """With the place, and without repeating it."""
    answer = bot.get(f"{path}?cursor={cursor}")
    assert (answer.status_code, answer.json()["errors"][0]["place"]) == (422, "query.cursor")


BODIES = [b"", b"{", b"[]", b'"x"', b"\xff", b"[" * 100_000, b"null", b"{}" * 2]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:9]))
def test_a_body_that_is_none_is_refused(world: World, bot: Api, body: bytes) -> None:
    """As a problem, never as a fault."""
    url = f"{ROOT}/projects/{PROJECT}/tasks"
    answer = Client().post(url, body, content_type="application/json", headers=bot.headers)
    assert answer.status_code in {400, 422}
    assert answer["Content-Type"] == "application/problem+json"


def test_a_body_beyond_what_the_server_takes_is_refused(
    world: World, bot: Api, settings: Settings
) -> None:
    """With the status for it."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    answer = bot.post("/tasks", {"task_name": "x" * 2_000, "goal": "x"})
    assert (answer.status_code, code_of(answer)) == (413, "too_large")


@pytest.mark.parametrize(
    ("text", "code"),
    [("\0", "invalid_text"), ("\ud800", "invalid_text"), ("\u202e right to left", "")],
)
def test_a_text_that_no_record_can_keep_is_refused(
    world: World, bot: Api, text: str, code: str
) -> None:
    """Any other comes back as it was."""
    answer = bot.post("/tasks/audit/events", {"kind": "note", "payload": text})
    assert code_of(answer) == code
    kept = [event.payload for event in world.history.list_events("audit").events]
    assert kept[2:] == [text] * (code == "")


def test_half_of_a_pair_comes_back_as_it_was_sent(world: World, bot: Api) -> None:
    """What an answer repeats of a call is JSON, whatever it is."""
    outcome = bot.post("/evidence", {"evidence_ids": ["\ud800"]}).json()["outcomes"][0]
    assert (outcome["evidence_id"], outcome["status"]) == ("\ud800", "malformed")


def test_a_method_that_is_not_there_is_said_so(world: World, bot: Api) -> None:
    """With those that are, and for callers who are let in or not."""
    answer = bot.call("PATCH", "/tasks")
    assert (answer.status_code, code_of(answer)) == (405, "not_allowed")
    assert {one.strip() for one in answer["Allow"].split(",")} == {"GET", "POST"}


def test_an_address_that_is_not_there_is_a_problem(world: World, bot: Api) -> None:
    """A program never gets a page."""
    for path in ("/nowhere", "/tasks/~zz", "/decisions/not-an-id"):
        answer = bot.get(path)
        assert (answer.status_code, code_of(answer)) == (404, "not_found")


def test_a_graph_that_is_away_says_when_to_come_again(
    world: World, bot: Api, settings: Settings
) -> None:
    """503 with Retry-After; nothing of the fault's own text."""
    settings.GRAPH = graphstore.Settings.from_env(
        {"GRAPH_STORE": "falkordb", "FALKORDB_URL": "redis://127.0.0.1:9"}
    )
    stores.close_store()
    answer = bot.get("/tasks")
    assert (answer.status_code, code_of(answer)) == (503, "store_unavailable")
    assert int(answer["Retry-After"]) >= 1
    assert "127.0.0.1" not in answer.content.decode()


def test_a_withdrawal_is_for_who_gave_it_or_a_manager(
    world: World, bot: Api, chief: Api, bob: User, alice: User
) -> None:
    """As on the console's pages."""
    given = world.traces.reject_decision(world.signature.id, "Wrong.").verdict_id
    path = f"/verdicts/{given}/withdraw"
    assert code_of(bot.post(path, {"explanation": "No."})) == "forbidden"
    assert chief.post(path, {"explanation": "No."}).json()["recorded"] is True
    own = bot.post(f"/decisions/{world.signature.id}/reject", {"reason": "So."}).json()
    assert bot.post(f"/verdicts/{own['verdict_id']}/withdraw", {"explanation": "No."}).json()[
        "recorded"
    ]


def test_the_document_is_there_for_everybody(client: Client) -> None:
    """It holds nothing of anybody, and a program reads it before it has a token."""
    document = client.get(f"{ROOT}/openapi.json")
    assert document["Content-Type"].startswith("application/json")
    assert json.loads(document.content)["openapi"] == "3.1.0"


def test_every_code_is_described_where_its_type_leads(client: Client, world: World) -> None:
    """`type` of a problem names a place of the reference page."""
    page = client.get(f"{ROOT}/docs").content.decode()
    for answer in (Api({}).get("/tasks"), client.get(f"{ROOT}/nowhere")):
        place = answer.json()["type"].partition("#")[2]
        assert f'id="{place}"' in page


def test_an_admin_redacts_and_deletes(world: World, chief: Api) -> None:
    """Both are gone from what readers read."""
    event = world.history.fetch_event("audit", 2).event
    assert event is not None
    redacted = chief.post(f"/events/{event.id}/redact", None).json()
    assert str(world.scope.id) in redacted["affected_decision_ids"]
    assert chief.get("/tasks/audit/events/2").json()["event"]["redacted_at"]
    assert chief.delete("/tasks/letters?include_decisions=false").json()["recorded"] is True
    assert code_of(chief.get("/tasks/letters")) == "task_not_found"
    assert chief.get(f"/decisions/{world.letter.id}").json()["decision"]["task_deleted"] is True


def test_a_redaction_takes_along_the_drafts_that_repeat_it(
    world: World, chief: Api, bob: User
) -> None:
    """As one from the console's page; other drafts stay."""
    event = world.history.fetch_event("audit", 2).event
    assert event is not None
    typed = {"explanation": [f"It says: {event.payload}"]}
    Draft.objects.create(user=bob, project_id=PROJECT, decision_id=uuid4(), typed=typed)
    Draft.objects.create(user=bob, project_id=PROJECT, decision_id=uuid4(), typed={"why": ["x"]})
    assert chief.post(f"/events/{event.id}/redact", None).status_code == 200
    assert [draft.typed for draft in Draft.objects.all()] == [{"why": ["x"]}]


def test_a_superuser_for_a_member_has_the_members_role(
    world: World, signed_in: SignedIn, dora: User
) -> None:
    """A session may name somebody, too."""
    root = User.objects.create_superuser("root")
    Access.objects.create(user=root, project_id=PROJECT, role=Role.ADMIN)
    api = Api({"X-CSRFToken": TOKEN, "On-Behalf-Of": dora.agent_id}, client=signed_in(root))
    api.client.cookies[console.CSRF_COOKIE_NAME] = TOKEN
    assert code_of(api.delete("/tasks/none")) == "forbidden"
    assert api.get("/tasks").status_code == 200
