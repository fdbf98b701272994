"""A scripted reviewer in a real browser: reads what a page says, and judges by keys.

It knows the handbook's decisions by their pages alone. What it reads there is kept, so that
afterwards one can see which danger was named in which words.
"""

import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from playwright.sync_api import Page, expect

from bench.hand import Hand
from bench.handbook import OTHER_TITLE, TITLE
from reviewconsole.addresses import queue_url

__all__ = ["Bulk", "Card", "Reviewer", "Seen"]

PATIENCE_MS = 60_000
WORKER_MS = 300_000
MOST = 1_000
"""Verdicts after which a reviewer who gets nowhere gives up."""

# Only what is on screen without opening anything counts as said.
_READ = """
() => {
  const says = (root, what) => [...root.querySelectorAll(what)]
    .filter((one) => one.checkVisibility()).map((one) => one.innerText.trim());
  return [...document.querySelectorAll('.evidence')].map((card) => ({
    title: says(card, '.evidence__title')[0] ?? '',
    comparison: says(card, '.badge')[0] ?? '',
    dangers: says(card, '.dangers li'),
    changes: says(card, '.changes li, .changes p'),
    gone: says(card, '.passage--none'),
    elsewhere: says(card, '.also .passage').map((one) => one.replace(/^\\[\\w+:\\s*|\\s*\\]$/g, '')),
    to_pick: card.querySelector('[data-pick]') !== null,
  }));
}
"""
_CAUSES = """
() => [...document.querySelectorAll('.why .path')].filter((one) => one.checkVisibility())
  .map((one) => one.querySelector('li').innerText.replace(/\\s+/g, ' ').trim())
"""
_HERE = "`${location.href} ${document.getElementById('id_offered')?.value}`"
_ARRIVED = f"""
(before) => document.readyState === 'complete' && {_HERE} !== before
  && !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')
"""
_WORDING_ONLY = "Wording only"


@dataclass(frozen=True)
class Card:
    """What a page says about one support without a click."""

    title: str
    comparison: str
    dangers: list[str]
    changes: list[str]
    gone: list[str]
    elsewhere: list[str]
    to_pick: bool

    @property
    def said(self) -> list[str]:
        """The words that ask for care."""
        return [*self.dangers, *self.changes, *self.gone, *self.elsewhere]

    @property
    def contradicts(self) -> bool:
        """Whether the present handbook may say otherwise than what was decided on it."""
        if self.title == OTHER_TITLE:
            # What a service costs says nothing about when it is due.
            return False
        meant = [one for one in self.changes if not one.startswith(_WORDING_ONLY)]
        return bool(self.dangers or meant or self.gone)


@dataclass(frozen=True)
class Seen:
    """One decision as it was judged singly."""

    decision_id: UUID
    causes: list[str]
    cards: list[Card]
    verdict: str
    interactions: int
    loads: int
    requests: int

    @property
    def said(self) -> list[str]:
        """The words that ask for care; of causes only where there are several."""
        causes = self.causes if len(self.causes) > 1 else []
        return [*causes, *(one for card in self.cards for one in card.said)]


@dataclass
class Bulk:
    """What was offered in bulk, and how long the worker took over what was not opened."""

    offered: int = 0
    sampled: list[UUID] = field(default_factory=list[UUID])
    reaffirmed: int = 0
    seconds: float = 0.0


@dataclass
class Reviewer:
    """Works through a project's queue until nothing waits."""

    hand: Hand
    project: str
    pauses: int = 0
    seen: list[Seen] = field(default_factory=list[Seen])
    bulk: Bulk = field(default_factory=Bulk)

    @property
    def page(self) -> Page:
        return self.hand.page

    def open_queue(self) -> None:
        """The queue, until a worker has compared everything."""
        for name in ("first look", "queue"):
            with self.hand.step(name):
                self.page.goto(queue_url(self.project))
        self._until(lambda: "still being compared" not in self.page.inner_text("#rows"))

    def _until(self, holds: Callable[[], bool]) -> None:
        """Load the page again and again, uncounted, until something holds."""
        end = time.monotonic() + WORKER_MS / 1000
        while not holds():
            assert time.monotonic() < end, "the worker is not done"
            time.sleep(1)
            with self.hand.step("waiting"):
                self.page.reload()

    def reaffirm_the_calm(self) -> None:
        """In bulk from the queue: the sample singly, then one button for the rest."""
        with self.hand.step("bulk"):
            self.hand.click(self.page.get_by_role("link", name=f"in bulk of {TITLE}"))
            self.hand.click(self.page.get_by_role("link", name="Reaffirm in bulk"))
            heading = self.page.get_by_role("heading", level=1)
            expect(heading).to_contain_text("may be reaffirmed in bulk")
            self.bulk.offered = _first_number(heading.inner_text())
            self._commit()
        while self.page.locator(".sample").count():
            with self.hand.step("sample"):
                cards = self._read()
                assert not any(card.contradicts for card in cards), cards
                self.bulk.sampled.append(self._decision())
                self._commit()
        self._confirm()

    def _confirm(self) -> None:
        why = self.page.get_by_role("textbox", name="Why")
        expect(why).to_be_visible(timeout=WORKER_MS)
        with self.hand.step("bulk"):
            self.hand.click(why)
            self.hand.type("The handbook says of each what it said.")
            begun = time.monotonic()
            self.hand.press("Control+Enter")
            heading = self.page.get_by_role("heading", level=1)
            expect(heading).to_contain_text("reaffirmed in bulk", timeout=WORKER_MS)
            self.bulk.seconds = time.monotonic() - begun
        self.bulk.reaffirmed = _first_number(heading.inner_text())

    def judge_the_rest(self) -> None:
        """Singly, from the first of the queue to the last."""
        with self.hand.step("queue"):
            self.page.goto(queue_url(self.project))
            before = self._here()
            self.hand.click(self.page.locator("[data-start]"))
            self._arrive(before)
        while self.page.locator("#verdict-form").count():
            assert len(self.seen) < MOST, "the queue does not end"
            self._judge()

    def _judge(self) -> None:
        decision = self._decision()
        causes: list[str] = self.page.evaluate(_CAUSES)
        cards = self._read()
        conclusion = self.page.locator("#conclusion").inner_text()
        verdict = _verdict(cards)
        with self.hand.step(verdict) as step:
            match verdict:
                case "reject":
                    self._reject(cards)
                case "supersede":
                    self._supersede(conclusion, cards)
                case _:
                    self._reaffirm(cards)
            self._commit()
        self.seen.append(
            Seen(decision, causes, cards, verdict, step.interactions, step.loads, step.requests)
        )

    def _reject(self, cards: list[Card]) -> None:
        self.hand.press("d")
        self.hand.press("Tab")
        self._write(f"No longer so: {' '.join(_said(cards))}")

    def _reaffirm(self, cards: list[Card]) -> None:
        self.hand.press("a")
        if any(card.to_pick for card in cards):
            for _ in [card for card in cards if card.to_pick]:
                self.hand.press("p")
            self._write("The wording changed, and says the same.")

    def _supersede(self, conclusion: str, cards: list[Card]) -> None:
        old, new = re.findall(r"number (\d+) became (\d+)", " ".join(_said(cards)))[0]
        self.hand.press("s")
        self.hand.press("p")
        self.hand.type(conclusion.replace(f" {old} ", f" {new} "))
        self.hand.move_to(self.page.get_by_role("textbox", name="Why"))
        self._write(f"The handbook says {new} now.")

    def _write(self, words: str) -> None:
        self.hand.type(words)
        if self.pauses:
            self.pauses -= 1
            expect(self.page.locator("[data-draft]")).to_contain_text("Saved", timeout=PATIENCE_MS)

    def _read(self) -> list[Card]:
        found: list[dict[str, Any]] = self.page.evaluate(_READ)
        return [Card(**card) for card in found]

    def _commit(self) -> None:
        """Record what is chosen, and arrive at what comes next."""
        before = self._here()
        self.hand.press("Control+Enter")
        self._arrive(before)
        refusal = self.page.locator("#refusal")
        assert not refusal.count(), refusal.inner_text()

    def _decision(self) -> UUID:
        return UUID(re.findall(r"/decisions/([0-9a-f-]{36})", self.page.url)[0])

    def _here(self) -> str:
        return self.page.evaluate(_HERE)

    def _arrive(self, before: str) -> None:
        self.page.wait_for_function(_ARRIVED, arg=before, timeout=PATIENCE_MS)


def _verdict(cards: list[Card]) -> str:
    """What a page's words lead to."""
    against = [card for card in cards if card.contradicts]
    if not against:
        picks = any(card.to_pick for card in cards)
        return "reaffirm on what it says now" if picks else "reaffirm word for word"
    said = Counter(one.split(" ")[0] for card in against for one in card.changes)
    return "supersede" if said == {"number": 1} else "reject"


def _said(cards: list[Card]) -> list[str]:
    return [one for card in cards if card.contradicts for one in card.said]


def _first_number(words: str) -> int:
    return int(re.findall(r"[\d,]+", words)[0].replace(",", ""))
