"""Every Cypher file is used, runs on every engine, and is planned on the indexes that it names."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import falkordb
import neo4j
import pytest

import graphstore
from graphstore.changeset import Changeset
from graphstore.cypher import commit_statement, read_statement
from graphstore.engines.parameters import parameters, plain
from graphstore.store import GraphStore
from graphstore.verbs import VERBS, Verb
from tests.contract.committing import name_of, small
from tests.contract.conftest import opened
from tests.contract.looking import dump
from tests.contract.seeding import Heard, Passage, Seed
from tests.contract.world import DAYS, POLICY
from tests.servers import GraphSettings, RawGraph

PACKAGE = Path(graphstore.__file__).parent
CYPHER = PACKAGE / "cypher"
READS = sorted(file.stem for file in (CYPHER / "read").glob("*.cypher"))
SHARED = sorted(file.stem for file in (CYPHER / "clauses").glob("*.cypher"))
CLAUSES = sorted(file.stem for file in (CYPHER / "commit").glob("*.cypher"))


class Filled(NamedTuple):
    """A graph with some records of each kind, which no test here changes."""

    store: GraphStore
    raw: RawGraph


@pytest.fixture(scope="module")
def filled(engine: str, request: pytest.FixtureRequest) -> Iterator[Filled]:
    """Enough records that a scan would not look as cheap as a seek."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as raw:
        store = opened(raw.settings)
        seed = small(Seed(raw))
        cited = Passage("policy", POLICY, DAYS)
        seed.decisions([(f"choice {k}", [cited, Heard("t", 1)]) for k in range(300)])
        seed.events("t", *("more" for _ in range(100)))
        yield Filled(store, raw)
        store.close()


@cache
def text_of(path: Path) -> str:
    """A file's text."""
    return path.read_text()


def test_every_read_is_asked_for() -> None:
    """Each file of `read/` is named by a query or an operation."""
    code = "".join(text_of(path) for path in PACKAGE.rglob("*.py"))
    assert [name for name in READS if f'"{name}"' not in code] == []


def test_every_shared_clause_is_put_in_somewhere() -> None:
    """Each file of `clauses/` is included by a statement."""
    cypher = "".join(text_of(path) for path in CYPHER.rglob("*.cypher"))
    assert [name for name in SHARED if f"//+ {name}\n" not in cypher] == []


def test_every_commit_clause_is_in_a_verb() -> None:
    """The text of each file of `commit/` stands in at least one verb's statement."""
    statements = "".join(commit_statement(verb, locks=True) for verb in VERBS)
    first_lines = {
        name: re.sub(r"<\w+>.*", "", _code(text_of(CYPHER / "commit" / f"{name}.cypher")))
        for name in CLAUSES
    }
    assert [name for name, code in first_lines.items() if code not in statements] == []


def _code(text: str) -> str:
    """The start of a clause up to its first gap, without comments."""
    lines = [line for line in text.splitlines() if not line.startswith("//")]
    return "\n".join(lines[:2]).split("<")[0]


def test_no_text_is_cut_that_may_be_shorter() -> None:
    """FalkorDB reads on behind a text of fewer characters but more bytes than are asked for."""
    for name in READS:
        text = text_of(CYPHER / "read" / f"{name}.cypher")
        for cut in re.finditer(r"substring\(([\w.]+), 0, (\d+)\)", text):
            of, length = cut.groups()
            assert text[: cut.start()].endswith(f"size({of}) > {length} THEN "), name
        assert text.count("substring(") == len(re.findall(r"substring\([\w.]+, 0, \d+\)", text))


def test_every_statement_opens_with_what_it_is_for() -> None:
    """Each file begins with a comment."""
    files = sorted(CYPHER.rglob("*.cypher"))
    assert [path.name for path in files if not text_of(path).startswith("// ")] == []


def empty_values(statement: str) -> dict[str, Any]:
    """A value for every parameter that a statement names: no rows, no words, no number."""
    lists = set(re.findall(r"UNWIND \$p\.(\w+)", statement))
    lists |= set(re.findall(r"IN \$p\.(\w+)", statement))
    names = set(re.findall(r"\$p\.(\w+)", statement))
    places = {f"from_{kind}": 0 for kind in re.findall(r"\$from_(\w+)", statement)}
    return {name: [] if name in lists else "" for name in sorted(names)} | places | {"limit": 1}


def values_of(values: dict[str, Any]) -> dict[str, Any]:
    """The parameters as an engine passes them."""
    return {"p": values} | plain(values)


def test_reads_of_nothing_run_and_change_nothing(filled: Filled) -> None:
    """Both engines accept each statement with empty parameters."""
    before = dump(filled.raw)
    for name in READS:
        filled.store.read(name, empty_values(read_statement(name)))
    assert dump(filled.raw) == before


def test_commits_of_nothing_run_and_change_nothing(filled: Filled) -> None:
    """Both engines accept every verb's statement with an empty changeset."""
    before = dump(filled.raw)
    for verb in VERBS:
        committed = filled.store.commit(verb, Changeset())
        assert (committed.last_seq, committed.late) == (None, [])
    assert dump(filled.raw) == before


def planned(settings: GraphSettings, statement: str, params: dict[str, Any]) -> list[str]:
    """The operators of a statement's plan, each with what it works on."""
    explain = {"embedded": _planned_by_falkordb, "neo4j": _planned_by_neo4j}[settings.engine]
    return explain(settings, statement, params)


def _planned_by_falkordb(
    settings: GraphSettings, statement: str, params: dict[str, Any]
) -> list[str]:
    client = falkordb.FalkorDB(unix_socket_path=str(settings.socket_path))
    plan = str(client.select_graph(settings.graph).explain(statement, params))
    client.close()
    return [line.strip() for line in plan.splitlines()]


def _planned_by_neo4j(settings: GraphSettings, statement: str, params: dict[str, Any]) -> list[str]:
    auth = (settings.username, settings.password)
    with (
        neo4j.GraphDatabase.driver(
            settings.uri, auth=auth, notifications_min_severity="OFF"
        ) as driver,
        driver.session(database=settings.database) as session,
    ):
        # Planned anew: a plan kept from an emptier database would say nothing of this one.
        query = neo4j.Query(f"CYPHER replan=force EXPLAIN {statement}")  # pyright: ignore[reportArgumentType]
        return list(_operators(session.run(query, params).consume().plan))


def _operators(plan: Any) -> Iterator[str]:
    yield f"{plan['operatorType']} | {plan['args'].get('Details', '')}"
    for child in plan.get("children", []):
        yield from _operators(child)


SCANS = ("NodeByLabelScan", "AllNodesScan", "NodeIndexScan", "Node By Label Scan", "All Node Scan")


def scans(plan: list[str]) -> list[str]:
    """The operators that look at every node, or at every node of a label.

    The library's jobs are left out: their index is its own, and without it there are none.
    """
    return [line for line in plan if line.startswith(SCANS) and ":CutoverJob" not in line]


def seeks(plan: list[str]) -> set[tuple[str, tuple[str, ...]]]:
    """The indexes that a plan seeks in: labels, and on Neo4j the properties.

    The marker, which stands before the key in the library's constraints, is left out.
    """
    found: set[tuple[str, tuple[str, ...]]] = set()
    for line in plan:
        for label, names in re.findall(r"Index.*?\w+:(\w+)(?:\(([\w, ]+)\))?", line):
            keys = [key for key in names.split(", ") if key != "_agrag_history_record"]
            found.add((label, tuple(keys)))
    return found


def wanted(settings: GraphSettings, text: str) -> set[tuple[str, tuple[str, ...]]]:
    """The indexes that comments name; FalkorDB's plans give the label alone."""
    comments = "\n".join(line for line in text.splitlines() if line.startswith("//"))
    found = re.findall(r"\b([A-Z]\w+)\(([a-z_][\w, ]*)\)", comments)
    whole = {(label, tuple(names.split(", "))) for label, names in found}
    only_label = {(label, ("",)) for label, _ in found}
    return {"embedded": only_label, "neo4j": whole}[settings.engine]


def whole_text(name: str) -> str:
    """A read with its shared clauses and all their comments."""
    text = text_of(CYPHER / "read" / f"{name}.cypher")
    for clause in re.findall(r"^//\+ (\w+)$", text, re.MULTILINE):
        shared = text_of(CYPHER / "clauses" / f"{clause}.cypher")
        text += shared
        text += "".join(
            text_of(CYPHER / "clauses" / f"{inner}.cypher")
            for inner in re.findall(r"^//\+ (\w+)$", shared, re.MULTILINE)
        )
    return text


@pytest.mark.parametrize("name", READS)
def test_a_read_seeks_in_the_indexes_it_names(name: str, filled: Filled) -> None:
    """The planner uses each index of the comment, and never goes through a whole label."""
    statement = read_statement(name, hints=filled.raw.settings.engine == "neo4j")
    values = empty_values(statement)
    plan = planned(filled.raw.settings, statement, values_of(values))
    assert scans(plan) == []
    assert wanted(filled.raw.settings, whole_text(name)) - seeks(plan) == set()


BY_TIME = {
    "list_tasks": 1,
    "list_decisions": 1,
    "list_decisions_for_review": 1,
    "browse_decisions": 3,
}


@pytest.mark.parametrize("name", BY_TIME)
def test_a_list_by_time_takes_the_order_of_its_index(name: str, filled: Filled) -> None:
    """Neo4j only sorts what has one time, and so stops at the page; FalkorDB has no such order."""
    settings = filled.raw.settings
    statement = read_statement(name, hints=settings.engine == "neo4j")
    values = empty_values(statement)
    plan = planned(settings, statement, {"p": values, "n": values["limit"]})
    ordering = {"embedded": "Sort", "neo4j": "PartialTop"}[settings.engine]
    assert sum(line.startswith(ordering) for line in plan) >= BY_TIME[name]


@pytest.mark.parametrize("verb", VERBS, ids=name_of)
def test_a_commit_never_goes_through_a_whole_label(verb: Verb, filled: Filled) -> None:
    """Everything that a commit locks, guards or changes is found by an index."""
    settings = filled.raw.settings
    statement = commit_statement(verb, locks=settings.engine == "neo4j")
    params = {"p": parameters(verb, Changeset(), lambda _, props: props)}
    assert scans(planned(settings, statement, params)) == []
