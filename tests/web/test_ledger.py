"""The ledger on every engine: each damage is found as what it is, and what is lawful is not."""

import json
import os
import secrets

import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError

import graphstore
from graphstore import ConversationHistory, HistoryRetention, ledger
from graphstore.ledger import LedgerKeys
from graphstore.store import GraphStore
from reviewconsole import ledger_check, ledger_mirror
from reviewconsole.ledger_mirror import DatabaseMirror, seal_rest
from reviewconsole.models import MirroredEntry, MirroredSeal
from reviewconsole.review_index import catch_up
from tests.servers import GraphSettings, RawGraph, engines_asked_for
from tests.web.ledger_world import DAMAGES, ENTRIES, PROJECT, SEALS, Chain, Damage, protect_again


@pytest.fixture(scope="session", params=engines_asked_for())
def engine(request: pytest.FixtureRequest) -> str:
    """Each engine of this run in turn."""
    return request.param


@pytest.fixture
def chain(store: GraphStore, raw: RawGraph) -> Chain:
    """Four sealed entries."""
    return Chain(store, raw)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_found_as_what_it_is(damage: Damage, chain: Chain) -> None:
    """Whatever is done past the product's code gives exactly its finding."""
    do, expected = damage
    do(chain)
    assert chain.found() == expected


def test_an_untouched_ledger_is_green(chain: Chain) -> None:
    """Four entries, one conclusion, nothing found; and again, with nothing new to seal."""
    run = chain.run()
    assert (run.entries, run.reached, run.conclusions, run.found) == (4, 4, 1, 0)
    assert chain.found() == []


def test_lawful_erasure_stays_green(chain: Chain) -> None:
    """A redacted event and a deleted task break nothing; the conclusion counts as erased."""
    keeper = HistoryRetention(chain.store, PROJECT, "admin")
    events = chain.history.list_events("audit").events
    assert keeper.redact_event(events[0].id).recorded
    assert chain.found() == []
    assert keeper.delete_task("audit").recorded
    run = chain.run()
    assert (run.found, run.conclusions, run.erased, run.left) == (0, 0, 1, 0)


def test_what_others_deleted_is_said_and_no_finding(chain: Chain) -> None:
    """The reference library deletes without an entry."""
    chain.raw.run("MATCH (d:Decision {id: $id}) DETACH DELETE d", {"id": str(chain.made.id)})
    run = chain.run()
    assert (run.found, run.erased, run.left) == (0, 0, 1)


def test_entries_without_a_key_are_sealed_and_listed(chain: Chain) -> None:
    """A program that has no key writes all the same; its entries are named as unattested."""
    keys, chain.store.ledger_keys = chain.store.ledger_keys, LedgerKeys()
    chain.history.record_event("audit", "message", role="user", payload="Unsigned.")
    chain.store.ledger_keys = keys
    assert chain.found() == [("unattested", 5)]
    assert "mac" not in chain.entry(5)
    assert chain.entry(5)["signature"]


def test_a_seal_without_a_key_is_unattested(chain: Chain) -> None:
    """The chain goes on with numbers and parents; only the signature is missing."""
    chain.history.record_event("audit", "message", role="user", payload="More.")
    keys, chain.store.ledger_keys = chain.store.ledger_keys, LedgerKeys()
    seal_rest(chain.store, PROJECT)
    chain.store.ledger_keys = keys
    assert chain.entry(5)["parent_hash"] == chain.entry(4)["content_hash"]
    assert chain.found() == [("unattested", 5)]


def test_an_older_key_still_verifies(chain: Chain) -> None:
    """After a rotation both keys are known; without the older one its entries cannot be checked."""
    fresh = f"fresh:{secrets.token_hex(32)}"
    both = {"LEDGER_KEY": fresh, "LEDGER_OLD_KEYS": os.environ["LEDGER_KEY"]}
    chain.store.ledger_keys = LedgerKeys.from_env(both)
    chain.history.record_event("audit", "message", role="user", payload="More.")
    assert chain.found() == []
    chain.store.ledger_keys = LedgerKeys.from_env({"LEDGER_KEY": fresh})
    assert chain.found() == [("unknown_key", number) for number in range(1, 5)]


def test_the_database_refuses_to_change_or_delete_a_copy(chain: Chain) -> None:
    """Its triggers do, whoever asks; a copy that is there stays when it is written again."""
    assert MirroredEntry.objects.count() == MirroredSeal.objects.count() == 4
    postgres = connection.vendor == "postgresql"
    protect_again()
    verbs = ["DELETE FROM", "UPDATE", "TRUNCATE" if postgres else "UPDATE OR IGNORE"]
    attempts = [f"{verb} {table}" for table in (ENTRIES, SEALS) for verb in verbs]
    for attempt in attempts:
        words = f"{attempt} SET project_id = 'x'" if attempt.startswith("UPDATE") else attempt
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            connection.cursor().execute(words)
    before = list(MirroredEntry.objects.values())
    columns = "id, entry_id, project_id, content_hash, mac, arrived"
    into = f"{ENTRIES} ({columns}) SELECT id, entry_id, project_id, 'x', '', arrived FROM {ENTRIES}"  # noqa: S608
    again = (
        f"INSERT INTO {into} ON CONFLICT DO NOTHING"
        if postgres
        else f"INSERT OR REPLACE INTO {into}"
    )
    connection.cursor().execute(again)
    assert list(MirroredEntry.objects.values()) == before


class Killed(Exception):
    """The console died here."""


def _dies(*_: object) -> None:
    raise Killed


@pytest.mark.parametrize("point", ["keep_entries", "keep_seals"])
def test_a_console_killed_at_its_mirror_loses_nothing(
    point: str, chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the seal and after it: the next one does the rest, and nothing is twice."""
    chain.history.record_event("audit", "message", role="user", payload="More.")
    with monkeypatch.context() as patch:
        patch.setattr(DatabaseMirror, point, _dies)
        with pytest.raises(Killed):
            seal_rest(chain.store, PROJECT)
    assert chain.found() == []
    assert MirroredSeal.objects.count() == MirroredEntry.objects.count() == 5


def test_a_console_killed_between_mirror_and_seal_loses_nothing(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its copy is there and its place is not; the next seal finds both as they are."""
    chain.history.record_event("audit", "message", role="user", payload="More.")
    with monkeypatch.context() as patch:
        patch.setattr(type(chain.store), "commit", _dies)
        with pytest.raises(Killed):
            seal_rest(chain.store, PROJECT)
    assert MirroredEntry.objects.count() == 5
    assert MirroredSeal.objects.count() == 4
    assert chain.found() == []


def test_a_program_seals_without_a_console(chain: Chain) -> None:
    """What it sealed stays in the outbox, is mirrored later, and reads as whole with and without."""
    chain.history.record_event("audit", "message", role="user", payload="More.")
    sealed = ledger.seal(chain.store, PROJECT)
    assert [entry.sequence_number for entry in sealed.entries] == [5]
    assert chain.entry(5)["ctx_open"] is True
    assert ledger.seal(chain.store, PROJECT).entries == ()
    assert chain.found() == []
    assert catch_up(chain.store, PROJECT)
    assert "ctx_open" not in chain.entry(5)
    assert MirroredEntry.objects.count() == 5


def test_a_verification_goes_on_from_its_cursor(chain: Chain) -> None:
    """Steps of two entries find the same as one step of all, links between steps included."""
    chain.set(3, parent_hash=None, signature=None, signing_key_id=None)
    findings: list[tuple[str, int | None]] = []
    cursor, steps = None, 0
    while cursor or not steps:
        found = ledger.verify(chain.store, PROJECT, mirror=DatabaseMirror(), cursor=cursor, limit=2)
        findings += [(f.kind, f.sequence_number) for f in found.findings]
        cursor, steps = found.cursor, steps + 1
    assert findings == [("bad_signature", 3)]
    assert steps > 4


def test_two_runners_of_one_verification_count_each_step_once(chain: Chain) -> None:
    """Whoever comes second with a step that was done changes nothing."""
    first = ledger_check.begin(PROJECT)
    second = ledger_check.begin(PROJECT)
    assert first.pk == second.pk
    ledger_check.advance(chain.store, first)
    ledger_check.advance(chain.store, second)
    assert (second.steps, second.entries) == (1, 4)


def test_the_manifest_holds_no_text(chain: Chain) -> None:
    """Not a name, a request id, a body or a reason: neither in the manifest nor beside it."""
    secret = "Streng geheim"
    history = ConversationHistory(chain.store, project_id=PROJECT, agent_id="agent")
    history.create_task(secret, secret, request_id=secret)
    history.record_event(secret, "message", role=secret, payload=secret, request_id=f"{secret}2")
    history.set_step(secret, secret, "in_progress", request_id=f"{secret}3")
    chain.traces.reject_decision(chain.made.id, secret, request_id=f"{secret}4")
    entries = chain.raw.run("MATCH (x:CtxTrace) RETURN properties(x)", {})
    assert len(entries) == 8
    assert secret not in json.dumps(entries)
    assert all(json.loads(row[0]["manifest_json"])["actor"]["agent_id"] for row in entries)


def test_a_mirror_is_brought_level_before_a_page_goes_on(
    chain: Chain, graph_settings: GraphSettings
) -> None:
    """A program sealed meanwhile: the console's next seal copies both."""
    other = graphstore.connect(graphstore.Settings.from_env(graph_settings.environ()))
    history = ConversationHistory(other, project_id=PROJECT, agent_id="program")
    history.record_event("audit", "message", role="user", payload="More.")
    ledger.seal(other, PROJECT)
    history.record_event("audit", "message", role="user", payload="Still more.")
    other.close()
    assert catch_up(chain.store, PROJECT)
    assert DatabaseMirror().last_number(PROJECT) == 6
    assert chain.found() == [("unattested", 5), ("unattested", 6)]


def test_sealing_with_nothing_taken_asks_nothing(chain: Chain) -> None:
    """A page on a quiet project pays no round trip for the ledger."""
    with graphstore.counting() as trips:
        ledger_mirror.seal(chain.store, PROJECT, ())
    assert trips.count == 0
