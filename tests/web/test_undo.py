"""Taking verdicts back: whose, what it restores, and what stands in its way."""

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from pytest_django.fixtures import Settings

import graphstore
from graphstore.records import Decision, DecisionStatus, ReviewState, VerdictKind, VerdictRecord
from graphstore.store import counting
from reviewconsole import stores
from reviewconsole.addresses import ask_url, claim_url, decision_url, verdicts_url, withdraw_url
from reviewconsole.models import Access, FlaggedDecision, Role, User
from tests.web.browsing import Answer, at, judge, open_decision, open_queue, post
from tests.web.conftest import SignedIn
from tests.web.test_asking import asking, fields
from tests.web.world import PROJECT, SHORTER, World

WHY = "I looked at the wrong <i>paragraph</i>."


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


@pytest.fixture
def flagged(world: World, bobs: Client) -> World:
    """The project after the policy changed, its flags in the queue."""
    world.shorten_policy()
    open_queue(bobs)
    return world


def last(world: World, kind: VerdictKind) -> VerdictRecord:
    """The newest verdict of a kind."""
    return world.traces.list_verdicts(kind=kind).verdicts[0]


def open_undo(client: Client, verdict: VerdictRecord) -> Answer:
    answer = client.get(withdraw_url(PROJECT, verdict.id))
    assert answer.status_code == 200
    return answer


def take_back(client: Client, verdict: VerdictRecord, why: str = WHY) -> Answer:
    """Open the page that takes it back, write why, send it."""
    form = fields(open_undo(client, verdict).context["form"]) | {"explanation": why}
    return post(client, withdraw_url(PROJECT, verdict.id), form)


def waiting() -> set[object]:
    """What waits, as the queue knows it."""
    rows = FlaggedDecision.objects.filter(project_id=PROJECT, cleared_us__isnull=True)
    return {row.decision_id for row in rows}


def rejected(world: World, client: Client, decision: Decision) -> VerdictRecord:
    judge(client, decision, "reject", explanation="The period is wrong.")
    assert world.now(decision).status == DecisionStatus.REJECTED
    return last(world, VerdictKind.REJECT)


def test_a_rejection_taken_back_waits_again(flagged: World, bob: User, bobs: Client) -> None:
    """The decision is as it was, its verdict stays in the record as taken back."""
    verdict = rejected(flagged, bobs, flagged.signature)
    assert flagged.signature.id not in waiting()
    answer = take_back(bobs, verdict)
    assert (answer.status_code, answer["Location"]) == (303, at(flagged.signature))
    now = flagged.now(flagged.signature)
    assert (now.status, now.review_state) == (DecisionStatus.ACTIVE, ReviewState.NEEDS_REVIEW)
    assert flagged.signature.id in waiting()
    kept = flagged.traces.get_verdict(verdict.id)
    assert kept is not None
    assert kept.withdrawn_by == bob.agent_id


def test_a_reaffirmation_taken_back_waits_again(flagged: World, bobs: Client) -> None:
    """On the evidence that it cited before."""
    judge(bobs, flagged.signature, "reaffirm")
    take_back(bobs, last(flagged, VerdictKind.REAFFIRM))
    now = flagged.now(flagged.signature)
    assert now.review_state == ReviewState.NEEDS_REVIEW
    assert [s.reviewed_by for s in now.supports] == [None]


def test_a_supersession_taken_back_leaves_a_rejected_revision(flagged: World, bobs: Client) -> None:
    """The old revision is active again, the new one stays as a record."""
    judge(
        bobs,
        flagged.signature,
        "supersede",
        conclusion="Three people sign.",
        rationale="x",
        explanation="x",
        support_0="present",
    )
    verdict = last(flagged, VerdictKind.SUPERSEDE)
    page = open_undo(bobs, verdict)
    assert page.context["what_it_does"] == [
        "Revision 1 is active again, and waits for review.",
        "The revision that replaced it is rejected; its record stays.",
    ]
    take_back(bobs, verdict)
    assert flagged.now(flagged.signature).status == DecisionStatus.ACTIVE
    assert verdict.new_decision_id is not None
    assert flagged.now(verdict.new_decision_id).status == DecisionStatus.REJECTED


def test_an_asking_taken_back_lifts_its_flags(world: World, bobs: Client) -> None:
    """Of the decision and of what rests on it, and the message counts them."""
    asking(bobs, world.days)
    answer = take_back(bobs, last(world, VerdictKind.ASK))
    assert world.now(world.days).review_state == ReviewState.CLEAR
    assert world.now(world.letter).review_state == ReviewState.CLEAR
    assert waiting() == set()
    told = [str(message) for message in get_messages(answer.wsgi_request)]
    assert "1 decision that it had flagged is clear again." in told[-1]


def test_the_page_says_beforehand_what_it_would_do(world: World, bobs: Client) -> None:
    """Whose flags go with it; nothing is written by looking."""
    asking(bobs, world.days)
    page = open_undo(bobs, last(world, VerdictKind.ASK))
    assert (page.context["lifted"], page.context["kept"]) == (1, 0)
    assert page.context["what_it_does"] == ["The decision no longer waits."]
    assert world.now(world.days).review_state == ReviewState.NEEDS_REVIEW


def test_what_was_built_upon_stays(flagged: World, bobs: Client) -> None:
    """The page lists it with links and offers to ask for review instead."""
    judge(bobs, flagged.signature, "reaffirm")
    verdict = last(flagged, VerdictKind.REAFFIRM)
    form = fields(open_undo(bobs, verdict).context["form"]) | {"explanation": WHY}
    built = flagged.decide("sign-online", "They sign online.", [flagged.on(flagged.signature)])
    answer = post(bobs, withdraw_url(PROJECT, verdict.id), form)
    assert answer.status_code == 409
    assert answer.context["refusal"]["code"] == "built_upon"
    assert [(one["label"], one["url"]) for one in answer.context["built"]] == [
        (built.conclusion, decision_url(PROJECT, built.id))
    ]
    assert answer.context["ask_url"] == ask_url(PROJECT, flagged.signature.id)
    assert answer.context["typed"] == [{"label": "Why", "text": WHY}]
    assert flagged.now(flagged.signature).review_state == ReviewState.CLEAR
    page = open_undo(bobs, verdict)
    assert not page.context["open"]
    assert len(page.context["built"]) == 1


def test_it_needs_a_reason(flagged: World, bobs: Client) -> None:
    """Both the verdict and its withdrawal say why."""
    answer = take_back(bobs, rejected(flagged, bobs, flagged.signature), " ")
    assert answer.status_code == 422
    assert answer.context["form"].errors["explanation"]
    assert flagged.now(flagged.signature).status == DecisionStatus.REJECTED


def test_a_graph_that_is_down_holds_the_form(
    flagged: World, bobs: Client, settings: Settings
) -> None:
    """It carries its first mark, so what had landed is taken back once, and the why stays."""
    verdict, graph = rejected(flagged, bobs, flagged.days), settings.GRAPH
    url = withdraw_url(PROJECT, verdict.id)
    form = fields(open_undo(bobs, verdict).context["form"]) | {"explanation": WHY}
    assert post(bobs, url, form).status_code == 303
    stores.close_store()
    settings.GRAPH = graphstore.Settings(engine="falkordb", falkordb_url="redis://127.0.0.1:1")
    answer = post(bobs, url, form)
    assert answer.status_code == 503
    assert fields(answer.context["form"]) == form
    stores.close_store()
    settings.GRAPH = graph
    assert post(bobs, url, fields(answer.context["form"])).status_code == 303
    assert len(flagged.traces.list_verdicts(kind=VerdictKind.WITHDRAW).verdicts) == 1


def test_sending_it_twice_takes_it_back_once(flagged: World, bobs: Client) -> None:
    """The second sending finds the first."""
    verdict = rejected(flagged, bobs, flagged.signature)
    form = fields(open_undo(bobs, verdict).context["form"]) | {"explanation": WHY}
    for _ in range(2):
        assert post(bobs, withdraw_url(PROJECT, verdict.id), form).status_code == 303
    taken = flagged.traces.list_verdicts(kind=VerdictKind.WITHDRAW).verdicts
    assert [one.withdraws for one in taken] == [verdict.id]


def test_what_was_taken_back_already_says_so(flagged: World, bobs: Client) -> None:
    """From a page that was opened before, too, with the reason kept."""
    verdict = rejected(flagged, bobs, flagged.signature)
    form = fields(open_undo(bobs, verdict).context["form"]) | {"explanation": WHY}
    take_back(bobs, verdict)
    answer = post(bobs, withdraw_url(PROJECT, verdict.id), form)
    assert answer.status_code == 404
    assert answer.context["refusal"]["code"] == "verdict_not_found"
    assert answer.context["typed"] == [{"label": "Why", "text": WHY}]
    assert open_undo(bobs, verdict).context["closed_words"] == "It was taken back already."


def test_a_withdrawal_cannot_be_taken_back(flagged: World, bobs: Client) -> None:
    """Whoever regrets that judges the decision again."""
    take_back(bobs, rejected(flagged, bobs, flagged.signature))
    page = open_undo(bobs, last(flagged, VerdictKind.WITHDRAW))
    assert not page.context["open"]
    assert "judge the decision again" in page.context["closed_words"]


def test_others_verdicts_are_the_managers_to_take_back(
    flagged: World, bobs: Client, alice: User, signed_in: SignedIn
) -> None:
    """A reviewer is told so, a manager takes them back."""
    alices = signed_in(alice)
    verdict = rejected(flagged, alices, flagged.signature)
    assert bobs.get(withdraw_url(PROJECT, verdict.id)).status_code == 403
    assert post(bobs, withdraw_url(PROJECT, verdict.id), {"explanation": WHY}).status_code == 403
    # Her next decision is hers until she leaves it.
    post(alices, claim_url(PROJECT, flagged.days.id), {"do": "release"})
    own = rejected(flagged, bobs, flagged.days)
    Access.objects.filter(user=alice).update(role=Role.MANAGER)
    assert take_back(alices, own).status_code == 303


def test_a_verdict_of_another_project_is_not_there(world: World, bob: User, bobs: Client) -> None:
    """Roles are per project, and so are verdicts."""
    other = World(world.store, project="elsewhere")
    given = other.traces.ask_for_review(other.days.id, "Look.").verdict_id
    assert given is not None
    Access.objects.create(user=bob, project_id="elsewhere", role=Role.ADMIN)
    assert bobs.get(withdraw_url(PROJECT, given)).status_code == 404
    assert bobs.get(withdraw_url("elsewhere", given)).status_code == 200


def test_the_way_back_stands_right_after_the_verdict(flagged: World, bobs: Client) -> None:
    """In the message, on the next page, beside the earlier verdict and in the list."""
    verdict = rejected(flagged, bobs, flagged.signature)
    undo = withdraw_url(PROJECT, verdict.id)
    following = open_decision(bobs, flagged.days)
    assert following.content.decode().count(f'href="{undo}"') == 2
    assert following.context["undo_url"] == undo
    page = open_decision(bobs, flagged.signature)
    assert [line["undo_url"] for line in page.context["verdicts"]] == [undo]
    rows = bobs.get(verdicts_url(PROJECT)).context["rows"]
    assert [row["undo_url"] for row in rows] == [undo]


def test_the_key_leads_nowhere_once_it_is_taken_back(flagged: World, bobs: Client) -> None:
    """An undo is of the last verdict only, and of that once."""
    take_back(bobs, rejected(flagged, bobs, flagged.signature))
    assert open_decision(bobs, flagged.days).context["undo_url"] is None


def test_a_decision_that_was_flagged_again_stays_as_it_is(flagged: World, bobs: Client) -> None:
    """The policy changed after the verdict; the page says so before anything is sent."""
    judge(bobs, flagged.signature, "reaffirm")
    flagged.documents.put_document("policy", f"{SHORTER}\n\nMore.", title="Refund policy")
    page = open_undo(bobs, last(flagged, VerdictKind.REAFFIRM))
    assert [(one["url"], one["words"]) for one in page.context["built"]] == [
        (at(flagged.signature), "was flagged again since")
    ]
    assert not page.context["open"]


def test_taking_back_costs_few_round_trips(flagged: World, bobs: Client) -> None:
    """The verdict, the operation, and the index that follows it."""
    verdict = rejected(flagged, bobs, flagged.signature)
    form = fields(open_undo(bobs, verdict).context["form"]) | {"explanation": WHY}
    with counting() as trips:
        assert post(bobs, withdraw_url(PROJECT, verdict.id), form).status_code == 303
    assert trips.count <= 5


def test_the_page_costs_few_round_trips(flagged: World, bobs: Client) -> None:
    """The verdict, and what taking it back would do."""
    verdict = rejected(flagged, bobs, flagged.signature)
    with counting() as trips:
        open_undo(bobs, verdict)
    assert trips.count <= 3
