"""Other places of a project that repeat a text that is to be erased.

Erasing an event does not erase what people and agents wrote elsewhere after reading it,
so a plan lists where they may have copied it. A place counts when it holds, letter for
letter, one of the *probes* of the text: the whole of it when that is 12 to 400
characters long, and its longest sentences and lines of 40 characters or more, cut to
200. Looked through are decisions (conclusion, rationale, assumptions, open questions
and the words of verdicts kept in them), verdicts, events of other numbers, and the
documents that the project cites. Paraphrases are not found.
"""

import re
from collections.abc import Iterable, Sequence

from graphstore.erasures import Quote, QuoteKind
from graphstore.store import GraphStore

SHORTEST, LONGEST = 12, 400
SENTENCE, CUT = 40, 200
PROBES = 5
ALL_PROBES = 40
MAX_PLACES = 20
"""Places of one kind that are listed."""
SCANNED = 100_000
"""Records of one kind that are looked through."""
AROUND = 60
KINDS: tuple[QuoteKind, ...] = ("decision", "verdict", "event", "document")


def _probes(text: str) -> list[str]:
    """What a place has to hold to count as a quote of the text."""
    body = text.strip()
    found = [body] if SHORTEST <= len(body) <= LONGEST else []
    parts = (part.strip() for part in re.split(r"(?<=[.!?])\s+|\n", body))
    long = sorted((part[:CUT] for part in parts if len(part) >= SENTENCE), key=len)
    return list(dict.fromkeys([*found, *reversed(long)]))[:PROBES]


def _all_probes(texts: Iterable[str]) -> tuple[list[str], bool]:
    """The probes of several texts, and whether there were more than are looked for."""
    found = list(dict.fromkeys(probe for text in texts for probe in _probes(text)))
    return found[:ALL_PROBES], len(found) > ALL_PROBES


def quotes_of(
    store: GraphStore,
    project_id: str,
    texts: Sequence[str],
    *,
    apart_from: str,
    stay: bool = False,
) -> tuple[list[Quote], bool]:
    """Where the project repeats the texts, and whether that is not all.

    `apart_from` is the event or the task that goes; with `stay` the task's decisions stay,
    and count.
    """
    probes, cut = _all_probes(texts)
    if not probes:
        return [], cut
    p = {
        "project_id": project_id,
        "probes": probes,
        "apart_from": apart_from,
        "stay": stay,
        "scanned": SCANNED,
        "limit": MAX_PLACES + 1,
    }
    row = store.read("quotes", p)[0]
    quotes: list[Quote] = []
    for kind, (found, seen) in zip(KINDS, row, strict=True):
        cut = cut or len(found) > MAX_PLACES or seen >= SCANNED
        # A document repeats it in each of its parts and versions, and is one place.
        places = {row[0]: row for row in reversed(found[:MAX_PLACES])}
        quotes += [
            Quote(kind=kind, ref=ref, label=label, seq=seq, passage=_passage(text, probes))
            for ref, label, seq, text in reversed(places.values())
        ]
    return quotes, cut


def _passage(text: str, probes: Sequence[str]) -> str:
    """What the place says around the first probe that it holds."""
    start = next(text.index(probe) for probe in probes if probe in text)
    return text[max(0, start - AROUND // 2) : start + AROUND * 2].strip()
