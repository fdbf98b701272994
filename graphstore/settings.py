"""Which graph to open. The names are those that the reference library reads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from graphstore.faults import StoreMisconfigured
from graphstore.ledger_keys import LedgerKeys

__all__ = ["Settings"]

EngineName = Literal["embedded", "falkordb", "neo4j"]
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_PLAINTEXT = {"bolt", "neo4j", "redis", "falkor"}


@dataclass(frozen=True)
class Settings:
    """Where the graph is.

    `graph_dir` is the embedded engine's data folder; `falkordb_graph` names the
    graph on either FalkorDB engine. `ledger_keys` attest what is written.
    """

    engine: EngineName = "embedded"
    graph_dir: Path = Path("var/graph")
    falkordb_url: str = "redis://localhost:6379"
    falkordb_password: str | None = None
    falkordb_graph: str = "agrag"
    neo4j_uri: str = "bolt://localhost:7687"
    neo4j_username: str = "neo4j"
    neo4j_password: str = ""
    neo4j_database: str = "neo4j"
    ledger_keys: LedgerKeys = field(default_factory=LedgerKeys)

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
        """Read `GRAPH_STORE` and the engine's own names.

        Raises `StoreMisconfigured` for an unknown engine, a password that would cross a
        network in the clear, or a ledger key that is none.
        """
        engine = env.get("GRAPH_STORE", "embedded")
        if engine not in ("embedded", "falkordb", "neo4j"):
            raise StoreMisconfigured(
                f"GRAPH_STORE is {engine!r}; choose embedded, falkordb or neo4j."
            )
        settings = cls(
            engine=engine,
            graph_dir=Path(env.get("GRAPH_DIR", cls.graph_dir)),
            falkordb_url=env.get("FALKORDB_URL", cls.falkordb_url),
            falkordb_password=env.get("FALKORDB_PASSWORD") or None,
            falkordb_graph=env.get("FALKORDB_GRAPH", cls.falkordb_graph),
            neo4j_uri=env.get("NEO4J_URI", cls.neo4j_uri),
            neo4j_username=env.get("NEO4J_USERNAME", cls.neo4j_username),
            neo4j_password=env.get("NEO4J_PASSWORD", cls.neo4j_password),
            neo4j_database=env.get("NEO4J_DATABASE", cls.neo4j_database),
            ledger_keys=LedgerKeys.from_env(env),
        )
        if engine == "neo4j":
            _refuse_plaintext("NEO4J_URI", settings.neo4j_uri, settings.neo4j_password)
        if engine == "falkordb":
            _refuse_plaintext("FALKORDB_URL", settings.falkordb_url, settings.falkordb_password)
        return settings


def _refuse_plaintext(name: str, url: str, password: str | None) -> None:
    parts = urlsplit(url)
    secret = password or parts.password
    if secret and parts.scheme in _PLAINTEXT and parts.hostname not in _LOOPBACK:
        raise StoreMisconfigured(
            f"{name} would send a password in the clear to {parts.hostname}; "
            "use an encrypted scheme (neo4j+s, bolt+s, rediss)."
        )
