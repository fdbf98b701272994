"""One long story through the library alone, through us alone, and by turns: nobody can tell them apart.

What differs is named in `ANSWERED` and `RECORDED`, each entry with the row of
`docs/differences.md` that says why. An entry that nothing needs any more fails.
"""

import inspect
import json
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from itertools import cycle, repeat
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from agrag.common.data_models import retention, task, write_result
from agrag.decisions import DecisionTraces
from agrag.history import ConversationHistory, HistoryRetention

from graphstore.store import GraphStore
from tests.interop.console import Index
from tests.interop.library import Peer
from tests.interop.playing import AGENT, Play, TheLibrary, We
from tests.interop.script import SCRIPT
from tests.interop.world import Side, compare

ALONE = "the library"
OTHERS = ("we", "we begin", "the library begins")
DIFFERENCES = Path(__file__).parents[2] / "docs" / "differences.md"


class Allowed(NamedTuple):
    """Where answers or records may differ, as patterns, and the row that says why."""

    row: str
    places: tuple[str, ...]
    engines: tuple[str, ...] = ("embedded", "neo4j")


ANSWERED = (
    Allowed(
        "A rejection or supersession reads the project as unfinished",
        (
            "supersede: decision.review_state",
            "supersede again by the same request: decision.review_state",
            "supersede on what came back: decision.review_state",
            "reject: decision.review_state",
            "reject by the same request: decision.review_state",
            "reject without a reason: decision.review_state",
            "reject the tried: decision.review_state",
        ),
    ),
    Allowed(
        "While flags travel, `get_task` lists every active decision as to be reviewed",
        ("read the task while flags travel: view.review_decisions",),
    ),
    Allowed(
        "On FalkorDB a refused or interrupted write leaves its claim",
        ("the same under the same request: error",),
        ("embedded",),
    ),
    Allowed(
        "A redaction reports who cites the event",
        ("redact what a decision cites: affected_decision_ids",),
    ),
    Allowed(
        "A redaction or deletion flags superseded and rejected decisions, too",
        (
            "redact what the rejected cites: affected_decision_ids",
            "read the rejected on the redacted: decision.review_*",
            "list decisions at last: page.decisions.*.review_*",
        ),
    ),
    Allowed(
        "A choice whose decision was rejected is closed for ever",
        ("decide the rejected again: *",),
    ),
    Allowed(
        "Deleting reports decisions that it has just deleted",
        (
            "delete a task with its decisions: affected_decision_ids",
            "delete it by the same request: affected_decision_ids",
            "delete a task that is cited: affected_decision_ids",
            "delete it and keep its decisions: affected_decision_ids",
            "delete it a third time: affected_decision_ids",
        ),
    ),
    Allowed(
        "Stored results of a deleted task stay, and a late retry is answered with them",
        ("replay its creation: *",),
    ),
    Allowed("A deleted task's name stays in what cited it", ("*.task_name",)),
    Allowed(
        "An event that took a deleted one's place counts as the event that a step cites",
        ("list steps on what another took the place of: steps.*.result_validity",),
    ),
    Allowed(
        "Decisions kept by `include_decisions=False` are found by no read",
        (
            "read a decision that was kept: *",
            "list what to review at last: *",
        ),
    ),
    Allowed(
        "A decision that was kept stops its choice in a task that the library gives the same id",
        ("decide what was kept again: *", "list what was decided in it: *"),
    ),
)
"""As `step: field of its answer`."""

RECORDED = (
    Allowed(
        "Flags travel when somebody drains",
        (
            "Project: *review_epoch",
            "Project: *review_lock",
            "<decision *: *review_pending",
            "<decision *: *review_epoch",
            "<decision *: *review_cursor",
        ),
    ),
    Allowed(
        "A redaction or deletion flags superseded and rejected decisions, too",
        ("<decision audit reply 1>: *review_state", "<decision audit reply 1>: *review_reason"),
    ),
    Allowed(
        "A rejection or supersession reads the project as unfinished",
        ("<request *>: result_json.decision.review_state",),
    ),
    Allowed(
        "On FalkorDB a refused or interrupted write leaves its claim",
        ("<request refused>: ",),
        ("embedded",),
    ),
    Allowed(
        "A redacted body stays in the stored result of its request",
        ("<request secret>: result_json.event.*",),
    ),
    Allowed(
        "Deleting reports decisions that it has just deleted",
        ("<request delete>: result_json.affected_decision_ids",),
    ),
    Allowed(
        "Stored results of a deleted task stay, and a late retry is answered with them",
        ("<request scratch>: result_json.*",),
    ),
    Allowed(
        "A deleted task's name stays in what cited it",
        (
            "<decision *> support *: task_name",
            "<request *>: result_json.*.task_name",
            "<step audit write>: result_supports",
        ),
    ),
    Allowed(
        "A decision that was kept stops its choice in a task that the library gives the same id",
        ("<decision letters letter 1>*: ",),
    ),
)
"""As `record: property`."""


@pytest.fixture(scope="module")
def plays(store: GraphStore, peer: Peer) -> dict[str, Play]:
    """The story in four projects of one graph."""

    def side(name: str) -> Side:
        return Side(store, peer, f"played-{name}", reviewer=AGENT)

    them, us, odd, even = (side(name) for name in ("them", "us", "odd", "even"))
    return {
        ALONE: Play(them).play(SCRIPT, repeat(TheLibrary(them))),
        "we": Play(us, Index(us)).play(SCRIPT, repeat(We(us))),
        "we begin": Play(odd, Index(odd)).play(SCRIPT, cycle([We(odd), TheLibrary(odd)])),
        "the library begins": Play(even, Index(even)).play(
            SCRIPT, cycle([TheLibrary(even), We(even)])
        ),
    }


def test_the_story_leaves_nothing_out(plays: dict[str, Play]) -> None:
    """At least 150 steps, every operation and read of the library, and every refusal that it has."""
    assert len(SCRIPT) >= 150
    assert len({one.name for one in SCRIPT}) == len(SCRIPT)
    services = (ConversationHistory, DecisionTraces, HistoryRetention)
    offered = {name for one in services for name, _ in inspect.getmembers(one, callable)}
    offered = {name for name in offered if not name.startswith("_")} - {"resolve_supports"}
    assert offered <= {one.operation for one in SCRIPT}
    enums = (task.WriteErrorCode, write_result.WriteErrorCode, retention.RetentionErrorCode)
    codes = {code.value for enum in enums for code in enum} - {"support_out_of_scope"}
    given = {str(a["error"]) for a in plays[ALONE].answers.values() if "error" in _fields(a)}
    assert codes <= given


def _fields(answer: Any) -> Iterable[str]:
    return answer if isinstance(answer, dict) else ()


@pytest.mark.parametrize("name", OTHERS)
def test_every_step_is_answered_alike(plays: dict[str, Play], name: str) -> None:
    """Recorded or why not, and every field of what comes back, ids and times by their names."""
    assert _unexplained(_answers_differ(plays, name), ANSWERED) == []


@pytest.mark.parametrize("name", OTHERS)
def test_the_same_records_are_left(plays: dict[str, Play], name: str) -> None:
    """Labels, properties, values and their types, what is absent, relationships and stored results."""
    assert _unexplained(_records_differ(plays, name), RECORDED) == []


def test_what_may_differ_does_and_is_written_down(plays: dict[str, Play], engine: str) -> None:
    """Every entry of the two tables is needed, and its row stands in the document."""
    answered = [found for name in OTHERS for found in _answers_differ(plays, name)]
    recorded = [found for name in OTHERS for found in _records_differ(plays, name)]
    needless = [
        pattern
        for found, table in ((answered, ANSWERED), (recorded, RECORDED))
        for one in table
        if engine in one.engines
        for pattern in one.places
        if not any(fnmatch(_place(place), pattern) for place in found)
    ]
    assert needless == []
    text = DIFFERENCES.read_text(encoding="utf-8")
    assert [one.row for one in (*ANSWERED, *RECORDED) if f"| {one.row}" not in text] == []


def _unexplained(found: Iterable[str], table: Iterable[Allowed]) -> list[str]:
    patterns = [pattern for one in table for pattern in one.places]
    return [one for one in found if not any(fnmatch(_place(one), p) for p in patterns)]


def _place(found: str) -> str:
    return found.partition(": ours ")[0] if ": ours " in found else found


def _answers_differ(plays: Mapping[str, Play], name: str) -> list[str]:
    """Each place as `step: field`, with both values after it."""
    mine, their = plays[name].answers, plays[ALONE].answers
    return [
        f"{one.name}: {found.removeprefix('.')}"
        for one in SCRIPT
        for found in compare(mine[one.name], their[one.name])
    ]


def _records_differ(plays: Mapping[str, Play], name: str) -> list[str]:
    """Each place as `record: property`, with both values after it."""
    mine, their = _records(plays[name]), _records(plays[ALONE])
    return [
        f"{key}: {found.removeprefix('.')}"
        for key in sorted({*mine, *their})
        for found in compare(mine.get(key, "absent"), their.get(key, "absent"))
    ]


def _records(play: Play) -> dict[str, Any]:
    """Every record of the project by a name that does not depend on it, and its relationships."""
    peer, project = play.side.peer, play.side.project
    found: dict[str, Any] = {}
    for label in ("Project", "Task", "Decision"):
        for node in peer.nodes(label, project_id=project):
            found[label if label == "Project" else play.names[node["id"]]] = _own(play, node)
    for made in peer.nodes("Task", project_id=project):
        for label in ("Event", "Step"):
            for node in peer.nodes(label, task_id=made["id"]):
                found[play.names[node["id"]]] = _own(play, node)
    for row in peer.rows(
        "MATCH (d:Decision {project_id: $p})-[:HAS_SUPPORT]->(s) RETURN d.id AS id, s AS support",
        p=project,
    ):
        key = f"{play.names[row['id']]} support {row['support']['ordinal']}"
        found[key] = _own(play, row["support"]) | {"id": "<support>"}
    for node in peer.nodes("Request", project_id=project):
        stored = json.loads(node.get("result_json", "null"))
        own = _own(play, node) | {"result_json": play.plain(stored)}
        del own["payload_sha256"], own["id"]
        found[f"<request {node['request_id']}>"] = own
    for row in peer.rows(
        "MATCH (a)-[r]->(b) WHERE (a.project_id = $p OR b.project_id = $p) "
        "AND type(r) IN ['MADE', 'HAS_EVENT', 'HAS_STEP', 'DEPENDS_ON', 'SUPERSEDES'] "
        "RETURN a.id AS a, type(r) AS type, b.id AS b, count(r) AS n, collect(properties(r)) AS props",
        p=project,
    ):
        key = f"{play.names[row['a']]} {row['type']} {play.names[row['b']]}"
        found[key] = {"n": row["n"], "props": row["props"]}
    return found


def _own(play: Play, node: Mapping[str, Any]) -> dict[str, Any]:
    """The properties that the library knows, with their types."""
    known = {key: value for key, value in node.items() if not key.startswith("ctx_")}
    plain = play.plain(known)
    return plain | {f"type of {key}": type(value).__name__ for key, value in known.items()}
