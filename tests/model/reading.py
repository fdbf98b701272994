"""The model's project as readers must find it."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from tests.model.judgement import normal
from tests.model.rules import Model
from tests.model.state import Decision, Step, Support, Task


def read(model: Model, project: str, keys: Sequence[str]) -> dict[str, Any]:
    """What `Acting.read` must give."""
    tasks = {name: task for (where, name), task in model.tasks.items() if where == project}
    decisions = [d for d in model.decisions.values() if d.project == project]
    travelling = model.projects.get(project, False)
    newest = sorted(decisions, key=lambda d: d.order, reverse=True)
    return {
        "tasks": {name: (t.id, t.goal, len(t.events)) for name, t in tasks.items()},
        "events": {
            name: [(e.seq, e.id, e.payload, e.author, e.redacted) for e in t.events]
            for name, t in tasks.items()
        },
        "steps": {
            name: {step: _step(model, t, s) for step, s in t.steps.items()}
            for name, t in tasks.items()
        },
        "decisions": {d.id: _decision(d, travelling=travelling) for d in decisions},
        "queue": [d.id for d in newest if d.active and (d.flagged or travelling)],
        "conflicts": _conflicts(decisions),
        "documents": {key: _document(model, project, key) for key in keys},
    }


def _step(model: Model, task: Task, s: Step) -> tuple[Any, ...]:
    return (
        s.state, s.kind, s.basis, s.result, s.updated, s.author, model.validity(task, s),
        sorted(((x.kind, x.ref, x.seq, False) for x in s.supports), key=str),
    )  # fmt: skip


def _decision(d: Decision, *, travelling: bool) -> dict[str, Any]:
    clear = "unknown" if travelling else "clear"
    return {
        "status": d.status,
        "state": "needs_review" if d.flagged else clear,
        "reason": d.reason,
        "causes": sorted(d.causes),
        "version": d.version,
        "says": d.says,
        "author": d.author,
        "rejected_by": d.rejected_by,
        "orphaned": d.orphaned,
        "supports": sorted(map(_cites, d.current), key=str),
    }


def _cites(s: Support) -> tuple[Any, ...]:
    return s.kind, s.ref, s.seq, s.gone


def _conflicts(decisions: Sequence[Decision]) -> dict[str, list[str]]:
    groups: dict[str, list[Decision]] = defaultdict(list)
    for d in decisions:
        if d.active:
            groups[d.choice].append(d)
    return {
        choice: sorted(d.id for d in group)
        for choice, group in groups.items()
        if len({normal(d.says) for d in group}) > 1
    }


def _document(model: Model, project: str, key: str) -> Any:
    document = model.documents.get(key)
    if document is None:
        return None
    granted = model.granted.get((project, key), False)
    cited = [s for d in model.decisions.values() if d.project == project for s in d.supports]
    steps = [s for t in model.tasks.values() if t.project == project for s in t.steps.values()]
    cited += [x for s in steps for x in s.supports]
    readable = granted or any(s.kind == "document" and s.ref == key for s in cited)
    return document.seq, document.text, granted, readable
