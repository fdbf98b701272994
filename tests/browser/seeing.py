"""What a machine can tell about how a page looks: accessibility and fit."""

from typing import Any, Literal

from playwright.sync_api import Page

from tests.browser.console import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
HEIGHT = 860
UNFOLD = "() => document.querySelectorAll('details').forEach(d => { d.open = !d.matches('.menu') })"
FINDINGS = """
async () => (await axe.run(document)).violations.map(
  v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160)).join(' | '))
"""
STICKS_OUT = """
() => {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide) return [];
  return [...document.querySelectorAll('body *')]
    .filter(e => e.getBoundingClientRect().right > wide + 0.5)
    .map(e => e.outerHTML.slice(0, 120));
}
"""


def findings(page: Page) -> dict[str, Any]:
    """What axe finds on the page as it stands, with everything unfolded: wide and light, narrow and dark."""
    page.evaluate(f"{AXE.read_text()};0")
    page.evaluate(UNFOLD)
    found: dict[str, Any] = {}
    modes: tuple[tuple[int, Literal["light", "dark"]], ...] = ((1280, "light"), (400, "dark"))
    for width, scheme in modes:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=scheme)
        found[f"{scheme}, {width} pixels"] = page.evaluate(FINDINGS)
    return {where: what for where, what in found.items() if what}


def sticking_out(page: Page) -> dict[int, list[str]]:
    """What makes the page scroll sideways, by width in pixels; everything is unfolded first."""
    page.evaluate(UNFOLD)
    found: dict[int, list[str]] = {}
    for width in (1280, 400, 320):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        found[width] = page.evaluate(STICKS_OUT)
    return {width: what for width, what in found.items() if what}
