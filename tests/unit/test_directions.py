"""A recorded text ends the changes of direction that it opens."""

import pytest

from reviewconsole.directions import closed


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("plain", ""),
        ("\u202eturned", "\u202c"),
        ("\u2067turned", "\u2069"),
        ("\u202e\u2067turned", "\u2069\u202c"),
        ("\u202eturned\u202c and back", ""),
        ("\u2066a \u202eb\u2069 c", ""),
        ("\u2066a \u202c b", "\u2069"),
        ("\u202c\u2069 nothing was open", ""),
        ("\u202ea \u2069 b", "\u202c"),
    ],
)
def test_what_is_left_open_is_closed(text: str, added: str) -> None:
    """In the order in which it has to be, and nothing else is added."""
    assert closed(text) == text + added
