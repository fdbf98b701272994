"""Invented intakes: at the beginning, with a backlog and hostile titles, with nothing."""

from typing import Any

from reviewconsole.comparing import Progress
from reviewconsole.intake import PORTIONS, SIZES, DocumentIntake
from tests.look.samples import ENDLESS, HOSTILE, Context, Page, ago, decision, frame

URL = "intake.html"


def portions(*numbers: int) -> list[Context]:
    return [
        {"value": kind.value, "label": words, "number": number}
        for (kind, (words, _which)), number in zip(PORTIONS.items(), numbers, strict=True)
    ]


def document(title: str, flagged: int, parked: int, inferred: int, **changes: Any) -> Context:
    intake = DocumentIntake("ref", flagged, parked, inferred, 1, flagged // 4, flagged // 2)
    return {
        "intake": intake,
        "in_queue": flagged - parked,
        "before": ago(days=28) if inferred else None,
        "title": title,
        "url": "document.html",
        "queue_url": "queue.html",
    } | changes


def intake(progress: Progress, **changes: Any) -> Context:
    return (
        frame(
            "Intake",
            progress=progress,
            in_queue=progress.flagged - progress.parked,
            intake_url=URL,
            level=progress.compared == progress.flagged,
            queue_url="queue.html",
            seen=1,
            sizes=SIZES,
            queue_portions=portions(1_240, 3_100, 9_800, 0, 40_000),
            backlog_portions=portions(740, 2_800, 9_700, 0, 39_500),
            documents=[],
            backlog=[],
            steps=[],
            next_url=None,
            first_url=None,
        )
        | changes
    )


def parked(conclusion: str, **changes: Any) -> Context:
    return {
        "decision": decision(conclusion, **changes),
        "url": "decision.html",
        "reason": "source_changed",
        "reason_words": "a document that it cites changed",
        "dependents": 12,
        "open_tasks": 3,
    }


def intake_pages() -> dict[str, Page]:
    """Each state of the page; the first has a worker at it, so that its bar is there."""
    begun = Progress(flagged=40_000, parked=0, counted=12_000, compared=3_150)
    split = Progress(flagged=40_000, parked=39_500, counted=40_000, compared=40_000)
    wide = f"{HOSTILE} {ENDLESS}"
    steps = [
        {"by": "mia", "at": ago(hours=1), "what": f"parked 9 because of “{wide}”"},
        {"by": "mia", "at": ago(hours=2), "what": "kept the 500 that open tasks rest on"},
    ]
    return {
        "intake": Page(
            URL,
            intake(
                begun,
                documents=[
                    document("Refund policy", 12_400, 0, 12_400),
                    document("Cold chain handbook", 31, 0, 2),
                ],
                error="Choose which decisions first.",
                then="keep",
            ),
            422,
        ),
        "intake-split": Page(
            URL,
            intake(
                split,
                documents=[
                    document("Refund policy", 12_400, 12_000, 12_400),
                    document(wide, 1, 1, 1),
                    document("", 40, 20, 0, url="", queue_url=""),
                ],
                backlog=[
                    parked("Refunds take at most 30 days."),
                    parked(wide, task_name="", author=ENDLESS),
                ],
                steps=steps,
                next_url="intake.html?page=1",
            ),
        ),
        "intake-nothing": Page(URL, intake(Progress(0, 0, 0, 0))),
    }
