"""The one place that chooses an engine."""

from graphstore.engines.embedded_store import EmbeddedStore
from graphstore.engines.falkordb import FalkorDBStore
from graphstore.engines.neo4j import Neo4jStore
from graphstore.settings import Settings
from graphstore.store import GraphStore

__all__ = ["connect"]


def connect(settings: Settings) -> GraphStore:
    """Open the graph that `settings` name. Call it after a fork, once per process.

    The embedded engine is started when nobody has done so yet. Raises
    `StoreUnavailable` when nothing answers and `StoreMisconfigured` when what
    answers is not what was asked for: wrong password, wrong database, too old.
    """
    store = _open(settings)
    store.ledger_keys = settings.ledger_keys
    return store


def _open(settings: Settings) -> GraphStore:
    if settings.engine == "neo4j":
        return Neo4jStore(
            settings.neo4j_uri,
            settings.neo4j_username,
            settings.neo4j_password,
            settings.neo4j_database,
        )
    if settings.engine == "falkordb":
        return FalkorDBStore(
            settings.falkordb_url,
            settings.falkordb_password,
            settings.falkordb_graph,
            where=settings.falkordb_url.rsplit("@", 1)[-1],
        )
    return EmbeddedStore(settings.graph_dir, settings.falkordb_graph)
