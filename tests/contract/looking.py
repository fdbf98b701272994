"""Looking at a graph past the code under test."""

import json
from collections.abc import Mapping
from typing import Any

from tests.servers import RawGraph

Props = dict[str, Any]


def dump(raw: RawGraph) -> list[str]:
    """Everything in the graph, as text that compares: each node and each relationship once."""
    nodes = raw.run("MATCH (n) RETURN labels(n), properties(n)")
    edges = raw.run(
        "MATCH (a)-[r]->(b) RETURN coalesce(a.id, a.project_id), type(r), properties(r), "
        "coalesce(b.id, b.project_id)"
    )
    lines = [[sorted(labels), _plain(props)] for labels, props in nodes]
    lines += [[start, kind, _plain(props), end] for start, kind, props, end in edges]
    return sorted(json.dumps(line, sort_keys=True) for line in lines)


def _plain(props: Mapping[str, Any]) -> Props:
    return {key: value for key, value in props.items() if value is not None}


def nodes(raw: RawGraph, label: str, **props: Any) -> list[Props]:
    """The nodes of a label that have these properties."""
    where = " AND ".join(f"n.{key} = ${key}" for key in props) or "true"
    found = raw.run(f"MATCH (n:{label}) WHERE {where} RETURN properties(n)", props)
    return [_plain(row[0]) for row in found]


def node(raw: RawGraph, label: str, **props: Any) -> Props:
    """The one node of a label that has these properties."""
    (found,) = nodes(raw, label, **props)
    return found


def decision(raw: RawGraph, identity: object) -> Props:
    """A decision's properties."""
    return node(raw, "Decision", id=str(identity))


def project(raw: RawGraph, project_id: str = "p") -> Props:
    """A project's properties."""
    return node(raw, "Project", project_id=project_id)


def supports(raw: RawGraph, decision_id: object) -> list[Props]:
    """All supports that hang below a decision, by ordinal, archived ones too."""
    found = raw.run(
        "MATCH (:Decision {id: $id})-[:HAS_SUPPORT]->(s) RETURN properties(s)",
        {"id": str(decision_id)},
    )
    return sorted((_plain(row[0]) for row in found), key=lambda s: s["ordinal"])


def entries(raw: RawGraph, project_id: str = "p", action: str | None = None) -> list[Props]:
    """Ledger entries of a project, in order, each with its manifest read."""
    found = [
        entry | {"manifest": json.loads(entry.get("manifest_json", "null"))}
        for entry in nodes(raw, "CtxTrace", project_id=project_id)
        if action in (None, entry.get("action"))
    ]
    return sorted(found, key=lambda entry: (entry["us"], entry["id"]))


def entry(raw: RawGraph, action: str, project_id: str = "p") -> Props:
    """The one ledger entry of an action."""
    (found,) = entries(raw, project_id, action)
    return found


def stances(raw: RawGraph, choice_key: str, project_id: str = "p") -> tuple[int, list[int]]:
    """How many sides a choice has, and how many active decisions stand on each."""
    choice = node(raw, "CtxChoice", project_id=project_id, choice_key=choice_key)
    sides = nodes(raw, "CtxStance", choice_id=choice["id"])
    return choice["stances"], sorted((side["active"] for side in sides), reverse=True)
