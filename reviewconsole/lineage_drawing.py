"""Where each box and line of a lineage drawing stands.

A layered layout has three parts: give each node a column, order the columns, place
the nodes. The record answers the first by its hops, which is where layout libraries
are large (and where the fast one ends the process on a self-loop); the other two are
short on at most 60 nodes: barycentres for the order, and the closest heights without
overlap for the places. So there is no library here.

Lines never cross a box: one that spans several columns gets a lane of its own in each
column between, and one within a column leaves it and comes back.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphstore.results import Lineage, LineageEdge, LineageNode
from reviewconsole.drawn_text import wrapped

__all__ = ["MOST_NODES", "MOST_OPENED", "Box", "Column", "Drawing", "Line", "draw"]

MOST_NODES = 60
MOST_OPENED = 180
"""When the reader opened nodes."""

WIDTH, HEIGHT = 196.0, 84.0
BETWEEN = 20.0
GUTTER = 64.0
MARGIN = 20.0
HEAD = 32.0
ARROW = 7.0
_SWEEPS = 3


@dataclass(frozen=True)
class Box:
    """One node, its top left corner, and its place in the reading order, from 1."""

    node: LineageNode
    number: int
    x: float
    y: float
    lines: tuple[str, ...]
    width: float = WIDTH
    height: float = HEIGHT


@dataclass(frozen=True)
class Line:
    """From `start`, which cites or supersedes, to `end`; `arrow` is the head at `end`.

    Both are path data for SVG.
    """

    edge: LineageEdge
    path: str
    arrow: str


@dataclass(frozen=True)
class Column:
    """All nodes at one distance. `middle` is where its heading is centred."""

    hops: int
    middle: float


@dataclass(frozen=True)
class Drawing:
    """A whole drawing; sizes are in pixels. `boxes` are in reading order."""

    width: float
    height: float
    columns: tuple[Column, ...]
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    left_out: int = 0


@dataclass(frozen=True)
class _Lane:
    """The room that lines to one node keep free in a column between."""

    end: str
    column: int


_Item = str | _Lane


def draw(lineage: Lineage, most: int = MOST_NODES) -> Drawing:
    """Lay out at most `most` nodes, nearest first, and what connects them."""
    nodes = _nearest(lineage.nodes, most)
    hops = sorted({node.hops for node in nodes.values()})
    column_of = {node.id: hops.index(node.hops) for node in nodes.values()}
    edges = _known(lineage.edges, nodes)
    columns, neighbours = _columns(nodes, column_of, edges, len(hops))
    centre = hops.index(0) if 0 in hops else 0
    _order(columns, neighbours, centre, nodes)
    middles = _place(columns, neighbours, centre)
    lefts = [MARGIN + place * (WIDTH + GUTTER) for place in range(len(columns))]
    boxes = _boxes(columns, nodes, lefts, middles)
    where = {box.node.id: box for box in boxes}
    pens = _Pens(where, column_of, lefts, middles)
    bottom = max((y + _height(item) / 2 for item, y in middles.items()), default=HEAD)
    return Drawing(
        width=2 * MARGIN + len(columns) * (WIDTH + GUTTER) - GUTTER if columns else 0.0,
        height=round(bottom + MARGIN, 1),
        columns=tuple(Column(hop, left + WIDTH / 2) for hop, left in zip(hops, lefts, strict=True)),
        boxes=tuple(boxes),
        lines=tuple(pens.line(edge) for edge in edges),
        left_out=len({node.id for node in lineage.nodes}) - len(nodes),
    )


def _nearest(nodes: Iterable[LineageNode], most: int) -> dict[str, LineageNode]:
    by_id = {node.id: node for node in nodes}
    nearest = sorted(by_id.values(), key=lambda node: abs(node.hops))[:most]
    return {node.id: node for node in nearest}


def _known(edges: Iterable[LineageEdge], nodes: Mapping[str, LineageNode]) -> list[LineageEdge]:
    """Edges between two different nodes that are drawn, each once."""
    drawn = {
        (edge.start, edge.end, edge.kind): edge
        for edge in edges
        if edge.start in nodes and edge.end in nodes and edge.start != edge.end
    }
    return list(drawn.values())


def _columns(
    nodes: Mapping[str, LineageNode],
    column_of: Mapping[str, int],
    edges: Iterable[LineageEdge],
    count: int,
) -> tuple[list[list[_Item]], dict[_Item, list[_Item]]]:
    """The items of each column, and for each item those that it is tied to next door."""
    columns: list[list[_Item]] = [[] for _ in range(count)]
    for ident in nodes:
        columns[column_of[ident]].append(ident)
    ties: dict[_Item, dict[_Item, None]] = defaultdict(dict)
    for edge in edges:
        for lane in _lanes(edge, column_of):
            if lane not in columns[lane.column]:
                columns[lane.column].append(lane)
        if column_of[edge.start] != column_of[edge.end]:
            for one, other in pairwise([edge.start, *_lanes(edge, column_of), edge.end]):
                ties[one][other] = None
                ties[other][one] = None
    return columns, {item: list(tied) for item, tied in ties.items()}


def _lanes(edge: LineageEdge, column_of: Mapping[str, int]) -> list[_Lane]:
    """Where the line of an edge passes between its ends."""
    first, last = column_of[edge.start], column_of[edge.end]
    step = 1 if last > first else -1
    return [_Lane(edge.end, column) for column in range(first + step, last, step)]


def _order(
    columns: list[list[_Item]],
    neighbours: Mapping[_Item, Sequence[_Item]],
    centre: int,
    nodes: Mapping[str, LineageNode],
) -> None:
    """Put what belongs together side by side; the newest revision stays on top."""
    if not columns:
        return
    columns[centre].sort(key=lambda item: _revision(item, nodes))
    # There and back, so that each side also follows what lies beyond it.
    there = range(len(columns))
    for place in [*there, *reversed(there)] * _SWEEPS:
        rank = {item: at / max(1, len(c) - 1) for c in columns for at, item in enumerate(c)}
        weight = {
            item: _mean([rank[other] for other in neighbours.get(item, ())], rank[item])
            for item in columns[place]
        }
        if place == centre:
            columns[place] = _around_revisions(columns[place], weight)
        else:
            columns[place].sort(key=weight.__getitem__)


def _around_revisions(column: Sequence[_Item], weight: Mapping[_Item, float]) -> list[_Item]:
    """The revisions as they are, with the lanes above and below them."""
    lanes = sorted((item for item in column if isinstance(item, _Lane)), key=weight.__getitem__)
    return [
        *(lane for lane in lanes if weight[lane] < 0.5),
        *(item for item in column if not isinstance(item, _Lane)),
        *(lane for lane in lanes if weight[lane] >= 0.5),
    ]


def _revision(item: _Item, nodes: Mapping[str, LineageNode]) -> int:
    """What sorts the newest revision first."""
    decision = nodes[item].decision if isinstance(item, str) else None
    return -decision.revision if decision else 0


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _place(
    columns: Sequence[Sequence[_Item]],
    neighbours: Mapping[_Item, Sequence[_Item]],
    centre: int,
) -> dict[_Item, float]:
    """The height of each item's middle: as level with its neighbours as the order allows."""
    middles: dict[_Item, float] = {}
    outwards = sorted(range(len(columns)), key=lambda place: abs(place - centre))
    for place in outwards:
        wanted = [
            _mean([middles[other] for other in neighbours.get(item, ()) if other in middles], 0.0)
            for item in columns[place]
        ]
        middles |= zip(columns[place], _apart(columns[place], wanted), strict=True)
    top = min((y - _height(item) / 2 for item, y in middles.items()), default=0.0)
    return {item: round(y - top + MARGIN + HEAD, 1) for item, y in middles.items()}


def _height(item: _Item) -> float:
    return HEIGHT if isinstance(item, str) else 0.0


def _apart(items: Sequence[_Item], wanted: Sequence[float]) -> list[float]:
    """The heights closest to those wanted at which, in this order, nothing overlaps.

    Taking away the room that an item needs below those before it leaves heights that
    must not fall; the closest such row pools neighbours that fall to their mean.
    """
    offsets: list[float] = []
    at = 0.0
    for item in items:
        at += _height(item) / 2
        offsets.append(at)
        at += _height(item) / 2 + BETWEEN
    pools: list[tuple[float, int]] = []
    for height, offset in zip(wanted, offsets, strict=True):
        mean, count = height - offset, 1
        while pools and pools[-1][0] > mean:
            before, many = pools.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        pools.append((mean, count))
    level = [mean for mean, count in pools for _ in range(count)]
    return [mean + offset for mean, offset in zip(level, offsets, strict=True)]


def _boxes(
    columns: Sequence[Sequence[_Item]],
    nodes: Mapping[str, LineageNode],
    lefts: Sequence[float],
    middles: Mapping[_Item, float],
) -> list[Box]:
    shown = [
        (item, left)
        for column, left in zip(columns, lefts, strict=True)
        for item in column
        if isinstance(item, str)
    ]
    return [
        Box(nodes[item], at, left, round(middles[item] - HEIGHT / 2, 1), wrapped(nodes[item].label))
        for at, (item, left) in enumerate(shown, start=1)
    ]


@dataclass(frozen=True)
class _Pens:
    """Draws one line after another."""

    boxes: Mapping[str, Box]
    column_of: Mapping[str, int]
    lefts: Sequence[float]
    middles: Mapping[_Item, float]

    def line(self, edge: LineageEdge) -> Line:
        first, last = self.column_of[edge.start], self.column_of[edge.end]
        if first != last:
            return self._across(edge, 1 if last > first else -1)
        if self._next_to_each_other(edge):
            return self._upright(edge)
        return self._around(edge)

    def _across(self, edge: LineageEdge, step: int) -> Line:
        """From side to side, level within each column that is passed."""
        start, end = self.boxes[edge.start], self.boxes[edge.end]
        x, y = (start.x + start.width if step > 0 else start.x), self.middles[edge.start]
        path = [f"M{_n(x)} {_n(y)}"]
        for lane in _lanes(edge, self.column_of):
            left, level = self.lefts[lane.column], self.middles[lane]
            near, far = (left, left + WIDTH) if step > 0 else (left + WIDTH, left)
            path += [_curve(x, y, near, level), f"H{_n(far)}"]
            x, y = far, level
        tip = end.x if step > 0 else end.x + end.width
        path.append(_curve(x, y, tip - step * ARROW, self.middles[edge.end]))
        return Line(edge, "".join(path), _head(tip, self.middles[edge.end], step))

    def _next_to_each_other(self, edge: LineageEdge) -> bool:
        one, other = self.boxes[edge.start], self.boxes[edge.end]
        low, high = sorted((self.middles[edge.start], self.middles[edge.end]))
        return not any(
            box.x == one.x and low < box.y + HEIGHT / 2 < high
            for box in self.boxes.values()
            if box not in (one, other)
        )

    def _upright(self, edge: LineageEdge) -> Line:
        start, end = self.boxes[edge.start], self.boxes[edge.end]
        x = start.x + WIDTH / 2
        down = end.y > start.y
        begin = start.y + HEIGHT if down else start.y
        tip = end.y if down else end.y + HEIGHT
        back = -ARROW if down else ARROW
        half = ARROW * 0.6
        head = (
            f"M{_n(x)} {_n(tip)}L{_n(x - half)} {_n(tip + back)}L{_n(x + half)} {_n(tip + back)}Z"
        )
        return Line(edge, f"M{_n(x)} {_n(begin)}V{_n(tip + back)}", head)

    def _around(self, edge: LineageEdge) -> Line:
        """Out of the right side and back into it, a little further out the longer the way."""
        start, end = self.boxes[edge.start], self.boxes[edge.end]
        side = start.x + WIDTH
        one, other = self.middles[edge.start], self.middles[edge.end]
        # Apart from where lines to the next column leave and arrive.
        shift = HEIGHT / 4 if other > one else -HEIGHT / 4
        one, other = one + shift, other - shift
        out = side + min(MARGIN - 2, 10 + abs(other - one) / 40)
        path = (
            f"M{_n(side)} {_n(one)}C{_n(out)} {_n(one)} {_n(out)} {_n(one)} {_n(out)} "
            f"{_n((one + other) / 2)}C{_n(out)} {_n(other)} {_n(out)} {_n(other)} "
            f"{_n(side + ARROW)} {_n(other)}"
        )
        return Line(edge, path, _head(end.x + end.width, other, -1))


def _curve(x: float, y: float, to_x: float, to_y: float) -> str:
    middle = (x + to_x) / 2
    return f"C{_n(middle)} {_n(y)} {_n(middle)} {_n(to_y)} {_n(to_x)} {_n(to_y)}"


def _head(tip: float, y: float, step: int) -> str:
    """An arrow that points right for a positive step, else left."""
    back, half = tip - step * ARROW, ARROW * 0.6
    return f"M{_n(tip)} {_n(y)}L{_n(back)} {_n(y - half)}L{_n(back)} {_n(y + half)}Z"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
