"""Markdown of records is read as Markdown, and nothing in it is ever run."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewconsole.marked_up import marked_up

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    "[a](//evil.example/x)",
    "<javascript:alert(1)>",
    "![a](https://evil.example/pixel.png)",
    "![a](data:image/svg+xml;base64,AAAA)",
    '[a](https://e.example "title" onmouseover=alert(1))',
    "[a]: javascript:alert(1)\n\n[a]",
    "```<script>\nalert(1)\n```",
    "<style>*{display:none}</style>",
    "<a href='javascript:alert(1)'>x</a>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<form action=https://evil.example><button>Sign in</button></form>",
    "| <script>alert(1)</script> |\n|---|\n| <b onclick=alert(1)> |",
    "\u202e<script>\u202c [\u2066a](javascript:alert(1))",
    "<<script>script>alert(1)<</script>/script>",
]


class Parts(HTMLParser):
    """The elements with their attributes, and the text between."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


HARMLESS = frozenset(
    "a blockquote br code em hr li ol p pre s strong table tbody td th thead tr ul".split()  # noqa: SIM905 - readable
)


def harmless(html: str) -> bool:
    """Only elements of text, and no attribute but where a link leads to the outside."""
    parts = Parts(html)
    leads = [value or "" for name, value in parts.attributes if name == "href"]
    return (
        parts.tags <= HARMLESS
        and {name for name, _ in parts.attributes} <= {"href", "rel", "start"}
        and all(one.lower().startswith(("http://", "https://", "mailto:")) for one in leads)
    )


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_stays_text(attack: str) -> None:
    """What would run, load or dress up is left as letters."""
    assert harmless(str(marked_up(f"Before\n\n{attack}\n\nafter")))


@given(st.lists(st.sampled_from([*ATTACKS, "**", "`", "\n\n", "> ", "- ", "x", "&lt;", "\\"])))
def test_nothing_made_of_attacks_runs(parts: list[str]) -> None:
    """However they are put together."""
    html = marked_up("".join(parts))
    assert html is None or harmless(str(html))


def test_markdown_is_read() -> None:
    """Emphasis, lists, tables, code and quotes are what they mean; a heading is a strong line."""
    html = str(marked_up("# Why\n\n- **a** ~~b~~\n- `c`\n\n> d\n\n| e | f |\n|---|---|\n| 1 | 2 |"))
    wanted = {"strong", "s", "ul", "li", "code", "blockquote", "table", "th", "td", "p"}
    assert wanted <= Parts(html).tags


def test_where_a_link_leads_is_said() -> None:
    """The address stands behind a link that says something else, and once where it says itself."""
    said = str(marked_up("[our bank](https://evil.example/?a=1&b=2)"))
    assert Parts(said).text.strip() == "our bank https://evil.example/?a=1&b=2"
    own = str(marked_up("<https://e.example/x>"))
    assert Parts(own).text.strip() == "https://e.example/x"


@pytest.mark.parametrize(
    "plain",
    ["5 < 6 & 7 > 2", "&amp;lt; \\* \\u003cb", "a_b_c 1 * 2", "{{ x }}{% now %}", "\u202eabc"],
)
def test_plain_text_keeps_its_letters(plain: str) -> None:
    """What is no markup stands there as it was recorded."""
    assert Parts(str(marked_up(plain))).text.strip() == plain


def test_lines_stay_lines() -> None:
    """A line break of the record is one on the page."""
    assert "br" in Parts(str(marked_up("one\ntwo"))).tags


@pytest.mark.parametrize("much", ["x" * 20_001, "*" * 2_001, "[" * 2_001])
def test_what_is_too_much_is_not_read(much: str) -> None:
    """A text that would keep its page waiting is left to be shown as it is."""
    assert marked_up(much) is None
