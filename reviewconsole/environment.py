"""Strict reading of environment variables, for the settings alone.

A value that is not understood stops the start: a misspelt switch must never
quietly mean "off", nor a missing key "the default one".
"""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

KEY_LENGTH = 32

_SWITCHES = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_KNOWN_TO_ALL = ("changeme", "django-insecure", "secret_key", "your-secret", "insecure")


class Environment:
    """The variables of one process, read by name and type."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def text(self, name: str, default: str = "") -> str:
        return self._values.get(name, default).strip()

    def switch(self, name: str, *, default: bool) -> bool:
        value = self.text(name).lower()
        if not value:
            return default
        if value not in _SWITCHES:
            raise ImproperlyConfigured(f"{name} is {value!r}; write 1 or 0.")
        return _SWITCHES[value]

    def words(self, name: str, default: list[str]) -> list[str]:
        listed = [word.strip() for word in self.text(name).split(",")]
        return [word for word in listed if word] or default

    def number(self, name: str, default: int, *, least: int, most: int) -> int:
        value = self.text(name)
        if not value:
            return default
        if not value.isascii() or not value.isdigit() or not least <= int(value) <= most:
            raise ImproperlyConfigured(
                f"{name} is {value!r}; write a whole number from {least} to {most}."
            )
        return int(value)

    def choice(self, name: str, default: str, choices: tuple[str, ...]) -> str:
        value = self.text(name) or default
        if value not in choices:
            raise ImproperlyConfigured(f"{name} is {value!r}; write one of {', '.join(choices)}.")
        return value


def given_key(value: str) -> str:
    """The secret key that the operator set.

    Raises `ImproperlyConfigured` when there is none, when it is short, or when it
    looks copied from an example.
    """
    if not value:
        raise ImproperlyConfigured(
            "RC_SECRET_KEY is not set. Make one with "
            "`python -c 'import secrets; print(secrets.token_urlsafe(50))'` and keep it."
        )
    if len(value) < KEY_LENGTH or len(set(value)) < 8:
        raise ImproperlyConfigured(
            f"RC_SECRET_KEY is too simple; use at least {KEY_LENGTH} random characters."
        )
    if any(word in value.lower() for word in _KNOWN_TO_ALL):
        raise ImproperlyConfigured("RC_SECRET_KEY looks like an example; make one of your own.")
    return value


def require_ledger_key(value: str) -> None:
    """Raises `ImproperlyConfigured` without a key for the ledger; the graph reads what it says."""
    if not value:
        raise ImproperlyConfigured(
            "LEDGER_KEY is not set, so nothing could attest what is recorded. Make one with "
            "`python -c 'import secrets; print(\"k1:\" + secrets.token_hex(32))'`, keep it, "
            "and give it to every program that writes."
        )


def kept_key(path: Path) -> str:
    """The demo's secret key, made on the first start and kept for its owner only."""
    return given_key(_kept(path, secrets.token_urlsafe(50)))


def kept_ledger_key(path: Path) -> str:
    """The demo's ledger key, made on the first start and kept for its owner only."""
    return _kept(path, f"demo:{secrets.token_hex(32)}")


def _kept(path: Path, fresh: str) -> str:
    """What the file holds; `fresh` when there was none.

    Two processes may start at once: whoever links its file first wins, and both
    read that one.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(fresh)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()
