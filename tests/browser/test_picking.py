"""A passage is picked out of the present text with the mouse and with the keys alone."""

from playwright.sync_api import Locator, expect

from tests.browser.shop import CHANGED, UPDATED, Shop
from tests.browser.windows import Windows

DRAG = """
(box, [from, to]) => {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const rect = (words, end) => {
    walker.currentNode = box;
    while (walker.nextNode()) {
      const at = walker.currentNode.data.indexOf(words);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + words.length);
      const all = [...range.getClientRects()];
      const found = end ? all.at(-1) : all[0];
      return [end ? found.right - 0.5 : found.left + 0.5, found.top + found.height / 2];
    }
  };
  return [rect(from, false), rect(to, true)];
}
"""


def drag(box: Locator, start: str, end: str) -> None:
    """Select from the beginning of some words to the end of others with the mouse."""
    box.scroll_into_view_if_needed()
    (x, y), (to_x, to_y) = box.evaluate(DRAG, [start, end])
    mouse = box.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(to_x, to_y, steps=4)
    mouse.up()


def test_a_part_is_picked_by_mouse_then_by_keys_and_reaffirmed_on(
    flagged: Shop, windows: Windows
) -> None:
    """Any run of words, also over two paragraphs; then whole sentences; the last one counts."""
    page = windows.open("bob")
    page.goto(flagged.at(flagged.days))
    page.get_by_role("radio", name="Reaffirm").check()
    why = page.get_by_role("textbox", name="Why")
    why.fill("It is shorter only.")
    page.get_by_text("Pick another passage of the present text").click()
    text = page.get_by_role("listbox", name="The present text")
    said = page.locator("[data-present-said]")
    drag(text, "within 15 days", "A refund")
    expect(said).to_contain_text("within 15 days")
    expect(said).to_contain_text("A refund”")
    page.get_by_role("button", name="Use this as the passage").click()
    picked = page.get_by_role("radio", name="The part that you picked")
    expect(picked).to_be_checked()
    expect(picked).to_be_focused()
    expect(page.locator(".picker__words")).to_contain_text("within 15 days")
    assert page.locator(".picker__words").inner_text().endswith("A refund")

    page.get_by_text("Pick another passage of the present text").press("Enter")
    page.get_by_label("Find in the text").fill("second signature")
    page.get_by_label("Find in the text").press("Enter")
    expect(text.get_by_role("option")).to_have_count(1)
    page.get_by_role("link", name="Back to the place").press("Enter")
    expect(text.get_by_role("option")).to_have_count(UPDATED.count("\n\n") + 1)
    expect(text).to_be_focused()
    text.press("ArrowDown")
    text.press("Shift+ArrowDown")
    expect(text.locator("[aria-selected=true]")).to_have_count(2)
    text.press("ArrowUp")
    expect(text.locator("[aria-selected=true]")).to_have_text(CHANGED)
    text.press("Enter")
    expect(page.locator(".picker__words")).to_have_text(CHANGED)
    expect(why).to_have_value("It is shorter only.")
    page.get_by_role("button", name="Reaffirm and next").click()
    expect(page.locator("#messages")).to_contain_text("Reaffirmed.")
    cited = flagged.passages(flagged.days)
    assert [one.evidence_id for one in cited if one.current] == [
        flagged.cite(CHANGED, UPDATED).evidence_id
    ]


def test_without_scripts_sentences_are_ticked(flagged: Shop, windows: Windows) -> None:
    """On a page of its own; what was typed before is there when one comes back."""
    page = windows.open("bob", scripts=False)
    page.goto(flagged.at(flagged.days))
    page.get_by_role("radio", name="Reaffirm").check()
    page.get_by_role("textbox", name="Why").fill("It is shorter only.")
    page.get_by_role("button", name="Pick a part of the present text").click()
    page.get_by_label("Find in the text").fill("SHIPPING")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("checkbox")).to_have_count(1)
    page.get_by_role("link", name="Back to the place").click()
    page.get_by_role("checkbox", name=CHANGED).check()
    page.get_by_role("checkbox", name="Shipping is never refunded.").check()
    page.get_by_role("button", name="Use this as the passage").click()
    expect(page.get_by_role("radio", name="The part that you picked")).to_be_checked()
    expect(page.locator(".picker__words")).to_have_text(UPDATED, use_inner_text=True)
    page.get_by_role("button", name="Inline").click()
    expect(page.get_by_role("button", name="Inline")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".inlined")).to_be_visible()
    expect(page.get_by_role("textbox", name="Why")).to_have_value("It is shorter only.")
