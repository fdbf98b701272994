"""What a verdict would do: the plan that is shown is the one that is committed."""

from typing import Any

import pytest

from graphstore.impact import Impact, VerdictPlans
from graphstore.records import Actor, DecisionSupportInput, EventSupportInput
from graphstore.results import BlockedBy
from graphstore.store import counting
from tests.contract.looking import Props, dump, nodes
from tests.contract.seeding import Heard, Passage, Seed, derived
from tests.contract.world import DAYS, DAYS_15, POLICY, POLICY_15, Work, answer, evidence

CITED = Passage("policy", POLICY, DAYS)
NOW = Passage("policy", POLICY_15, DAYS_15, seq=2)
FLAG: Props = {
    "review_state": "needs_review",
    "review_reason": "source_changed",
    "ctx_causes": [f"document:{CITED.document_id}:2"],
    "ctx_flagged_us": 5,
}


def of(choice: str, task: str = "t") -> str:
    """The id of a decision."""
    return derived("Decision", derived("p", task), choice, 1)


def plans(work: Work) -> VerdictPlans:
    """The plans of verdicts that the reviewer may give."""
    return VerdictPlans(work.store, project_id="p", actor=Actor(agent_id="reviewer"))


@pytest.fixture(autouse=True)
def shop(seed: Seed, work: Work) -> None:
    """`days` is flagged; `mail` below it too; `reply`, `memo` and, over `reply`, `last` are clear."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")
    seed.task("letters")
    seed.document("policy", POLICY, POLICY_15)
    days = seed.decision("days", CITED, Heard("t", 1), **FLAG)
    below: Props = {**FLAG, "review_reason": "dependency_review"}
    seed.decision("mail", days, **below)
    reply = seed.decision("reply", days, task="letters")
    seed.decision("memo", days, Heard("t", 2))
    seed.decision("last", reply)
    on: dict[str, Any] = {"result_basis": "supported", "result_event_seq": 2}
    for name, decision in (("write", reply), ("read", days)):
        cited = DecisionSupportInput(decision_id=decision)
        assert work.history.set_step("t", name, "completed", supports=[cited], **on).recorded


def shown(impact: Impact) -> dict[str, tuple[int, int, int]]:
    """The decisions to be flagged: hops, supports, and how many of them stay clear."""
    return {one.decision_id: (one.hops, one.supports, one.left) for one in impact.affected}


def test_what_is_shown_is_what_is_committed(work: Work) -> None:
    """Rejecting: each decision that is flagged, what it keeps, whose task, which results turn."""
    before = dump(work.raw)
    with counting() as trips:
        impact = plans(work).reject(of("days"))
    assert trips.count == 3
    assert dump(work.raw) == before
    assert shown(impact) == {
        of("reply", "letters"): (1, 1, 0),
        of("last"): (2, 1, 0),
        of("memo"): (1, 2, 1),
    }
    assert (impact.direct, impact.transitive) == (2, 1)
    assert (impact.loses_last, impact.keeps, impact.already, impact.citing) == (2, 1, 1, 3)
    assert impact.tasks == ["letters", "t"]
    # What rests on `days` itself may not be used as it is.
    assert [(one.task_name, one.name) for one in impact.steps] == [("t", "write")]
    assert impact.complete
    result = work.traces.reject_decision(of("days"), "Wrong.")
    assert {str(one) for one in result.flagged} == shown(impact).keys()
    validity = {one.name: one.result_validity for one in work.history.list_steps("t").steps}
    assert validity["write"] == "needs_review"


def test_a_new_revision_is_born_flagged_as_was_shown(work: Work) -> None:
    """On the passage as it was cited it is, on the present one not; the rest is as in a rejection."""
    event = EventSupportInput(task_name="t", seq=1)
    for passage, born in ((CITED, True), (NOW, False)):
        given = evidence(passage)
        impact = plans(work).supersede(
            of("days"),
            "New.",
            "So.",
            supports=[*given["evidence"], event],
            fetched_evidence=given["fetched_evidence"],
        )
        assert impact.born_flagged is born
        assert list(impact.born_causes) == ([f"document:{CITED.document_id}:2"] if born else [])
        assert impact.flags == 3
    given = evidence(NOW)
    made = work.traces.supersede_decision(
        of("days"),
        "New.",
        "So.",
        explanation="It changed.",
        supports=given["evidence"],
        fetched_evidence=given["fetched_evidence"],
    )
    assert {str(one) for one in made.flagged} == shown(impact).keys()
    assert made.decision is not None
    assert made.decision.review_state == "clear"


def test_a_refusal_is_shown_before(work: Work) -> None:
    """Whatever the verdict would be refused for, with what stands in the way."""
    assert plans(work).reaffirm(of("days"), **_given(NOW)).error is None
    old = plans(work).reaffirm(of("days"), **_given(CITED))
    assert [one.cause for one in old.blockers] == [BlockedBy.EVIDENCE_OUTDATED]
    assert [one.cause for one in plans(work).reaffirm(of("mail"), []).blockers] == [
        BlockedBy.PARENT_NEEDS_REVIEW
    ]
    assert plans(work).reject(of("nothing")).error == "decision_not_found"
    moved = plans(work).reject(of("days"), seen=".".join(["0" * 16] * 4))
    assert (moved.error, len(moved.moved)) == ("moved", 4)
    assert answer(work.traces.reject_decision(of("days"), "Wrong.")) == (True, None)
    assert plans(work).reject(of("days")).error == "decision_not_active"
    assert plans(work).supersede(of("days"), "c", "r", supports=[]).error is not None


def _given(passage: Passage) -> dict[str, Any]:
    given = evidence(passage)
    return {"evidence": given["evidence"], "fetched": given["fetched_evidence"]}


def test_what_lies_beyond_is_left_to_a_job(work: Work, seed: Seed) -> None:
    """Eight levels go with the verdict; that there are more is said."""
    above = of("last")
    for level in range(9):
        above = seed.decision(f"level {level}", above)
    impact = plans(work).reject(of("days"))
    assert not impact.complete
    assert (impact.flags, max(one.hops for one in impact.affected)) == (9, 8)
    assert len(nodes(work.raw, "CtxTrace")) == 2
