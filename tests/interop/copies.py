"""Copies of a project that the library filled, since filling one takes the library a while.

A copy has the ids that the library would have derived for it, so both sides go
on in it as if it had been recorded there.
"""

import json
from dataclasses import fields
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid4, uuid5

from agrag.common.data_models.document import Document

from tests.interop.library import Peer, derived
from tests.interop.world import Side, World

TEMPLATE = "template"


class Template:
    """The nodes and relationships of one project and its documents, as text."""

    def __init__(self, world: World) -> None:
        self._ids = {f.name: getattr(world, f.name) for f in fields(World) if f.name != "side"}
        peer = world.side.peer
        nodes = peer.rows("MATCH (n) RETURN labels(n) AS labels, n AS props")
        edges = peer.rows(
            "MATCH (a)-[r]->(b) RETURN labels(a) AS above, a.id AS start, type(r) AS type, "
            "labels(b) AS below, b.id AS end, properties(r) AS props"
        )
        self._text = json.dumps({"nodes": nodes, "edges": edges})
        self._nodes = [node["props"] | {"label": _label(node["labels"])} for node in nodes]

    def copy(self, side: Side) -> World:
        """The same records in another project."""
        names = self._renamed(side.project)
        text = self._text
        for old, new in names.items():
            text = text.replace(old, new)
        graph = json.loads(text.replace(TEMPLATE, side.project))
        _create(side.peer, graph)
        world = World.__new__(World)
        world.__dict__.update(
            {name: UUID(names[str(old)]) for name, old in self._ids.items()}, side=side
        )
        return world

    def _renamed(self, project: str) -> dict[str, str]:
        """From every id of the template to the id that the library derives in `project`."""
        new: dict[str, str] = {}

        def of(label: str) -> list[dict[str, Any]]:
            return [node for node in self._nodes if node["label"] == label]

        for task in of("Task"):
            new[task["id"]] = str(derived(project, task["name"]))
        for event in of("Event"):
            new[event["id"]] = str(derived("Event", new[event["task_id"]], event["seq"]))
        for made in of("Decision"):
            task_id = new[made["task_id"]]
            new[made["id"]] = str(
                derived("Decision", task_id, made["choice_key"], made["revision"])
            )
        for document in of("Document"):
            key = document["document_key"].replace(TEMPLATE, project)
            new[document["id"]] = str(Document.node_id_for(document_key=key))
        for label in ("DecisionSupport", "Chunk", "DocumentActivation"):
            # Nobody derives these again from what is recorded.
            new |= {node["id"]: str(uuid4()) for node in of(label)}
        return new


def _label(labels: list[str]) -> str:
    return next(label for label in labels if label != "_Node")


def _create(peer: Peer, graph: dict[str, Any]) -> None:
    by_label: dict[str, list[dict[str, Any]]] = {}
    for node in graph["nodes"]:
        by_label.setdefault(":".join(sorted(node["labels"])), []).append(node["props"])
    statements: list[tuple[str, list[Any]]] = [
        (f"UNWIND $rows AS row CREATE (n:{labels}) SET n = row", rows)
        for labels, rows in by_label.items()
    ]
    by_type: dict[tuple[str, str, str], list[list[Any]]] = {}
    for edge in graph["edges"]:
        kind = (_label(edge["above"]), edge["type"], _label(edge["below"]))
        props = edge["props"]
        if "id" in props:
            props |= {
                "id": str(uuid5(NAMESPACE_OID, f"{edge['type']}:{edge['start']}:{edge['end']}"))
            }
        by_type.setdefault(kind, []).append([edge["start"], edge["end"], props])
    for (start, kind, end), rows in by_type.items():
        text = (
            f"UNWIND $rows AS row MATCH {_seek('a', start)} WHERE a.id = row[0] "
            f"WITH row, a MATCH {_seek('b', end)} WHERE b.id = row[1] "
            f"CREATE (a)-[r:{kind}]->(b) SET r = row[2]"
        )
        statements.append((text, rows))
    peer.write_all([(text, {"rows": rows}) for text, rows in statements])


def _seek(variable: str, label: str) -> str:
    if label in ("Document", "Chunk", "DocumentActivation"):
        return f"({variable}:_Node:{label})"
    return f"({variable}:{label} {{_agrag_history_record: true}})"
