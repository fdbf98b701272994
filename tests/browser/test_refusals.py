"""What cannot be recorded is said in one sentence on screen, and nothing typed is lost.

Everything here holds with scripts, where a part of the page is swapped, and
without, where every answer is a page.
"""

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from reviewconsole.models import Role
from tests.browser.console import Console
from tests.browser.shop import CHANGED, UPDATED, UPDATED_AGAIN, Shop
from tests.browser.windows import Windows, sign_in

WHY = "It counts “working days” twice, <i>and</i> nobody checked."


@pytest.fixture(params=[True, False], ids=["scripts", "plain"])
def scripts(request: pytest.FixtureRequest) -> bool:
    """Whether the browser runs scripts."""
    return request.param


@pytest.fixture
def bobs(flagged: Shop, windows: Windows, scripts: bool) -> Page:
    """Bob's window on the decision `days`, a reason to reject it typed and not sent."""
    page = windows.open("bob", scripts=scripts)
    page.goto(flagged.queue())
    page.get_by_role("link", name="Refunds take at most 30 days.").click()
    page.get_by_role("radio", name="Reject").check()
    why(page).fill(WHY)
    return page


def why(page: Page) -> Locator:
    """The field for the reason."""
    return page.get_by_role("textbox", name="Why")


def send(page: Page, button: str = "Reject and next") -> Response:
    """Press the button; returns what the server answered to the form."""
    with page.expect_response(lambda answer: answer.request.method == "POST") as answered:
        page.get_by_role("button", name=button).click()
    return answered.value


def verdicts_of(shop: Shop, console: Console) -> list[str]:
    """The notes that the library finds of what Bob judged."""
    bob = console.agent_id("bob")
    return [event.payload for event in shop.log() if event.author == bob]


def reaffirm_by(page: Page) -> None:
    """Fill the form in so that pressing the button reaffirms."""
    page.get_by_label("The passage shown under Now").check()
    page.get_by_role("radio", name="Reaffirm").check()


def test_a_double_click_is_one_verdict(bobs: Page, flagged: Shop, console: Console) -> None:
    """However often the button is hit, the record has one verdict and the page says so."""
    reaffirm_by(bobs)
    bobs.get_by_role("button", name="Reaffirm and next").dblclick()
    expect(bobs.locator("#messages")).to_contain_text("Reaffirmed.")
    expect(bobs.get_by_role("alert")).to_have_count(0)
    assert verdicts_of(flagged, console) == [f"Decision {flagged.days} reaffirmed."]


def test_sending_one_form_twice_is_one_verdict(bobs: Page, flagged: Shop, console: Console) -> None:
    """As after going back: the form carries the mark of its first sending."""
    reaffirm_by(bobs)
    fields = bobs.locator("#verdict-form").evaluate("f => [...new FormData(f)]")
    send(bobs, "Reaffirm and next")
    expect(bobs.locator("#messages")).to_contain_text("Reaffirmed.")
    again = bobs.request.post(
        flagged.at(flagged.days), form=dict(fields), headers={"Origin": console.url}
    )
    assert again.ok
    assert verdicts_of(flagged, console) == [f"Decision {flagged.days} reaffirmed."]
    changed = bobs.request.post(
        flagged.at(flagged.days),
        form=dict(fields) | {"explanation": "Something else."},
        headers={"Origin": console.url},
    )
    assert changed.status == 409
    assert "already sent once with other content" in changed.text()
    assert verdicts_of(flagged, console) == [f"Decision {flagged.days} reaffirmed."]


def test_somebody_else_judged_it(bobs: Page, flagged: Shop) -> None:
    """The page says that it was judged and shows by whom; the text can still be copied."""
    flagged.library.reject_decision(flagged.days, "An agent was quicker.")
    assert send(bobs).status == 409
    expect(bobs.get_by_role("alert")).to_contain_text("superseded or rejected in the meantime")
    expect(bobs.locator("#verdict")).to_contain_text("An agent was quicker.")
    expect(bobs.locator(".typed")).to_contain_text(WHY)
    assert flagged.read(flagged.days).rejected_by == flagged.library.agent_id


def test_the_document_moved_on(bobs: Page, flagged: Shop, console: Console) -> None:
    """The page says so and shows the newest text; the same words then go through."""
    flagged.put(UPDATED_AGAIN)
    assert send(bobs).status == 409
    expect(bobs.get_by_role("alert")).to_contain_text("A cited document has a newer version.")
    expect(bobs.locator("#evidence-0")).to_contain_text("number 30 became 10")
    expect(why(bobs)).to_have_value(WHY)
    assert verdicts_of(flagged, console) == []
    send(bobs)
    expect(bobs.locator("#messages")).to_contain_text("Rejected.")
    assert flagged.read(flagged.days).rejection_reason == WHY


def test_somebody_relies_on_it_since(bobs: Page, flagged: Shop, console: Console) -> None:
    """A dependent that arrived is said before the verdict flags it."""
    flagged.record("reminder", "Remind after 30 days.", on=flagged.days)
    assert send(bobs).status == 409
    expect(bobs.get_by_role("alert")).to_contain_text("What rests on this decision changed.")
    expect(bobs.locator(".rests")).to_contain_text("2 decisions")
    expect(why(bobs)).to_have_value(WHY)
    assert verdicts_of(flagged, console) == []
    send(bobs)
    expect(bobs.locator("#messages")).to_contain_text("Rejected.")


def test_a_reaffirmation_is_bound_to_the_text_it_was_made_on(bobs: Page, flagged: Shop) -> None:
    """The passage picked is of a version that is no longer current: nothing is recorded."""
    reaffirm_by(bobs)
    flagged.put(UPDATED_AGAIN)
    assert send(bobs, "Reaffirm and next").status == 409
    expect(bobs.get_by_role("alert")).to_contain_text("A cited document has a newer version.")
    expect(bobs.locator("[name=evidence_0]:checked")).to_have_count(0)
    expect(why(bobs)).to_have_value(WHY)
    bobs.get_by_label("The passage shown under Now").check()
    send(bobs, "Reaffirm and next")
    expect(bobs.locator("#messages")).to_contain_text("Reaffirmed.")
    current = flagged.passages(flagged.days)[-1]
    words = CHANGED.replace("15", "10")
    assert current.evidence_id == flagged.cite(words, UPDATED_AGAIN).evidence_id


def test_something_is_missing(bobs: Page, flagged: Shop, scripts: bool) -> None:
    """What a form lacks is listed above it, linked to the field, and nothing typed goes."""
    bobs.get_by_role("radio", name="Supersede").check()
    bobs.get_by_role("textbox", name="Rationale").fill("")
    bobs.get_by_label("New conclusion").fill("Refunds take at most 15 days.")
    assert send(bobs, "Supersede and next").status == 422
    lacks = bobs.get_by_role("alert")
    expect(lacks).to_contain_text("Rationale: Write the rationale of the new conclusion.")
    expect(lacks).to_contain_text("Choose whether the new revision cites it.")
    expect(bobs.get_by_label("New conclusion")).to_have_value("Refunds take at most 15 days.")
    expect(why(bobs)).to_have_value(WHY)
    lacks.get_by_role("link", name="Rationale").click()
    expect(bobs.get_by_role("textbox", name="Rationale")).to_be_in_viewport()
    bobs.get_by_role("textbox", name="Rationale").fill("The policy says so.")
    bobs.get_by_label("The passage shown under Now").check()
    bobs.get_by_label("use the present passage").check()
    send(bobs, "Supersede and next")
    expect(bobs.locator("#messages")).to_contain_text("Superseded.")
    made = flagged.revision("days", 2)
    assert flagged.passages(made.id)[0].evidence_id == flagged.cite(CHANGED, UPDATED).evidence_id


def test_whoever_may_only_read_by_now(bobs: Page, flagged: Shop, console: Console) -> None:
    """The role was taken while the page was open: a sentence, and the text to copy."""
    console.grant("bob", flagged.project, Role.READER)
    assert send(bobs).status == 403
    expect(bobs.locator("#main")).to_contain_text("Your role in this project lets you read this")
    expect(bobs.locator("#main")).to_contain_text(WHY)
    assert flagged.read(flagged.days).status == "active"


def test_whoever_is_a_stranger_by_now(bobs: Page, flagged: Shop, console: Console) -> None:
    """All access was taken while the page was open: as if nothing were there, but the text stays."""
    console.revoke("bob", flagged.project)
    assert send(bobs).status == 404
    expect(bobs.locator("#main")).to_contain_text("nothing at this address")
    expect(bobs.locator("#main")).to_contain_text(WHY)
    expect(bobs.locator("body")).not_to_contain_text("Refunds take")
    assert flagged.read(flagged.days).status == "active"


def test_whoever_signed_out_elsewhere(bobs: Page, flagged: Shop, windows: Windows) -> None:
    """The text travels through signing in and stands in the form again."""
    bobs.context.clear_cookies(name="rc_session")
    assert send(bobs).status == 403
    expect(bobs.get_by_role("heading", level=1)).to_have_text("Sign in")
    expect(bobs.locator("#main")).to_contain_text("Your text is kept; sign in to go on.")
    sign_in(bobs, "bob")
    expect(bobs.get_by_role("heading", level=1)).to_have_text("Refunds take at most 30 days.")
    expect(why(bobs)).to_have_value(WHY)
    expect(bobs.get_by_role("radio", name="Reject")).to_be_checked()
    send(bobs)
    expect(bobs.locator("#messages")).to_contain_text("Rejected.")
    assert windows.complaints == []


def test_whoever_signed_in_again_elsewhere(bobs: Page, flagged: Shop) -> None:
    """The form is of an earlier sign-in: it comes back with its text and can be sent again."""
    bobs.context.clear_cookies()
    other = bobs.context.new_page()
    other.goto("/signin")
    sign_in(other, "bob")
    expect(other.get_by_role("heading", level=1)).to_have_text("Projects")
    assert send(bobs).status == 403
    expect(bobs.get_by_role("alert")).to_contain_text("You signed in again since this page")
    expect(why(bobs)).to_have_value(WHY)
    send(bobs, "Send again")
    expect(bobs.locator("#messages")).to_contain_text("Rejected.")
    assert flagged.read(flagged.days).rejection_reason == WHY


def test_a_reader_sees_everything_and_no_form(
    flagged: Shop, windows: Windows, scripts: bool
) -> None:
    """Dora may read what was decided and why it waits; the page says how she could judge."""
    page = windows.open("dora", scripts=scripts)
    page.goto(flagged.at(flagged.days))
    expect(page.get_by_role("heading", level=1)).to_have_text("Refunds take at most 30 days.")
    expect(page.locator("#evidence-0")).to_contain_text("edited")
    expect(page.locator("#verdict")).to_contain_text("You may read here.")
    expect(page.get_by_role("radio")).to_have_count(0)


def test_a_stranger_sees_nothing(flagged: Shop, windows: Windows, scripts: bool) -> None:
    """Charlie finds the same page at a real address as at one that never was."""
    page = windows.open("charlie", scripts=scripts)
    real = page.goto(flagged.at(flagged.days))
    assert real is not None
    assert real.status == 404
    shown = page.locator("body").inner_text()
    page.goto("/p/nothing/decisions/00000000-0000-0000-0000-000000000000")
    assert page.locator("body").inner_text() == shown


def test_the_policy_is_heard_when_it_is_broken(flagged: Shop, windows: Windows) -> None:
    """What these tests listen for does arrive: a script written into a page is refused and reported."""
    page = windows.open("bob")
    page.goto(flagged.queue())
    page.evaluate(
        "() => { const s = document.createElement('script');"
        " s.textContent = 'document.title = \"owned\"'; document.body.append(s) }"
    )
    assert page.title().startswith("Queue")
    heard = " ".join(windows.complaints)
    windows.complaints.clear()
    assert "policy: script-src-elem inline" in heard
