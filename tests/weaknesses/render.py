"""Makes the last section of `docs/differences.md`: `python -m tests.weaknesses.render`."""

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WEAKNESSES = Path(__file__).with_name("weaknesses.toml")
PAGE = ROOT / "docs" / "differences.md"

HEAD = """## The library's 36 weaknesses

Each was seen in the library, by running it or in its source. The tests show what happens
here, on both engines where the graph matters. Where a row says *partly*, it says what stays.
This section is made from `tests/weaknesses/weaknesses.toml` by
`python -m tests.weaknesses.render`.

| | The library | Here | Better | Tests |
|---|---|---|---|---|
"""


def weaknesses() -> list[dict[str, Any]]:
    """All of them, in their order."""
    return tomllib.loads(WEAKNESSES.read_text())["weakness"]


def section() -> str:
    """The section's text."""
    return HEAD + "".join(_row(one) for one in weaknesses())


def page() -> str:
    """The page with the section at its end."""
    before = PAGE.read_text().split("## The library's 36 weaknesses")[0]
    return f"{before.rstrip()}\n\n{section()}"


def _row(one: dict[str, Any]) -> str:
    tests = "<br>".join(f"`{test.removeprefix('tests/')}`" for test in one["tests"])
    return f"| {one['number']} | {one['theirs']} | {one['ours']} | {one['better']} | {tests} |\n"


if __name__ == "__main__":
    PAGE.write_text(page())
