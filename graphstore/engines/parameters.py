"""A changeset as the one parameter map of its verb's statement.

Lists are sorted by id, so that locks are taken in one order, and neighbours with
equal content are grouped, so that setting 450 nodes alike carries one set of values.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from graphstore.calls import storable
from graphstore.changeset import Changeset, Create, Props
from graphstore.verbs import Verb

Decorate = Callable[[str, Props], Props]


def parameters(verb: Verb, changes: Changeset, decorate: Decorate) -> dict[str, Any]:
    """`$p` for the verb's statement.

    `decorate` adds what an engine keeps beside a created node. Raises
    `ValueError` when the changeset holds what the verb's statement would ignore.
    """
    p: dict[str, Any] = {"held": {}}
    _guards(verb, changes, p)
    for label in verb.creates:
        p[f"new_{label}"] = [_created(c, decorate) for c in changes.creates if c.label == label]
    for label in verb.changes:
        p[f"set_{label}"] = _one_removal_each(
            _grouped(
                {"props": c.props, "by": int(c.revises), "id": c.id}
                for c in changes.changes
                if c.label == label
            )
        )
    for kind in verb.links:
        p[f"link_{kind}"] = [[link.start, link.end] for link in changes.links if link.type == kind]
    p["close_parts"] = [list(part) for part in changes.part_documents]
    p["open_parts"] = [list(part) for part in changes.open_parts]
    p["cites"] = [
        {"step": c.step_id, "documents": sorted(set(c.document_ids))} for c in changes.cites
    ]
    p["scopes"] = [
        {"id": s.id, "props": s.props()}
        for s in sorted(set(changes.scopes), key=lambda scope: scope.id)
    ]
    p["identified"] = [list(event) for event in sorted(changes.identified)]
    p["stances"] = _stances(changes)
    p["raises"] = [
        {"project_id": r.project_id, "flags": r.flags, "incomplete": r.incomplete}
        for r in changes.raises
    ]
    p["erased"] = [
        {
            "task_id": e.task_id,
            "project_id": e.project_id,
            "whole": e.whole,
            "made": e.made,
            "ids": list(e.support_ids),
            "count": len(e.support_ids),
            "emptied": e.emptied,
        }
        for e in [changes.erase]
        if e is not None
    ]
    p["erased_choices"] = list(changes.erase.choice_ids) if changes.erase else []
    p["erased_part"] = [
        {
            "task_id": e.task_id,
            "ids": list(e.support_ids),
            "count": len(e.support_ids),
            "low": e.low,
            "high": e.high,
            "decisions": list(e.decision_ids),
            "choices": list(e.choice_ids),
            "steps": list(e.step_ids),
            "close": e.close,
        }
        for e in [changes.erase_part]
        if e is not None
    ]
    p["restored"] = list(changes.restores)
    p["scrubs"] = [asdict(s) for s in changes.scrubs]
    p["appends"] = [
        {
            "task_id": a.task_id,
            "base": a.base,
            "ids": list(a.ids),
            "events": [_present(e) for e in a.events],
        }
        for a in changes.appends
    ]
    p["late"] = [{"ids": list(item.ids), "props": item.props} for item in changes.late]
    p["finish"] = changes.finish_projects
    p["entries"] = [_present(entry) for entry in changes.entries]
    p["requests"] = (
        [{"props": _present(changes.request), "parts": changes.result_parts}]
        if changes.request
        else []
    )
    _refuse_ignored(verb, changes)
    return p


def readable(value: Any) -> Any:
    """A read's parameters, made so that every engine takes them alike.

    A text that nothing can have stored becomes one that nothing has, and an
    integer beyond 64 bits the largest: both then name nothing.
    """
    if isinstance(value, str):
        return value if storable(value) else UNSTORABLE
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-MAX_INTEGER, min(MAX_INTEGER, value))
    if isinstance(value, Mapping):
        named = cast("Mapping[str, Any]", value)
        return {key: readable(item) for key, item in named.items()}
    if isinstance(value, list | tuple):
        return [readable(item) for item in cast("Sequence[Any]", value)]
    return value


def plain(p: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that stand outside of the map: a limit, and FalkorDB's places of nodes.

    Inside of it FalkorDB takes neither.
    """
    places = {key: value for key, value in p.items() if key.startswith("from_")}
    return {"n": p["limit"], **places} if "limit" in p else places


UNSTORABLE = "\ufffe\ufffe"
MAX_INTEGER = 2**63 - 1


def _guards(verb: Verb, changes: Changeset, p: dict[str, Any]) -> None:
    for label in verb.guards:
        guards = {
            (g.id, json.dumps([g.seen, g.absent, g.low, g.high], sort_keys=True)): g
            for g in changes.guards
            if g.label == label
        }
        p["held"][label] = len(guards)
        p[f"guard_{label}"] = _grouped(
            {
                "id": g.id,
                "seen": dict(g.seen),
                "absent": list(g.absent),
                "low": g.low,
                "high": g.high,
            }
            for g in guards.values()
        )
    p["supports_held"] = [{"id": s.decision_id, "count": s.count} for s in changes.supports_held]
    p["revisions_held"] = [
        {"task_id": r.task_id, "choice_key": r.choice_key, "count": r.count}
        for r in changes.revisions_held
    ]
    p["lives_held"] = [
        {"id": held.tombstone_id, "lives": held.lives} for held in changes.lives_held
    ]
    for name, key in (("document", "document_node_id"), ("event", "event_id")):
        p[f"citers_{name}"] = [
            {"ref": c.ref, "ids": list(c.support_ids), "count": len(c.support_ids)}
            for c in changes.citers_held
            if c.key == key
        ]


def _grouped(items: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows in the order of their ids, neighbours with equal content put together."""
    groups: list[dict[str, Any]] = []
    for item in sorted(items, key=lambda item: item["id"]):
        rest = {key: value for key, value in item.items() if key != "id"}
        if groups and all(groups[-1][key] == value for key, value in rest.items()):
            groups[-1]["ids"].append(item["id"])
        else:
            groups.append({**rest, "ids": [item["id"]]})
    return groups


def _one_removal_each(groups: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same changes, none of which removes more than one property.

    FalkorDB (module 42201), asked to remove two properties of a node at once, one of
    them its newest, removes another in its place and says nothing.
    """
    steps: list[dict[str, Any]] = []
    for group in groups:
        props: Props = group["props"]
        also = [key for key, value in props.items() if value is None][1:]
        kept = {key: value for key, value in props.items() if key not in also}
        steps.append({**group, "props": kept})
        steps += [{**group, "props": {key: None}, "by": 0} for key in also]
    return steps


def _created(create: Create, decorate: Decorate) -> dict[str, Any]:
    row: dict[str, Any] = {"props": _present(decorate(create.label, create.props))}
    if create.owner is not None:
        row |= {"owner": create.owner, "edge": _present(create.edge or {})}
    return row


def _present(props: Mapping[str, Any]) -> Props:
    return {key: value for key, value in props.items() if value is not None}


def _stances(changes: Changeset) -> list[dict[str, Any]]:
    choices: dict[str, dict[str, Any]] = {}
    for s in sorted(changes.stances, key=lambda s: (s.choice_id, s.stance_id)):
        row = choices.setdefault(
            s.choice_id, {"choice_id": s.choice_id, "choice": s.choice, "sides": {}}
        )
        side = row["sides"].setdefault(s.stance_id, {"id": s.stance_id, "props": s.stance, "by": 0})
        side["by"] += s.by
    return [{**row, "sides": list(row["sides"].values())} for row in choices.values()]


def _refuse_ignored(verb: Verb, changes: Changeset) -> None:
    """A part of a changeset that its verb's text leaves out would be lost in silence."""
    stray = (
        {g.label for g in changes.guards} - set(verb.guards)
        | {c.label for c in changes.creates} - set(verb.creates)
        | {c.label for c in changes.changes} - set(verb.changes)
        | {link.type for link in changes.links} - set(verb.links)
    )
    for name, given, taken in (
        ("supports_held", changes.supports_held, verb.supports_held),
        ("revisions_held", changes.revisions_held, verb.revisions_held),
        ("lives_held", changes.lives_held, verb.lives_held),
        ("citers_held", changes.citers_held, verb.citers_held),
        ("part_documents", changes.part_documents, verb.parts),
        ("open_parts", changes.open_parts, verb.parts),
        ("cites", changes.cites, verb.cites),
        ("scopes", changes.scopes, verb.scopes),
        ("identified", changes.identified, verb.identifies),
        ("stances", changes.stances, verb.stances),
        ("raises", changes.raises, verb.raises),
        ("appends", changes.appends, verb.appends),
        ("erase", changes.erase, verb.erases),
        ("erase_part", changes.erase_part, verb.erases_part),
        ("restores", changes.restores, verb.restores),
        ("scrubs", changes.scrubs, verb.scrubs),
        ("late", changes.late, verb.late),
        ("finish_projects", changes.finish_projects, verb.finishes),
        ("entries", changes.entries, verb.entry),
        ("request", changes.request, verb.request),
    ):
        if given and not taken:
            stray.add(name)
    if stray:
        raise ValueError(f"{verb.name} has no clause for {', '.join(sorted(stray))}")
