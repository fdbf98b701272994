"""Ledger keys are read strictly, and what they sign is what the specification says."""

import base64
import hashlib
import hmac
import json

import pytest

from graphstore import Settings
from graphstore.faults import StoreMisconfigured
from graphstore.ledger_keys import LedgerKey, LedgerKeys
from graphstore.seals import attest, entry_mac, signature

SECRET = bytes(range(7, 47))
KEY = LedgerKey("k1", SECRET)
OTHER = f"k0:{bytes(range(100, 140)).hex()}"


@pytest.mark.parametrize(
    "written",
    [
        SECRET.hex(),
        SECRET.hex().upper(),
        base64.b64encode(SECRET).decode(),
        base64.urlsafe_b64encode(SECRET).decode().rstrip("="),
    ],
)
def test_a_secret_is_hex_or_base64(written: str) -> None:
    """Whatever way it is written, it is the same key."""
    assert LedgerKey.parse(f"k1:{written}", "LEDGER_KEY") == KEY


@pytest.mark.parametrize(
    "text",
    [
        SECRET.hex(),
        f":{SECRET.hex()}",
        f"a b:{SECRET.hex()}",
        f"{'k' * 33}:{SECRET.hex()}",
        "k1:",
        "k1:changeme",
        f"k1:{SECRET[:31].hex()}",
        f"k1:{'00' * 40}",
        f"k1:{'ab' * 40}",
        f"k1:{SECRET.hex()}!",
        f"k1:{SECRET.hex()} ",
        "k1:ключ",
    ],
)
def test_what_is_no_key_stops_the_start(text: str) -> None:
    """And the message quotes no secret."""
    with pytest.raises(StoreMisconfigured) as refused:
        LedgerKey.parse(text, "LEDGER_KEY")
    assert "LEDGER_KEY" in str(refused.value)
    assert text.partition(":")[2] not in str(refused.value) or not text.partition(":")[2]


def test_the_environment_gives_a_key_and_older_ones() -> None:
    """By the same names for a program and for the console; none is the default."""
    env = {"LEDGER_KEY": f"k1:{SECRET.hex()}", "LEDGER_OLD_KEYS": f" {OTHER} , "}
    keys = Settings.from_env(env).ledger_keys
    assert [key.id for key in keys.all()] == ["k1", "k0"]
    assert keys.current == keys.find("k1") == KEY
    assert keys.find("k2") is None
    assert Settings.from_env({}).ledger_keys == LedgerKeys()


@pytest.mark.parametrize(
    "env",
    [
        {"LEDGER_OLD_KEYS": OTHER},
        {"LEDGER_KEY": OTHER, "LEDGER_OLD_KEYS": f"k0:{SECRET.hex()}"},
        {"LEDGER_KEY": f"k1:{SECRET.hex()}", "LEDGER_OLD_KEYS": f"{OTHER},{OTHER}"},
    ],
)
def test_keys_that_cannot_be_told_apart_stop_the_start(env: dict[str, str]) -> None:
    """Two of one id, or older ones alone."""
    with pytest.raises(StoreMisconfigured):
        LedgerKeys.from_env(env)


def test_a_key_never_shows_its_secret() -> None:
    """Settings end up in tracebacks."""
    shown = repr(Settings.from_env({"LEDGER_KEY": f"k1:{SECRET.hex()}"}))
    assert "k1" in shown
    assert SECRET.hex() not in shown
    assert repr(SECRET) not in shown


def digest(*covered: object) -> str:
    """HMAC-SHA256 over canonical JSON, written here once more."""
    text = json.dumps(covered, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hmac.new(SECRET, text.encode(), hashlib.sha256).hexdigest()


def test_mac_and_signature_cover_what_the_specification_says() -> None:
    """The first entry's parent is the empty text."""
    assert entry_mac(KEY, 1, "é", "entry", "hash") == digest(1, "é", "entry", "hash")
    assert signature(KEY, 1, "p", 1, None, "hash") == digest(1, "p", 1, "", "hash")
    assert signature(KEY, 1, "p", 2, "before", "hash") == digest(1, "p", 2, "before", "hash")


def test_without_a_key_an_entry_is_left_as_it_is() -> None:
    """With one it gets its HMAC and the key's id, and nothing else."""
    entry = {"schema_version": 1, "project_id": "p", "id": "entry", "content_hash": "hash"}
    assert attest(entry, LedgerKeys()) == entry
    signed = {"mac": digest(1, "p", "entry", "hash"), "mac_key_id": "k1"}
    assert attest(entry, LedgerKeys(KEY)) == entry | signed
