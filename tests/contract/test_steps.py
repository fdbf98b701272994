"""Steps: set as the library sets them, resumed, listed, and checked at every read."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from graphstore.records import (
    BlockCause,
    ResultBlock,
    StepKind,
    StepResultBasis,
    StepResultValidity,
    StepState,
    StepSummary,
)
from graphstore.results import SetStepResult
from graphstore.store import counting
from tests.contract.looking import Props, dump, entries, entry, node, nodes
from tests.contract.seeding import MARK, Cited, Heard, Passage, Seed, derived, digest, named
from tests.contract.world import (
    DAYS,
    DAYS_15,
    POLICY,
    POLICY_15,
    POLICY_45,
    Deaf,
    Meanwhile,
    Work,
    answer,
    on,
)
from tests.servers import RawGraph

DONE, RUNNING = StepState.COMPLETED, StepState.IN_PROGRESS
CITED = Passage("policy", POLICY, DAYS)
STEP = derived("Step", derived("p", "t"), "read")


@pytest.fixture
def seeded(seed: Seed) -> Seed:
    """A task with four events, a document and a decision to cite."""
    seed.project_node()
    seed.task("t", "asked", "found", "noted", "said")
    seed.document("policy", POLICY)
    seed.decision("scope")
    return seed


SCOPE = derived("Decision", derived("p", "t"), "scope", 1)


def finish(
    work: Work, *cited: Cited, name: str = "read", seq: int | None = 2, **more: Any
) -> SetStepResult:
    """Complete a step with a supported result."""
    basis = {"result_basis": "supported", "result_event_seq": seq}
    return work.history.set_step("t", name, DONE, **(basis | on(*cited) | more))


def summary(work: Work, name: str = "read") -> StepSummary:
    """The step as the task view shows it, which is as lists show it."""
    view = work.history.get_task("t").view
    assert view is not None
    (shown,) = [s for steps in view.steps.values() for s in steps if s.name == name]
    (listed,) = [s for s in work.history.list_steps("t").steps if s.name == name]
    assert shown == listed
    return shown


def cites(raw: RawGraph, step_id: str = STEP) -> list[str]:
    """The keys of the documents that a step is joined to."""
    found = "MATCH (:Step {id: $id})-[:CTX_CITES]->(d:Document) RETURN d.document_key"
    return sorted(row[0] for row in raw.run(found, {"id": step_id}))


# Setting.


@pytest.mark.parametrize("state", StepState)
@pytest.mark.parametrize("kind", StepKind)
def test_a_step_is_created_as_the_library_would(
    state: StepState, kind: StepKind, work: Work, seeded: Seed
) -> None:
    """Its keys, id and properties are the library's; ours stand beside them."""
    del seeded
    result = work.history.set_step("t", "read", state, kind=kind)
    assert answer(result) == (True, None)
    assert result.step is not None
    assert (result.step.name, result.step.state, result.step.kind) == ("read", state, kind)
    found = node(work.raw, "Step", id=STEP)
    own = {key: found.pop(key) for key in list(found) if key.startswith("ctx_")}
    assert found == MARK | {
        "id": STEP,
        "task_id": derived("p", "t"),
        "name": "read",
        "kind": kind,
        "state": state,
        "updated_seq": 4,
        "result_basis": "unknown",
        "result_supports": "[]",
    }
    assert (own["ctx_author"], own["ctx_version"], own["ctx_project_id"]) == ("agent", 1, "p")
    owners = "MATCH (t:Task)-[:HAS_STEP]->(:Step {id: $id}) RETURN t.name"
    assert work.raw.run(owners, {"id": STEP}) == [["t"]]


def test_a_step_defaults_to_other_without_a_result(work: Work, seeded: Seed) -> None:
    """Kind, basis and result need not be named."""
    del seeded
    step = work.history.set_step("t", "read", "in_progress").step
    assert step is not None
    assert (step.kind, step.result_basis) == (StepKind.OTHER, StepResultBasis.UNKNOWN)
    assert (step.result_event_seq, step.updated_seq, step.result_supports) == (None, 4, [])


@pytest.mark.parametrize("before", StepState)
@pytest.mark.parametrize("after", StepState)
def test_any_state_may_follow_any_other(
    before: StepState, after: StepState, work: Work, seeded: Seed
) -> None:
    """A step is set anew as a whole: what is not named is as in a new one."""
    seeded.step("read", before, kind="analysis", result_event_seq=1, result_basis="independent")
    result = work.by("other").history.set_step("t", "read", after)
    assert result.recorded
    found = node(work.raw, "Step", id=STEP)
    assert (found["state"], found["kind"], found["result_basis"]) == (after, "other", "unknown")
    assert "result_event_seq" not in found
    assert (found["ctx_author"], found["ctx_version"], found["updated_seq"]) == ("other", 1, 4)
    changed = entry(work.raw, "set_step")["manifest"]["changed"][STEP]
    assert changed == {
        "state": [before, after],
        "kind": ["analysis", "other"],
        "result_basis": ["independent", "unknown"],
        "result_event_seq": [1, None],
        "updated_seq": [0, 4],
    }


@pytest.mark.parametrize("argument", ["state", "kind", "result_basis"])
def test_an_unknown_word_is_a_mistake_of_the_caller(argument: str, work: Work) -> None:
    """Only the states, kinds and bases of the library exist."""
    arguments: dict[str, Any] = {"state": DONE, argument: "nothing"}
    with pytest.raises(ValueError, match=f"{argument} is none of"):
        work.history.set_step("t", "read", **arguments)


def test_supports_are_stored_in_the_shape_of_the_library(work: Work, seeded: Seed) -> None:
    """They are one canonical text that holds every field of the library's records and no more."""
    del seeded
    result = finish(work, CITED, Heard("t", 1), SCOPE)
    assert result.step is not None
    unreviewed = {"current": True, "reviewed_at": None, "reviewed_by": None}
    unreviewed |= {"review_explanation": None}
    stored = node(work.raw, "Step", id=STEP)["result_supports"]
    wanted: list[Props] = [
        unreviewed
        | {
            "kind": "document",
            "ordinal": 0,
            "evidence_id": CITED.evidence_id,
            "document_key": "policy",
            "document_node_id": CITED.document_id,
            "content_hash_prefix": digest(POLICY)[:16],
            "content_hash": digest(POLICY),
            "reference_kind": "span",
            "char_start": CITED.start,
            "char_end": CITED.end,
            "chunk_id": None,
            "recorded_activation_seq": 1,
        },
        unreviewed
        | {
            "kind": "event",
            "ordinal": 1,
            "event_id": derived("Event", derived("p", "t"), 1),
            "task_name": "t",
            "seq": 1,
        },
        unreviewed | {"kind": "decision", "ordinal": 2, "decision_id": SCOPE},
    ]
    assert stored == json.dumps(wanted, sort_keys=True, separators=(",", ":"))
    assert summary(work).result_supports == result.step.result_supports
    assert [s.ordinal for s in result.step.result_supports] == [0, 1, 2]


def test_a_step_is_joined_to_the_documents_of_its_result(work: Work, seeded: Seed) -> None:
    """Each document once, and only as long as the result rests on it."""
    seeded.document("other", POLICY_15)
    other = Passage("other", POLICY_15, DAYS_15)
    again = Passage("policy", POLICY, "a second signature")
    assert finish(work, CITED, again, other).recorded
    assert cites(work.raw) == ["other", "policy"]
    assert finish(work, other).recorded
    assert cites(work.raw) == ["other"]
    assert work.history.set_step("t", "read", "failed").recorded
    assert cites(work.raw) == []


def test_the_project_may_read_what_its_steps_cite(work: Work, seeded: Seed) -> None:
    """A document comes into the scope of the project by a step alone, and of no other project."""
    del seeded
    assert work.documents.get_document("policy").found is False
    assert finish(work, CITED).recorded
    assert work.documents.get_document("policy").found is True
    assert work.within("q").documents.get_document("policy").found is False
    assert [d.document_key for d in work.documents.list_documents().documents] == ["policy"]


@pytest.mark.parametrize("state", [s for s in StepState if s is not DONE])
def test_supports_count_only_for_a_completed_step(
    state: StepState, work: Work, seeded: Seed
) -> None:
    """Otherwise they are dropped without being looked at, as in the library."""
    del seeded
    nowhere = [Heard("t", 99).support]
    result = work.history.set_step("t", "read", state, result_basis="supported", supports=nowhere)
    assert result.recorded
    assert node(work.raw, "Step", id=STEP)["result_supports"] == "[]"


@pytest.mark.parametrize("basis", ["independent", "unknown"])
def test_supports_count_only_for_a_supported_result(basis: str, work: Work, seeded: Seed) -> None:
    """An independent result rests on nothing, whatever is named."""
    del seeded
    assert finish(work, Heard("t", 99), result_basis=basis).recorded
    assert node(work.raw, "Step", id=STEP)["result_supports"] == "[]"


# Refusals.


def _library_claims(seed: Seed) -> None:
    """A claim of the library with another digest."""
    claim = {"id": derived("Request", "p", "r"), "project_id": "p", "request_id": "r"}
    seed.create("Request", [MARK | claim | {"operation": "set_step", "payload_sha256": "0"}])


def _nothing(seed: Seed) -> None:
    """Nothing happens first."""
    del seed


def _redacts(seq: int) -> Callable[[Seed], None]:
    return lambda seed: _set_event(
        seed, seq, "e.redacted_at = '2026-04-01', e.payload = '[REDACTED]'"
    )


def _set_event(seed: Seed, seq: int, change: str) -> None:
    where = "MATCH (e:Event {id: $id}) SET "
    seed.raw.run(where + change, {"id": derived("Event", derived("p", "t"), seq)})


def _truncates(seq: int) -> Callable[[Seed], None]:
    return lambda seed: _set_event(seed, seq, "e.truncated = true")


def _document(change: str) -> Callable[[Seed], None]:
    def act(seed: Seed) -> None:
        where = "MATCH (d:Document {id: $id}) SET "
        seed.raw.run(where + change, {"id": named("Document", "policy")})

    return act


def _decision(**props: Any) -> Callable[[Seed], None]:
    def act(seed: Seed) -> None:
        where = "MATCH (d:Decision {id: $id}) SET d += $props"
        seed.raw.run(where, {"id": SCOPE, "props": props})

    return act


NEXT = "d.activation_seq = 2, d.current_content_hash = 'another'"
REFUSED: dict[str, tuple[Callable[[Seed], None], tuple[Cited, ...], dict[str, Any], str]] = {
    "no task": (_nothing, (CITED,), {"task": "nowhere"}, "task_not_found"),
    "no support": (_nothing, (), {}, "support_required"),
    "no support and no result": (_nothing, (), {"seq": 99}, "support_required"),
    "too many": (_nothing, (Heard("t", 1),) * 21, {}, "support_invalid"),
    "no event to cite": (_nothing, (Heard("t", 99),), {}, "support_invalid"),
    "no task to cite": (_nothing, (Heard("nowhere", 1),), {}, "support_invalid"),
    "no decision to cite": (_nothing, (derived("nothing"),), {}, "support_invalid"),
    "no decision id": (_nothing, ("\ud800",), {}, "invalid_text"),
    "a support and no result": (_nothing, (Heard("t", 99),), {"seq": 99}, "support_invalid"),
    "no document": (_nothing, (Passage("nowhere", POLICY, DAYS),), {}, "support_invalid"),
    "not fetched": (_nothing, (CITED,), {"fetched_evidence": ()}, "support_invalid"),
    "another text": (_nothing, (Passage("policy", POLICY_45, DAYS[:5]),), {}, "support_invalid"),
    "a later activation": (_nothing, (Passage("policy", POLICY, DAYS, 2),), {}, "support_invalid"),
    "changed": (_document(NEXT), (CITED,), {}, "support_invalid"),
    "removed": (_document("d.current_content_hash = null"), (CITED,), {}, "support_invalid"),
    "a redacted event cited": (_redacts(1), (Heard("t", 1),), {}, "support_invalid"),
    "a rejected decision": (_decision(status="rejected"), (SCOPE,), {}, "support_invalid"),
    "a superseded decision": (_decision(status="superseded"), (SCOPE,), {}, "support_invalid"),
    "no result": (_nothing, (CITED,), {"seq": 99}, "event_not_found"),
    "result 0": (_nothing, (CITED,), {"seq": 0}, "event_not_found"),
    "result -1": (_nothing, (CITED,), {"seq": -1}, "event_not_found"),
    "result 2**70": (_nothing, (CITED,), {"seq": 2**70}, "event_not_found"),
    "a redacted result": (_redacts(2), (CITED,), {}, "support_invalid"),
    "a truncated result": (_truncates(2), (CITED,), {}, "support_invalid"),
    "an id in use": (_library_claims, (CITED,), {"request_id": "r"}, "request_id_reused"),
    "an empty id": (_nothing, (CITED,), {"request_id": ""}, "invalid_request_id"),
    "an empty name": (_nothing, (CITED,), {"name": ""}, "invalid_name"),
    "a blank at the end": (_nothing, (CITED,), {"name": "read "}, "invalid_name"),
    "a line break before": (_nothing, (CITED,), {"name": "\nread"}, "invalid_name"),
    "U+0001": (_nothing, (CITED,), {"name": "re\x01ad"}, "invalid_name"),
    "NUL": (_nothing, (CITED,), {"name": "re\0ad"}, "invalid_text"),
    "a lone surrogate": (_nothing, (CITED,), {"name": "re\ud800ad"}, "invalid_text"),
    "1,001 bytes": (_nothing, (CITED,), {"name": "ü" * 500 + "x"}, "name_too_long"),
    "a long task name": (_nothing, (CITED,), {"task": "x" * 1001}, "name_too_long"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_step_leaves_nothing(case: str, work: Work, seeded: Seed) -> None:
    """Each refusal has its code, the first that applies, and the graph stays as it was."""
    first, cited, more, code = REFUSED[case]
    first(seeded)
    before = dump(work.raw)
    arguments = {"task": "t", "name": "read", "seq": 2, "request_id": None} | on(*cited) | more
    result = work.history.set_step(
        arguments.pop("task"),
        arguments.pop("name"),
        DONE,
        result_basis="supported",
        result_event_seq=arguments.pop("seq"),
        **arguments,
    )
    assert answer(result) == (False, code)
    assert result.step is None
    assert dump(work.raw) == before


@pytest.mark.parametrize("basis", StepResultBasis)
@pytest.mark.parametrize("act", [_redacts(2), _truncates(2)], ids=["redacted", "truncated"])
def test_only_a_completed_step_needs_a_whole_result(
    act: Callable[[Seed], None], basis: StepResultBasis, work: Work, seeded: Seed
) -> None:
    """A failed step may name a redacted or cut result; a completed one of whatever basis may not."""
    act(seeded)
    named_result: dict[str, Any] = {"result_event_seq": 2, "result_basis": basis}
    assert work.history.set_step("t", "read", "failed", **named_result).recorded
    refused = work.history.set_step("t", "read", DONE, **named_result, **on(CITED))
    assert answer(refused) == (False, "support_invalid")
    missing = work.history.set_step("t", "read", "failed", result_event_seq=5)
    assert answer(missing) == (False, "event_not_found")


def test_a_flagged_decision_may_be_cited(work: Work, seeded: Seed) -> None:
    """As in the library: the result is recorded, and reads that it needs review."""
    _decision(review_state="needs_review")(seeded)
    assert finish(work, SCOPE).recorded
    assert summary(work).result_validity == "needs_review"


HOSTILE = [
    "a' OR 1=1 //",
    'say "no"',
    "back\\slash",
    "{{step:s}}",
    "$p.name",
    "line\nbreak",
    "para\u2029graph",
    "right\u202eleft",
    "<script>alert(1)</script>",
    "😀",
    "a\u0308",
    "ä",
    "`tick`",
    "x" * 1000,
    "%2e%2e/",
    "*",
    "read|write",
]


def test_names_are_kept_to_the_letter_whatever_they_hold(work: Work, seeded: Seed) -> None:
    """A hostile name is a name: set, set again, listed and paged over once."""
    del seeded
    for name in HOSTILE:
        assert work.history.set_step("t", name, RUNNING).recorded
        assert work.history.set_step("t", name, "failed").recorded
    names: list[str] = []
    after: str | None = None
    for _ in range(len(HOSTILE)):
        page = work.history.list_steps("t", after_name=after, limit=1)
        names += [step.name for step in page.steps]
        after = page.next_after_name
    assert after is None
    assert sorted(names) == sorted(HOSTILE)
    assert {s["ctx_version"] for s in nodes(work.raw, "Step")} == {2}


# Requests, entries, interruptions.


def test_the_entry_names_ids_states_and_hashes(work: Work, seeded: Seed) -> None:
    """The ledger holds what the step is called and rests on as hashes, never as texts."""
    del seeded
    finish(work, CITED, name="a secret name")
    found = entry(work.raw, "set_step")
    identity = derived("Step", derived("p", "t"), "a secret name")
    manifest = found["manifest"]
    assert (manifest["created"], manifest["task"]) == ([identity], derived("p", "t"))
    assert manifest["changed"][identity]["state"] == [None, "completed"]
    stored = node(work.raw, "Step", id=identity)["result_supports"]
    assert manifest["hashes"] == {
        identity: digest("a secret name"),
        f"{identity}/supports": digest(stored),
    }
    assert "a secret name" not in json.dumps(found)


def test_a_repeat_gives_the_first_result_although_the_step_moved_on(
    work: Work, seeded: Seed
) -> None:
    """A request id answers for what it did, and does it once."""
    del seeded
    first = finish(work, CITED, request_id="r")
    assert work.history.set_step("t", "read", "failed").recorded
    assert finish(work, CITED, request_id="r") == first
    assert node(work.raw, "Step", id=STEP)["state"] == "failed"
    other = finish(work, Heard("t", 1), request_id="r")
    assert answer(other) == (False, "request_id_reused")


def test_evidence_that_is_not_cited_does_not_make_another_request(work: Work, seeded: Seed) -> None:
    """An honest retry after one more fetch is the same call."""
    del seeded
    first = finish(work, CITED, request_id="r")
    more = [CITED.outcome, Passage("policy", POLICY, "a second signature").outcome]
    assert finish(work, CITED, request_id="r", fetched_evidence=more) == first


def test_a_refused_step_leaves_its_request_id_free(work: Work, seeded: Seed) -> None:
    """The corrected call goes through under the same id."""
    del seeded
    assert answer(finish(work, request_id="r")) == (False, "support_required")
    assert finish(work, CITED, request_id="r").recorded


def test_a_lost_answer_is_found(work: Work, seeded: Seed) -> None:
    """A step whose commit was not heard of is not set twice."""
    del seeded
    result = finish(work.through(Deaf(work.store)), CITED)
    assert result.step is not None
    assert (result.step.state, len(result.step.result_supports)) == (DONE, 1)
    assert node(work.raw, "Step", id=STEP)["ctx_version"] == 1
    assert len(entries(work.raw)) == 1


def test_another_setter_in_between_is_seen(work: Work, seeded: Seed) -> None:
    """Two that create one step make one; the second's entry says what the first had set."""
    del seeded
    second = work.by("second").history

    def meanwhile() -> None:
        assert second.set_step("t", "read", "failed").recorded

    assert finish(work.through(Meanwhile(work.store, meanwhile)), CITED).recorded
    found = node(work.raw, "Step", id=STEP)
    assert (found["state"], found["ctx_author"], found["ctx_version"]) == ("completed", "agent", 2)
    changes = [e["manifest"]["changed"][STEP]["state"] for e in entries(work.raw)]
    assert sorted(changes, key=str) == sorted([[None, "failed"], ["failed", "completed"]], key=str)


INTERRUPTIONS: dict[str, tuple[Callable[[Seed], None], str | None]] = {
    "the document moves on": (_document(NEXT), "support_invalid"),
    "the cited event is redacted": (_redacts(1), "support_invalid"),
    "the result is redacted": (_redacts(2), "support_invalid"),
    "the decision is rejected": (_decision(status="rejected"), "support_invalid"),
    "the decision is flagged": (_decision(review_state="needs_review"), None),
}


@pytest.mark.parametrize("case", INTERRUPTIONS)
def test_what_a_step_rests_on_is_held_until_it_is_set(case: str, work: Work, seeded: Seed) -> None:
    """What changes between gather and commit is looked at again."""
    act, code = INTERRUPTIONS[case]
    between = Meanwhile(work.store, lambda: act(seeded))
    result = finish(work.through(between), CITED, Heard("t", 1), SCOPE)
    assert answer(result) == (code is None, code)
    assert len(nodes(work.raw, "Step")) == int(code is None)


# Whether a result may be used again.


def test_a_step_that_is_not_completed_has_no_result_to_check(work: Work, seeded: Seed) -> None:
    """Whatever it names, its result reads unknown, and nothing blocks it."""
    for state in StepState:
        seeded.step(state, state, result_event_seq=2, result_basis="independent")
    shown = {s.state: s for s in work.history.list_steps("t").steps}
    assert shown.pop(DONE).result_validity == "reusable"
    assert {s.result_validity for s in shown.values()} == {StepResultValidity.UNKNOWN}
    assert [s.result_blocked_by for s in shown.values()] == [None] * 4


REUSABLE = (StepResultValidity.REUSABLE, None)
POLICY_ID = named("Document", "policy")


def blocked(
    cause: str, kind: Any = "result", ref: str = "", label: str = "", validity: str = "unavailable"
) -> tuple[StepResultValidity, ResultBlock]:
    """A result that may not be used, and why."""
    block = ResultBlock(cause=BlockCause(cause), kind=kind, ref=ref, label=label)
    return StepResultValidity(validity), block


def _both(*acts: Callable[[Seed], None]) -> Callable[[Seed], None]:
    def act(seed: Seed) -> None:
        for one in acts:
            one(seed)

    return act


def _removes(seed: Seed) -> None:
    """The policy's parts are closed, as the library removes a document."""
    _document("d.current_content_hash = null, d.activation_seq = 2")(seed)
    seed.raw.run(
        "MATCH (:Document {id: $id})-[h:HAS_PART]->() SET h.invalid_at = '2026-04-01'",
        {"id": POLICY_ID},
    )


def _deletes(label: str, identity: str) -> Callable[[Seed], None]:
    match = f"MATCH (n:{label} {{id: $id}}) DETACH DELETE n"

    def act(seed: Seed) -> None:
        seed.raw.run(match, {"id": identity})

    return act


def _travelling(seed: Seed) -> None:
    """Flags still travel in the project."""
    seed.raw.run("MATCH (q:Project {project_id: 'p'}) SET q.review_incomplete = true", {})


def _replaces(seed: Seed) -> None:
    """Another event, with an id of its own, stands where the first event was."""
    _set_event(seed, 1, "e.id = 'another'")


def _event(seq: int) -> str:
    return derived("Event", derived("p", "t"), seq)


MOVED = blocked("document_changed", "document", POLICY_ID, "Policy", "needs_review")
GONE = blocked("document_removed", "document", POLICY_ID, "Policy")
CHECKED: dict[str, tuple[Callable[[Seed], None], tuple[StepResultValidity, ResultBlock | None]]] = {
    "nothing happened": (_nothing, REUSABLE),
    "result redacted": (_redacts(2), blocked("result_redacted", ref="t/2", label="t, event 2")),
    "result truncated": (_truncates(2), blocked("result_truncated", ref="t/2", label="t, event 2")),
    "result gone": (
        _deletes("Event", _event(2)),
        blocked("result_gone", ref="t/2", label="t, event 2"),
    ),
    "document moved on": (_document(NEXT), MOVED),
    "document activated again": (_document("d.activation_seq = 2"), MOVED),
    "document of another text": (_document("d.current_content_hash = 'x'"), MOVED),
    "document removed": (_removes, GONE),
    "document gone": (
        _deletes("Document", POLICY_ID),
        blocked("document_removed", "document", POLICY_ID, "policy"),
    ),
    "event redacted": (_redacts(1), blocked("event_redacted", "event", "t/1", "t, event 1")),
    "event truncated": (_truncates(1), blocked("event_truncated", "event", "t/1", "t, event 1")),
    "event gone": (
        _deletes("Event", _event(1)),
        blocked("event_gone", "event", "t/1", "t, event 1"),
    ),
    "another event in its place": (
        _replaces,
        blocked("event_gone", "event", "t/1", "t, event 1"),
    ),
    "decision flagged": (
        _decision(review_state="needs_review"),
        blocked("decision_needs_review", "decision", SCOPE, "scope", "needs_review"),
    ),
    "decision rejected": (
        _decision(status="rejected"),
        blocked("decision_rejected", "decision", SCOPE, "scope", "needs_review"),
    ),
    "decision superseded": (
        _decision(status="superseded"),
        blocked("decision_superseded", "decision", SCOPE, "scope", "needs_review"),
    ),
    "decision gone": (
        _deletes("Decision", SCOPE),
        blocked("decision_gone", "decision", SCOPE, "a deleted decision"),
    ),
    "flags travel": (
        _travelling,
        blocked("decision_needs_review", "decision", SCOPE, "scope", "needs_review"),
    ),
    "the first support that fails decides": (
        _both(_redacts(1), _decision(status="rejected"), _document(NEXT)),
        MOVED,
    ),
    "the result before its supports": (
        _both(_removes, _truncates(2)),
        blocked("result_truncated", ref="t/2", label="t, event 2"),
    ),
}


@pytest.mark.parametrize("case", CHECKED)
def test_a_result_is_checked_at_each_read(case: str, work: Work, seeded: Seed) -> None:
    """What a result rests on decides whether it may be used again, the first that fails."""
    act, wanted = CHECKED[case]
    assert finish(work, CITED, Heard("t", 1), SCOPE).recorded
    act(seeded)
    step = summary(work)
    assert (step.result_validity, step.result_blocked_by) == wanted


@pytest.mark.parametrize(
    ("props", "wanted"),
    [
        ({"result_basis": "independent", "result_event_seq": 2}, REUSABLE),
        ({"result_basis": "independent"}, blocked("no_result")),
        ({"result_basis": "supported"}, blocked("no_result")),
        ({"result_event_seq": 2}, blocked("basis_unknown", validity="unknown")),
        ({"result_basis": "supported", "result_event_seq": 2}, blocked("no_supports")),
        ({"result_basis": None, "result_event_seq": 2, "result_supports": None},
         blocked("basis_unknown", validity="unknown")),
    ],
)  # fmt: skip
def test_results_of_the_library_are_checked_alike(
    props: Props, wanted: tuple[Any, Any], work: Work, seeded: Seed
) -> None:
    """A step without our properties is read as the library reads it."""
    seeded.step("read", "completed", **props)
    step = summary(work)
    assert (step.result_validity, step.result_blocked_by) == wanted
    assert (step.set_by, step.set_at) == (None, None)


def test_an_event_without_its_id_holds_no_result(work: Work, seeded: Seed) -> None:
    """The library, killed between its two statements, leaves such an event; it reads unavailable."""
    _set_event(seeded, 2, "e.id = null")
    result = work.history.set_step("t", "read", DONE, result_event_seq=2)
    assert result.recorded
    assert summary(work).result_validity == "unavailable"


def test_a_step_names_who_set_it_until_the_library_does(work: Work, seeded: Seed) -> None:
    """Author and time are of the last setting; the library keeps neither."""
    del seeded
    assert work.by("careful").history.set_step("t", "read", RUNNING).recorded
    step = summary(work)
    assert step.set_by == "careful"
    assert step.set_at is not None
    work.raw.run("MATCH (s:Step {id: $id}) SET s.state = 'failed'", {"id": STEP})
    assert (summary(work).set_by, summary(work).set_at) == (None, None)
    assert work.by("later").history.set_step("t", "read", RUNNING).recorded
    assert summary(work).set_by == "later"


def test_checking_costs_two_reads_however_much_there_is(work: Work, seeded: Seed) -> None:
    """Fifty results on twenty supports each cost the task view and the list one read more."""
    made = seeded.decisions([(f"d{k}", ()) for k in range(10)])
    seeded.events("t", *("more" for _ in range(40)))
    cited: list[Cited] = [CITED, *made, *(Heard("t", k) for k in range(10, 19))]
    assert finish(work, *cited, name="00").recorded
    pattern = node(work.raw, "Step", name="00")["result_supports"]
    for k in range(1, 60):
        props = {"result_event_seq": k % 40 + 1, "result_supports": pattern}
        seeded.step(f"{k:02}", "completed", result_basis="supported", **props)
    with counting() as trips:
        view = work.history.get_task("t").view
    assert trips.count == 2
    assert view is not None
    assert {s.result_validity for s in view.steps[DONE]} == {StepResultValidity.REUSABLE}
    assert (len(view.steps[DONE]), view.steps_truncated) == (50, True)
    with counting() as trips:
        page = work.history.list_steps("t", limit=200)
    assert trips.count == 2
    assert [s.result_validity for s in page.steps] == [StepResultValidity.REUSABLE] * 60


# Lists.


def test_steps_are_listed_by_name(work: Work, seeded: Seed) -> None:
    """Pages follow each other, of one state or of all, of this task alone."""
    seeded.task("u")
    seeded.step("elsewhere", task="u")
    for k in range(7):
        seeded.step(f"s{k}", "failed" if k % 2 else "completed")
    first = work.history.list_steps("t", limit=3)
    assert [s.name for s in first.steps] == ["s0", "s1", "s2"]
    assert (first.found, first.truncated, first.next_after_name) == (True, True, "s2")
    rest = work.history.list_steps("t", after_name="s2", limit=4)
    assert [s.name for s in rest.steps] == ["s3", "s4", "s5", "s6"]
    assert (rest.truncated, rest.next_after_name) == (False, None)
    failed = work.history.list_steps("t", "failed", limit=2)
    assert [s.name for s in failed.steps] == ["s1", "s3"]
    more = work.history.list_steps("t", StepState.FAILED, after_name=failed.next_after_name)
    assert [s.name for s in more.steps] == ["s5"]
    assert work.history.list_steps("t", RUNNING).steps == []


def test_steps_of_no_task(work: Work, seeded: Seed) -> None:
    """A task that is not there, or in another project, has no list."""
    seeded.step("read")
    assert work.history.list_steps("nowhere").found is False
    assert work.within("q").history.list_steps("t").found is False
    assert work.history.list_steps("t\0").found is False


@pytest.mark.parametrize(("limit", "shown"), [(-1, 1), (0, 1), (500, 200)])
def test_a_page_of_steps_has_at_most_200(limit: int, shown: int, work: Work, seeded: Seed) -> None:
    """Limits are kept within 1 and 200."""
    for k in range(201):
        seeded.step(f"{k:03}")
    page = work.history.list_steps("t", limit=limit)
    assert (len(page.steps), page.truncated) == (shown, True)


def test_an_event_is_fetched_by_its_number(work: Work, seeded: Seed) -> None:
    """With its body, and redacted once it is; a number or task that is not there is not found."""
    event = work.history.fetch_event("t", 2).event
    assert event is not None
    assert (event.seq, event.payload, event.redacted_at) == (2, "found", None)
    assert work.retention.redact_event(str(event.id)).recorded
    again = work.history.fetch_event("t", 2).event
    assert again is not None
    assert again.redacted_at is not None
    assert "found" not in again.payload
    _set_event(seeded, 3, "e.id = null")
    halved = work.history.fetch_event("t", 3).event
    assert halved is not None
    assert str(halved.id) == _event(3)
    for task, seq in (("t", 0), ("t", 5), ("t", -1), ("t", 2**70), ("nowhere", 1)):
        assert work.history.fetch_event(task, seq).found is False
    assert work.within("q").history.fetch_event("t", 2).found is False


# Resuming.


def test_resuming_marks_what_was_in_progress(work: Work, seeded: Seed) -> None:
    """Those steps become unknown and keep the rest; what is left comes back, then what to check again."""
    for name, state in (("b", "in_progress"), ("a", "in_progress"), ("c", "failed"),
                        ("d", "not_started"), ("e", "unknown"), ("f", "completed")):  # fmt: skip
        seeded.step(name, state, kind="analysis")
    assert finish(work, CITED, name="good").recorded
    assert finish(work, Heard("t", 1), name="stale").recorded
    _redacts(1)(seeded)
    result = work.by("next").history.resume_task("t")
    assert answer(result) == (True, None)
    assert result.marked_unknown == ["a", "b"]
    assert [(s.name, s.state) for s in result.to_do] == [
        ("c", "failed"),
        ("a", "unknown"),
        ("b", "unknown"),
        ("e", "unknown"),
        ("d", "not_started"),
    ]
    assert [(s.name, s.result_validity) for s in result.recheck] == [
        ("f", "unavailable"),
        ("stale", "unavailable"),
    ]
    assert result.task is not None
    assert (result.task.name, result.truncated) == ("t", False)
    found = node(work.raw, "Step", name="a")
    assert (found["state"], found["kind"], found["updated_seq"]) == ("unknown", "analysis", 4)
    assert (found["ctx_author"], found["ctx_version"]) == ("next", 1)
    assert [s for s in result.to_do if s.name == "a"] == [summary(work, "a")]
    assert entry(work.raw, "resume_task")["manifest"]["changed"] == {
        node(work.raw, "Step", name=name)["id"]: {
            "state": ["in_progress", "unknown"],
            "updated_seq": [0, 4],
        }
        for name in ("a", "b")
    }


def test_many_steps_are_marked_in_one_commit(work: Work, seeded: Seed) -> None:
    """A view shows fifty, resuming marks all of them, in one read and one commit."""
    for k in range(120):
        seeded.step(f"{k:03}", "in_progress")
    with counting() as trips:
        result = work.history.resume_task("t")
    assert trips.count == 2
    assert result.marked_unknown == [f"{k:03}" for k in range(120)]
    assert len(result.to_do) == 120
    states = {s["state"] for s in nodes(work.raw, "Step")}
    assert (states, len(entries(work.raw))) == ({"unknown"}, 1)


def test_resuming_is_bounded(work: Work, seeded: Seed) -> None:
    """A thousand at a time, and the result says that there are more."""
    task_id = derived("p", "t")
    steps = [
        MARK
        | {"id": f"s{k}", "task_id": task_id, "name": f"{k:04}", "kind": "read"}
        | {"state": "in_progress"}
        for k in range(1100)
    ]
    seeded.create("Step", steps)
    seeded.link("Task", "HAS_STEP", "Step", [(task_id, step["id"]) for step in steps])
    first, second = work.history.resume_task("t"), work.history.resume_task("t")
    assert (len(first.marked_unknown), first.truncated) == (1000, True)
    assert len(second.marked_unknown) == 100
    assert {s["state"] for s in nodes(work.raw, "Step")} == {"unknown"}


def test_resuming_what_nobody_left_in_progress_writes_nothing(work: Work, seeded: Seed) -> None:
    """Without a request id it is a read; with one, only that is claimed."""
    seeded.step("c", "failed")
    before = dump(work.raw)
    first = work.history.resume_task("t")
    assert dump(work.raw) == before
    second = work.history.resume_task("t", request_id="r")
    assert second == first
    assert [s.name for s in first.to_do] == ["c"]
    assert entries(work.raw) == []
    assert len(nodes(work.raw, "Request")) == 1


def test_a_repeated_resumption_gives_the_first_result(work: Work, seeded: Seed) -> None:
    """The request id answers for what it did, although the steps have moved on."""
    seeded.step("a", "in_progress")
    first = work.history.resume_task("t", request_id="r")
    assert first.marked_unknown == ["a"]
    assert work.history.set_step("t", "a", RUNNING).recorded
    assert work.history.resume_task("t", request_id="r") == first
    assert node(work.raw, "Step", name="a")["state"] == "in_progress"
    assert work.history.resume_task("t").marked_unknown == ["a"]


def test_a_resumption_whose_answer_was_lost_is_found(work: Work, seeded: Seed) -> None:
    """The steps that it marked are named, and marked once."""
    seeded.step("a", "in_progress")
    seeded.step("e", "unknown")
    result = work.through(Deaf(work.store)).history.resume_task("t")
    assert result.marked_unknown == ["a"]
    assert node(work.raw, "Step", name="a")["ctx_version"] == 1


def test_a_step_finished_in_between_is_not_marked(work: Work, seeded: Seed) -> None:
    """What another completes between gather and commit stays completed."""
    seeded.step("a", "in_progress")
    seeded.step("b", "in_progress")

    def meanwhile() -> None:
        done = work.history.set_step("t", "a", DONE, result_event_seq=1, result_basis="independent")
        assert done.recorded

    result = work.through(Meanwhile(work.store, meanwhile)).history.resume_task("t")
    assert result.marked_unknown == ["b"]
    assert node(work.raw, "Step", name="a")["state"] == "completed"
    assert result.recheck == []


@pytest.mark.parametrize(
    ("task", "request_id", "code"),
    [
        ("nowhere", None, "task_not_found"),
        ("t", "", "invalid_request_id"),
        ("t\0", None, "invalid_text"),
        ("x" * 1001, None, "name_too_long"),
    ],
)
def test_a_refused_resumption_leaves_nothing(
    task: str, request_id: str | None, code: str, work: Work, seeded: Seed
) -> None:
    """There must be such a task, and names and ids are checked at the door."""
    seeded.step("a", "in_progress")
    before = dump(work.raw)
    refused = work.history.resume_task(task, request_id=request_id)
    assert answer(refused) == (False, code)
    assert dump(work.raw) == before
