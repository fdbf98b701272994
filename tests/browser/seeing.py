"""What a machine can tell about how a page looks: accessibility and fit."""

from playwright.sync_api import Page

from tests.browser.console import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
HEIGHT = 860
UNFOLD = "() => document.querySelectorAll('details').forEach(d => { d.open = !d.matches('.menu') })"
# Only what axe leaves out anyway, and media that play by themselves, want files loaded anew.
FINDINGS = """
async () => (await axe.run(document, {resultTypes: ['violations'], preload: false})).violations.map(
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


def findings(page: Page) -> list[str]:
    """What axe finds on the page as it stands, wide and light, with everything unfolded."""
    page.evaluate(f"{AXE.read_text()};0")
    page.evaluate(UNFOLD)
    page.set_viewport_size({"width": 1280, "height": HEIGHT})
    page.emulate_media(color_scheme="light")
    return page.evaluate(FINDINGS)


def sticking_out(page: Page) -> dict[int, list[str]]:
    """What makes the page scroll sideways, by width in pixels; everything is unfolded first."""
    page.evaluate(UNFOLD)
    found: dict[int, list[str]] = {}
    for width in (1280, 400, 320):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        found[width] = page.evaluate(STICKS_OUT)
    return {width: what for width, what in found.items() if what}
