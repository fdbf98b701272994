"""What a reviewer's work took, for a terminal, and as tables and a plot in `docs/reviewing.md`."""

import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from bench.hand import Answer, Step
from bench.handbook import Kind
from bench.reviewed import MOST_IN_BULK, MOST_ROUND_TRIPS, MOST_SINGLY, TRAPS, Run

__all__ = ["text", "write"]

DOCS = Path(__file__).resolve().parent.parent / "docs"
BULK = ("bulk", "sample")
APART = ("first look", "waiting")
"""What nobody does for a flag: it is in none of the tables."""


def text(run: Run) -> str:
    """The tables, for a terminal."""
    return "\n".join([*_work(run), "", *_server(run), "", *_traps(run)])


def write(run: Run) -> None:
    """Replace this engine's part of the document, and its plot."""
    document = DOCS / "reviewing.md"
    said = document.read_text(encoding="utf-8")
    begin, end = f"<!-- {run.engine} -->", f"<!-- /{run.engine} -->"
    before, rest = said.split(begin)
    _, after = rest.split(end)
    picture = f"reviewing-{run.engine}.svg"
    shown = f"![Milliseconds of the server by what it was asked for](pictures/{picture})"
    part = "\n".join(["", *_work(run), "", *_server(run), "", shown, "", *_traps(run), ""])
    document.write_text(f"{before}{begin}\n{part}\n{end}{after}", encoding="utf-8")
    (DOCS / "pictures" / picture).write_text(_plot(run), encoding="utf-8")


def _work(run: Run) -> Iterator[str]:
    steps = defaultdict[str, list[Step]](list)
    for step in run.reviewer.hand.steps:
        steps[step.name].append(step)
    bulk, sampled = steps.pop("bulk"), steps.pop("sample")
    did = run.reviewer.bulk
    whole = sum(step.interactions for step in bulk + sampled)
    yield (
        f"{len(run.offered)} of {len(run.rules)} were offered in bulk and reaffirmed with {whole} "
        f"interactions (at most {MOST_IN_BULK}): {len(did.sampled)} of them singly as the sample, "
        f"{did.reaffirmed} by one button, which a worker carried out in {did.seconds:.1f} s. "
        f"The whole bulk loaded {sum(step.loads for step in bulk + sampled)} pages and sent "
        f"{sum(step.requests for step in bulk + sampled)} requests. The other "
        f"{len(run.reviewer.seen)} were judged singly:"
    )
    yield ""
    yield (
        "| judged singly | flags | interactions, least | median | most | moves | typed, median |"
        " full loads | requests, median |"
    )
    yield "|---|" + "---:|" * 8
    rows = {"one of the sample": sampled, **{k: v for k, v in steps.items() if k in run.judged}}
    for name, found in rows.items():
        made = [step.interactions for step in found]
        yield _row(
            name,
            len(found),
            min(made),
            _median(made),
            _bold(max(made), most=MOST_SINGLY),
            _median([step.moves for step in found]),
            _median([step.characters for step in found]),
            sum(step.loads for step in found),
            _median([step.requests for step in found]),
        )


def _server(run: Run) -> Iterator[str]:
    yield "| asked of the server | times | round trips, most | ms, median | ms, 95 % | of it computing |"
    yield "|---|" + "---:|" * 5
    for kind, found in _by_kind(run).items():
        trips = max(answer.round_trips for answer in found)
        median, slow = _quantiles(found)
        yield _row(
            kind,
            len(found),
            _bold(trips, most=MOST_ROUND_TRIPS),
            f"{median:.0f}",
            f"{slow:.0f}",
            f"{statistics.median(answer.computed for answer in found):.0f}",
        )


def _by_kind(run: Run) -> dict[str, list[Answer]]:
    found = defaultdict[str, list[Answer]](list)
    for answer in run.reviewer.hand.answers:
        if answer.step not in APART:
            sample = "sample: " if answer.step == "sample" else ""
            found[sample + answer.kind].append(answer)
    return dict(sorted(found.items(), key=lambda one: -len(one[1])))


def _traps(run: Run) -> Iterator[str]:
    yield "| what became of the passage | flags | in bulk | judged singly | what the page says |"
    yield "|---|---:|---:|---|---|"
    for kind in Kind:
        own = run.decisions(kind)
        verdicts = defaultdict[str, int](int)
        for seen in run.reviewer.seen:
            if seen.decision_id in own:
                verdicts[seen.verdict] += 1
        offered = len(own & run.offered)
        yield _row(
            f"{kind}{'' if kind in TRAPS else ' (no trap)'}",
            len(own),
            _bold(offered, most=0) if kind in TRAPS else offered,
            ", ".join(f"{name}: {number}" for name, number in verdicts.items()),
            _words(run, kind),
        )


def _words(run: Run, kind: Kind) -> str:
    """One page's words stand for all of a kind; they differ in numbers and names only."""
    own = run.decisions(kind)
    said = [" · ".join(seen.said) for seen in run.reviewer.seen if seen.decision_id in own]
    first = next(iter(said), "")
    return first.replace("|", "\\|")


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _bold(number: int, *, most: int) -> str:
    return f"**{number}**" if number > most else str(number)


def _median(numbers: Sequence[float]) -> str:
    return f"{statistics.median(numbers):g}"


def _quantiles(found: Sequence[Answer]) -> tuple[float, float]:
    times = sorted(answer.milliseconds for answer in found)
    return statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.95))]


_LEFT, _WIDE, _HIGH = 220, 460, 22
_INK, _BAR, _SLOW = "#6e7781", "#3b7dd8", "#a8c4ea"
"""Colours that can be told apart on white and on black."""


def _plot(run: Run) -> str:
    """Bars: the median, and behind it in a lighter tone what 95 of 100 stay below."""
    rows = [(kind, _quantiles(found)) for kind, found in _by_kind(run).items()]
    most = max(slow for _, (_, slow) in rows)
    scale, right = _WIDE / most, _LEFT + _WIDE + 110
    height = _HIGH * len(rows) + 34
    drawn = "".join(_bar(place, *row, scale) for place, row in enumerate(rows))
    legend = "milliseconds: median (dark) / 95 of 100 below (light)"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right} {height}" role="img"'
        ' font-family="sans-serif" font-size="12">\n'
        "<title>Milliseconds of the server: median, and what 95 of 100 stay below</title>\n"
        f'{drawn}<text x="{_LEFT}" y="{height - 10}" fill="{_INK}">{legend}</text>\n</svg>\n'
    )


def _bar(place: int, kind: str, quantiles: tuple[float, float], scale: float) -> str:
    median, slow = quantiles
    y = _HIGH * place + 4
    return (
        f'<text x="{_LEFT - 8}" y="{y + 12}" text-anchor="end" fill="{_INK}">{escape(kind)}</text>\n'
        f'<rect x="{_LEFT}" y="{y}" width="{slow * scale:.1f}" height="15" fill="{_SLOW}"/>\n'
        f'<rect x="{_LEFT}" y="{y + 3}" width="{median * scale:.1f}" height="9" fill="{_BAR}"/>\n'
        f'<text x="{_LEFT + slow * scale + 6:.1f}" y="{y + 12}" fill="{_INK}">'
        f"{median:.0f} / {slow:.0f}</text>\n"
    )
