"""Invented records for drawing every page without a graph: ordinary, empty and hostile ones.

Each page is a template with the context that its view would fill. Texts come from
the demo company's documents where a real difference is wanted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast
from uuid import NAMESPACE_URL, UUID, uuid5

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message

from graphstore.desk import Desk, SupportOnDesk
from graphstore.evidence import Comparison, PassageNow, Segment, compare, paragraphs, passage_at
from graphstore.ids import evidence_id, sha256
from graphstore.records import (
    Decision,
    DecisionStatus,
    DecisionSupport,
    Document,
    DocumentSupport,
    Event,
    EventKind,
    EventSupport,
    ReviewReason,
    ReviewState,
    Task,
    TaskStatus,
)
from reviewconsole.bundle_bars import BAR_WIDTH, bar_of
from reviewconsole.desk_page import inlined
from reviewconsole.filters import Filters
from reviewconsole.forms import VerdictForm
from reviewconsole.new_revision import support_choice, texts_of
from reviewconsole.note_form import fresh_note
from reviewconsole.offers import Offer, offer_of, old_texts
from reviewconsole.picker import picker_of
from reviewconsole.queue_choices import Choice, Pick
from reviewconsole.queue_words import initials_of

DOCUMENTS = Path(__file__).parents[2] / "reviewconsole" / "demo" / "documents"
NOW = datetime.now(UTC)
PERSON = UUID("6b9d0f3e-4a51-5d3c-8f0e-0a4b8c2d1e10")
HOSTILE = "<script>document.title='owned'</script><img src=x onerror=alert(1)> &amp; {{ 7|add:7 }}"
ENDLESS = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3

Context = dict[str, Any]


@dataclass(frozen=True)
class Page:
    """A template, what it is given, and the HTTP status that it would come with."""

    template: str
    context: Context
    status: int = 200


def ident(name: str) -> UUID:
    return uuid5(NAMESPACE_URL, name)


def ago(**span: float) -> datetime:
    return NOW - timedelta(**span)


def frame(active: str = "Queue", waiting: int = 37, **more: Any) -> Context:
    """What stands around a page inside a project."""
    entries = [
        ("Queue", "queue.html", waiting),
        ("Conflicts", "queue.html", 4),
        ("Tasks", "tasks.html", None),
        ("Decisions", "queue.html", None),
        ("Documents", "queue.html", None),
        ("Verdicts", "queue.html", None),
    ]
    return {
        "csrf_token": "x" * 64,
        "projects_url": "projects.html",
        "project": {"id": "p", "name": "tarnica-cold-chain", "url": "queue.html"},
        "me": {"name": "Ewa Mazur", "initials": "EM"},
        "role": "reviewer",
        "search_url": "queue.html",
        "nav": [
            {"label": label, "url": url, "active": label == active, "count": count, "capped": False}
            for label, url, count in entries
        ],
        **more,
    }


TASKS = {
    "rules": ("Write the excursion rules", "Turn SOP-021 into rules that the planner can apply."),
    "lane": (
        "Qualify lane HAM → GDN",
        (
            "Decide whether biologics may move on this lane in summer, with which packaging and "
            "under which limits, so that planning can offer it from May on."
        ),
    ),
    "capacity": ("Plan Q1 capacity", "Say how many trailers and plugs each hub needs until March."),
    "carrier": ("Audit of carrier Drawa", "Find what keeps Drawa from carrying pharma for us."),
    "consignee": ("Draft consignee agreement", "Word what we ask of hospitals that receive goods."),
}


def task(which: str = "lane", /, **changes: Any) -> Task:
    title, goal = TASKS[which]
    fields: dict[str, Any] = {
        "id": ident(f"task-{which}"),
        "project_id": "tarnica-cold-chain",
        "name": title,
        "goal": goal,
        "status": TaskStatus.OPEN,
        "event_seq": 412,
        "author": "lane-planner",
        "created_at": ago(days=44, hours=3),
    }
    return Task(**fields | changes)


def decision(conclusion: str, **changes: Any) -> Decision:
    under = task(changes.pop("task", "lane"))
    fields: dict[str, Any] = {
        "id": ident(conclusion),
        "task_id": under.id,
        "task_name": under.name,
        "choice_key": "excursion/limit-biologics",
        "revision": 2,
        "conclusion": conclusion,
        "rationale": "SOP-021 allows a cumulative 40 minutes. The lane has two dock changes of at "
        "most eleven minutes each, so a single leg is planned with 30 and the rest is kept for the "
        "unforeseen.",
        "assumptions": [
            "Loggers report the warmest sensor of the load.",
            "No client on this lane has agreed a narrower range.",
        ],
        "open_questions": ["Does dock time in Gdańsk count when the doors stay shut?"],
        "author": "lane-planner",
        "status": DecisionStatus.ACTIVE,
        "review_state": ReviewState.NEEDS_REVIEW,
        "review_reason": ReviewReason.SOURCE_CHANGED,
        "created_at": ago(days=21, hours=5),
        "flagged_at": ago(days=3, hours=2),
    }
    return Decision(**fields | changes)


LIMIT = decision(
    "Biologics may spend at most 30 minutes above 8 °C on one leg before the consignment is held "
    "for QA sign-off."
)
CLEAR: Context = {
    "review_state": ReviewState.CLEAR,
    "review_reason": None,
    "flagged_at": None,
}
THROUGH: Context = {"review_reason": ReviewReason.DEPENDENCY_REVIEW}
GONE: Context = {"review_reason": ReviewReason.SOURCE_REMOVED}


# Queue


def row(
    shown: Decision,
    dependents: int,
    documents: Sequence[str],
    words: str,
    comparison: Comparison = Comparison.EDITED,
    **more: Any,
) -> Context:
    return {
        "decision": shown,
        "comparison": comparison,
        "compared": True,
        "dangers": [],
        "inferred": False,
        "snoozed": False,
        "snoozed_until": None,
        "holder": None,
        "url": "decision.html",
        "task_url": "task.html",
        "reason": shown.review_reason or "",
        "reason_words": words,
        "waiting_since": shown.flagged_at,
        "dependents": min(dependents, 1000),
        "dependents_capped": dependents > 1000,
        "documents": documents,
    } | more


CHANGED = "a cited document changed"
SOP = ["SOP-021 Temperature excursions"]


def queue_rows() -> list[Context]:
    between = "a decision it stands on is in question"
    removed = "something it cites was removed"
    return [
        row(LIMIT, 12, SOP, CHANGED),
        row(
            decision("Excursion reports are filed by the consignee within 24 h.", task="consignee"),
            6,
            SOP,
            CHANGED,
        ),
        row(
            decision(
                "The Gdańsk hub needs a second reefer plug for Friday departures.",
                task="capacity",
                **THROUGH,
            ),
            4,
            [],
            between,
        ),
        row(
            decision(
                "Use passive shippers below 18 h door to door.", flagged_at=ago(days=3, hours=1)
            ),
            9,
            ["Qualification report: PolarNest passive shippers"],
            CHANGED,
        ),
        row(
            decision(
                "Drawa may carry pharma only with our own loggers.",
                task="carrier",
                flagged_at=ago(days=2),
                **GONE,
            ),
            3,
            ["Road transport agreement with Drawa Transport"],
            removed,
        ),
        row(
            decision(
                "From 1 June to 15 September the warning threshold of trailers on this lane is "
                "7.0 °C, and the dispatcher calls the driver at the first reading above it.",
                task="rules",
                flagged_at=ago(hours=22),
            ),
            1,
            [*SOP, "SOP-007 Loading and handover"],
            CHANGED,
        ),
        row(
            decision(
                "Sensors drift under 0.3 °C within a year, so readings are not corrected.",
                task="rules",
                flagged_at=ago(hours=21),
                review_reason=ReviewReason.SOURCE_CHANGED_DURING_RECORDING,
            ),
            0,
            ["SOP-033 Data loggers"],
            "a cited document changed while it was recorded",
        ),
        row(
            decision(
                "Hamburg to Gdańsk qualifies for summer with active cooling only.",
                flagged_at=ago(minutes=47),
                **THROUGH,
            ),
            2,
            [],
            between,
        ),
        row(
            decision("Two drivers on every lane above 14 h.", flagged_at=ago(minutes=4)),
            1430,
            ["Road tariff for temperature-controlled transport"],
            CHANGED,
        ),
    ]


def pick(name: str, *labels: str, chosen: str = "") -> Pick:
    """A filter with some labels, each chosen by itself."""
    now = chosen if chosen in labels else ""
    values = [("", "Any"), *((label, label) for label in labels)]
    return Pick(
        name,
        name.capitalize(),
        [
            Choice(value, label, f"queue.html?{name}={place}", value == now, 12)
            for place, (value, label) in enumerate(values)
        ],
    )


def bundle(title: str, number: int, comparisons: Mapping[str, int], **more: Any) -> Context:
    return {
        "title": title,
        "version": 7,
        "removed": False,
        "changed_at": ago(days=3, hours=2),
        "number": number,
        "capped": False,
        "oldest": ago(days=3, hours=2),
        "bar": bar_of(comparisons),
        "compared": "not_compared" not in comparisons,
        "url": "queue.html",
        "document_url": "document.html",
    } | more


def queue_context(rows: list[Context], **changes: Any) -> Context:
    total = changes.pop("total", 37)
    chosen = changes.pop("reason", "")
    reasons = ("Document changed", "Source removed", "Through a decision")
    return (
        frame(
            waiting=total,
            rows=rows,
            total=total,
            total_capped=False,
            due=4,
            due_capped=False,
            backlog=1000,
            backlog_capped=True,
            intake_url="queue.html",
            continue_at=None,
            instructions="",
            oldest=ago(days=3, hours=2) if total else None,
            cleared_today=9,
            filters=Filters(reason=chosen),
            picks=[
                pick("reason", *reasons, chosen=chosen),
                pick("comparison", "edited", "not found", "moved"),
                pick("task", *(title for title, _ in TASKS.values())),
            ],
            orders=[
                Choice("stake", "Most at stake first", "queue.html", active=True),
                Choice("newest", "Newest first", "queue.html"),
            ],
            views=[{"name": "Cold only", "url": "queue.html", "active": False, "by": "Toni Okoro"}],
            mine={"url": "queue.html", "active": False},
            all_active=not chosen,
            view_query="reason=source_changed",
            views_url="queue.html",
            may_share=True,
            bundles=[],
            bundle_count=0,
            strip=":3",
            rest="3:",
            bar_width=BAR_WIDTH,
            first_because="",
            news_url="queue.html",
            everything_url="queue.html",
            next_url="queue.html?after=1" if rows else None,
            first_url=None,
            start_url="decision.html" if rows else None,
            catching_up=False,
        )
        | changes
    )


def bundled() -> Context:
    """A queue with bundles, everything that a row can say, and why the first is first."""
    rows = queue_rows()
    rows[0] |= {"dangers": ["a number changed"], "holder": holder("Ewa Mazur", own=True)}
    rows[1] |= {"comparison": Comparison.VERBATIM, "holder": holder("Toni Okoro", own=False)}
    rows[2] |= {"comparison": Comparison.MOVED, "snoozed": True, "snoozed_until": ago(days=-3)}
    rows[3] |= {"comparison": Comparison.NOT_FOUND, "snoozed": True}
    rows[4] |= {"compared": False, "inferred": True}
    bundles = [
        bundle(SOP[0], 29, {"verbatim": 20, "edited": 6, "not_found": 2, "moved": 1}),
        bundle("SOP-033 Data loggers", 3, {"not_compared": 3}, removed=True),
        bundle("SOP-007 Loading", 1, {"not_found": 1}),
        bundle(ENDLESS, 1, {"flagged": 1}),
    ]
    because = "First: 12 decisions and 3 open tasks rest on it, waiting 3 days."
    return queue_context(rows, bundles=bundles, bundle_count=4, first_because=because)


def holder(name: str, *, own: bool) -> Context:
    return {"name": name, "initials": initials_of(name), "own": own, "until": ago(minutes=-9)}


def hostile_rows() -> list[Context]:
    long = "A very thorough agent wrote everything that it knew into one conclusion. " * 40
    return [
        row(
            decision(HOSTILE, task_name=HOSTILE),
            3,
            [HOSTILE, ENDLESS],
            HOSTILE,
        ),
        row(decision(ENDLESS, task_name=ENDLESS), 0, [], "asked"),
        row(decision(long, review_reason=None), 2, SOP * 9, "somebody flagged it"),
        row(decision("短い結論。", author="計画係"), 1, ["温度逸脱手順書"], CHANGED),
        row(decision("תקופת ההמתנה היא שעתיים.", flagged_at=None), 1, ["נוהל 21"], CHANGED),
    ]


# Desk


@dataclass
class Support:
    """What `SupportOnDesk` offers to a template."""

    support: DocumentSupport | EventSupport | DecisionSupport
    comparison: Comparison
    document: Document | None = None
    recorded_at: datetime | None = None
    current_at: datetime | None = None
    cited_text: str | None = None
    cited: PassageNow | None = None
    passage: PassageNow | None = None
    segments: list[Segment] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    paragraphs: list[PassageNow] = field(default_factory=list)
    event: Event | None = None
    parent: Decision | None = None

    @property
    def quiet(self) -> bool:
        return self.comparison.quiet


def text_of(key: str, version: int) -> str:
    return (DOCUMENTS / key / f"v{version}.md").read_text()


def cites(
    key: str, title: str, quote: str, *, versions: tuple[int, int] = (1, 2), **changes: Any
) -> Support:
    """A document support that cites `quote`, compared as the product compares."""
    old, new = text_of(key, versions[0]), text_of(key, versions[1])
    return compared(key, title, quote, old, new, versions, **changes)


def compared(
    key: str,
    title: str,
    quote: str,
    old: str,
    new: str,
    versions: tuple[int, int] = (1, 2),
    **changes: Any,
) -> Support:
    start = old.index(quote)
    end = start + len(quote)
    node = ident(f"document-{key}")
    comparison, passage, segments, said = compare(
        quote,
        (old[:start], old[end:]),
        new,
        start,
        document_id=str(node),
        content_hash=sha256(new),
    )
    fields: dict[str, Any] = {
        "support": DocumentSupport(
            evidence_id=evidence_id(str(node), sha256(old), start, end),
            document_key=key,
            document_node_id=node,
            content_hash_prefix=sha256(old)[:16],
            content_hash=sha256(old),
            reference_kind="span",
            char_start=start,
            char_end=end,
            recorded_activation_seq=versions[0],
        ),
        "comparison": comparison,
        "document": Document(
            id=node,
            document_key=key,
            title=title,
            uri=f"https://records.tarnica.example/{key}",
            current_content_hash=sha256(new),
            activation_seq=versions[1],
        ),
        "recorded_at": ago(days=121),
        "current_at": ago(days=3, hours=2),
        "cited_text": quote,
        "cited": passage_at(old, start, end),
        "passage": passage,
        "segments": segments,
        "changes": said,
        "paragraphs": []
        if comparison.word_for_word
        else [
            passage_at(new, a, b, document_id=str(node), content_hash=sha256(new))
            for a, b in paragraphs(new)
        ],
    }
    return Support(**fields | changes)


BIOLOGICS = (
    "Biologics may spend a cumulative 40 minutes above 8 °C between release by the manufacturer "
    "and receipt by the consignee. The minutes of all legs are added up; a change of vehicle does "
    "not start a new count."
)
HOLD = (
    "A consignment beyond its limit is put on quality hold at the next Tarnica site and does not "
    "move again until the quality unit has released it."
)
VACCINES = "Vaccines marked as freeze sensitive have no allowance below 2 °C."
DOORS = (
    "The door of a cold trailer may stay open for at most 12 minutes per stop. The driver notes "
    "the opening and the closing time on the consignment note."
)
FIRMWARE = (
    "After a restart the clock of the device can be up to four minutes slow until it has found a "
    "network. Readings taken in this time carry the wrong time and are corrected with the first "
    "transmission."
)
SHIPPER = (
    "The PolarNest 28 kept its contents between 2 °C and 8 °C for 52 hours when it was packed with "
    "six coolant plates conditioned at 4 °C."
)
GDP_SOP = "SOP-021 Temperature excursions"


def event(**changes: Any) -> Event:
    fields: dict[str, Any] = {
        "id": ident("event-18"),
        "task_id": task().id,
        "seq": 18,
        "kind": EventKind.TOOL_RESULT,
        "role": "tool",
        "name": "read_certificate",
        "payload": '{"logger": "T3L-58211", "calibrated": "12 Nov", "deviation": 0.12}',
        "payload_sha256": sha256("payload"),
        "truncated": False,
        "author": "lane-planner",
        "at": ago(days=21, hours=6),
    }
    return Event(**fields | changes)


def cites_event(comparison: Comparison, shown: Event | None, seq: int = 18) -> Support:
    support = EventSupport(event_id=ident(f"event-{seq}"), task_name=task().name, seq=seq)
    return Support(support=support, comparison=comparison, event=shown)


def cites_decision(comparison: Comparison, parent: Decision | None) -> Support:
    cited = parent.id if parent else ident("gone")
    return Support(support=DecisionSupport(decision_id=cited), comparison=comparison, parent=parent)


def several_supports() -> list[Support]:
    edited = cites("sop-021", GDP_SOP, BIOLOGICS, versions=(2, 3))
    wording = cites("sop-021", GDP_SOP, HOLD, versions=(2, 3))
    surroundings = cites("sop-021", GDP_SOP, VACCINES, versions=(2, 3))
    moved = cites("sop-021", GDP_SOP, DOORS, versions=(2, 3))
    gone = cites("thermis-note", "Supplier note: Thermis T3-LTE firmware", FIRMWARE)
    verbatim = cites(
        "polarnest-report", "Qualification report: PolarNest passive shippers", SHIPPER
    )
    parent = decision(
        "The excursion limit of a lane is three quarters of what the procedure allows.",
        revision=1,
        choice_key="excursion/margin",
        task="rules",
        **THROUGH,
    )
    quiet = decision("Loggers are set to the warmest sensor of the load.", revision=1, **CLEAR)
    found = [
        gone,
        edited,
        cites_decision(Comparison.FLAGGED, parent),
        moved,
        wording,
        surroundings,
        verbatim,
        cites_event(Comparison.INTACT, event()),
        cites_decision(Comparison.CLEAR, quiet),
    ]
    return sorted(found, key=lambda shown: shown.comparison.rank)


def title_of(shown: Support) -> str:
    match shown.support:
        case DocumentSupport():
            return (shown.document and shown.document.title) or shown.support.document_key
        case EventSupport():
            return f"Event {shown.support.seq} · tool result · read_certificate"
        case DecisionSupport():
            return shown.parent.conclusion if shown.parent else "A decision that is gone"


def place_of(shown: Support) -> str:
    match shown.support:
        case DocumentSupport():
            then = f"cited from version {shown.support.recorded_activation_seq}"
            document = shown.document
            if document is None or document.removed:
                return f"{then}, since removed"
            return f"{then}, now version {document.activation_seq}"
        case EventSupport():
            return f"in {shown.support.task_name}"
        case DecisionSupport():
            return f"revision {shown.parent.revision}" if shown.parent else ""


def offer(index: int, shown: Support) -> Offer:
    return offer_of(index, cast("SupportOnDesk", shown))


def passages(shown: Support) -> list[tuple[str, str]]:
    listed = ([shown.passage] if shown.passage else []) + shown.paragraphs
    return list({one.evidence_id: one.text for one in listed}.items())


def verdict_form(
    shown: Decision, supports: Sequence[Support], data: Mapping[str, Any] | None = None
) -> VerdictForm:
    form = VerdictForm(
        data,
        offers=[offer(index, shown) for index, shown in enumerate(supports)],
        passages={index: passages(shown) for index, shown in enumerate(supports)},
        initial={**old_texts(shown), "seen": "abc", "request_id": "r", "offered": "o"},
    )
    form.is_valid()
    return form


def cards(supports: Sequence[Support], form: VerdictForm) -> list[Context]:
    drawn: list[Context] = []
    for index, shown in enumerate(supports):
        offered = form.offers[index]
        drawn.append(
            {
                "index": index,
                "support_on_desk": shown,
                "title": title_of(shown),
                "url": "task.html#event-18" if offered.kind == "event" else "decision-clear.html",
                "place_words": place_of(shown),
                **picker_of(form, offered, cast("SupportOnDesk", shown)),
                # The part that it loads is drawn as a page of its own.
                "pick_url": None,
                "choice": support_choice(form, offered, cast("SupportOnDesk", shown)),
                "proposed": bool(offered.proposed),
                "inlined": inlined(cast("SupportOnDesk", shown)),
            }
        )
    return drawn


def rail() -> list[Context]:
    drawn = [
        {
            "decision_id": shown["decision"].id,
            "url": "decision.html",
            "conclusion": shown["decision"].conclusion,
            "comparison": shown["comparison"],
            "compared": shown["compared"],
            "holder": None,
            "reason_words": shown["reason_words"],
            "dependents": shown["dependents"],
            "here": shown["decision"].id == LIMIT.id,
            "done_words": "",
        }
        for shown in queue_rows()
    ]
    done = {
        **drawn[3],
        "conclusion": "Loggers are read at every handover, not only at destination.",
        "done_words": "reaffirmed by you",
        "here": False,
    }
    return [done, *drawn]


def dependents() -> Context:
    conclusions = [
        ("Lane HAM → GDN is offered with one driver change in Szczecin.", 1, CLEAR),
        ("The planner refuses legs with more than 30 minutes of dock time.", 1, THROUGH),
        ("Ardelis is told before departure when a leg is planned above 25 minutes.", 2, CLEAR),
    ]
    return {
        "total": 12,
        "total_capped": False,
        "direct": 5,
        "tasks": 3,
        "list": [
            {"decision": decision(text, **state), "url": "decision-clear.html", "depth": depth}
            for text, depth, state in conclusions
        ],
    }


WHY_PATH: list[Context] = [
    {"title": GDP_SOP, "detail": "version 3, three days ago", "url": "#", "here": False},
    {
        "title": "The excursion limit of a lane is three quarters of what the procedure allows.",
        "detail": "waits for review itself",
        "url": "decision-clear.html",
        "here": False,
    },
    {"title": "This decision", "detail": "waiting 3 days", "url": None, "here": True},
]


def why(*ways: list[Context]) -> Context:
    return {"ways": [{"steps": steps, "note": ""} for steps in ways], "more": ""}


POSSIBLE: Context = {
    "reaffirm": {
        "state": "after",
        "sentence": "“The excursion limit of a lane is three quarters of what the procedure "
        "allows.”, which this decision stands on, is waiting for review itself. Judge that one "
        "first.",
        "links": [{"label": "Open it", "url": "decision-clear.html"}],
    },
    "supersede": {
        "state": "yes",
        "sentence": "A new revision replaces it; this one stays readable.",
        "links": [],
    },
    "reject": {
        "state": "yes",
        "sentence": "It stops standing; who cites it is told to look again.",
        "links": [],
    },
}
ALL_POSSIBLE: Context = POSSIBLE | {
    "reaffirm": {
        "state": "yes",
        "sentence": "1 cited passage is not there word for word: pick what it stands on now, and "
        "say why.",
        "links": [],
    }
}
CONSEQUENCES: list[Context] = [
    {"label": "Flags decisions that cite it", "number": 5, "harm": True, "capped": False},
    {"label": "… and through them", "number": 7, "harm": False, "capped": False},
    {"label": "Tasks they belong to", "number": 3, "harm": False, "capped": False},
]


@dataclass
class DeskOf:
    """What `Desk` offers to a template."""

    decision: Decision
    task: Task
    flags_travelling: bool = False


def desk_context(
    supports: Sequence[Support],
    shown: Decision = LIMIT,
    data: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Context:
    form = verdict_form(shown, supports, data)
    older = decision(
        "Biologics may spend at most 20 minutes above 8 °C on one leg.",
        revision=1,
        status=DecisionStatus.SUPERSEDED,
        supersession_explanation="The first version counted dock time twice.",
        **CLEAR,
    )
    rival = decision(
        "Biologics may spend the full 40 minutes above 8 °C on the last leg.",
        task="carrier",
        author="carrier-audit",
        **CLEAR,
    )
    return (
        frame(
            desk=DeskOf(shown, task()),
            task_url="task.html",
            queue_url="queue.html",
            cards=cards(supports, form),
            why=why(WHY_PATH),
            rail=rail(),
            rail_progress={
                "left": 29,
                "capped": False,
                "done": 12,
                "done_words": "judged by you",
                "bar": bar_of({"edited": 7, "verbatim": 20, "not_found": 2}, 12, "judged by you"),
                "width": BAR_WIDTH,
            },
            rail_title="Waiting, oldest first",
            revisions=[{"decision": shown, "url": "#"}, {"decision": older, "url": "#"}],
            rivals=[{"decision": rival, "url": "decision-clear.html"}],
            verdicts=[
                {
                    "kind": "reaffirm",
                    "words": "Reaffirmed",
                    "ground": "It still holds",
                    "url": "verdict.html",
                    "undo_url": "withdraw.html",
                    "by_name": "Tomasz Olszewski",
                    "at": ago(days=90),
                    "why": "Version 2 changes the answer time of the quality unit and adds a line on "
                    "client sensors. The 40 minutes stand as they did.",
                    "revision": 2,
                }
            ],
            verdicts_url="verdicts.html",
            lineage_url="lineage.html",
            undo_url="withdraw.html",
            dependents=dependents(),
            may_judge=True,
            reviewable=True,
            possible=POSSIBLE,
            consequences=CONSEQUENCES,
            form=form,
            texts=texts_of(cast("Desk", DeskOf(shown, task())), form),
            refusal=None,
            next_url="decision-removed.html",
            post_url="/post",
        )
        | changes
    )


def decision_pages() -> dict[str, Page]:
    several = several_supports()
    edited = [shown for shown in several if shown.changes]
    long_text = " ".join(
        f"Point {n}: consignments of class {n} move under their own limit, which the planner reads "
        f"from the lane file and never from memory."
        for n in range(1, 36)
    )[:4000]
    refused = {
        "verdict": "supersede",
        "conclusion": "Biologics may spend at most 15 minutes above 8 °C on one leg.",
        "explanation": "",
        "support_1": "keep",
        "seen": "abc",
        "request_id": "r",
        "offered": "o",
    }
    removed = [
        cites(
            "sop-021",
            GDP_SOP,
            HOLD,
            versions=(2, 3),
            comparison=Comparison.REMOVED,
            passage=None,
            paragraphs=[],
            document=Document(
                id=ident("document-sop-021"),
                document_key="sop-021",
                title=GDP_SOP,
                activation_seq=4,
            ),
        ),
        cites_event(Comparison.REDACTED, event(redacted_at=ago(days=5), payload="[erased]")),
        cites_event(Comparison.DELETED, None, seq=19),
        cites_decision(
            Comparison.REJECTED,
            decision(
                "Every hub has a cage.",
                status=DecisionStatus.REJECTED,
                rejection_reason="Vilnius has none.",
            ),
        ),
        cites_decision(Comparison.REJECTED, None),
    ]
    many = [
        cites("sop-021", f"{GDP_SOP}, part {n}", text, versions=(2, 3))
        for n, text in enumerate([BIOLOGICS, HOLD, DOORS] * 8)
    ]
    old = "\n\n".join(f"Clause {n}: lorries of kind {n} stop twice." for n in range(90))
    wide = compared(
        "annex",
        "Annex with ninety clauses",
        old,
        old,
        old.replace("kind 44 stop twice", "kind 44 never stop"),
    )
    unread = cites(
        "sop-021",
        GDP_SOP,
        BIOLOGICS,
        versions=(2, 3),
        comparison=Comparison.UNREADABLE,
        cited=None,
        cited_text=None,
        segments=[],
        changes=[],
    )
    hostile = compared(
        HOSTILE,
        HOSTILE,
        f"{HOSTILE} shall stay 30 minutes.",
        f"{HOSTILE} before\n\n{HOSTILE} shall stay 30 minutes.\n\nafter {HOSTILE}",
        f"{HOSTILE} before\n\n{HOSTILE} may stay 15 minutes. {ENDLESS}\n\nafter {HOSTILE}",
    )
    return {
        "decision": Page("decision.html", desk_context(edited + several[3:4] + several[5:])),
        "decision-all": Page("decision.html", desk_context(several)),
        "decision-chosen": Page(
            "decision.html",
            desk_context(edited, data={"verdict": "reaffirm"}, possible=ALL_POSSIBLE)
            | {"form": verdict_form(LIMIT, edited, None)},
        ),
        "decision-refused": Page(
            "decision.html",
            desk_context(
                several,
                data=refused,
                refusal={
                    "status": 422,
                    "code": "explanation_required",
                    "title": "The why is missing",
                    "sentence": "A new conclusion needs a sentence on why it replaces the old one.",
                    "what_to_do": "Write why, then send it again.",
                    "details": [],
                    "links": [],
                },
            ),
            422,
        ),
        "decision-moved": Page(
            "decision.html",
            desk_context(
                edited,
                data=refused | {"verdict": "reject", "explanation": "It counts dock time twice."},
                draft_saved_at=ago(minutes=3),
                refusal={
                    "status": 409,
                    "code": "moved",
                    "title": "The page was out of date",
                    "sentence": "Something changed after you opened this page, so your verdict was "
                    "not recorded.",
                    "what_to_do": "The page now shows how things stand; look again, then send it.",
                    "details": ["A cited document has a newer version."],
                    "links": [],
                },
            ),
            409,
        ),
        "decision-clear": Page(
            "decision.html",
            desk_context(
                several[5:],
                decision("Loggers are set to the warmest sensor of the load.", **CLEAR),
                reviewable=False,
                ask={"form": fresh_note("seen"), "url": "/post"},
                why={"ways": []},
                rivals=[],
            ),
        ),
        "decision-reader": Page(
            "decision.html",
            desk_context(edited, reviewable=False, may_judge=False, role="reader"),
        ),
        "decision-superseded": Page(
            "decision.html",
            desk_context(
                edited,
                decision(
                    "Biologics may spend at most 20 minutes above 8 °C on one leg.",
                    status=DecisionStatus.SUPERSEDED,
                    supersession_explanation="The first version counted dock time twice.",
                    **CLEAR,
                ),
                reviewable=False,
                why={"ways": []},
            ),
        ),
        "decision-judged-meanwhile": Page(
            "decision.html",
            desk_context(
                edited,
                decision(LIMIT.conclusion, **CLEAR),
                reviewable=False,
                why={"ways": []},
                refusal={
                    "status": 409,
                    "code": "moved",
                    "title": "The page was out of date",
                    "sentence": "Something changed after you opened this page, so your verdict was "
                    "not recorded.",
                    "what_to_do": "The page now shows how things stand; look again, then send it.",
                    "details": [
                        "The decision itself changed: its state, its flag or what it cites."
                    ],
                    "links": [],
                },
                typed=[
                    {"label": "New conclusion", "text": "At most 15 minutes on one leg."},
                    {"label": "Why", "text": "SOP-021 halves the limit.\nAsked quality on Monday."},
                ],
            ),
            409,
        ),
        "decision-removed": Page(
            "decision.html",
            desk_context(
                removed,
                possible=POSSIBLE
                | {
                    "reaffirm": {
                        "state": "no",
                        "sentence": "“SOP-021 Temperature excursions” was removed, so nothing in "
                        "it can be cited again. Supersede without it, or reject.",
                        "links": [],
                    },
                    "supersede": {
                        "state": "no",
                        "sentence": "Nothing that it cites can be cited again, and a new revision "
                        "needs support.",
                        "links": [],
                    },
                },
                why=why(WHY_PATH[:1] + WHY_PATH[2:]),
                verdicts=[],
            ),
        ),
        "decision-long": Page(
            "decision.html",
            desk_context(
                [wide, unread],
                decision(
                    long_text,
                    rationale=long_text,
                    assumptions=[long_text[:300]] * 6,
                    open_questions=[],
                ),
            ),
        ),
        "decision-middling": Page(
            "decision.html", desk_context(edited, decision(long_text[:320], rationale=""))
        ),
        "decision-many": Page("decision.html", desk_context(many)),
        "decision-next": Page(
            "decision.html",
            desk_context(
                edited,
                messages=[Message(constants.SUCCESS, "Reaffirmed. It waits no longer.")],
            ),
        ),
        "decision-none": Page(
            "decision.html",
            desk_context(
                [],
                decision("It cites nothing.", assumptions=[], open_questions=[]),
                dependents={"total": 0, "total_capped": False, "direct": 0, "tasks": 0, "list": []},
                consequences=[],
                rail=[],
                verdicts=[],
                rivals=[],
                revisions=[],
                next_url=None,
            ),
        ),
        "decision-hostile": Page(
            "decision.html",
            desk_context(
                [hostile, cites_event(Comparison.INTACT, event(payload=HOSTILE + ENDLESS))],
                decision(
                    HOSTILE + " " + ENDLESS,
                    rationale=HOSTILE,
                    assumptions=[ENDLESS, HOSTILE],
                    open_questions=[HOSTILE],
                    task_name=ENDLESS,
                    choice_key=ENDLESS,
                    author=HOSTILE,
                ),
                data={"verdict": "supersede", "conclusion": HOSTILE, "explanation": HOSTILE},
                why=why([{**WHY_PATH[0], "title": ENDLESS, "detail": HOSTILE}, WHY_PATH[2]]),
            ),
        ),
    }


# Task


def other_pages() -> dict[str, Page]:
    down = {
        "status": 503,
        "title": "The graph does not answer",
        "sentence": "The record store cannot be reached at the moment, so nothing was read or "
        "written.",
        "what_to_do": "Try again in a few seconds; if it lasts, tell whoever runs this console.",
        "home_url": "projects.html",
    }
    missing = {
        "status": 404,
        "title": "Nothing here",
        "sentence": "There is nothing at this address, or it is not yours to see.",
        "what_to_do": "Check the address, or start from your projects.",
        "home_url": "projects.html",
    }
    outside = frame(waiting=0) | {"project": None, "nav": [], "role": ""}
    alone = {"projects_url": "projects.html", "csrf_token": "x", "me": None, "nav": []}
    projects = [
        ("tarnica-cold-chain", "reviewer", 37, False, ago(days=3)),
        ("tarnica-returns", "reader", 1, False, ago(hours=5)),
        ("customs-paperwork", "admin", 1000, True, ago(days=61)),
        (ENDLESS, "manager", 0, False, None),
    ]
    wrong = AuthenticationForm(data={"username": "ewa", "password": ""})
    listed = [
        {"task": task(name), "url": "task.html", "waiting": waiting, "queue_url": "queue.html"}
        | {"waiting_capped": waiting > 10}
        for name, waiting in zip(TASKS, (11, 3, 0, 1, 0), strict=True)
    ]
    awkward = {"name": HOSTILE + ENDLESS, "goal": HOSTILE * 5, "status": TaskStatus.DONE}
    listed.append({"task": task(**awkward), "url": "task.html", "waiting": 0})
    held = verdict_form(
        LIMIT,
        several_supports()[1:2],
        {"verdict": "reject", "explanation": "It counts dock time twice.", "seen": "abc"},
    )
    return {
        "queue": Page("queue.html", bundled()),
        "queue-empty": Page("queue.html", queue_context([], total=0, views=[])),
        "queue-filtered": Page(
            "queue.html", queue_context([], reason="Source removed", total=0, catching_up=True)
        ),
        "queue-hostile": Page("queue.html", queue_context(hostile_rows(), catching_up=True)),
        "tasks": Page("tasks.html", frame("Tasks", tasks=listed, next_url="tasks.html?after=1")),
        "tasks-empty": Page("tasks.html", frame("Tasks", tasks=[], next_url=None)),
        "projects": Page(
            "projects.html",
            outside
            | {
                "projects": [
                    {
                        "id": name,
                        "name": name,
                        "url": "queue.html",
                        "role": role,
                        "waiting": waiting,
                        "waiting_capped": capped,
                        "oldest": oldest,
                    }
                    for name, role, waiting, capped, oldest in projects
                ]
            },
        ),
        "projects-empty": Page("projects.html", outside | {"projects": []}),
        "login": Page(
            "login.html", alone | {"form": AuthenticationForm(), "next": "/", "kept": ""}
        ),
        "login-wrong": Page(
            "login.html", alone | {"form": wrong, "next": "/", "kept": "signed"}, 422
        ),
        "problem": Page("problem.html", outside | missing, 404),
        "problem-alone": Page("problem.html", dict(down), 503),
        "held": Page(
            "held.html", outside | down | {"form": held, "post_url": "/post", "back_url": "#"}, 503
        ),
    }
