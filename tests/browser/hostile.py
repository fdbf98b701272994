"""Texts that try to be more than text, and how to tell that a page did not let them."""

from playwright.sync_api import Page, expect

SCRIPT = "<script>document.title='owned'</script>"
IMAGE = "<img src=x onerror=\"document.title='owned'\">"
TAG = "</textarea></title></style></svg><svg onload=alert(1)><style>p{display:none}</style>"
QUOTES = "\"'`{{7*7}}{% now %}&amp;&lt;\\u003cb\\u003e"
TURNED = "\u202e\u2066paid \u05e9\u05dc\u05d5\u05dd 30 days\u2069\u202c"
ZALGO = "Z\u0336\u0353\u0349a\u0336l\u0336g\u0336o \U0001f9e8"
LINK = "javascript:alert(document.cookie)"
MARKED = f"[press]({LINK}) <{LINK}> ![x](https://evil.example/x.png) [a](data:text/html,x)"
LEFT_OPEN = "\u202e\u2067turned"
EVERYTHING = f"{SCRIPT} {IMAGE} {TAG} {QUOTES} {TURNED} {ZALGO} {LINK} {LEFT_OPEN}"
SHORT = f"{IMAGE} {LEFT_OPEN}"
"""For fields that take little."""
FORMULA = f"=HYPERLINK({LINK!r})+1 {SHORT}"

_RUNS = """
() => [...document.querySelectorAll(
  "main script, main svg[onload], img, iframe, object, embed, main style, main link, main base, "
  + "a:not([href^='http'], [href^='/'], [href^='#'], [href^='?'], [href^='mailto:'])"
)].filter(e => e.matches('a') ? e.hasAttribute('href') || e.hasAttribute('xlink:href') : true)
  .map(e => e.outerHTML.slice(0, 200))
"""

_SWALLOWED = r"""
() => {
  const opened = /[\u202a-\u202e\u2066-\u2069]/g;
  const isOpen = (text) => {
    let embeddings = 0, isolates = 0;
    for (const [mark] of text.matchAll(opened)) {
      if (mark === '\u202c') embeddings = Math.max(0, embeddings - 1);
      else if (mark === '\u2069') isolates = Math.max(0, isolates - 1);
      else if (mark >= '\u2066') isolates += 1;
      else embeddings += 1;
    }
    return embeddings + isolates > 0;
  };
  const alone = (style) =>
    style.unicodeBidi.includes('isolate') || style.unicodeBidi === 'plaintext'
    || !(style.display === 'inline' || style.display === 'contents');
  const found = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (!isOpen(node.data) || node.parentElement.closest('textarea, option, script, svg, pre, bdi')) continue;
    let around = node.parentElement;
    while (!alone(getComputedStyle(around))) around = around.parentElement;
    const range = document.createRange();
    range.setStart(node, node.data.search(/[\u202d\u202e]/));
    range.setEndAfter(around.lastChild);
    let after = '';
    const rest = document.createTreeWalker(range.cloneContents(), NodeFilter.SHOW_TEXT);
    while (rest.nextNode()) after += rest.currentNode.data;
    const here = document.createTreeWalker(around, NodeFilter.SHOW_TEXT);
    const last = after.lastIndexOf('\u2067turned');
    const behind = last >= 0 ? after.slice(last + 7) : (after.split('\u2026')[1] ?? '');
    if (/[\p{L}\p{N}\p{P}]/u.test(behind))
      found.add(`${around.tagName}.${around.className}: ${behind.trim().slice(0, 60)}`);
  }
  return [...found];
}
"""
"""Where text behind a recorded one, in the same line, would be turned by what that one left open."""


def stays_text(page: Page) -> None:
    """Nothing of a recorded text became an element, a link that runs, or turned what follows it."""
    found = page.evaluate(_RUNS) + page.evaluate(_SWALLOWED)
    assert not found, f"{page.url}: {found}"
    expect(page).not_to_have_title("owned")


def says(page: Page, words: str) -> None:
    """The page shows these words, character by character, and they are no more than words."""
    expect(page.locator("#main")).to_contain_text(words, use_inner_text=False)
    stays_text(page)
