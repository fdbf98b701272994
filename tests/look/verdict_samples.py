"""Invented lineages and verdicts, drawn by the code that draws recorded ones."""

from typing import Any, Literal

from graphstore.as_seen import AsSeen, SupportAsSeen
from graphstore.changed_words import diff_words
from graphstore.records import (
    Actor,
    Decision,
    DecisionStatus,
    Exhibit,
    ExhibitSupport,
    Ground,
    VerdictKind,
    VerdictRecord,
)
from graphstore.results import Lineage, LineageEdge, LineageNode
from reviewconsole import lineage_page, seen_page, words
from reviewconsole.access import Role, Scope
from reviewconsole.desk_page import Impact
from reviewconsole.models import User
from reviewconsole.note_form import NoteForm, fresh_note
from reviewconsole.settling import KeepForm
from reviewconsole.verdict_words import row_of
from tests.look.samples import (
    CLEAR,
    ENDLESS,
    HOSTILE,
    LIMIT,
    PERSON,
    Context,
    Page,
    ago,
    decision,
    event,
    frame,
    ident,
)

PROJECT = "tarnica-cold-chain"
WHO = f"person:{PERSON}"
WIDE = decision(f"{HOSTILE} {ENDLESS}")
SHIPPERS = decision("Use passive shippers below 18 h door to door.", **CLEAR)
SCOPE = Scope(PROJECT, Role.MANAGER, User(person_uuid=PERSON), Actor(agent_id=WHO))
OLD_WORDS = "Cumulative time above 8 °C shall not exceed forty (40) minutes."
NEW_WORDS = "Cumulative time above 8 °C shall not exceed twenty (20) minutes, in writing."


def all_around(text: str = "") -> Lineage:
    """A decision with everything that a drawing can hold; `text` in all of it."""
    here = f"{LIMIT.id}"
    nodes = [LineageNode(id=here, kind="decision", label=LIMIT.conclusion, hops=0, decision=LIMIT)]
    edges: list[LineageEdge] = []

    def add(
        name: str,
        hops: int,
        kind: Literal["decision", "document", "event"],
        cited_by: str = "",
        cites: str = "",
        **more: Any,
    ) -> str:
        shown: Decision | None = more.pop("decision", None)
        label = f"{text}{shown.conclusion if shown else name}"
        node_id = str(shown.id) if shown else name
        nodes.append(
            LineageNode(id=node_id, kind=kind, label=label, hops=hops, decision=shown, **more)
        )
        edges.extend(LineageEdge(start=one, end=node_id) for one in (cited_by,) if one)
        edges.extend(LineageEdge(start=node_id, end=one) for one in (cites,) if one)
        return node_id

    older = decision(
        "Biologics may spend at most 20 minutes above 8 °C.",
        revision=1,
        status=DecisionStatus.SUPERSEDED,
        **CLEAR,
    )
    replaced = add("", 0, "decision", decision=older)
    edges.append(LineageEdge(start=here, end=replaced, kind="supersedes"))
    add("SOP-021", -1, "document", here, document_key="sop-021", state="changed")
    add("Event 18", -1, "event", here, task_name="Lane", seq=18, state="redacted")
    parent = add("", -1, "decision", here, decision=SHIPPERS, more=4)
    add("Handbook", -2, "document", parent, document_key="handbook", state="removed")
    edges.append(LineageEdge(start=here, end="Handbook"))
    for number in range(9):
        state = CLEAR if number % 2 else {}
        child = add(
            "", 1, "decision", cites=here, decision=decision(f"Lane {number} is offered.", **state)
        )
        add(
            "",
            2,
            "decision",
            cites=child,
            more=number,
            decision=decision(f"Clients of lane {number} are told.", **CLEAR),
        )
    return Lineage(nodes=nodes, edges=edges, truncated=True)


def verdict(kind: VerdictKind, **changes: Any) -> VerdictRecord:
    fields: dict[str, Any] = {
        "id": str(ident(f"verdict-{kind}-{len(changes)}")),
        "kind": kind,
        "decision_id": LIMIT.id,
        "task_id": LIMIT.task_id,
        "choice_key": LIMIT.choice_key,
        "revision": 2,
        "decision_author": "lane-planner",
        "conclusion": LIMIT.conclusion,
        "task_name": LIMIT.task_name,
        "by": WHO,
        "at": ago(hours=3),
        "why": "SOP-021 halves the limit and asks for written release.",
        "ground": Ground.SOURCE_CHANGED,
    }
    return VerdictRecord(**fields | changes)


def given() -> list[VerdictRecord]:
    """One of each kind."""
    back = {"withdrawn_by": "qa-lead", "withdrawn_at": ago(hours=1)}
    return [
        verdict(VerdictKind.WITHDRAW, withdraws=str(ident("taken")), ground=None),
        verdict(VerdictKind.ASK, ground=None, by="lane-planner"),
        verdict(VerdictKind.REJECT, **back),
        verdict(VerdictKind.SUPERSEDE, new_decision_id=SHIPPERS.id),
        verdict(VerdictKind.REAFFIRM, why=""),
    ]


def exhibit() -> Exhibit:
    return Exhibit(
        causes=["document:sop-021:3", "asked:" + str(ident("asked")), "event:gone"],
        algorithm="1",
        dependents=5,
        transitive=7,
        tasks=3,
        opened_at=ago(hours=3, minutes=12),
        decided_at=ago(hours=3),
    )


def shown(kind: str, comparison: str, **more: Any) -> ExhibitSupport:
    return ExhibitSupport.model_validate(
        {"support_id": kind, "kind": kind, "ref": "sop-021", "comparison": comparison} | more
    )


def as_seen(text: str = "") -> AsSeen:
    """A page with all kinds of supports, some erased since."""
    cited, present = f"{text}{OLD_WORDS}", f"{text}{NEW_WORDS}"
    edited = shown("document", "edited", cited="a", present="b", cited_seq=2, present_seq=3)
    return AsSeen(
        verdict=verdict(VerdictKind.REJECT, exhibit=exhibit(), why=text or "It halves the limit."),
        decision=LIMIT,
        supports=[
            SupportAsSeen(
                support=edited.model_copy(update={"opened": True}),
                title=f"{text}SOP-021 Temperature excursions",
                document_key="sop-021",
                cited_text=cited,
                present_text=present,
                segments=diff_words(cited, present)[0],
            ),
            SupportAsSeen(
                support=edited.model_copy(update={"comparison": "some_later_word"}),
                title="Client handbook",
                document_key="handbook",
                present_text=present,
                erased=["cited"],
            ),
            SupportAsSeen(
                support=shown("document", "removed"), title="A document", erased=["document"]
            ),
            SupportAsSeen(
                support=shown("event", "intact"),
                title="Event 18",
                event=event(payload=text or "Logger certificate of 12 November."),
                task_name=f"{text}Lane",
            ),
            SupportAsSeen(support=shown("event", "intact"), title="An event", erased=["event"]),
            SupportAsSeen(
                support=shown("decision", "clear"), title=SHIPPERS.conclusion, decision=SHIPPERS
            ),
        ],
    )


def filters(agent: str = "") -> Context:
    kinds = [("", "Every kind"), *((kind.value, words.VERDICTS[kind]) for kind in VerdictKind)]
    return {
        "by_choices": [
            {"value": value, "label": label, "url": "#", "active": not value}
            for value, label in (("", "By everybody"), ("me", "By me"))
        ],
        "kind_choices": [
            {"value": value, "label": label, "url": "#", "active": not value}
            for value, label in kinds
        ],
        "agent": agent,
        "all_agents_url": "verdicts.html",
        "everything_url": "verdicts.html",
    }


def lineage_of(shown: Decision, lineage: Lineage) -> Context:
    return frame(
        "Decisions",
        decision=shown,
        decision_url="decision.html",
        task_url="task.html",
        **lineage_page.context_of(PROJECT, str(shown.id), lineage),
    )


def seen(page: AsSeen) -> Context:
    return frame("Verdicts", verdicts_url="verdicts.html", **seen_page.context_of(SCOPE, page))


def asking(**changes: Any) -> Context:
    return (
        frame("Decisions")
        | {
            "decision": LIMIT,
            "decision_url": "decision.html",
            "task_url": "task.html",
            "active": True,
            "impact": Impact(direct=5, through_others=7, tasks=3, capped=False),
            "form": fresh_note("seen"),
            "post_url": "/post",
            "refusal": None,
            "typed": [],
        }
        | changes
    )


def undoing(kind: VerdictKind = VerdictKind.REJECT, **changes: Any) -> Context:
    return (
        frame(
            "Verdicts",
            verdict=row_of(SCOPE, verdict(kind)),
            open=True,
            closed_words="",
            what_it_does=["The decision is active again, and waits for review."],
            lifted=3,
            kept=2,
            built=[],
            ask_url=None,
            form=fresh_note(at_once=True),
            post_url="/post",
            verdict_url="verdict.html",
            decision_url="decision.html",
            refusal=None,
            typed=[],
        )
        | changes
    )


def refusal(sentence: str, *details: str) -> Context:
    return {"status": 409, "sentence": sentence, "what_to_do": "Look again.", "details": details}


def note_held(form: NoteForm | KeepForm) -> Context:
    """A form with one why while the graph is down."""
    return frame(
        title="The graph does not answer",
        sentence="The record store cannot be reached at the moment.",
        what_to_do="Try again in a few seconds.",
        what_it_does="Sending it asks for review.",
        form=form,
        post_url="/post",
    )


def verdict_pages() -> dict[str, Page]:
    """Lineage, the list of verdicts, one as seen, asking and undoing, in their states."""
    alone = LineageNode(
        id=str(LIMIT.id), kind="decision", label=LIMIT.conclusion, hops=0, decision=LIMIT
    )
    wide = verdict(
        VerdictKind.SUPERSEDE,
        conclusion=WIDE.conclusion,
        why=WIDE.conclusion,
        task_name=ENDLESS,
        choice_key=ENDLESS,
        decision_author=ENDLESS,
    )
    rows = [row_of(SCOPE, one) for one in given()]
    listed = {"filtered": False, "next_url": "#", "first_url": "#"}
    built = [
        {"label": f"{HOSTILE} {ENDLESS}", "words": "was judged since", "url": "#"},
        {"label": SHIPPERS.conclusion, "words": "was recorded on it since", "url": "#"},
    ]
    typed = [{"label": "Why", "text": f"{HOSTILE} {ENDLESS}"}]
    incomplete = NoteForm({"explanation": "", "request_id": "x"})
    return {
        "lineage": Page("lineage.html", lineage_of(LIMIT, all_around())),
        "lineage-hostile": Page(
            "lineage.html", lineage_of(WIDE, all_around(f"{HOSTILE}{ENDLESS}"))
        ),
        "lineage-alone": Page("lineage.html", lineage_of(LIMIT, Lineage(nodes=[alone]))),
        "verdicts": Page("verdicts.html", frame("Verdicts", rows=rows, **listed, **filters())),
        "verdicts-hostile": Page(
            "verdicts.html",
            frame(
                "Verdicts", rows=[row_of(SCOPE, wide)], **listed, **filters(f"{HOSTILE}{ENDLESS}")
            ),
        ),
        "verdicts-empty": Page("verdicts.html", frame("Verdicts", rows=[], **filters())),
        "verdicts-none": Page(
            "verdicts.html", frame("Verdicts", rows=[], filtered=True, **filters())
        ),
        "verdict": Page("verdict.html", seen(as_seen())),
        "verdict-hostile": Page("verdict.html", seen(as_seen(f"{HOSTILE}{ENDLESS} "))),
        "verdict-unknown": Page(
            "verdict.html", seen(AsSeen(verdict=given()[2], decision=None, supports=[]))
        ),
        "ask": Page("ask.html", asking()),
        "ask-refused": Page(
            "ask.html", asking(refusal=refusal("What rests on it changed."), decision=WIDE), 409
        ),
        "ask-incomplete": Page("ask.html", asking(form=incomplete), 422),
        "ask-closed": Page("ask.html", asking(active=False, typed=typed), 409),
        "ask-held": Page(
            "note_held.html", note_held(fresh_note(typed=f"{HOSTILE} {ENDLESS}")), 503
        ),
        "keep-held": Page(
            "note_held.html",
            note_held(KeepForm({"explanation": "It counts dock time twice.", "ground": "other"})),
            503,
        ),
        "withdraw": Page("withdraw.html", undoing()),
        "withdraw-built": Page(
            "withdraw.html",
            undoing(
                open=False,
                built=built,
                ask_url="ask.html",
                typed=typed,
                refusal=refusal("This verdict cannot be taken back."),
            ),
            409,
        ),
        "withdraw-closed": Page(
            "withdraw.html", undoing(open=False, closed_words="It was taken back already.")
        ),
    }
