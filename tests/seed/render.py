"""Makes `docs/seed-coverage.md` from `rules.toml`: `python -m tests.seed.render`."""

import tomllib
from itertools import groupby
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RULES = Path(__file__).with_name("rules.toml")
PAGE = ROOT / "docs" / "seed-coverage.md"

HEAD = """# What the first seed asks for, and what holds it

Every sentence of the seed on history and decisions, as a rule in our words, with the
tests that hold it, on both engines where they are of the contract suite, and the pages
that show it. A dash means that no page shows it. For each rule `tests/seed/rules.toml`
also names a change to the code that breaks it, and the test that must then fail;
`make mutants` makes each of them fail for once.

This page is made from that file by `python -m tests.seed.render`.
"""


def rules() -> list[dict[str, Any]]:
    """Every rule, in the order of the seed."""
    return tomllib.loads(RULES.read_text())["rule"]


def page() -> str:
    """The page's text."""
    parts = [HEAD]
    for section, members in groupby(rules(), key=lambda rule: rule["section"]):
        rows = [
            f"| {rule['id']} | {rule['rule']} | {_tests(rule)} | {rule['shown'] or '–'} |"
            for rule in members
        ]
        head = "| | Rule | Tests | Shown on |\n|---|---|---|---|"
        parts.append("\n".join([f"## {section}\n", head, *rows]) + "\n")
    return "\n".join(parts)


def _tests(rule: dict[str, Any]) -> str:
    return "<br>".join(f"`{test.removeprefix('tests/')}`" for test in rule["tests"])


if __name__ == "__main__":
    PAGE.write_text(page())
