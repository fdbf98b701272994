"""Where files become statements, and nowhere else.

A read is one file of `read/`. A commit is put together from the clauses in
`commit/` after the shape that its verb declares in `graphstore.verbs`, so its
text is fixed and an engine plans it once.
"""

import re
from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files

from graphstore.schema import COLUMNS, pattern
from graphstore.verbs import LOCK_ORDER, OWNERS, Verb

_ROOT = files(__name__)
_MACRO = re.compile(r"\{\{(\w+):(\w+)\}\}")
_INCLUDE = re.compile(r"^(//neo4j |//falkordb )?//\+ (\w+)$", re.MULTILINE)
_NEO4J = re.compile(r"^(\s*)//neo4j ", re.MULTILINE)
_FALKORDB = re.compile(r"^(\s*)//falkordb ", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*$\n?", re.MULTILINE)


@cache
def read_statement(name: str, *, hints: bool = False) -> str:
    """The read of that name, with its shared clauses put in.

    `hints` keeps the lines marked `//neo4j`, and without it those marked `//falkordb`.
    Most say to Neo4j which index to seek in: it plans after what a label holds, so a
    project whose decisions are all alike looks as if a scan would soon find enough.
    FalkorDB has no such words, and always seeks. The others call what only one of the
    engines has, as their full-text search.
    """
    return _expand((_ROOT / "read" / f"{name}.cypher").read_text(), hints=hints)


def read_names() -> list[str]:
    """The name of every read, sorted."""
    names = (path.name for path in (_ROOT / "read").iterdir())
    return sorted(n.removesuffix(".cypher") for n in names if n.endswith(".cypher"))


@cache
def commit_statement(verb: Verb, *, locks: bool) -> str:
    """The one statement of a verb.

    `locks` adds the clause that takes a node's write lock, which Neo4j needs
    before a guard may be believed and FalkorDB, whose writes are serial, does not;
    it also keeps the hints for Neo4j's planner.
    """
    clause = partial(_clause, hints=locks, lock="SET n.ctx_lock = null" if locks else "")
    guarded = [label for label in LOCK_ORDER if label in verb.guards]
    parts = [clause("guard", label=label, match=pattern("n", label, "i")) for label in guarded]
    if guarded:
        held = " AND ".join(f"held_{g} = $p.held.{g}" for g in guarded)
        parts.append(f"WITH {held} AS held WHERE held")
    parts += [clause("supports_held")] if verb.supports_held else []
    parts += [clause("revisions_held")] if verb.revisions_held else []
    parts += [clause("lives_held")] if verb.lives_held else []
    parts += [clause("citers_held")] if verb.citers_held else []
    parts += [clause("erased_held")] if verb.erases else []
    parts += [clause("part_held")] if verb.erases_part else []
    parts += [clause("close_parts"), clause("open_parts")] if verb.parts else []
    parts += [_create(clause, label) for label in verb.creates]
    parts += [
        clause(
            "change_revised" if label in _REVISED else "change",
            label=label,
            match=pattern("n", label, "i"),
        )
        for label in verb.changes
    ]
    parts += [clause("link", type=kind) for kind in verb.links]
    parts += [clause("scrub")] if verb.scrubs else []
    parts += [clause("uncite"), clause("cite")] if verb.cites else []
    parts += [clause("scope")] if verb.scopes else []
    parts += [clause("identify")] if verb.identifies else []
    parts += [clause("stance")] if verb.stances else []
    parts += [clause("raise")] if verb.raises else []
    parts.append(clause("append") if verb.appends else "WITH null AS last_seq, null AS last_id")
    parts.append(clause("late") if verb.late else "WITH last_seq, last_id, [] AS late")
    parts += [clause("finish")] if verb.finishes else []
    parts += [clause("entry")] if verb.entry else []
    parts += [clause("request")] if verb.request else []
    parts += [clause("erase")] if verb.erases else []
    parts += [clause("erase_part")] if verb.erases_part else []
    parts += [clause("restore")] if verb.restores else []
    parts.append("RETURN last_seq, late")
    return "\n".join(parts)


def _create(clause: Callable[..., str], label: str) -> str:
    node = f":_Node:{label}" if label in _KNOWLEDGE else f":{label}"
    if label not in OWNERS:
        return clause("create", label=label, node=node)
    owner, relation = OWNERS[label]
    return clause(
        "create_owned",
        label=label,
        node=node,
        relation=relation,
        edge=_EDGES.get(relation, ""),
        match=pattern("o", owner, "c.owner"),
    )


_KNOWLEDGE = {"Document", "Chunk", "DocumentActivation"}
_REVISED = {"Decision", "Step"}
_EDGES = {
    "HAS_PART": " {id: c.edge.id, version_id: c.edge.version_id, valid_at: c.edge.valid_at}",
}


def _clause(name: str, /, *, hints: bool, **words: str) -> str:
    text = (_ROOT / "commit" / f"{name}.cypher").read_text()
    for word, value in words.items():
        text = text.replace(f"<{word}>", value)
    return _expand(text, hints=hints)


def _included(include: re.Match[str]) -> str:
    """A shared clause; what stands before its name, an engine's mark, before each of its lines."""
    text = (_ROOT / "clauses" / f"{include[2]}.cypher").read_text()
    return "".join((include[1] or "") + line for line in text.splitlines(keepends=True))


def _expand(text: str, *, hints: bool) -> str:
    while _INCLUDE.search(text):
        text = _INCLUDE.sub(_included, text)
    text = (_NEO4J if hints else _FALKORDB).sub(r"\1", text)
    text = _COMMENT.sub("", text)
    return _MACRO.sub(
        lambda m: "[" + ", ".join(f"{m[2]}.{c}" for c in COLUMNS[m[1]]) + "]", text
    ).strip()
