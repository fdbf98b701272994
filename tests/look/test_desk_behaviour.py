"""What the desk does under hands: keys, folds, sending once, with and without a script."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from reviewconsole.pages import MARK

STICKY = """
() => [...document.querySelectorAll('body *')]
  .filter(e => ['sticky', 'fixed'].includes(getComputedStyle(e).position))
  .map(e => e.className)
"""
COVERED = """
() => {
  const e = document.activeElement, box = e.getBoundingClientRect();
  // Behind the last element nothing has the focus.
  if (e === document.body) return '';
  const shows = (x, y) => {
    const at = document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
    return at && (e.contains(at) || at.contains(e) || e.labels?.[0]?.contains(at));
  };
  const parts = [0.1, 0.5, 0.9];
  return parts.some(y => parts.some(x => shows(x, y))) ? '' : e.outerHTML.slice(0, 120);
}
"""


@pytest.fixture
def desk(page: Page, served: str) -> Page:
    """A decision that waits, with verdict form."""
    page.set_viewport_size({"width": 1280, "height": 860})
    page.goto(f"{served}/decision.html")
    page.wait_for_load_state("networkidle")
    return page


@pytest.fixture
def posts(page: Page) -> list[str]:
    """Bodies of the forms that were sent; each is answered with nothing new."""
    sent: list[str] = []

    def answer(route: Route) -> None:
        sent.append(route.request.post_data or "")
        route.fulfill(status=204)

    page.route("**/post", answer)
    return sent


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    """A browser window in which no script runs."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_nothing_is_chosen_for_the_person(desk: Page) -> None:
    """No verdict is chosen, nothing is written, and the main button says so."""
    assert desk.locator("[name=verdict]:checked").count() == 0
    expect(desk.get_by_label("Why kept with the record")).to_have_value("")
    expect(desk.locator("[data-commits]")).to_contain_text("Record the verdict")
    expect(desk.get_by_label("New conclusion")).to_be_hidden()


@pytest.mark.parametrize(
    ("key", "label", "button", "shown"),
    [
        ("a", "Reaffirm", "Reaffirm and next", "Clear this flag"),
        ("s", "Supersede", "Supersede and next", "Flags decisions that cite it"),
        ("d", "Reject", "Reject and next", "Flags decisions that cite it"),
    ],
)
def test_a_key_chooses_a_verdict_and_shows_what_it_does(
    desk: Page, key: str, label: str, button: str, shown: str
) -> None:
    """The key on the verdict chooses it; what it will do stands above its button."""
    desk.keyboard.press(key)
    expect(desk.get_by_role("radio", name=label)).to_be_checked()
    expect(desk.get_by_role("radio", name=label)).to_be_focused()
    expect(desk.get_by_role("button", name=button)).to_be_visible()
    expect(desk.locator(".will", has_text=shown).locator("visible=true")).to_have_count(1)
    expect(desk.get_by_label("Why kept with the record")).to_be_visible()


def test_only_supersede_asks_for_a_new_conclusion(desk: Page) -> None:
    """The fields of another verdict go away when the choice changes; their text stays."""
    desk.keyboard.press("s")
    desk.get_by_label("New conclusion").fill("At most 15 minutes.")
    desk.get_by_role("radio", name="Reject").check()
    expect(desk.get_by_label("New conclusion")).to_be_hidden()
    desk.get_by_role("radio", name="Supersede").check()
    expect(desk.get_by_label("New conclusion")).to_have_value("At most 15 minutes.")


def test_keys_rest_while_somebody_types(desk: Page) -> None:
    """Letters in a field are letters; question mark and n too."""
    desk.keyboard.press("s")
    field = desk.get_by_label("New conclusion")
    field.fill("")
    desk.keyboard.type("a d n j ? k")
    expect(field).to_have_value("a d n j ? k")
    expect(desk.get_by_role("radio", name="Supersede")).to_be_checked()
    expect(desk.get_by_role("dialog")).to_be_hidden()


def test_keys_rest_while_the_list_of_keys_is_open(desk: Page) -> None:
    """The question mark opens the list; nothing else happens until it is closed."""
    desk.keyboard.press("?")
    expect(desk.get_by_role("dialog", name="Keys")).to_be_visible()
    desk.keyboard.press("d")
    assert desk.locator("[name=verdict]:checked").count() == 0
    desk.keyboard.press("Escape")
    expect(desk.get_by_role("dialog")).to_be_hidden()
    desk.keyboard.press("d")
    expect(desk.get_by_role("radio", name="Reject")).to_be_checked()


def test_keys_can_be_switched_off_for_this_browser(desk: Page) -> None:
    """Switched off, single keys do nothing and their hints go; the cookie keeps it."""
    desk.locator(".menu summary").click()
    desk.get_by_label("Single keys").uncheck()
    desk.keyboard.press("Escape")
    expect(desk.locator(".menu__panel")).to_be_hidden()
    desk.keyboard.press("a")
    assert desk.locator("[name=verdict]:checked").count() == 0
    expect(desk.locator("kbd.key").first).to_be_hidden()
    assert "keys=off" in desk.evaluate("document.cookie")


def test_j_and_k_move_and_enter_opens(desk: Page) -> None:
    """The keys move the focus through what waits; Enter follows the link that has it."""
    desk.keyboard.press("j")
    expect(desk.locator(".rail [data-item]").nth(2)).to_be_focused()
    desk.keyboard.press("k")
    expect(desk.locator(".rail [data-item]").nth(1)).to_be_focused()
    desk.keyboard.press("n")
    desk.wait_for_url("**/decision-removed.html")


def test_enter_alone_records_nothing(desk: Page, posts: list[str]) -> None:
    """Enter and Space keep their own meaning; only Ctrl with Enter sends."""
    desk.keyboard.press("d")
    desk.locator("body").evaluate("document.activeElement.blur()")
    desk.keyboard.press("Enter")
    desk.keyboard.press(" ")
    assert posts == []
    desk.get_by_label("Why kept with the record").fill("It counts dock time twice.")
    with desk.expect_request("**/post"):
        desk.keyboard.press("Control+Enter")
    assert len(posts) == 1
    assert "verdict=reject" in posts[0]
    assert "then=next" in posts[0]


def test_a_choice_among_passages_belongs_to_the_form(desk: Page, posts: list[str]) -> None:
    """The passage picked beside the evidence is sent with the verdict."""
    desk.get_by_label("The passage shown under Now").check()
    desk.keyboard.press("a")
    with desk.expect_request("**/post"):
        desk.get_by_role("button", name="Reaffirm and next").click()
    assert "evidence_0=ev1%3As%3A" in posts[0]


def test_a_double_click_sends_once(page: Page, served: str) -> None:
    """While the first sending is on its way, the second goes nowhere."""
    sent: list[Route] = []

    def hold(route: Route) -> None:
        sent.append(route)

    page.route("**/post", hold)
    page.goto(f"{served}/decision.html")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("d")
    button = page.locator("[data-commits]")
    button.dblclick()
    button.click(force=True)
    expect(button).to_have_attribute("aria-disabled", "true")
    assert len(sent) == 1
    sent[0].fulfill(status=204)
    expect(button).not_to_have_attribute("aria-disabled", "true")


def test_no_answer_is_told_and_keeps_the_text(desk: Page) -> None:
    """A server that does not answer leaves the words in place and says what to do."""
    desk.route("**/post", lambda route: route.abort())
    desk.keyboard.press("d")
    desk.get_by_label("Why kept with the record").fill("It counts dock time twice.")
    desk.keyboard.press("Control+Enter")
    expect(desk.locator("#messages")).to_contain_text("did not answer")
    expect(desk.get_by_label("Why kept with the record")).to_have_value(
        "It counts dock time twice."
    )


@pytest.mark.parametrize("status", [404, 413, 500, 502])
def test_an_answer_that_no_page_of_ours_made_takes_no_word_away(desk: Page, status: int) -> None:
    """A proxy's page, or that of a server that broke, leaves the form where it is, ready to send."""
    told = {"status": status, "body": "<h1>Bad gateway</h1>", "content_type": "text/html"}
    desk.route("**/post", lambda route: route.fulfill(**told))
    desk.keyboard.press("d")
    why = desk.get_by_label("Why kept with the record")
    why.fill("It counts dock time twice.")
    for _ in range(2):
        with desk.expect_response("**/post"):
            desk.keyboard.press("Control+Enter")
        expect(desk.locator("#messages")).to_contain_text("did not answer")
        expect(desk.locator("form[data-sending]")).to_have_count(0)
    expect(desk.get_by_text("Bad gateway")).to_have_count(0)
    expect(why).to_have_value("It counts dock time twice.")


def test_the_keys_of_the_verdict_rest_in_another_form(desk: Page, posts: list[str]) -> None:
    """Ctrl and Enter in the search box judge nothing; back in the form, they do."""
    desk.keyboard.press("d")
    desk.get_by_role("searchbox").fill("dock")
    desk.keyboard.press("Control+Enter")
    desk.get_by_label("Why kept with the record").fill("It counts dock time twice.")
    assert posts == []
    with desk.expect_request("**/post"):
        desk.keyboard.press("Control+Enter")
    assert len(posts) == 1


def test_a_refusal_is_swapped_in_and_gets_the_focus(page: Page, served: str) -> None:
    """A 422 replaces the verdict column only, and what is missing is focused and linked."""
    page.goto(f"{served}/decision-refused.html")
    column = page.locator("#verdict").evaluate("e => e.outerHTML")
    page.goto(f"{served}/decision.html")
    page.wait_for_load_state("networkidle")
    ours = {MARK: "yes", "Content-Type": "text/html"}
    page.route("**/post", lambda route: route.fulfill(status=422, body=column, headers=ours))
    page.locator("#evidence-0").evaluate("e => e.dataset.kept = 'yes'")
    page.keyboard.press("s")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#refusal")).to_be_focused()
    expect(page.locator("#evidence-0")).to_have_attribute("data-kept", "yes")
    expect(page.get_by_label("New conclusion")).to_have_value(
        "Biologics may spend at most 15 minutes above 8 °C on one leg."
    )


def test_a_full_page_replaces_what_is_out_of_date(page: Page, served: str) -> None:
    """A 409 that asks for the whole body gets it, and the scripts go on working."""
    page.goto(f"{served}/decision-judged-meanwhile.html")
    whole = page.content()
    page.goto(f"{served}/decision.html")
    page.wait_for_load_state("networkidle")
    swap = {MARK: "yes", "HX-Retarget": "body", "HX-Reswap": "outerHTML"}
    swap |= {"Content-Type": "text/html"}
    page.route("**/post", lambda route: route.fulfill(status=409, body=whole, headers=swap))
    page.keyboard.press("d")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#refusal")).to_be_focused()
    expect(page.get_by_text("What you had typed")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def test_the_theme_can_be_fixed(desk: Page) -> None:
    """The choice in the menu wins over the system, and a cookie tells the server."""
    desk.emulate_media(color_scheme="light")
    desk.locator(".menu summary").click()
    desk.get_by_label("Dark").check()
    assert desk.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    assert "theme=dark" in desk.evaluate("document.cookie")
    assert "timezone=" in desk.evaluate("document.cookie")


def test_a_long_conclusion_folds_after_six_lines(page: Page, served: str) -> None:
    """Folded it is six lines; unfolded it is all there; a short text offers no fold."""
    page.goto(f"{served}/decision-long.html")
    heading = page.get_by_role("heading", level=1)
    folded = heading.evaluate("e => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)")
    assert round(folded) == 6
    page.get_by_text("Show the whole conclusion").click()
    assert heading.evaluate("e => e.scrollHeight - e.clientHeight") <= 1
    page.goto(f"{served}/decision.html")
    page.wait_for_load_state("networkidle")
    expect(page.get_by_text("Show all").locator("visible=true")).to_have_count(0)


def test_the_verdict_stays_in_view_when_there_is_room(desk: Page) -> None:
    """However far one reads, the verdict column and its button are on screen."""
    desk.mouse.move(640, 500)
    desk.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    expect(desk.locator("[data-commits]")).to_be_in_viewport()
    expect(desk.get_by_role("radio", name="Reject")).to_be_in_viewport()


def test_a_message_leaves_the_verdict_in_view(page: Page, served: str) -> None:
    """What the last verdict did stands above the next heading and moves no column."""
    page.set_viewport_size({"width": 1280, "height": 860})
    page.goto(f"{served}/decision-next.html")
    expect(page.get_by_role("status").filter(has_text="Reaffirmed")).to_be_visible()
    page.get_by_role("radio", name="Supersede").check()
    expect(page.locator(".verdict__stay")).to_be_in_viewport(ratio=1)


def test_on_a_narrow_screen_a_bar_leads_to_the_verdict(desk: Page) -> None:
    """The bar stays at the foot while one reads, and goes where the verdict begins."""
    desk.set_viewport_size({"width": 400, "height": 800})
    link = desk.get_by_role("link", name="Give a verdict")
    expect(link).to_be_in_viewport()
    link.click()
    expect(desk.locator("#verdict-title")).to_be_in_viewport()
    desk.get_by_role("radio", name="Supersede").check()
    expect(desk.get_by_label("New conclusion")).to_be_visible()
    expect(desk.get_by_text("Flags decisions that cite it")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1280, 480), (400, 480), (320, 256)])
def test_nothing_sticks_on_a_low_screen(desk: Page, width: int, height: int) -> None:
    """Below 500 pixels of height everything scrolls away."""
    desk.set_viewport_size({"width": width, "height": height})
    assert desk.evaluate(STICKY) == []


@pytest.mark.parametrize("width", [1280, 400])
def test_focus_is_never_hidden(desk: Page, width: int) -> None:
    """Going through the page with the tabulator, no bar covers what has the focus."""
    desk.set_viewport_size({"width": width, "height": 800})
    desk.keyboard.press("s")
    desk.evaluate("document.activeElement.blur()")
    desk.evaluate("window.scrollTo(0, 0)")
    hidden: list[str] = []
    for _ in range(60):
        desk.keyboard.press("Tab")
        hidden.append(desk.evaluate(COVERED))
    assert [element for element in hidden if element] == []


def test_everything_works_without_a_script(plain_page: Page, served: str) -> None:
    """Choosing shows the fields, folds open, passages can be chosen, no dead control shows."""
    plain_page.goto(f"{served}/decision-all.html")
    expect(plain_page.get_by_label("New conclusion")).to_be_hidden()
    plain_page.get_by_role("radio", name="Supersede").check()
    expect(plain_page.get_by_label("New conclusion")).to_be_visible()
    expect(plain_page.get_by_role("button", name="Supersede and next")).to_be_visible()
    plain_page.get_by_text("Firmware 4.3 brings the time between").first.click()
    assert plain_page.locator("[name=evidence_0]:checked").count() == 1
    plain_page.locator("summary", has_text="verbatim").first.click()
    expect(plain_page.get_by_text("and now").locator("visible=true").first).to_be_visible()
    expect(plain_page.locator(".scripted-only").locator("visible=true")).to_have_count(0)
    expect(plain_page.locator("kbd.key").locator("visible=true")).to_have_count(0)
    plain_page.locator(".menu summary").click()
    expect(plain_page.get_by_role("button", name="Sign out")).to_be_visible()


def test_on_paper_only_the_record_is_left(desk: Page) -> None:
    """Printing leaves out what can only be clicked, and folds nothing."""
    desk.emulate_media(media="print")
    expect(desk.locator(".verdict")).to_be_hidden()
    expect(desk.locator(".rail")).to_be_hidden()
    expect(desk.get_by_role("heading", level=1)).to_be_visible()
    expect(desk.get_by_text("What changed").first).to_be_visible()
