"""What was measured as a table and a plot, and both put into `docs/performance.md`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.measure import Row
from bench.pages import MOST, Page

DOCS = Path(__file__).resolve().parent.parent / "docs"
MOST_GROWTH = 1.5
ENGINES = {"embedded": "Embedded FalkorDB", "neo4j": "Neo4j"}


@dataclass
class Run:
    """One run: the rows and pages of each size."""

    engine: str
    rounds: int
    rows: dict[int, list[Row]]
    pages: dict[int, list[Page]]


def header() -> str:
    return (
        f"{'operation':45} {'ours ms':>9} {'trips':>5} {'library ms':>11} {'ratio':>8} {'goal':>7}"
    )


def line(row: Row, engine: str) -> str:
    """One row for a terminal."""
    said = f"{row.name:45} {row.ours.median:9.2f} {row.ours.round_trips!s:>5}"
    if row.theirs is None or row.ratio is None:
        return said
    goal = _goal(row, engine)
    wanted = "" if goal is None else f"{goal:g}x"
    return f"{said} {row.theirs.median:11.1f} {row.ratio:7.1f}x {wanted:>7}"


def write(run: Run) -> None:
    """Replace this engine's part of the document, and its plot."""
    document = DOCS / "performance.md"
    text = document.read_text(encoding="utf-8")
    begin, end = f"<!-- {run.engine} -->", f"<!-- /{run.engine} -->"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    document.write_text(f"{before}{begin}\n{_part(run)}\n{end}{after}", encoding="utf-8")
    plot(run, DOCS / "pictures" / f"performance-{run.engine}.svg")


def _part(run: Run) -> str:
    sizes = sorted(run.rows)
    smallest, largest = sizes[0], sizes[-1]
    said = [
        "",
        f"Medians of {run.rounds} rounds in milliseconds; growth and ratio by medians, then by the fastest.",
        "",
        f"![How many times faster than the library](pictures/performance-{run.engine}.svg)",
        "",
        "| operation | " + " | ".join(f"ours at {size:,}" for size in sizes)
        + f" | growth | fastest | trips | library at {smallest:,} | library at {largest:,} | ratio |"
        " fastest | to reach |",
        "|---|" + "---:|" * (len(sizes) + 8),
    ]  # fmt: skip
    said += [_table_row(run, row) for row in run.rows[largest]]
    said += [
        "",
        f"A page of the console in milliseconds, and its round trips (at most {MOST}):",
        "",
        "| page | " + " | ".join(f"at {size:,}" for size in sizes) + " | trips |",
        "|---|" + "---:|" * (len(sizes) + 1),
    ]
    for k, page in enumerate(run.pages[largest]):
        times = " | ".join(f"{run.pages[size][k].milliseconds:.0f}" for size in sizes)
        trips = max(run.pages[size][k].round_trips for size in sizes)
        said.append(f"| {page.name} | {times} | {trips} |")
    return "\n".join([*said, ""])


def _at(run: Run, size: int, row: Row) -> Row | None:
    """The same operation at another size; a drain is named after its dependents."""
    return next(
        (one for one in run.rows[size] if one.name == row.name or (one.whole and row.whole)), None
    )


def _table_row(run: Run, last: Row) -> str:
    sizes = sorted(run.rows)
    rows = [_at(run, size, last) for size in sizes]
    first = rows[0]
    growth, best = _growths(first, last)
    cells = [
        last.name,
        *(_ms(row.ours.median) if row else "" for row in rows),
        _marked(growth, missed=growth is not None and growth > MOST_GROWTH),
        _marked(best, missed=best is not None and best > MOST_GROWTH),
        str(last.ours.round_trips),
    ]
    if last.theirs is None or first is None or first.theirs is None:
        return "| " + " | ".join([*cells, "", "", "", "", ""]) + " |"
    marks = [
        _ms(m.median) + ("*" if m.extrapolated_from else "") for m in (first.theirs, last.theirs)
    ]
    goal = _goal(last, run.engine)
    ratios = [
        _marked(ratio, missed=goal is not None and ratio is not None and ratio < goal)
        for ratio in (last.ratio, last.best_ratio)
    ]
    return "| " + " | ".join([*cells, *marks, *ratios, f"{goal:g}×" if goal else ""]) + " |"


def _growths(first: Row | None, last: Row) -> tuple[float | None, float | None]:
    if first is None or last.pages or last.whole:
        return None, None
    return last.ours.median / first.ours.median, last.ours.fastest / first.ours.fastest


def _marked(value: float | None, *, missed: bool) -> str:
    if value is None:
        return ""
    said = f"{value:,.1f}×"
    return f"**{said}**" if missed else said


def _goal(row: Row, engine: str) -> float | None:
    return row.goal[0] if engine == "embedded" else row.goal[1]


def _ms(value: float) -> str:
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def plot(run: Run, path: Path) -> None:
    """The ratio of each operation at each size, on a logarithmic axis."""
    import matplotlib as mpl

    mpl.use("svg")
    # Text stays text, and the same figures give the same file.
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": run.engine, "font.size": 9})
    from matplotlib import pyplot as plt

    sizes = sorted(run.rows)
    compared = [row for row in run.rows[sizes[-1]] if row.theirs is not None]
    figure, axes = plt.subplots(figsize=(9, 0.34 * len(compared) + 1.2))
    for size, shade in zip(sizes, ("#b8c4d6", "#6f8fbf", "#1f4e8c", "#0b2545"), strict=False):
        found = [(place, _at(run, size, wanted)) for place, wanted in enumerate(compared)]
        dots = [(place, one.ratio) for place, one in found if one is not None and one.ratio]
        ratios, places = [ratio for _, ratio in dots], [place for place, _ in dots]
        axes.scatter(ratios, places, label=f"{size:,} decisions", color=shade, zorder=3)
    for place, one in enumerate(compared):
        goal = _goal(one, run.engine)
        if goal is not None:
            axes.plot([goal, goal], [place - 0.35, place + 0.35], color="#b3261e", zorder=2)
    axes.plot([], [], color="#b3261e", label="to reach at 100,000")
    axes.axvline(1, color="#888", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks(range(len(compared)), [one.name for one in compared])
    axes.invert_yaxis()
    axes.grid(axis="x", color="#ddd", zorder=0)
    axes.set_xlabel(f"times faster than the library on {ENGINES[run.engine]}")
    axes.legend(loc="lower right", frameon=False)
    figure.tight_layout()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def misses(run: Run) -> Mapping[str, str]:
    """What was not reached, by operation, in words."""
    sizes = sorted(run.rows)
    found: dict[str, str] = {}
    for last in run.rows[sizes[-1]]:
        goal = _goal(last, run.engine)
        if goal is not None and last.ratio is not None and last.ratio < goal:
            found[last.name] = f"{last.ratio:.1f}x of {goal:g}x"
        growth, _ = _growths(_at(run, sizes[0], last), last)
        if growth is not None and growth > MOST_GROWTH:
            found[f"{last.name}, growth"] = f"{growth:.1f}x"
    for page in run.pages[sizes[-1]]:
        if page.round_trips > MOST:
            found[f"page {page.name}"] = f"{page.round_trips} round trips"
    return found
