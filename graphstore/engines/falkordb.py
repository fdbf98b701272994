"""FalkorDB, by socket or by network. One statement is atomic; writes of a graph are serial."""

# The driver is only partly typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import time
from collections.abc import Callable, Mapping
from typing import Any, cast

import redis
from falkordb import FalkorDB  # pyright: ignore[reportMissingTypeStubs] - it ships none
from redis.backoff import NoBackoff
from redis.retry import Retry

from graphstore import cypher
from graphstore.changeset import Changeset, Committed, Props
from graphstore.engines.parameters import parameters, plain, readable
from graphstore.faults import SchemaMissing, StoreMisconfigured, StoreUnavailable
from graphstore.ledger_keys import LedgerKeys
from graphstore.schema import CONSTRAINTS, FULLTEXT, RANGE_INDEXES
from graphstore.store import Row, Stale, Unanswered, count_round_trip
from graphstore.verbs import Verb

OLDEST_MODULE = 41600
SOCKET_SECONDS = 20
MAX_CONNECTIONS = 64
SETUP_HINT = "run `manage.py graph_setup`"
SETUP_SECONDS = 120
CHECKING_SECONDS = 10
"""How long a write waits for a server that checks its constraints after a start."""
REWRITE_SECONDS = 300
"""How long the rewriting of the append-only file is waited for."""
OPERATIONAL, UNDER_CONSTRUCTION, FAILED = "OPERATIONAL", "UNDER CONSTRUCTION", "FAILED"
_STANDING = {OPERATIONAL, UNDER_CONSTRUCTION}
_WANTED = {f"{c.label}({', '.join(c.properties)})": c for c in CONSTRAINTS}
_LOST = (redis.ConnectionError, redis.TimeoutError)


class FalkorDBStore:
    """A graph of a FalkorDB server. Build it after a fork."""

    snapshot_reads = True

    def __init__(
        self,
        url: str,
        password: str | None,
        graph: str,
        where: str,
    ) -> None:
        """Connect and check the module.

        `where` names the server in messages. Raises `StoreUnavailable` or
        `StoreMisconfigured`.
        """
        self._where = where
        pool = _pool(url, password)
        self._pool = pool
        self._operational = False
        self.ledger_keys = LedgerKeys()
        try:
            client = FalkorDB(connection_pool=pool)
            self._check_module(client)
        except redis.AuthenticationError as error:
            raise StoreMisconfigured(
                f"The graph at {where} refused the password; set FALKORDB_PASSWORD."
            ) from error
        except _LOST as error:
            raise self._unavailable() from error
        self._graph = client.select_graph(graph)
        self._client = client

    def _check_module(self, client: FalkorDB) -> None:
        modules: list[dict[str, Any]] = client.connection.module_list()
        versions = {module["name"]: module["ver"] for module in modules}
        if "graph" not in versions:
            raise StoreMisconfigured(
                f"The server at {self._where} is Redis without FalkorDB's module; "
                "point FALKORDB_URL at a FalkorDB server."
            )
        if versions["graph"] < OLDEST_MODULE:
            raise StoreMisconfigured(
                f"FalkorDB's module at {self._where} is {versions['graph']}; "
                f"{OLDEST_MODULE} or newer is needed."
            )

    def read(self, name: str, p: Mapping[str, Any], *, leader: bool = False) -> list[Row]:
        """See `GraphStore.read`."""
        del leader
        text = cypher.read_statement(name)
        params: dict[str, Any] = {"p": readable(p)}
        params |= plain(p)
        try:
            return self._run(text, params, read_only=True)
        except _LOST as error:
            raise self._unavailable() from error
        except redis.ResponseError as error:
            if "empty key" in str(error):
                raise SchemaMissing(
                    f"The graph at {self._where} has not been set up; {SETUP_HINT}."
                ) from error
            raise

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        """See `GraphStore.commit`."""
        self._require_constraints()
        text = cypher.commit_statement(verb, locks=False)
        p = parameters(verb, changeset, _with_search_copies)
        try:
            rows = self._run(text, {"p": p})
        except redis.ResponseError as error:
            if "unique constraint violation" in str(error):
                raise Stale from error
            raise
        except _LOST as error:
            raise Unanswered from error
        if not rows:
            raise Stale
        last_seq, late = rows[0]
        return Committed(last_seq, [i for _, ids in late for i in ids])

    def _run(self, text: str, params: dict[str, Any], *, read_only: bool = False) -> list[Row]:
        count_round_trip()
        run = self._graph.ro_query if read_only else self._graph.query
        return cast("list[Row]", run(text, params=params).result_set)

    def _unavailable(self) -> StoreUnavailable:
        return StoreUnavailable(
            f"The graph at {self._where} does not answer; start it and try again."
        )

    def _require_constraints(self) -> None:
        """See that all constraints hold.

        A server that has just started checks them anew, seconds for a large graph.
        """
        if self._operational:
            return
        deadline = time.monotonic() + CHECKING_SECONDS
        while True:
            states = self._constraint_states()
            missing = [name for name in _WANTED if states.get(name) not in _STANDING]
            if missing:
                raise SchemaMissing(
                    f"The graph lacks the constraint on {missing[0]}; "
                    f"it is read-only until you {SETUP_HINT}."
                )
            if all(states[name] == OPERATIONAL for name in _WANTED):
                break
            if time.monotonic() > deadline:
                raise StoreUnavailable(
                    f"The graph at {self._where} still checks its constraints after its start; "
                    "try again in some seconds."
                )
            time.sleep(0.02)
        self._operational = True

    def _constraint_states(self) -> dict[str, str]:
        """The state of each unique constraint, by its name here."""
        try:
            rows = self._run(
                "CALL db.constraints() YIELD type, label, properties, status "
                "RETURN label, properties, status, type",
                {},
                read_only=True,
            )
        except _LOST as error:
            raise self._unavailable() from error
        except redis.ResponseError:
            rows = []
        states = {
            (label, tuple(sorted(properties))): state
            for label, properties, state, kind in rows
            if kind == "UNIQUE"
        }
        keys = {name: (c.label, tuple(sorted(c.properties))) for name, c in _WANTED.items()}
        return {name: states[key] for name, key in keys.items() if key in states}

    def setup_schema(self, report: Callable[[str], None] = lambda _: None) -> None:
        """See `GraphStore.setup_schema`. Raises `StoreMisconfigured` when data breaks a constraint."""
        try:
            self._create_indexes(report)
            self._create_constraints(report)
        except _LOST as error:
            raise self._unavailable() from error
        self._operational = True

    def _create_indexes(self, report: Callable[[str], None]) -> None:
        self._run("RETURN 1", {})
        wanted = [(c.label, c.properties) for c in CONSTRAINTS] + list(RANGE_INDEXES)
        there = self._indexed("RANGE")
        for label, properties in wanted:
            for prop in properties:
                if (label, prop) in there:
                    continue
                report(f"index on {label}({prop})")
                self._run(f"CREATE INDEX FOR (n:{label}) ON (n.{prop})", {})
                there.add((label, prop))
        label, properties = FULLTEXT
        copies = [f"_ft_{prop}" for prop in properties]
        if (label, copies[0]) not in self._indexed("FULLTEXT"):
            report(f"full-text index on {label}")
            names = ", ".join(f"'{name}'" for name in copies)
            self._run(f"CALL db.idx.fulltext.createNodeIndex('{label}', {names})", {})

    def _indexed(self, kind: str) -> set[tuple[str, str]]:
        rows = self._run("CALL db.indexes() YIELD label, types RETURN label, types", {})
        return {
            (label, prop) for label, types in rows for prop, kinds in types.items() if kind in kinds
        }

    def _create_constraints(self, report: Callable[[str], None]) -> None:
        there = self._constraint_states()
        for name, c in _WANTED.items():
            if there.get(name) not in _STANDING:
                report(f"constraint on {name}")
                execute: Any = self._client.execute_command
                execute(
                    "GRAPH.CONSTRAINT", "CREATE", self._graph.name, "UNIQUE",
                    "NODE", c.label, "PROPERTIES", len(c.properties), *c.properties,
                )  # fmt: skip
        deadline = time.monotonic() + SETUP_SECONDS
        while True:
            states = self._constraint_states()
            waited_for = [name for name in _WANTED if states.get(name) != OPERATIONAL]
            if not waited_for:
                return
            if FAILED in states.values() or time.monotonic() > deadline:
                raise StoreMisconfigured(
                    f"The constraint on {waited_for[0]} cannot be made: two records share a key."
                )
            time.sleep(0.02)

    def rewrite_log(self) -> str:
        """See `GraphStore.rewrite_log`: the append-only file anew, and no slow statements kept."""
        execute: Any = self._client.execute_command
        try:
            execute("SLOWLOG", "RESET")
            execute("GRAPH.SLOWLOG", self._graph.name, "RESET")
            if not self._persistence()["aof_enabled"]:
                # Then there is a snapshot, if anything; the next one takes its place.
                execute("SAVE")
                return "rewritten"
            # One that runs already may have begun before what is to be forgotten.
            self._rewritten()
            execute("BGREWRITEAOF")
            self._rewritten()
        except _LOST as error:
            raise self._unavailable() from error
        except redis.ResponseError:
            return "not_allowed"
        return "rewritten" if self._persistence()["aof_last_bgrewrite_status"] == "ok" else "failed"

    def _persistence(self) -> dict[str, Any]:
        info: Any = self._client.connection.info
        return info("persistence")

    def _rewritten(self) -> None:
        """Wait until no rewriting runs or is about to."""
        deadline = time.monotonic() + REWRITE_SECONDS
        while True:
            state = self._persistence()
            if not (state["aof_rewrite_in_progress"] or state["aof_rewrite_scheduled"]):
                return
            if time.monotonic() > deadline:
                raise self._unavailable()
            time.sleep(0.02)

    def close(self) -> None:
        """Close every connection."""
        self._pool.disconnect()


def _pool(url: str, password: str | None) -> redis.ConnectionPool:
    # A driver that resends a write cannot know whether the first one landed.
    options: dict[str, Any] = {
        "decode_responses": True,
        "socket_timeout": SOCKET_SECONDS,
        "max_connections": MAX_CONNECTIONS,
        "retry": Retry(NoBackoff(), 0),
        "retry_on_timeout": False,
    }
    if url.startswith("unix:"):
        path = url.removeprefix("unix://")
        connection: Any = redis.UnixDomainSocketConnection
        return redis.ConnectionPool(connection_class=connection, path=path, **options)
    make: Any = redis.ConnectionPool.from_url
    return cast(
        "redis.ConnectionPool",
        make(url, password=password, socket_connect_timeout=5, **options),
    )


def _with_search_copies(label: str, props: Props) -> Props:
    """FalkorDB's full text is searched over copies without line breaks, as the library's are."""
    if label != FULLTEXT[0]:
        return props
    copies = {f"_ft_{name}": " ".join(props[name].splitlines()) for name in FULLTEXT[1]}
    return {**props, **copies}
