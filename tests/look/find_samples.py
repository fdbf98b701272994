"""Invented choices that tasks decided differently, and lists of decisions."""

from collections.abc import Sequence
from typing import Any

from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message

from graphstore.records import Decision, DecisionStatus
from graphstore.refusals import WriteErrorCode
from reviewconsole import problems
from reviewconsole.finding import Search, marked
from reviewconsole.settling import KeepForm
from reviewconsole.sides import Side, sides_of
from tests.look.samples import (
    CLEAR,
    ENDLESS,
    HOSTILE,
    Context,
    Page,
    ago,
    decision,
    frame,
)

KEY = "cold-chain/logger-model"
TEMPTALE = decision("TempTale Ultra, warmest-sensor mode.", choice_key=KEY, **CLEAR)
AGREES = decision(
    "TempTale Ultra, warmest-sensor mode", task="carrier", author="carrier-audit", **CLEAR
)
ANY = decision("Any logger with ±0.5 °C.", task="consignee", created_at=ago(days=40))
LIBERO = decision(
    "LIBERO CS, if transit is over 72 h.", task="capacity", created_at=ago(days=2), **CLEAR
)
REJECTED = decision(
    "Paper strips.",
    task="rules",
    status=DecisionStatus.REJECTED,
    rejection_reason="Nobody reads them.",
    rejected_by="quality-reader",
    **CLEAR,
)
WIDE = decision(f"{HOSTILE} {ENDLESS} " * 4, task_name=ENDLESS, choice_key=ENDLESS, author=ENDLESS)
ORPHAN = decision("Of a task that is gone.", task_name="", **CLEAR)


# Decisions


def found(decisions: Sequence[Decision], search: Search, **changes: Any) -> Context:
    choices = [("", "All"), ("active", "Active"), ("rejected", "Rejected")]
    states = [("", "Any state"), ("clear", "Clear"), ("needs_review", "Needs review")]

    def drawn(listed: Sequence[tuple[str, str]], chosen: str) -> list[Context]:
        return [
            {"value": value, "label": label, "url": "decisions.html", "active": value == chosen}
            for value, label in listed
        ]

    return (
        frame(
            "Decisions",
            rows=[
                {
                    "decision": one,
                    "url": "decision.html",
                    "pieces": marked(one.conclusion, search.q),
                    "task_url": "task.html",
                    "choice_url": "decisions.html",
                    "author_url": "decisions.html",
                }
                for one in decisions
            ],
            total=len(decisions),
            total_capped=False,
            search=search,
            statuses=drawn(choices, search.status),
            states=drawn(states, search.state),
            chosen=[
                {"label": f"{name} {value}", "url": "decisions.html"}
                for name, value in vars(search).items()
                if value
            ],
            unknown_id=False,
            choice=None,
            next_url=None,
            first_url=None,
            all_url="decisions.html",
            author=search.author,
        )
        | changes
    )


# The board


def line(one: Decision, dependents: int) -> Context:
    return {
        "decision": one,
        "url": "decision.html",
        "task_url": "task.html",
        "ask_url": None if one.review_state == "needs_review" else "decision.html",
        "goal": "Decide which logger travels with what, and how often it is read. " * 4,
        "dependents": dependents,
        "capped": dependents >= 1000,
    }


def cited(title: str, quote: str, since: str = "", kind: str = "document") -> Context:
    return {"kind": kind, "title": title, "quote": quote, "since": since, "url": "document.html"}


EVIDENCE = [
    cited("SOP-014 Data loggers", "… a logger that reports the warmest of its sensors …"),
    cited("Carrier handbook", "… accuracy of half a degree suffices …", "removed"),
    cited("Supplier note 77", "", "changed"),
    cited("Event 18 of its task, tool result calibrate", "", "redacted", "event"),
    cited("An event of a task that is gone", "", "deleted", "event"),
    cited("Another decision", "Loggers are read at every handover.", "superseded", "decision"),
    cited(HOSTILE, f"{HOSTILE} {ENDLESS}", "changed"),
]


def drawn_side(side: Side, dependents: int, evidence: Sequence[Context]) -> Context:
    lines = [line(one, dependents) for one in side.decisions]
    return {
        "side": side,
        "id": f"side-{side.first.id}",
        "many": len(lines) > 1,
        "lines": lines[:3],
        "more_lines": lines[3:],
        "evidence": evidence[:4],
        "more_evidence": evidence[4:],
        "dependents": dependents,
        "dependents_capped": dependents >= 1000,
        "keep_url": "keep.html",
    }


def board(decisions: Sequence[Decision], **changes: Any) -> Context:
    sides = sides_of(decisions)
    return (
        frame(
            "Conflicts",
            key=KEY,
            conflicts_url="conflicts.html",
            list_url="decisions.html",
            sides=[
                drawn_side(side, number * 19, EVIDENCE[: 7 - 3 * number])
                for number, side in enumerate(sides)
            ],
            tasks=len({one.task_id for one in decisions}),
            oldest=ago(days=40),
            newest=ago(days=2),
            truncated=False,
            may_settle=len(sides) > 1,
            may_ask=True,
            earlier=[{"decision": REJECTED, "url": "decision.html"}],
            earlier_cut=False,
        )
        | changes
    )


# The list of conflicts


def conflict_row(key: str, decisions: Sequence[Decision], **changes: Any) -> Context:
    sides = sides_of(decisions)
    return {
        "key": key,
        "url": "conflict.html",
        "tasks": len({one.task_id for one in decisions}),
        "sides": sides[:4],
        "side_count": len(sides),
        "more_sides": max(0, len(sides) - 4),
        "truncated": False,
        "flagged": 1,
        "oldest": ago(days=40),
        "newest": ago(days=2),
    } | changes


# The plan


def losing(one: Decision, dependents: Sequence[Decision], own: int = 0) -> Context:
    return {
        "decision": one,
        "url": "decision.html",
        "task_url": "task.html",
        "total": len(dependents),
        "total_capped": len(dependents) > 2,
        "tasks": len({each.task_id for each in dependents}),
        "own": own,
        "dependents": [
            {"decision": each, "url": "decision.html", "depth": depth, "kept": depth == 2}
            for depth, each in enumerate(dependents, 1)
        ],
    }


def plan(form: KeepForm, losers: Sequence[Context], **changes: Any) -> Context:
    return (
        frame(
            "Conflicts",
            key=KEY,
            conflicts_url="conflicts.html",
            board_url="conflict.html",
            post_url="/post",
            kept=sides_of([TEMPTALE, AGREES])[0],
            kept_url="decision.html",
            losing=losers,
            more=0,
            form=form,
            refusal=None,
            typed=[],
        )
        | changes
    )


def find_pages() -> dict[str, Page]:
    several = [TEMPTALE, AGREES, ANY, LIBERO]
    narrowed = Search(q="logger sensor", author="carrier-audit", choice=KEY, status="active")
    empty = KeepForm(initial={"plan": "signed", "request_id": "r"})
    sent = KeepForm({"explanation": "", "ground": "", "plan": "signed", "request_id": "r"})
    losers = [losing(ANY, [TEMPTALE, AGREES, LIBERO], own=1), losing(LIBERO, [])]
    moved = problems.REFUSALS[WriteErrorCode.MOVED]
    stopped = {
        "status": 409,
        "sentence": "1 decision was rejected, then it stopped. 1 other was left as it was.",
        "what_to_do": "Below is what is left to do as things stand now.",
        "outcomes": [
            {"conclusion": one.conclusion, "url": "decision.html", "state": state, "words": why}
            for one, state, why in (
                (LIBERO, "rejected", ""),
                (ANY, "refused", f"{moved.sentence} {HOSTILE}"),
                (WIDE, "left", ""),
            )
        ],
    }
    choice = {"key": KEY, "count": 3, "capped": False, "url": "#", "board_url": "conflict.html"}
    settled = Message(constants.SUCCESS, "Settled. 2 decisions rejected.")
    return {
        "decisions": Page(
            "decisions.html",
            found([*several, REJECTED, ORPHAN], Search(), next_url="decisions.html?cursor=x"),
        ),
        "decisions-found": Page("decisions.html", found(several, narrowed, choice=choice)),
        "decisions-none": Page(
            "decisions.html", found([], Search(q=HOSTILE, task=ENDLESS), unknown_id=True)
        ),
        "decisions-empty": Page("decisions.html", found([], Search())),
        "decisions-hostile": Page(
            "decisions.html", found([WIDE], Search(q=f"script {ENDLESS}", author=HOSTILE))
        ),
        "conflicts": Page(
            "conflicts.html",
            frame(
                "Conflicts",
                rows=[
                    conflict_row(KEY, several),
                    conflict_row(ENDLESS, [WIDE, ANY], truncated=True),
                ],
                total=1000,
                total_capped=True,
                next_url="conflicts.html?cursor=x",
                first_url=None,
            ),
        ),
        "conflicts-empty": Page(
            "conflicts.html",
            frame("Conflicts", rows=[], total=0, total_capped=False, next_url=None, first_url=None),
        ),
        "conflict": Page("conflict.html", board(several)),
        "conflict-reader": Page(
            "conflict.html", board([TEMPTALE, ANY], may_settle=False, may_ask=False)
        ),
        "conflict-settled": Page("conflict.html", board([TEMPTALE], messages=[settled])),
        "conflict-none": Page("conflict.html", board([], oldest=None, newest=None)),
        "conflict-hostile": Page(
            "conflict.html", board([WIDE, ORPHAN], key=f"{ENDLESS}{HOSTILE}", truncated=True)
        ),
        "keep": Page("keep.html", plan(empty, losers)),
        "keep-missing": Page("keep.html", plan(sent, losers[:1]), 422),
        "keep-stopped": Page("keep.html", plan(empty, losers, refusal=stopped, more=14), 409),
        "keep-hostile": Page("keep.html", plan(empty, [losing(WIDE, [WIDE])], key=ENDLESS)),
        "keep-late": Page(
            "keep.html",
            plan(
                empty,
                [],
                kept=None,
                refusal={
                    "sentence": moved.sentence,
                    "what_to_do": moved.what_to_do,
                    "outcomes": [],
                },
                typed=[{"label": "Why", "text": f"{HOSTILE} {ENDLESS}"}],
            ),
            409,
        ),
    }
