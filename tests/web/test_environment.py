"""Settings are read strictly: what is not understood stops the start."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from graphstore.ledger import LedgerKeys
from reviewconsole.environment import Environment, given_key, kept_key, kept_ledger_key

GOOD_KEY = "0123456789abcdefghijklmnopqrstuvwxyz"
GOOD_LEDGER_KEY = f"k1:{bytes(range(32)).hex()}"


@pytest.mark.parametrize("value", ["on", "2", "enabled", "tru"])
def test_a_misspelt_switch_stops_the_start(value: str) -> None:
    """It never quietly means off."""
    with pytest.raises(ImproperlyConfigured, match="RC_DEBUG"):
        Environment({"RC_DEBUG": value}).switch("RC_DEBUG", default=False)


@pytest.mark.parametrize("value", ["-1", "x", "1e3", "65", "٣"])
def test_a_number_outside_its_bounds_stops_the_start(value: str) -> None:
    """Digits of other scripts are no numbers here either."""
    with pytest.raises(ImproperlyConfigured, match="RC_WORKERS"):
        Environment({"RC_WORKERS": value}).number("RC_WORKERS", 1, least=1, most=64)


@pytest.mark.parametrize("key", ["", "short", "a" * 60, "django-insecure-" + GOOD_KEY])
def test_a_missing_or_well_known_key_stops_the_start(key: str) -> None:
    """There is no default key."""
    with pytest.raises(ImproperlyConfigured, match="RC_SECRET_KEY"):
        given_key(key)


def test_the_demo_keeps_its_key_for_its_owner_alone(tmp_path: Path) -> None:
    """Sessions survive a restart; nobody else on the machine can read the key."""
    path = tmp_path / "var" / "secret_key"
    first = kept_key(path)
    assert kept_key(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def check(**names: str) -> subprocess.CompletedProcess[str]:
    """`manage.py check` in a process with these names only."""
    kept = {"PATH": os.environ["PATH"]}
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        env=kept | names,
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).resolve().parents[2],
    )


def test_debug_is_refused_outside_the_demo() -> None:
    """It would show code and settings to whoever sees an error."""
    done = check(RC_SECRET_KEY=GOOD_KEY, RC_DEBUG="1")
    assert done.returncode != 0
    assert "RC_DEBUG" in done.stderr


def test_a_start_without_a_key_is_refused() -> None:
    """The sentence says how to make one."""
    done = check()
    assert done.returncode != 0
    assert "RC_SECRET_KEY is not set" in done.stderr


def test_an_unknown_engine_is_refused() -> None:
    """The graph's names are checked at the start too."""
    done = check(RC_SECRET_KEY=GOOD_KEY, LEDGER_KEY=GOOD_LEDGER_KEY, GRAPH_STORE="mysql")
    assert done.returncode != 0
    assert "choose embedded, falkordb or neo4j" in done.stderr


def test_the_console_starts_with_two_keys_alone() -> None:
    """Everything else has a default that is safe."""
    assert check(RC_SECRET_KEY=GOOD_KEY, LEDGER_KEY=GOOD_LEDGER_KEY).returncode == 0


def test_a_start_without_a_ledger_key_is_refused() -> None:
    """In production nothing is recorded that nobody could attest; the sentence says what to do."""
    done = check(RC_SECRET_KEY=GOOD_KEY)
    assert done.returncode != 0
    assert "LEDGER_KEY is not set" in done.stderr


def test_a_start_with_a_ledger_key_that_is_none_is_refused() -> None:
    """And the secret is not repeated in the log."""
    done = check(RC_SECRET_KEY=GOOD_KEY, LEDGER_KEY="k1:nothex-but-short")
    assert done.returncode != 0
    assert "32 random bytes" in done.stderr
    assert "nothex" not in done.stderr


def test_the_demo_keeps_a_ledger_key_of_its_own(tmp_path: Path) -> None:
    """It is made on the first start, for its owner alone, and stays the same."""
    path = tmp_path / "var" / "ledger_key"
    first = kept_ledger_key(path)
    assert kept_ledger_key(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert LedgerKeys.from_env({"LEDGER_KEY": first}).current is not None


def test_every_variable_is_documented() -> None:
    """Both ways: what the settings read, and what the page promises."""
    root = Path(__file__).resolve().parents[2]
    read = re.findall(
        r'environment\.\w+\(\s*"(\w+)"', (root / "reviewconsole/settings.py").read_text()
    )
    console = (root / "docs/settings.md").read_text().split("## The graph")[0]
    assert set(read) == set(re.findall(r"^\| `(\w+)`", console, flags=re.MULTILINE))
