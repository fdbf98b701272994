"""A bulk from the queue to its results, by keyboard alone, in a real browser with a real worker."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from reviewconsole.addresses import decision_url
from tests.browser.console import Console
from tests.browser.hostile import EVERYTHING, says, stays_text
from tests.browser.seeing import HEIGHT, findings, sticking_out
from tests.browser.shop import POLICY, STAYS, Shop
from tests.browser.windows import Windows

WHY = "Gift cards have nothing to do with them."
SECONDS = 30_000
BEGUN = """
- main:
  - heading "10 decisions may be reaffirmed in bulk" [level=1]
  - button "Begin with the sample"
  - region "What happens":
    - paragraph: /First you judge a sample of 5 singly/
  - navigation "Which qualify, and why others do not":
    - list:
      - listitem:
        - link "Qualify 10"
  - list "Decisions":
    - listitem:
      - link "Conclusion 0."
"""
DONE = """
- main:
  - navigation "Where this stands":
    - list:
      - listitem:
        - link "Refund policy"
      - listitem: Bulk
  - heading "5 decisions reaffirmed in bulk" [level=1]
  - region "How far it is":
    - paragraph:
      - strong: 5 reaffirmed in bulk
      - text: 5 judged singly before, 0 left out
    - progressbar "How far it is": 100 %
  - navigation "Results":
    - list:
      - listitem:
        - link "All 10"
      - listitem:
        - link "Judged singly 5"
      - listitem:
        - link "Reaffirmed in bulk 5"
  - heading "What became of each" [level=2]
  - list:
    - listitem:
      - link "Vouchers are worth cash."
      - text: /Judged singly|Reaffirmed in bulk/
      - link "as seen"
"""


@pytest.fixture(autouse=True)
def worker(console: Console) -> Iterator[None]:
    """What compares, and carries bulks out."""
    console.start_worker()
    yield
    console.stop_worker()


def follow(page: Page, name: str) -> None:
    """As somebody without a mouse does."""
    page.get_by_role("link", name=name).focus()
    page.keyboard.press("Enter")


def look_at(page: Page) -> None:
    """Nothing is wrong for axe, and nothing sticks out of a narrow window."""
    assert (findings(page), sticking_out(page)) == ([], {})
    stays_text(page)
    page.set_viewport_size({"width": 1280, "height": HEIGHT})


def test_ten_are_judged_with_six_looks(shop: Shop, windows: Windows) -> None:
    """Sample by one chord each, why, one chord more; nothing on the way is beyond a screen reader."""
    hostile = f"Hostile {EVERYTHING}"
    made = [*shop.record_many(6, cited=STAYS), shop.record("hostile", hostile, cited=STAYS)]
    shop.put(f"{POLICY}\n\nGift cards never expire.")
    page = windows.open("bob")
    page.goto(shop.queue())
    follow(page, "Root first, in bulk of Refund policy")
    expect(page.get_by_role("heading", level=1)).to_have_text("Refund policy")
    expect(page.locator("#offer")).to_contain_text("10 of them are calm", timeout=SECONDS)
    follow(page, "Reaffirm in bulk")
    expect(page.get_by_role("heading", level=1)).to_contain_text("10 decisions may be")
    expect(page.locator("main")).to_match_aria_snapshot(BEGUN)
    says(page, hostile)
    page.wait_for_load_state()
    page.keyboard.press("Control+Enter")
    for number in range(1, 6):
        expect(page.locator(".sample")).to_contain_text(f"{number} of 5")
        page.wait_for_load_state()
        page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("A bulk of 10")
    page.get_by_role("textbox", name="Why").focus()
    page.keyboard.type(WHY)
    look_at(page)
    page.keyboard.press("Control+Enter")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("5 decisions reaffirmed in bulk", timeout=SECONDS)
    expect(page.locator("main")).to_match_aria_snapshot(DONE)
    look_at(page)
    assert {shop.read(one).review_state for one in made} == {"clear"}
    page.goto(decision_url(shop.project, shop.letter))
    expect(page.get_by_role("heading", name="Your verdict")).to_be_visible()
