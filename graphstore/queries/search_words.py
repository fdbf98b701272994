"""A person's or an agent's words as each full-text index wants them; words are never syntax."""

import re
from dataclasses import dataclass

MAX_WORDS = 24
MAX_WORD = 100
MAX_SEARCHED = 10_000
"""Characters of a text in which words are looked for: more than 24 words need."""
ALL_BEFORE_ANY = 1000
"""How many times over a decision counts that has all the words."""

_WORD = re.compile(r"\w*[^\W_]\w*")
_UNHELD = re.compile(r"[\ud800-\udfff\x00]")


@dataclass(frozen=True)
class SearchWords:
    """One search in the languages of both indexes; empty when there is no word in it."""

    lucene: str = ""
    redisearch: str = ""


def search_words(text: str) -> SearchWords:
    """The first 24 different words of a text, as a search for all of them before any of them.

    What stands between blanks is left out when it has more than 100 characters. For
    Lucene it is also a phrase, since its index keeps `example.com` as one word and
    takes a phrase apart in the same way; RediSearch keeps the two words.
    """
    parts: dict[str, list[str]] = {}
    words: dict[str, None] = {}
    for part in _UNHELD.sub(" ", text[:MAX_SEARCHED].lower()).split():
        if len(words) >= MAX_WORDS:
            break
        held = _WORD.findall(part)[: MAX_WORDS - len(words)]
        if held and len(part) <= MAX_WORD:
            parts.setdefault(part, held)
            words.update(dict.fromkeys(held))
    if not words:
        return SearchWords()
    every = " ".join(f"+({_phrase(part)} ({_all_of(held)}))" for part, held in parts.items())
    some = " ".join([*map(_phrase, parts), *map(_phrase, words)])
    return SearchWords(
        lucene=f"({every})^{ALL_BEFORE_ANY} {some}",
        redisearch=f"(({' '.join(words)})=>{{$weight:{ALL_BEFORE_ANY}}})|{'|'.join(words)}",
    )


def _phrase(part: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", part) + '"'


def _all_of(words: list[str]) -> str:
    return " ".join("+" + _phrase(word) for word in words)
