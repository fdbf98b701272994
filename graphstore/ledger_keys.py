"""The keys that attest ledger entries: one that signs now, older ones that only verify.

A key is written `id:secret`. Its id is stored beside each signature, so that keys can
be changed without losing the means to check what older ones signed.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from graphstore.faults import StoreMisconfigured

__all__ = ["LedgerKey", "LedgerKeys"]

MIN_BYTES = 32
MIN_DIFFERENT = 12
"""A random secret of 32 bytes has fewer different bytes than this once in 10^20."""
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
HOW = "make one with `python -c 'import secrets; print(\"k1:\" + secrets.token_hex(32))'`"


@dataclass(frozen=True)
class LedgerKey:
    """One secret and the name it goes by. The secret is never shown."""

    id: str
    secret: bytes = field(repr=False)

    @classmethod
    def parse(cls, text: str, name: str) -> Self:
        """Read `id:secret`, the secret in hex or base64; `name` is the variable to blame.

        Raises `StoreMisconfigured` when it is malformed, short or plainly no random one. The
        message never quotes what was given.
        """
        identity, colon, written = text.partition(":")
        if not colon or not _ID.fullmatch(identity):
            raise StoreMisconfigured(
                f"{name} must read `id:secret`, the id of letters, digits, dots and dashes; {HOW}."
            )
        secret = _decoded(written)
        if secret is None:
            raise StoreMisconfigured(
                f"The secret of {name} {identity!r} is neither hex nor base64; {HOW}."
            )
        if len(secret) < MIN_BYTES or len(set(secret)) < MIN_DIFFERENT:
            raise StoreMisconfigured(
                f"The secret of {name} {identity!r} must be {MIN_BYTES} random bytes or more; {HOW}."
            )
        return cls(identity, secret)


def _decoded(written: str) -> bytes | None:
    if _HEX.fullmatch(written):
        return bytes.fromhex(written)
    if not _BASE64.fullmatch(written):
        return None
    standard = written.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
    except binascii.Error:
        return None


@dataclass(frozen=True)
class LedgerKeys:
    """The keys of one process. Without a current one, what it writes is not attested."""

    current: LedgerKey | None = None
    older: tuple[LedgerKey, ...] = ()

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
        """Read `LEDGER_KEY` and, with commas between them, `LEDGER_OLD_KEYS`.

        Raises `StoreMisconfigured` for a malformed key, an id that two keys share, or older
        keys without a current one. There is no default key.
        """
        given = env.get("LEDGER_KEY", "").strip()
        earlier = [part.strip() for part in env.get("LEDGER_OLD_KEYS", "").split(",")]
        older = tuple(LedgerKey.parse(part, "LEDGER_OLD_KEYS") for part in earlier if part)
        current = LedgerKey.parse(given, "LEDGER_KEY") if given else None
        if older and current is None:
            raise StoreMisconfigured("LEDGER_OLD_KEYS is set and LEDGER_KEY is not; set both.")
        keys = cls(current, older)
        if len({key.id for key in keys.all()}) < len(keys.all()):
            raise StoreMisconfigured(
                "Two ledger keys share one id; give each key an id of its own."
            )
        return keys

    def all(self) -> tuple[LedgerKey, ...]:
        return ((self.current,) if self.current else ()) + self.older

    def find(self, identity: str | None) -> LedgerKey | None:
        """The key of that id, if it is known here."""
        return next((key for key in self.all() if key.id == identity), None)
