"""The library writes between our gather and our commit: the outcome is that of one order or the other.

Three projects of one graph are filled alike. In the first we go first, in the
second the library does, and in the third it comes in between. What the third
holds after all flags have travelled, and what both were answered, must be what
the first or the second holds.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import pytest
from agrag.common.data_models.task import StepResultBasis as TheirBasis
from agrag.common.data_models.task import StepState as TheirState

from graphstore.changeset import Changeset, Committed
from graphstore.records import EventKind, StepResultBasis, StepState
from graphstore.store import GraphStore
from graphstore.verbs import Verb
from tests.interop.copies import TEMPLATE, Template
from tests.interop.library import Passage, Peer, derived
from tests.interop.world import (
    POLICY,
    POLICY_LONGER,
    POLICY_SHORTER,
    Side,
    World,
    decision,
    document,
    event,
    observed,
    our_decision,
    our_document,
    our_event,
)
from tests.servers import engines_asked_for


class Interposed:
    """A store that runs something once, after the first gather and before the first commit."""

    def __init__(self, store: GraphStore, meanwhile: Callable[[], Any]) -> None:
        self._store = store
        self._waiting = [meanwhile]

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        """Lets the other writer in, then commits."""
        while self._waiting:
            self._waiting.pop()()
        return self._store.commit(verb, changeset)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


Act = Callable[[World], Any]
"""What one side does. The answer that counts is whether it was recorded, and the refusal."""

Ready = Callable[[World], Any]
"""Our operation with what its caller looked at before; it runs through the store of the world given."""

TEXTS = [POLICY, POLICY_SHORTER, POLICY_LONGER, POLICY.replace("30 days", "20 days")]


def _cited(w: World) -> Passage:
    """The sentence about days as it stands in the newest text, or in the one before a removal."""
    current = w.side.peer.node("Document", document_key=w.side.policy).get("current_content_hash")
    by_hash = {hashlib.sha256(text.encode()).hexdigest(): text for text in TEXTS}
    text = by_hash.get(current or "", POLICY_SHORTER)
    return w.side.cite(text, text.split(" of the request")[0])


def _their_cited(w: World) -> dict[str, Any]:
    cited = _cited(w)
    return {"supports": [document(cited)], "fetched_evidence": w.side.their_fetch(cited)}


def _record(w: World) -> Ready:
    cited = _cited(w)
    supports = [our_document(cited), our_event("audit", 1), our_decision(w.scope)]
    fetched = w.side.our_fetch(cited)
    return lambda v: v.side.traces.record_decision(
        "letters", "new", "15", "r", supports=supports, fetched_evidence=fetched
    )


def _supersede(w: World) -> Ready:
    cited = _cited(w)
    supports = [our_document(cited), our_event("audit", 1), our_decision(w.scope)]
    fetched = w.side.our_fetch(cited)
    return lambda v: v.side.traces.supersede_decision(
        v.days, "15 days", "r", explanation="Changed.", supports=supports, fetched_evidence=fetched
    )


def _reaffirm(w: World) -> Ready:
    cited = _cited(w)
    fetched = w.side.our_fetch(cited)
    return lambda v: v.side.traces.reaffirm_decision(
        v.days, [our_document(cited)], fetched_evidence=fetched
    )


def _redact(w: World) -> Ready:
    event_id = _first_event(w)
    return lambda v: v.side.retention.redact_event(event_id)


def _first_event(w: World) -> str:
    return str(derived("Event", derived(w.side.project, "audit"), 1))


def _set_step(w: World) -> Ready:
    """The step that the library sets, too, completed on a passage, an event and a decision."""
    cited = _cited(w)
    supports = [our_document(cited), our_event("audit", 1), our_decision(w.scope)]
    fetched = w.side.our_fetch(cited)
    return lambda v: v.side.history.set_step(
        "audit",
        "read",
        StepState.COMPLETED,
        result_event_seq=2,
        result_basis=StepResultBasis.SUPPORTED,
        supports=supports,
        fetched_evidence=fetched,
    )


def _resume(w: World) -> Ready:
    """Two steps that a run of the library left in progress."""
    for name in ("read", "write"):
        w.side.library.set_step("audit", name, TheirState.IN_PROGRESS)
    return lambda v: v.side.history.resume_task("audit")


def _withdraw(w: World) -> Ready:
    """A rejection that flagged `letter`, and is to be taken back."""
    rejected = w.side.traces.reject_decision(w.mail, "Ours.")
    verdict_id = str(rejected.verdict_id)
    return lambda v: v.side.traces.withdraw_verdict(verdict_id, "Ours, too.")


def _withdraw_supersession(w: World) -> Ready:
    """As `_withdraw`, with a new revision that goes."""
    superseded = w.side.traces.supersede_decision(
        w.mail, "Ours.", "r", explanation="Ours.", supports=[our_event("audit", 2)]
    )
    verdict_id = str(superseded.verdict_id)
    return lambda v: v.side.traces.withdraw_verdict(verdict_id, "Ours, too.")


OURS: dict[str, Callable[[World], Ready]] = {
    "create_task": lambda _: lambda v: v.side.history.create_task("new", "Ours."),
    "record_event": lambda _: (
        lambda v: v.side.history.record_event("audit", EventKind.NOTE, payload="Ours.")
    ),
    "record_decision": _record,
    "supersede_decision": _supersede,
    "reject_decision": lambda _: lambda v: v.side.traces.reject_decision(v.days, "Ours."),
    "reaffirm_decision": _reaffirm,
    "continue_decision_review": lambda _: lambda v: v.side.traces.continue_decision_review(),
    "put_document": lambda _: lambda v: v.side.documents.put_document(v.side.policy, POLICY_LONGER),
    "remove_document": lambda _: lambda v: v.side.documents.remove_document(v.side.policy),
    "redact_event": _redact,
    "set_step": _set_step,
    "resume_task": _resume,
    "delete_task": lambda _: lambda v: v.side.retention.delete_task("audit"),
    "delete_task_only": lambda _: (
        lambda v: v.side.retention.delete_task("audit", include_decisions=False)
    ),
    "ask_for_review": lambda _: lambda v: v.side.traces.ask_for_review(v.days, "Ours."),
    "withdraw_verdict": _withdraw,
    "withdraw_supersession": _withdraw_supersession,
}

THEIRS: dict[str, Act] = {
    "create_task": lambda w: w.side.library.create_task("new", "Theirs."),
    "record_event": lambda w: w.side.library.record_event("audit", "Theirs."),
    "record_decision": lambda w: w.side.library.record_decision(
        "letters", "new", "Theirs.", supports=[decision(w.scope)]
    ),
    "record_dependent": lambda w: w.side.library.record_decision(
        "letters", "leaf", "Theirs.", supports=[decision(w.days)]
    ),
    "record_citer": lambda w: w.side.library.record_decision(
        "letters", "citer", "Theirs.", **_their_cited(w)
    ),
    "record_on_event": lambda w: w.side.library.record_decision(
        "letters", "heard", "Theirs.", supports=[event("audit", 1)]
    ),
    "supersede_decision": lambda w: w.side.library.supersede_decision(
        w.days, "Theirs.", explanation="Theirs.", **_their_cited(w)
    ),
    "reject_decision": lambda w: w.side.library.reject_decision(w.days, "Theirs."),
    "reject_parent": lambda w: w.side.library.reject_decision(w.scope, "Theirs."),
    "supersede_parent": lambda w: w.side.library.supersede_decision(
        w.scope, "Theirs.", explanation="Theirs.", supports=[event("audit", 2)]
    ),
    "reaffirm_decision": lambda w: w.side.library.reaffirm_decision(
        w.days,
        [document(_cited(w))],
        fetched_evidence=w.side.their_fetch(_cited(w)),
        explanation="Theirs.",
    ),
    "reaffirm_dependent": lambda w: w.side.library.reaffirm_decision(w.letter, []),
    "continue_decision_review": lambda w: w.side.library.continue_decision_review(),
    "update_document": lambda w: w.side.library.put_document(
        w.side.policy, POLICY.replace("30 days", "20 days")
    ),
    "remove_document": lambda w: w.side.library.remove_document(w.side.policy),
    "redact_event": lambda w: w.side.library.redact_event(_first_event(w)),
    "set_step": lambda w: w.side.library.set_step(
        "audit",
        "read",
        TheirState.COMPLETED,
        result_event_seq=1,
        result_basis=TheirBasis.SUPPORTED,
        supports=[decision(w.scope)],
    ),
    "fail_step": lambda w: w.side.library.set_step("audit", "read", TheirState.FAILED),
    "delete_task": lambda w: w.side.library.delete_task("audit"),
    "delete_task_only": lambda w: w.side.library.delete_task("audit", include_decisions=False),
    "delete_dependents": lambda w: w.side.library.delete_task("letters"),
    "reject_mail": lambda w: w.side.library.reject_decision(w.mail, "Theirs."),
    "record_on_mail": lambda w: w.side.library.record_decision(
        "letters", "leaf", "Theirs.", supports=[decision(w.mail)]
    ),
}


def outcome(world: World, *answers: Any) -> dict[str, Any]:
    """What the project holds once its flags have travelled, and what both were answered."""
    world.side.library.drain()
    return observed(world.side) | {"answers": [_answer(answer) for answer in answers]}


def _answer(answer: Any) -> Any:
    if hasattr(answer, "recorded"):
        return (answer.recorded, answer.error and str(answer.error))
    return None


@dataclass
class Ground:
    """One graph for all pairs, and the project that each of them copies."""

    store: GraphStore
    peer: Peer
    templates: dict[str, Template]

    def project(self, name: str, state: str) -> World:
        return self.templates[state].copy(Side(self.store, self.peer, name))

    def watched(self, world: World, meanwhile: Callable[[], Any]) -> World:
        """The same records through a store that lets `meanwhile` in before our first commit."""
        interposed = cast("GraphStore", Interposed(self.store, meanwhile))
        seen = World.__new__(World)
        seen.__dict__.update(world.__dict__, side=Side(interposed, self.peer, world.side.project))
        return seen


@pytest.fixture(scope="session", params=engines_asked_for()[:1])
def engine(request: pytest.FixtureRequest) -> str:
    """The first engine of the run: how the two meet is decided by plans, which know no engine."""
    return request.param


@pytest.fixture(scope="module")
def ground(store: GraphStore, peer: Peer) -> Ground:
    """The graph of this module, with a project in each state to copy from."""
    world = World(Side(store, peer, TEMPLATE))
    # As if we had put the documents, since we leave alone what the library's ingestion owns.
    peer.write("MATCH (d:Document) SET d.ctx_managed = true RETURN count(d) AS n")
    templates = {CALM: Template(world)}
    templates[TRAVELLING] = Template(world.changed())
    templates[SETTLED] = Template(world.drained())
    return Ground(store, peer, templates)


CALM, TRAVELLING, SETTLED = "calm", "flags travelling", "flags settled"

JUDGING = ("record_decision", "supersede_decision", "reject_decision", "reaffirm_decision")
FLAGGING = (
    "supersede_decision",
    "reject_decision",
    "put_document",
    "remove_document",
    "redact_event",
)
RECORDING = ("record_dependent", "record_citer", "record_on_event", "update_document")
MEANWHILE = (
    "record_dependent",
    "reject_decision",
    "reject_parent",
    "reaffirm_dependent",
    "continue_decision_review",
    "update_document",
)

STEPPING = ("set_step", "resume_task")
DELETING = ("delete_task", "delete_task_only")
LATER_VERDICTS = ("ask_for_review", "withdraw_verdict", "withdraw_supersession")
THEIR_STEPS = ("set_step", "fail_step")
THEIR_DELETIONS = (*DELETING, "delete_dependents")
ABOUT_MAIL = ("reject_mail", "record_on_mail")

FIRST_OURS = [name for name in OURS if name not in {*STEPPING, *DELETING, *LATER_VERDICTS}]
FIRST_THEIRS = [
    name for name in THEIRS if name not in {*THEIR_STEPS, *THEIR_DELETIONS, *ABOUT_MAIL}
]
AROUND_STEPS = (
    "record_event",
    "reject_parent",
    "supersede_parent",
    "continue_decision_review",
    "update_document",
    "remove_document",
    "redact_event",
)
RECORDS = ("create_task", "record_event")

PAIRS = [(ours, theirs, SETTLED) for ours in FIRST_OURS for theirs in FIRST_THEIRS]
PAIRS += [(ours, theirs, SETTLED) for ours in FIRST_OURS for theirs in THEIR_DELETIONS]
PAIRS += [
    (ours, theirs, SETTLED)
    for ours in STEPPING
    for theirs in (*AROUND_STEPS, *THEIR_STEPS, *THEIR_DELETIONS)
]
PAIRS += [(ours, theirs, SETTLED) for ours in DELETING for theirs in THEIRS]
PAIRS += [
    (ours, theirs, SETTLED)
    for ours in LATER_VERDICTS
    for theirs in THEIRS
    if theirs not in {*THEIR_STEPS, *RECORDS}
]
PAIRS += [(ours, theirs, CALM) for ours in (*FLAGGING, *DELETING) for theirs in RECORDING]
PAIRS += [(ours, theirs, TRAVELLING) for ours in JUDGING for theirs in MEANWHILE]
PAIRS += [("continue_decision_review", theirs, TRAVELLING) for theirs in FIRST_THEIRS]


@pytest.mark.parametrize(("ours", "theirs", "state"), PAIRS)
def test_between_our_gather_and_our_commit(
    ours: str, theirs: str, state: str, ground: Ground
) -> None:
    """Our operation, with the library's in between, ends as if one had come before the other."""
    first, second, third = (ground.project(f"{ours}+{theirs}+{state}+{n}", state) for n in range(3))
    mine = OURS[ours](first)(first)
    ours_first = outcome(first, mine, THEIRS[theirs](first))
    ready = OURS[ours](second)
    their = THEIRS[theirs](second)
    theirs_first = outcome(second, ready(second), their)

    answers: list[Any] = []
    ready = OURS[ours](third)
    mine = ready(ground.watched(third, lambda: answers.append(THEIRS[theirs](third))))
    # What commits nothing lets nobody in between, and is the same as going first.
    answers = answers or [THEIRS[theirs](third)]
    assert outcome(third, mine, *answers) in (ours_first, theirs_first)


def test_the_document_moves_on_again_while_we_reaffirm(ground: Ground) -> None:
    """The case that started it: clear at one version, while the document is at the next."""
    world = ground.project("moves on", SETTLED)
    watched = ground.watched(
        world, lambda: world.side.library.put_document(world.side.policy, POLICY_LONGER)
    )
    result = OURS["reaffirm_decision"](world)(watched)
    assert (result.recorded, result.error) == (False, "cannot_revalidate")
    assert [(b.support_kind, b.cause) for b in result.blockers] == [
        ("document", "evidence_outdated")
    ]


def test_a_dependent_appears_while_we_reject(ground: Ground) -> None:
    """The library records on a decision between our gather and our rejection: it is flagged and reported."""
    world = ground.project("appears", CALM)
    made: list[Any] = []
    watched = ground.watched(world, lambda: made.append(THEIRS["record_dependent"](world)))
    result = OURS["reject_decision"](world)(watched)
    assert result.recorded
    leaf = made[0].decision.id
    assert leaf in [*result.arrived, *result.flagged]
    world.side.library.drain()
    assert world.side.library.get_decision(leaf).decision.review_state == "needs_review"


def test_the_document_moves_on_while_we_set_a_step(ground: Ground) -> None:
    """A step is never completed on a text that was replaced meanwhile."""
    world = ground.project("step moves on", CALM)
    watched = ground.watched(
        world, lambda: world.side.library.put_document(world.side.policy, POLICY_LONGER)
    )
    result = OURS["set_step"](world)(watched)
    assert (result.recorded, result.error) == (False, "support_invalid")
    assert (
        world.side.peer.rows(
            "MATCH (t:Task {project_id: 'step moves on'})-[:HAS_STEP]->(s) RETURN s"
        )
        == []
    )


def test_the_library_completes_a_step_while_we_resume(ground: Ground) -> None:
    """Only what is still in progress at the commit becomes unknown."""
    world = ground.project("resumed", CALM)
    ready = OURS["resume_task"](world)
    result = ready(ground.watched(world, lambda: THEIRS["set_step"](world)))
    assert result.marked_unknown == ["write"]
    view = world.side.library.get_task("audit").view
    assert view is not None
    assert {state: n for state, n in view.step_counts.items() if n} == {
        TheirState.UNKNOWN: 1,
        TheirState.COMPLETED: 1,
    }


def test_the_log_grows_while_we_delete_the_task(ground: Ground) -> None:
    """An event that the library appends in the last moment goes with the rest."""
    world = ground.project("grows", CALM)
    made: list[Any] = []
    watched = ground.watched(world, lambda: made.append(THEIRS["record_event"](world)))
    assert OURS["delete_task"](world)(watched).recorded
    assert made[0].recorded
    assert world.side.peer.nodes("Event", id=str(made[0].event.id)) == []
    assert not world.side.library.get_task("audit").found


def test_the_library_cites_what_we_are_deleting(ground: Ground) -> None:
    """A decision recorded in the last moment on what goes is flagged and reported."""
    world = ground.project("cited", CALM)
    made: list[Any] = []
    watched = ground.watched(world, lambda: made.append(THEIRS["record_on_event"](world)))
    result = OURS["delete_task"](world)(watched)
    leaf = made[0].decision.id
    assert str(leaf) in result.affected_decision_ids
    world.side.library.drain()
    assert world.side.library.get_decision(leaf).decision.review_state == "needs_review"


def test_the_library_rejects_what_we_ask_about(ground: Ground) -> None:
    """Nobody is asked to look at a decision that was settled meanwhile."""
    world = ground.project("asked", CALM)
    watched = ground.watched(world, lambda: THEIRS["reject_decision"](world))
    result = OURS["ask_for_review"](world)(watched)
    assert (result.recorded, result.error) == (False, "decision_not_active")


def test_the_library_judges_what_our_verdict_flagged(ground: Ground) -> None:
    """A verdict that somebody built on in the last moment is not taken back."""
    world = ground.project("judged", CALM)
    ready = OURS["withdraw_verdict"](world)
    watched = ground.watched(
        world, lambda: world.side.library.reject_decision(world.letter, "Theirs.")
    )
    result = ready(watched)
    assert (result.recorded, result.error) == (False, "built_upon")
    assert [(b.decision_id, b.what) for b in result.built] == [(world.letter, "judged")]
    assert world.side.library.get_decision(world.mail).decision.status == "rejected"
