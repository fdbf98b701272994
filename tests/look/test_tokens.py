"""The tokens keep their contrast, in light and in dark."""

import re
from pathlib import Path

import pytest

SHEET = (Path(__file__).parents[2] / "static" / "css" / "tokens.css").read_text()
PAIRS = re.findall(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", SHEET)
COLOURS = {name: {"light": light, "dark": dark} for name, light, dark in PAIRS}
SURFACES = ("ground", "panel", "sunken", "accent-soft")
TEXTS = [
    *((ink, surface) for ink in ("ink", "ink-2", "ink-3", "accent") for surface in SURFACES),
    *((mark, "panel") for mark in ("clear", "edited", "harm", "moved")),
    *((mark, f"{mark}-soft") for mark in ("clear", "edited", "harm", "moved")),
    *((ink, tint) for ink in ("ink", "ink-2") for tint in ("edited-soft", "harm-soft")),
    *(("ink", tint) for tint in ("inserted", "deleted")),
    ("accent", "harm-soft"),
    ("on-accent", "accent"),
    ("on-accent", "accent-deep"),
]
CONTROLS = [("control", surface) for surface in SURFACES] + [("accent", "panel")]


def luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str, scheme: str) -> float:
    lighter, darker = sorted(
        (luminance(COLOURS[one][scheme]), luminance(COLOURS[other][scheme])), reverse=True
    )
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "surface"), TEXTS)
def test_text_can_be_read(text: str, surface: str, scheme: str) -> None:
    """Text reaches 4.5:1 on whatever it stands."""
    assert contrast(text, surface, scheme) >= 4.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("border", "surface"), CONTROLS)
def test_controls_can_be_seen(border: str, surface: str, scheme: str) -> None:
    """Borders of controls reach 3:1."""
    assert contrast(border, surface, scheme) >= 3
