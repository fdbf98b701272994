"""The ledger as admins read it, and as the shell reports it."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from graphstore.ids import derived_id
from graphstore.store import GraphStore
from reviewconsole import jobs
from reviewconsole.addresses import decision_url, entry_url, ledger_url, verification_url
from reviewconsole.models import Access, LedgerRun, Role, User
from tests.servers import RawGraph
from tests.web.browsing import post
from tests.web.conftest import SignedIn
from tests.web.ledger_world import PROJECT, Chain


@pytest.fixture
def chain(store: GraphStore, raw: RawGraph) -> Chain:
    """Four sealed entries."""
    return Chain(store, raw)


@pytest.fixture
def admin(alice: User, signed_in: SignedIn) -> Client:
    """An admin of the project of the chain."""
    Access.objects.create(user=alice, project_id=PROJECT, role=Role.ADMIN)
    return signed_in(alice)


def actions(client: Client, **query: str) -> list[str]:
    """The actions on a page of the list."""
    found = client.get(ledger_url(PROJECT, **query)).context["rows"]
    return [row["entry"].action for row in found]


def test_the_list_is_newest_first_and_filtered(chain: Chain, admin: Client) -> None:
    """By action, by who, by task and by day."""
    events = ["record_event"] * 2
    assert actions(admin) == ["record_decision", *events, "create_task"]
    assert actions(admin, action="record_event") == events
    assert actions(admin, who="agent", task="audit") == actions(admin)
    assert actions(admin, task=str(chain.made.task_id)) == actions(admin)
    assert actions(admin, who="nobody") == actions(admin, task="other") == []
    assert actions(admin, until="2020-01-01") == actions(admin, since="2999-01-01") == []
    assert actions(admin, since="no day", cursor="no place") == actions(admin)


def test_the_list_goes_on_from_its_last_line(chain: Chain, admin: Client) -> None:
    """Each entry once, however many were written in one instant."""
    chain.raw.run("MATCH (x:CtxTrace) SET x.us = 5")
    for k in range(52):
        chain.history.record_event("audit", "message", role="user", payload=f"{k}")
    first = admin.get(ledger_url(PROJECT))
    rest = admin.get(first.context["next_url"])
    ids = [row["entry"].id for page in (first, rest) for row in page.context["rows"]]
    assert len(ids) == len(set(ids)) == 56
    assert rest.context["next_url"] is None


def test_an_entry_says_what_changed_and_links_its_decision(chain: Chain, admin: Client) -> None:
    """In words, with the decision and the task beside it."""
    shown = admin.get(entry_url(PROJECT, chain.entry(4)["id"]))
    text = shown.content.decode()
    assert "Decision recorded" in text
    assert "review state: nothing → <strong>clear</strong>" in text
    assert decision_url(PROJECT, chain.made.id) in text
    assert shown.context["task_name"] == "audit"
    assert admin.get(entry_url(PROJECT, derived_id("none"))).status_code == 404


def test_a_damaged_entry_still_has_a_page(chain: Chain, admin: Client) -> None:
    """Whoever follows a finding must be able to look."""
    identity = chain.entry(2)["id"]
    chain.set(2, manifest_json='{"changed": [1], "created": 5, "hashes": "x"}')
    assert admin.get(entry_url(PROJECT, identity)).status_code == 200
    chain.set(2, created_at="never", manifest_json="[")
    assert admin.get(entry_url(PROJECT, identity)).status_code == 200
    assert admin.get(ledger_url(PROJECT)).status_code == 200


def test_a_verification_is_asked_for_and_reported(chain: Chain, admin: Client) -> None:
    """A second wish joins the first; the worker runs it; the page says what each finding means."""
    chain.take_away(2)
    chain.set(3, signature="0" * 64)
    for _ in range(2):
        assert post(admin, verification_url(PROJECT), {}).status_code == 303
    run = LedgerRun.objects.get()
    assert "Under way" in admin.get(verification_url(PROJECT)).content.decode()
    jobs.verify_ledger(run.pk)
    text = admin.get(verification_url(PROJECT)).content.decode()
    assert "2 findings" in text
    assert "Missing entry" in text
    assert "Not sealed with the key" in text
    assert entry_url(PROJECT, chain.entry(3)["id"]) in text


def test_a_whole_ledger_is_said_to_be_whole(chain: Chain, admin: Client) -> None:
    """With how much was looked at."""
    chain.run()
    assert "The ledger is whole" in admin.get(verification_url(PROJECT)).content.decode()


def test_the_command_reports_and_its_exit_code_says_so(chain: Chain) -> None:
    """0 and the numbers when it is whole; 1 with each finding in words or as JSON; 2 for no project."""
    out = StringIO()
    call_command("verify_ledger", stdout=out)
    assert (
        "4 entries up to number 4, 1 conclusions compared, 0 erased, 0 findings" in out.getvalue()
    )
    chain.take_away(2)
    out = StringIO()
    with pytest.raises(CommandError, match="1 findings") as found:
        call_command("verify_ledger", PROJECT, "--json", stdout=out)
    assert found.value.returncode == 1
    (finding,) = json.loads(out.getvalue())["findings"]
    assert finding["kind"] == "missing"
    with pytest.raises(CommandError, match="no project") as none:
        call_command("verify_ledger", "elsewhere", stdout=StringIO())
    assert none.value.returncode == 2
