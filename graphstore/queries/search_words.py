"""A person's or an agent's words as each full-text index wants them; words are never syntax."""

import re
from dataclasses import dataclass

MAX_WORDS = 24
MAX_WORD = 100
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

    Words of more than 100 characters are left out. Each part between blanks is a
    phrase for Lucene, which takes it apart as it took the texts apart; for
    RediSearch, whose index keeps single words, each run of letters and digits is one.
    """
    text = _UNHELD.sub(" ", text.lower())
    parts = [part for part in text.split() if _WORD.search(part) and len(part) <= MAX_WORD]
    parts = list(dict.fromkeys(parts))[:MAX_WORDS]
    if not parts:
        return SearchWords()
    phrases = ['"' + re.sub(r'(["\\])', r"\\\1", part) + '"' for part in parts]
    every = " ".join("+" + phrase for phrase in phrases)
    words = list(dict.fromkeys(word for part in parts for word in _WORD.findall(part)))
    words = words[:MAX_WORDS]
    return SearchWords(
        lucene=f"({every})^{ALL_BEFORE_ANY} {' '.join(phrases)}",
        redisearch=f"(({' '.join(words)})=>{{$weight:{ALL_BEFORE_ANY}}})|{'|'.join(words)}",
    )
