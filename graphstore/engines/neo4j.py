"""Neo4j 5.26 or newer, one server or a cluster behind `neo4j://`."""

# The driver is only partly typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
from collections.abc import Callable, Iterator, Mapping
from typing import Any, LiteralString, cast

import neo4j
from neo4j import exceptions

from graphstore import cypher
from graphstore.changeset import Changeset, Committed
from graphstore.engines.parameters import parameters, plain, readable
from graphstore.faults import (
    SchemaMissing,
    StoreFault,
    StoreMisconfigured,
    StoreUnavailable,
)
from graphstore.ledger_keys import LedgerKeys
from graphstore.schema import CONSTRAINTS, FULLTEXT, FULLTEXT_NAME, RANGE_INDEXES, Unique
from graphstore.store import Row, Stale, Unanswered, count_round_trip
from graphstore.verbs import VERBS, Verb

OLDEST = (5, 26)
LOCK_KEY = "ctx_lock"
"""The property that a commit sets to null to take a node's write lock."""
QUERY_SECONDS = 30.0
"""After this the server gives up a statement, a wait for somebody's lock included."""
SETUP_SECONDS = 600.0
"""The same while a schema is made: a constraint or index on a large graph takes minutes."""
TIMED_OUT = ("TransactionTimedOut", "LockClientStopped")
"""In the code with which it does, the second while it waits for a lock."""
SETUP_HINT = "run `manage.py graph_setup`"
_LOST = (
    exceptions.ServiceUnavailable,
    exceptions.SessionExpired,
    exceptions.IncompleteCommit,
)


class Neo4jStore:
    """A database of a Neo4j server. Build it after a fork."""

    snapshot_reads = False

    def __init__(self, uri: str, username: str, password: str, database: str) -> None:
        """Connect and check the version.

        Raises `StoreUnavailable` or `StoreMisconfigured`.
        """
        self._uri = uri
        self._database = database
        self._operational = False
        self.ledger_keys = LedgerKeys()
        self._prefix = ""
        try:
            # Our own loop retries, since it looks the operation up first.
            connect: Any = neo4j.GraphDatabase.driver
            self._driver: neo4j.Driver = connect(
                uri,
                auth=(username, password),
                max_transaction_retry_time=0,
                connection_timeout=5,
                connection_acquisition_timeout=10,
                max_connection_lifetime=240,
                notifications_min_severity="OFF",
            )
            self._check_server()
        except exceptions.AuthError as error:
            raise StoreMisconfigured(
                f"Neo4j at {uri} refused the sign-in of {username}; "
                "set NEO4J_USERNAME and NEO4J_PASSWORD."
            ) from error
        except (exceptions.ConfigurationError, ValueError) as error:
            raise StoreMisconfigured(f"NEO4J_URI {uri!r} cannot be used: {error}") from error
        except exceptions.ClientError as error:
            raise self._client_fault(error) from error
        except (exceptions.DriverError, exceptions.Neo4jError) as error:
            # A server that is starting answers, but says that its database is not there yet.
            raise self._unavailable() from error

    def _check_server(self) -> None:
        rows = self._run(
            "CALL dbms.components() YIELD name, versions RETURN versions[0]", {}, neo4j.READ_ACCESS
        )
        version = tuple(int(part) for part in rows[0][0].split("-")[0].split(".")[:2])
        if version < OLDEST:
            raise StoreMisconfigured(
                f"Neo4j at {self._uri} is {rows[0][0]}; 5.26 or newer is needed."
            )
        # A newer server may speak another Cypher by default, without `CALL { WITH`.
        self._prefix = "CYPHER 5 " if version[0] > 5 else ""

    def read(self, name: str, p: Mapping[str, Any], *, leader: bool = False) -> list[Row]:
        """See `GraphStore.read`."""
        text = self._prefix + cypher.read_statement(name, hints=True)
        params: dict[str, Any] = {"p": readable(p)}
        params |= plain(p)
        # Until bookmarks are kept, a replica could answer with what was true before our write.
        del leader
        try:
            return self._run(text, params, neo4j.WRITE_ACCESS)
        except exceptions.ClientError as error:
            raise self._client_fault(error) from error
        except (exceptions.DriverError, exceptions.Neo4jError) as error:
            raise self._unavailable() from error

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        """See `GraphStore.commit`."""
        self._require_constraints()
        text = self._prefix + cypher.commit_statement(verb, locks=True)
        p = parameters(verb, changeset, lambda _, props: props)
        try:
            rows = self._run(text, {"p": p}, neo4j.WRITE_ACCESS)
        except (exceptions.ConstraintError, exceptions.TransientError) as error:
            raise Stale from error
        except _LOST as error:
            raise Unanswered from error
        except exceptions.ClientError as error:
            if "EntityNotFound" in (error.code or "") or _timed_out(error):
                # Somebody deleted a node between its match and its use here, or kept a
                # lock for so long that the server gave up: nothing was written.
                raise Stale from error
            raise self._client_fault(error) from error
        except exceptions.DriverError as error:
            raise Unanswered from error
        except exceptions.Neo4jError as error:
            raise StoreFault(f"Neo4j could not write: {error.code}.") from error
        if not rows:
            raise Stale
        last_seq, late = rows[0]
        return Committed(last_seq, [i for _, ids in late for i in ids])

    def _run(
        self, text: str, params: dict[str, Any], access: str, seconds: float = QUERY_SECONDS
    ) -> list[Row]:
        count_round_trip()
        with self._driver.session(database=self._database, default_access_mode=access) as session:
            query = neo4j.Query(cast("LiteralString", text), timeout=seconds)
            result = session.run(query, params)
            return [list(record.values()) for record in result]

    def _unavailable(self) -> StoreUnavailable:
        return StoreUnavailable(f"Neo4j at {self._uri} does not answer; start it and try again.")

    def _client_fault(self, error: exceptions.ClientError) -> Exception:
        code = error.code or ""
        if "DatabaseNotFound" in code:
            return StoreMisconfigured(
                f"Neo4j at {self._uri} has no database {self._database!r}; set NEO4J_DATABASE."
            )
        if "IndexNotFound" in code or "no such fulltext" in (error.message or ""):
            return SchemaMissing(f"Neo4j at {self._uri} lacks the console's indexes; {SETUP_HINT}.")
        if _timed_out(error):
            # A server that has just started plans every statement anew, on a busy machine for long.
            return StoreUnavailable(
                f"Neo4j at {self._uri} did not answer within {QUERY_SECONDS:.0f} seconds; try again."
            )
        if "Security" in code:
            return StoreMisconfigured(
                f"Neo4j at {self._uri} does not allow this sign-in to do what is needed "
                f"in {self._database!r}."
            )
        return error

    def _require_constraints(self) -> None:
        if self._operational:
            return
        if missing := self._missing_constraints():
            raise SchemaMissing(
                f"The graph lacks {missing[0]}; it is read-only until you {SETUP_HINT}."
            )
        self._operational = True

    def _missing_constraints(self) -> list[str]:
        try:
            rows = self._run(
                "SHOW CONSTRAINTS YIELD labelsOrTypes, properties, type "
                "WHERE type IN ['UNIQUENESS', 'NODE_KEY', 'NODE_PROPERTY_UNIQUENESS'] "
                "RETURN labelsOrTypes[0], properties",
                {},
                neo4j.READ_ACCESS,
            )
        except (exceptions.DriverError, exceptions.TransientError) as error:
            raise self._unavailable() from error
        there = {(label, tuple(properties)) for label, properties in rows}
        missing = [c.name for c in CONSTRAINTS if (c.label, c.properties) not in there]
        return missing if self._has_lock_key() else [LOCK_KEY, *missing]

    def _has_lock_key(self) -> bool:
        """Whether setting `ctx_lock` to null locks a node.

        A property key that no node ever had is unknown to the server, which then
        skips the clause, lock and all, and two commits pass the same guard.
        """
        text = (
            "CALL db.propertyKeys() YIELD propertyKey WHERE propertyKey = $key RETURN propertyKey"
        )
        return bool(self._run(text, {"key": LOCK_KEY}, neo4j.READ_ACCESS))

    def setup_schema(self, report: Callable[[str], None] = lambda _: None) -> None:
        """See `GraphStore.setup_schema`. Raises `StoreMisconfigured` when data breaks a constraint."""
        try:
            there = {row[0] for row in self._run("SHOW INDEXES YIELD name", {}, neo4j.READ_ACCESS)}
        except exceptions.DriverError as error:
            raise self._unavailable() from error
        missing = set(self._missing_constraints())
        statements = [(c.name, _unique(c)) for c in CONSTRAINTS if c.name in missing]
        if LOCK_KEY in missing:
            statements.append((LOCK_KEY, f"CALL db.createProperty('{LOCK_KEY}')"))
        statements += [(name, text) for name, text in _indexes() if name not in there]
        try:
            for name, text in statements:
                report(name)
                self._run(text, {}, neo4j.WRITE_ACCESS, SETUP_SECONDS)
            if statements:
                wait = f"CALL db.awaitIndexes({SETUP_SECONDS:.0f})"
                self._run(wait, {}, neo4j.WRITE_ACCESS, SETUP_SECONDS)
        except exceptions.ClientError as error:
            raise StoreMisconfigured(f"The schema cannot be created: {error.message}") from error
        except exceptions.DatabaseError as error:
            raise StoreMisconfigured(
                f"A constraint cannot be made, since two records share a key: {error.message}"
            ) from error
        except exceptions.DriverError as error:
            raise self._unavailable() from error
        self._operational = True
        if statements:
            report("statements")
            self._warm_up()

    def _warm_up(self) -> None:
        """Run each statement once over nothing, so that the server has planned them all.

        Planning takes a second or two each, which the first reviewer would wait for.
        """
        for name in cypher.read_names():
            text = self._prefix + cypher.read_statement(name, hints=True)
            self._run(text, {"p": {}, "n": 1}, neo4j.READ_ACCESS, SETUP_SECONDS)
        for verb in VERBS:
            text = self._prefix + cypher.commit_statement(verb, locks=True)
            p = parameters(verb, Changeset(), lambda _, props: props)
            self._run(text, {"p": p}, neo4j.WRITE_ACCESS, SETUP_SECONDS)

    def rewrite_log(self) -> str:
        """See `GraphStore.rewrite_log`. The transaction logs go when their retention is over."""
        return "transaction_logs"

    def close(self) -> None:
        """Close every connection."""
        self._driver.close()


def _timed_out(error: exceptions.ClientError) -> bool:
    """Whether the server ended the statement at `QUERY_SECONDS`, waiting for a lock or not."""
    return any(code in (error.code or "") for code in TIMED_OUT)


def _keys(properties: tuple[str, ...]) -> str:
    return ", ".join(f"n.{name}" for name in properties)


def _indexes() -> Iterator[tuple[str, str]]:
    for label, properties in RANGE_INDEXES:
        name = f"ctx_{label.lower()}_{'_'.join(properties)}"
        yield name, f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{label}) ON ({_keys(properties)})"
    label, properties = FULLTEXT
    on = f"FOR (n:{label}) ON EACH [{_keys(properties)}]"
    yield FULLTEXT_NAME, f"CREATE FULLTEXT INDEX {FULLTEXT_NAME} IF NOT EXISTS {on}"


def _unique(c: Unique) -> str:
    on = f"FOR (n:{c.label}) REQUIRE ({_keys(c.properties)}) IS UNIQUE"
    return f"CREATE CONSTRAINT {c.name} IF NOT EXISTS {on}"
