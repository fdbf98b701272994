"""What a screen reader is given of the queue, the desk and its dialogs, and what paper holds."""

from playwright.sync_api import expect

from tests.browser.shop import Shop
from tests.browser.windows import Windows

QUEUE = """
- main:
  - heading "4 decisions wait" [level=1]
  - link "Start with the first"
  - group "Filters":
    - navigation "Views":
      - list:
        - listitem:
          - link "Everything"
        - listitem:
          - link "Mine"
    - group: Reason
    - group: "Order: Most at stake first"
    - group: Save view
  - region "By document":
    - heading "By document" [level=2]
    - list:
      - listitem:
        - heading /Refund policy now version 2/ [level=3]
        - paragraph: /4 decisions wait because of it, the oldest for .*/
        - paragraph:
          - link "Root first, in bulk of Refund policy"
          - link "See change of Refund policy"
  - region "What waits":
    - paragraph: /First for now, waiting .*/
    - list:
      - listitem:
        - text: /document changed|through a decision/
        - link /.+/
"""
KEYS = """
- dialog "Keys":
  - heading "Keys" [level=2]
  - button "Close Esc"
  - term: j k
  - definition: Next, previous in the list
  - term: a
  - definition: Choose reaffirm
  - term: Ctrl Enter
  - definition: Record the chosen verdict; nothing else does
  - term: "?"
  - definition: This list
"""
MENU = """
- group:
  - text: /.*Bob Reed, your menu/
  - paragraph:
    - strong: Bob Reed
    - text: reviewer in this project
  - group "Light or dark":
    - radio "Like the system" [checked]
    - radio "Light"
    - radio "Dark"
  - checkbox "Single keys" [checked]
  - link "API reference"
  - button "Sign out"
"""
DECISION = """
- article "Refunds take at most 30 days.":
  - region "Who is judging this":
    - paragraph:
      - text: /You have claimed this until/
      - time
      - button "Let it go"
    - paragraph: /Item . of 4/
  - navigation "Where this stands":
    - list:
      - listitem:
        - link "audit"
      - listitem:
        - code: days
      - listitem: revision 1
  - heading "Refunds take at most 30 days." [level=1]
  - region "Why it was flagged":
    - heading "Why it was flagged" [level=2]
    - list:
      - listitem:
        - link "Refund policy"
      - listitem:
        - text: /then This decision/
  - region "What was recorded with it":
    - heading "Goal of the task" [level=2]
    - heading "Rationale" [level=2]
  - region "Evidence":
    - heading "Evidence" [level=2]
    - article:
      - text: edited
      - heading "Refund policy" [level=3]
      - heading "What changed" [level=4]
      - list:
        - listitem: number 30 became 15
      - heading /As cited/ [level=4]
      - deletion: /deleted. 30/
      - heading /Now/ [level=4]
      - insertion: /inserted. 15/
      - group /Passage to cite from now on/
  - region "What rests on it":
    - heading "What rests on it" [level=2]
    - link "Lineage"
"""
VERDICT = """
- heading "Your verdict" [level=2]
- group "Verdict":
  - radio "Reaffirm"
  - paragraph: /Possible. 1 cited passage is not there word for word/
  - radio "Supersede"
  - paragraph: /Possible/
  - radio "Reject" [checked]
  - paragraph: /Possible/
- textbox "Why kept with the record"
- group "Ground optional":
  - radio "The source changed"
- heading "What superseding or rejecting will do" [level=3]
- button "Reject and next"
- link "Next"
- button "Record and stay here"
- group: Leave it for later
"""


def test_queue_desk_and_dialogs_read_in_order(flagged: Shop, windows: Windows) -> None:
    """Each thing has its name and state, and comes where it is expected; then the same on paper."""
    page = windows.open("bob")
    page.goto(flagged.queue())
    expect(page.locator("main")).to_match_aria_snapshot(QUEUE)
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_match_aria_snapshot(KEYS)
    page.keyboard.press("Escape")
    page.locator(".menu summary").last.press("Enter")
    expect(page.locator("header .menu").last).to_match_aria_snapshot(MENU)
    page.keyboard.press("Escape")
    page.goto(f"{flagged.at(flagged.days)}?take=1")
    expect(page.locator("main article").first).to_match_aria_snapshot(DECISION)
    page.keyboard.press("d")
    expect(page.locator("#verdict-form")).to_match_aria_snapshot(VERDICT)
    rests = page.locator(".lines__text", has_text="The letter promises 30 days.")
    expect(rests).to_be_hidden()
    page.emulate_media(media="print")
    for gone in (".verdict", ".rail", ".claim", ".bar__nav"):
        expect(page.locator(gone).first).to_be_hidden()
    expect(rests).to_be_visible()
