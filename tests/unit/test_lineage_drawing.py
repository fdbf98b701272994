"""The lineage drawing as geometry: whatever is connected to whatever, nothing is covered."""

import re
from datetime import UTC, datetime
from itertools import combinations
from uuid import UUID, uuid5

from hypothesis import given
from hypothesis import strategies as st

from graphstore.records import Decision, DecisionStatus, ReviewState
from graphstore.results import Lineage, LineageEdge, LineageNode
from reviewconsole.drawn_text import wrapped
from reviewconsole.lineage_drawing import MOST_NODES, Box, Drawing, draw

SPACE = UUID(int=7)
SLACK = 0.1
"""How exactly paths are written, in pixels."""


def a_decision(name: str, revision: int = 1) -> Decision:
    """A decision of which only its revision matters."""
    return Decision(
        id=uuid5(SPACE, name),
        task_id=SPACE,
        task_name="audit",
        choice_key="choice",
        revision=revision,
        conclusion=name,
        rationale="",
        author="agent",
        status=DecisionStatus.ACTIVE,
        review_state=ReviewState.CLEAR,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def node(name: str, hops: int, *, revision: int = 1, label: str = "") -> LineageNode:
    return LineageNode(
        id=name,
        kind="decision",
        label=label or name,
        hops=hops,
        decision=a_decision(name, revision),
    )


def around(drawing: Drawing, name: str) -> Box:
    """The box of one node."""
    return next(box for box in drawing.boxes if box.node.id == name)


@st.composite
def lineages(draw_from: st.DrawFn) -> Lineage:
    """Any nodes in any columns, connected in any way, also wrongly."""
    count = draw_from(st.integers(0, 75))
    hops = draw_from(st.lists(st.integers(-4, 4), min_size=count, max_size=count))
    names = [f"n{at}" for at in range(count)]
    ends = st.sampled_from([*names, "somewhere else"])
    kinds = st.sampled_from(["cites", "supersedes"])
    edges = draw_from(
        st.lists(st.builds(LineageEdge, start=ends, end=ends, kind=kinds), max_size=120)
    )
    nodes = [
        node(name, hop, revision=at % 5)
        for at, (name, hop) in enumerate(zip(names, hops, strict=True))
    ]
    return Lineage(nodes=nodes, edges=edges)


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes cover the same place."""
    apart_x = one.x + one.width <= other.x or other.x + other.width <= one.x
    apart_y = one.y + one.height <= other.y or other.y + other.height <= one.y
    return not (apart_x or apart_y)


def points(path: str) -> list[tuple[float, float]]:
    """All coordinates that path data names; a line along one axis keeps the other one."""
    found: list[tuple[float, float]] = []
    for letter, rest in re.findall(r"([MLCHV])([^MLCHVZ]*)", path):
        numbers = [float(number) for number in rest.split()]
        if letter == "H":
            found.append((numbers[0], found[-1][1]))
        elif letter == "V":
            found.append((found[-1][0], numbers[0]))
        else:
            found += zip(numbers[::2], numbers[1::2], strict=True)
    return found


@given(lineages())
def test_no_box_covers_another(lineage: Lineage) -> None:
    """Whatever there is, at most sixty boxes stand apart from each other."""
    boxes = draw(lineage).boxes
    assert len(boxes) == min(MOST_NODES, len(lineage.nodes))
    assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]


@given(lineages())
def test_everything_is_within_the_picture(lineage: Lineage) -> None:
    """Boxes and lines keep inside the view box."""
    drawing = draw(lineage)
    corners = [
        corner
        for box in drawing.boxes
        for corner in ((box.x, box.y), (box.x + box.width, box.y + box.height))
    ]
    drawn = [point for line in drawing.lines for point in points(line.path + line.arrow)]
    assert all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in corners + drawn)


@given(lineages())
def test_no_line_runs_through_a_box(lineage: Lineage) -> None:
    """What passes a column on its way passes between its boxes."""
    drawing = draw(lineage)
    passed = [
        (line, x, y)
        for line in drawing.lines
        for x, y in points(line.path)
        for box in drawing.boxes
        if box.x + SLACK < x < box.x + box.width - SLACK
        and box.y + SLACK < y < box.y + box.height - SLACK
    ]
    level = [
        (line, box)
        for line in drawing.lines
        for (x, y), (to_x, to_y) in zip(points(line.path), points(line.path)[1:], strict=False)
        for box in drawing.boxes
        if y == to_y
        and min(x, to_x) <= box.x
        and box.x + box.width <= max(x, to_x)
        and box.y < y < box.y + box.height
    ]
    assert passed == []
    assert level == []


@given(lineages())
def test_each_line_joins_the_two_that_it_names(lineage: Lineage) -> None:
    """It begins at the edge of one box, and its arrow ends at the edge of the other."""
    drawing = draw(lineage)
    for line in drawing.lines:
        assert touches(around(drawing, line.edge.start), points(line.path)[0])
        assert touches(around(drawing, line.edge.end), points(line.arrow)[0])


def touches(box: Box, point: tuple[float, float]) -> bool:
    """Whether a point lies on the border of a box, as exactly as paths are written."""
    x, y = point
    beside = min(abs(x - box.x), abs(x - box.x - box.width)) < SLACK
    above = min(abs(y - box.y), abs(y - box.y - box.height)) < SLACK
    within_x = box.x - SLACK < x < box.x + box.width + SLACK
    within_y = box.y - SLACK < y < box.y + box.height + SLACK
    return (beside and within_y) or (above and within_x)


@given(lineages())
def test_columns_go_from_what_is_cited_to_what_cites(lineage: Lineage) -> None:
    """Fewer hops stand further left, equal hops below each other, numbers follow the eye."""
    drawing = draw(lineage)
    assert [box.number for box in drawing.boxes] == list(range(1, len(drawing.boxes) + 1))
    places = [(box.node.hops, box.x, box.y) for box in drawing.boxes]
    assert places == sorted(places)
    assert [column.hops for column in drawing.columns] == sorted({hops for hops, _, _ in places})


@given(lineages())
def test_the_same_lineage_is_drawn_the_same(lineage: Lineage) -> None:
    """A reader who comes back finds everything where it was."""
    assert draw(lineage) == draw(lineage)


def test_what_is_left_out_is_farthest_away() -> None:
    """Sixty at most, the decision's own neighbours before those of others."""
    nodes = [node("here", 0), *(node(f"far {at}", 2) for at in range(40))]
    nodes += [node(f"near {at}", 1) for at in range(40)]
    drawing = draw(Lineage(nodes=nodes))
    kept = {box.node.id for box in drawing.boxes}
    assert {"here", *(f"near {at}" for at in range(40))} <= kept
    assert drawing.left_out == 81 - MOST_NODES


def test_the_newest_revision_stands_on_top() -> None:
    """The decision's own revisions read downwards into the past."""
    nodes = [node("first", 0), node("third", 0, revision=3), node("second", 0, revision=2)]
    edges = [
        LineageEdge(start="third", end="second", kind="supersedes"),
        LineageEdge(start="second", end="first", kind="supersedes"),
    ]
    drawing = draw(Lineage(nodes=nodes, edges=edges))
    assert [box.node.id for box in drawing.boxes] == ["third", "second", "first"]
    assert len({box.x for box in drawing.boxes}) == 1


def test_a_chain_is_a_straight_line() -> None:
    """Where nothing else is in the way, neighbours are level."""
    nodes = [node("cited", -1), node("here", 0), node("citing", 1)]
    edges = [
        LineageEdge(start="here", end="cited"),
        LineageEdge(start="citing", end="here"),
    ]
    drawing = draw(Lineage(nodes=nodes, edges=edges))
    assert len({box.y for box in drawing.boxes}) == 1


def test_two_bundles_do_not_cross() -> None:
    """What cites the upper one stands above what cites the lower one."""
    nodes = [node("here", 0), node("up", 1), node("down", 1)]
    nodes += [node(f"{side} {at}", 2) for at in range(3) for side in ("down", "up")]
    edges = [LineageEdge(start=side, end="here") for side in ("up", "down")]
    edges += [
        LineageEdge(start=f"{side} {at}", end=side) for at in range(3) for side in ("down", "up")
    ]
    drawing = draw(Lineage(nodes=nodes, edges=edges))
    outer = [box.node.id.split()[0] for box in drawing.boxes if box.node.hops == 2]
    inner = [box.node.id for box in drawing.boxes if box.node.hops == 1]
    assert outer == [side for side in inner for _ in range(3)]


@given(st.text(max_size=200), st.integers(4, 40), st.integers(1, 3))
def test_text_is_broken_and_never_invented(text: str, per_line: int, lines: int) -> None:
    """What is drawn is how the text begins, at most so many lines of it."""
    drawn = wrapped(text, per_line, lines)
    assert len(drawn) <= lines
    squeezed = "".join(text.split())
    shown = "".join("".join(line.split()) for line in drawn)
    assert squeezed.startswith(shown.removesuffix("…")) or squeezed == shown
    assert (shown == squeezed) or drawn[-1].endswith("…")


def test_words_stay_whole_where_they_fit() -> None:
    """A line ends between two words, unless one word is longer than a line."""
    assert wrapped("The letter promises 30 days to everybody.", 22, 2) == (
        "The letter promises 30",
        "days to everybody.",
    )
    assert wrapped("Donaudampfschifffahrtselektrizität", 12, 2)[1].endswith("…")
