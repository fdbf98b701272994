"""One request id is one write, whichever side made it and whichever side asks again."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from agrag.common.data_models.task import EventKind as TheirKind
from agrag.common.data_models.task import StepResultBasis as TheirBasis
from agrag.common.data_models.task import StepState as TheirState

from graphstore.records import EventKind
from tests.interop.world import (
    POLICY_SHORTER,
    Side,
    World,
    decision,
    differences,
    document,
    event,
    our_decision,
    our_document,
    our_event,
)

AGENT = "library-agent"
WORDS = "Refunds are paid within 15 days"

Call = Callable[[World, str], Any]


class Write(NamedTuple):
    """One write as each side makes it, and the same by us with other arguments."""

    theirs: Call
    ours: Call
    other: Call


def _their_supports(w: World) -> dict[str, Any]:
    cited = w.side.cite(POLICY_SHORTER, WORDS)
    return {
        "supports": [document(cited), event("audit", 1), decision(w.scope)],
        "fetched_evidence": w.side.their_fetch(cited),
    }


def _our_supports(w: World) -> dict[str, Any]:
    cited = w.side.cite(POLICY_SHORTER, WORDS)
    return {
        "supports": [our_document(cited), our_event("audit", 1), our_decision(w.scope)],
        "fetched_evidence": w.side.our_fetch(cited),
    }


def _their_reaffirm(w: World, r: str) -> Any:
    cited = w.side.cite(POLICY_SHORTER, WORDS)
    fetched = w.side.their_fetch(cited)
    return w.side.library.reaffirm_decision(
        w.days, [document(cited)], fetched_evidence=fetched, explanation="Holds.", request_id=r
    )


def _our_reaffirm(w: World, r: str, explanation: str = "Holds.") -> Any:
    cited = w.side.cite(POLICY_SHORTER, WORDS)
    fetched = w.side.our_fetch(cited)
    return w.side.traces.reaffirm_decision(
        w.days,
        [our_document(cited)],
        fetched_evidence=fetched,
        explanation=explanation,
        request_id=r,
    )


def _our_supersede(w: World, r: str, explanation: str = "Changed.") -> Any:
    return w.side.traces.supersede_decision(
        w.days, "15 days", "So it says.", explanation=explanation, request_id=r, **_our_supports(w)
    )


def _our_step(w: World, r: str, result: int) -> Any:
    return w.side.history.set_step(
        "audit",
        "lesen – 1",
        "completed",
        result_event_seq=result,
        result_basis="supported",
        request_id=r,
        **_our_supports(w),
    )


def _first_event(w: World) -> str:
    return str(w.side.library.list_events("audit").events[0].id)


WRITES = {
    "create_task": Write(
        lambda w, r: w.side.library.create_task("new", "A goal.", request_id=r),
        lambda w, r: w.side.history.create_task("new", "A goal.", request_id=r),
        lambda w, r: w.side.history.create_task("newer", "A goal.", request_id=r),
    ),
    "record_event": Write(
        lambda w, r: w.side.library.record_event(
            "audit", "said – é", kind=TheirKind.TOOL_CALL, name="tool", request_id=r
        ),
        lambda w, r: w.side.history.record_event(
            "audit", EventKind.TOOL_CALL, name="tool", payload="said – é", request_id=r
        ),
        lambda w, r: w.side.history.record_event(
            "audit", EventKind.TOOL_CALL, name="tool", payload="else", request_id=r
        ),
    ),
    "record_decision": Write(
        lambda w, r: w.side.library.record_decision(
            "audit", "new", "15", "Why “so”?", assumptions=["a"], request_id=r, **_their_supports(w)
        ),
        lambda w, r: w.side.traces.record_decision(
            "audit", "new", "15", "Why “so”?", assumptions=["a"], request_id=r, **_our_supports(w)
        ),
        lambda w, r: w.side.traces.record_decision(
            "audit", "new", "16", "Why “so”?", assumptions=["a"], request_id=r, **_our_supports(w)
        ),
    ),
    "supersede_decision": Write(
        lambda w, r: w.side.library.supersede_decision(
            w.days,
            "15 days",
            "So it says.",
            explanation="Changed.",
            request_id=r,
            **_their_supports(w),
        ),
        _our_supersede,
        lambda w, r: _our_supersede(w, r, "Otherwise."),
    ),
    "reject_decision": Write(
        lambda w, r: w.side.library.reject_decision(w.days, "No.", request_id=r),
        lambda w, r: w.side.traces.reject_decision(w.days, "No.", request_id=r),
        lambda w, r: w.side.traces.reject_decision(w.days, "Yes.", request_id=r),
    ),
    "reaffirm_decision": Write(
        _their_reaffirm, _our_reaffirm, lambda w, r: _our_reaffirm(w, r, "Holds, more or less.")
    ),
    "redact_event": Write(
        lambda w, r: w.side.library.redact_event(_first_event(w), request_id=r),
        lambda w, r: w.side.retention.redact_event(_first_event(w), request_id=r),
        lambda w, r: w.side.retention.redact_event(str(w.scope), request_id=r),
    ),
    "set_step": Write(
        lambda w, r: w.side.library.set_step(
            "audit",
            "lesen – 1",
            TheirState.COMPLETED,
            result_event_seq=2,
            result_basis=TheirBasis.SUPPORTED,
            request_id=r,
            **_their_supports(w),
        ),
        lambda w, r: _our_step(w, r, 2),
        lambda w, r: _our_step(w, r, 1),
    ),
    "delete_task": Write(
        lambda w, r: w.side.library.delete_task("letters", request_id=r),
        lambda w, r: w.side.retention.delete_task("letters", request_id=r),
        lambda w, r: w.side.retention.delete_task("letters", include_decisions=False, request_id=r),
    ),
}


@pytest.fixture
def flagged(both: Side) -> World:
    """A flagged chain, with one author on both sides: another author's request id is another request."""
    return World(Side(both.store, both.peer, both.project, reviewer=AGENT)).changed().drained()


@pytest.fixture(params=WRITES)
def write(request: pytest.FixtureRequest) -> Write:
    return WRITES[request.param]


def test_the_library_replays_ours(flagged: World, write: Write) -> None:
    """It finds our stored result under its own digest and writes nothing."""
    mine = write.ours(flagged, "r-1")
    assert mine.recorded, mine
    before = _size(flagged)
    their = write.theirs(flagged, "r-1")
    assert differences(mine, their) == []
    assert _size(flagged) == before


def test_we_replay_the_librarys(flagged: World, write: Write) -> None:
    """We find its stored result and write nothing."""
    their = write.theirs(flagged, "r-1")
    assert their.recorded, their
    before = _size(flagged)
    mine = write.ours(flagged, "r-1")
    assert differences(mine, their) == []
    assert _size(flagged) == before


def test_other_arguments_under_the_librarys_id_are_refused(flagged: World, write: Write) -> None:
    """A request id that the library used for another write is not ours to use."""
    assert write.theirs(flagged, "r-1").recorded
    before = _size(flagged)
    assert write.other(flagged, "r-1").error == "request_id_reused"
    assert _size(flagged) == before


def test_other_arguments_under_our_id_are_refused_by_the_library(
    flagged: World, write: Write
) -> None:
    """Its claim finds another digest than its own."""
    assert write.other(flagged, "r-1").recorded or write is WRITES["redact_event"]
    assert write.theirs(flagged, "r-1").recorded is (write is WRITES["redact_event"])


def test_another_authors_request_id_is_taken(flagged: World, write: Write) -> None:
    """The library would hand out the first author's record as if it were one's own; we refuse."""
    assert write.ours(flagged, "r-1").recorded
    side = flagged.side
    stranger = Side(side.store, side.peer, side.project, reviewer="agent-two")
    mine = write.ours(_seen_by(flagged, stranger), "r-1")
    assert (mine.recorded, mine.error) == (False, "request_id_reused")


OWN: dict[str, Callable[[Side, World], Any]] = {
    "resume_task": lambda side, _: side.history.resume_task("audit", request_id="r-1"),
    "ask_for_review": lambda side, w: side.traces.ask_for_review(w.scope, "So?", request_id="r-1"),
    "grant_document": lambda side, _: side.documents.grant_document(side.policy, request_id="r-1"),
}


@pytest.mark.parametrize("own", OWN)
def test_request_ids_of_operations_that_only_we_have_are_taken(flagged: World, own: str) -> None:
    """The library finds a request of another kind under the id, and leaves it alone."""
    assert OWN[own](flagged.side, flagged).recorded
    taken = flagged.side.library.create_task("new", "A goal.", request_id="r-1")
    assert (taken.recorded, taken.error) == (False, "request_id_reused")
    assert OWN[own](flagged.side, flagged).recorded


def test_a_refused_write_leaves_its_request_id_free(flagged: World) -> None:
    """Refused by us under an id, the corrected write goes through under it, by either side."""
    side = flagged.side
    refused = side.traces.record_decision(
        "nowhere", "k", "c", "r", supports=[our_event("audit", 1)], request_id="r-1"
    )
    assert refused.error == "task_not_found"
    assert side.library.record_decision(
        "audit", "k", "c", "r", supports=[event("audit", 1)], request_id="r-1"
    ).recorded


def test_a_replayed_event_that_was_redacted_meanwhile_says_so(flagged: World) -> None:
    """Neither side returns a body that is gone, whoever stored it with the request."""
    side = flagged.side
    made = side.library.record_event("audit", "a secret", request_id="r-1").event
    assert made is not None
    assert side.retention.redact_event(str(made.id)).recorded
    stored = side.peer.node("Request", project_id=side.project, request_id="r-1")["result_json"]
    assert "a secret" not in stored
    mine = side.history.record_event(
        "audit", EventKind.MESSAGE, payload="a secret", request_id="r-1"
    )
    their = side.library.record_event("audit", "a secret", request_id="r-1")
    assert mine.event is not None
    assert mine.event.payload == "[REDACTED]"
    assert differences(mine, their) == []


def test_what_was_fetched_and_not_cited_does_not_count(flagged: World) -> None:
    """The library refuses an identical write after one more fetch; to us it is the same write."""
    side = flagged.side
    cited = side.cite(POLICY_SHORTER, WORDS)
    more = side.cite(POLICY_SHORTER, "Shipping")
    first = side.traces.record_decision(
        "audit",
        "new",
        "15",
        "r",
        supports=[our_document(cited)],
        fetched_evidence=side.our_fetch(cited),
        request_id="r-1",
    )
    again = side.traces.record_decision(
        "audit",
        "new",
        "15",
        "r",
        supports=[our_document(cited)],
        fetched_evidence=side.our_fetch(more, cited),
        request_id="r-1",
    )
    assert first.recorded
    assert again == first


def _seen_by(world: World, side: Side) -> World:
    """The same records, written to from another side."""
    same = object.__new__(World)
    same.__dict__.update(world.__dict__, side=side)
    return same


def _size(world: World) -> list[list[Any]]:
    """How many nodes and relationships of the library's kinds there are."""
    peer = world.side.peer
    nodes = peer.rows(
        "MATCH (n {_agrag_history_record: true}) RETURN labels(n)[0] AS label, count(n) AS n ORDER BY label"
    )
    edges = peer.rows("MATCH ()-[r]->() RETURN type(r) AS type, count(r) AS n ORDER BY type")
    return [[row["label"], row["n"]] for row in nodes] + [[row["type"], row["n"]] for row in edges]
