"""Conflicts: the list, the board of one choice, and settling by a plan that does what it showed."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

import graphstore
from graphstore import DecisionTraces, HistoryRetention
from graphstore.records import (
    Decision,
    DecisionStatus,
    EventSupportInput,
    Exhibit,
    ReviewState,
    SupportInput,
)
from graphstore.store import counting
from reviewconsole import stores
from reviewconsole.addresses import (
    conflict_url,
    conflicts_url,
    decision_url,
    decisions_url,
    keep_url,
)
from reviewconsole.models import Access, Draft, FlaggedDecision, Role, User
from reviewconsole.settling import MOST
from reviewconsole.sides import sides_of
from tests.servers import GraphSettings
from tests.web.browsing import Answer, open_queue, post
from tests.web.conftest import PASSWORD, SignedIn
from tests.web.world import PROJECT, World

SHIPPING = "Shipping is never refunded."
WHY = "The letter knew no better."
BOARD = conflict_url(PROJECT, "days")


@pytest.fixture
def mia() -> User:
    """A manager of the project."""
    user = User.objects.create_user("mia", password=PASSWORD, first_name="Mia")
    Access.objects.create(user=user, project_id=PROJECT, role=Role.MANAGER)
    return user


@pytest.fixture
def mias(mia: User, signed_in: SignedIn) -> Client:
    """Mia's browser."""
    return signed_in(mia)


@pytest.fixture
def rival(world: World) -> Decision:
    """Another task decided `days` otherwise; `promise` rests on that."""
    made = world.decide("days", "Refunds take a week.", [world.cite(SHIPPING)], task="letters")
    world.decide("promise", "A week is promised.", [world.on(made)], task="letters")
    return made


def also(world: World, conclusion: str, task: str, choice: str = "days") -> Decision:
    """One more task decides the choice."""
    world.history.create_task(task, f"The goal of {task}.")
    return world.decide(choice, conclusion, [world.cite(SHIPPING)], task=task)


def plan(client: Client, kept: Decision) -> Answer:
    """The plan for keeping a decision's side."""
    return client.get(keep_url(PROJECT, kept.choice_key, kept.id))


def filled(answer: Answer, **typed: str) -> dict[str, Any]:
    """What sending the plan's form sends."""
    form = answer.context["form"]
    hidden = {name: form[name].value() for name in ("plan", "request_id")}
    return {**hidden, "explanation": WHY, "ground": "wrong_when_made", **typed}


def send(client: Client, kept: Decision, form: dict[str, Any]) -> Answer:
    return post(client, keep_url(PROJECT, kept.choice_key, kept.id), form)


def told(client: Client) -> str:
    """The message on the next page."""
    return " ".join(str(message) for message in client.get(BOARD).context["messages"])


def states(answer: Answer) -> list[str]:
    return [one["state"] for one in answer.context["refusal"]["outcomes"]]


# Sides


def test_equal_conclusions_are_one_side(world: World) -> None:
    """Case, blanks and a full stop make no other side; a word does."""
    made = [
        also(world, text, f"task {number}")
        for number, text in enumerate(
            ["Refunds take\n a WEEK", "Refunds take a week.", "Refunds take one week."]
        )
    ]
    assert [[one.id for one in side.decisions] for side in sides_of(reversed(made))] == [
        [made[0].id, made[1].id],
        [made[2].id],
    ]


# The list


@pytest.mark.usefixtures("world")
def test_without_a_conflict_the_list_says_what_one_is(mias: Client) -> None:
    """Nobody needs to start anything for it."""
    page = mias.get(conflicts_url(PROJECT)).content.decode()
    assert "No conflict" in page
    assert "one choice key with different conclusions" in page


def test_a_row_says_how_many_tasks_and_sides(world: World, rival: Decision, mias: Client) -> None:
    """With the conclusions, the first and the last decision, and what is flagged."""
    third = also(world, "Refunds take a week", "calls")
    world.traces.reject_decision(str(world.scope.id), "`days` rests on it and is flagged.")
    row = mias.get(conflicts_url(PROJECT)).context["rows"][0]
    assert (row["key"], row["tasks"], row["side_count"], row["flagged"]) == ("days", 3, 2, 1)
    assert [side.conclusion for side in row["sides"]] == [
        world.days.conclusion,
        rival.conclusion,
    ]
    assert (row["oldest"], row["newest"]) == (world.days.created_at, third.created_at)
    assert row["url"] == BOARD


def test_the_list_goes_on_for_pages(world: World, mias: Client) -> None:
    """By choice key, none twice."""
    for number in range(35):
        for task in ("audit", "letters"):
            world.decide(
                f"choice {number:02}", f"As {task} says.", [world.cite(SHIPPING)], task=task
            )
    page = mias.get(conflicts_url(PROJECT))
    first = [row["key"] for row in page.context["rows"]]
    second = [row["key"] for row in mias.get(page.context["next_url"]).context["rows"]]
    assert first + second == [f"choice {number:02}" for number in range(35)]
    assert "35 choices are decided" in page.content.decode()


@pytest.mark.usefixtures("rival")
def test_the_list_costs_few_round_trips(mias: Client) -> None:
    """The list, and the number in the frame once in a while."""
    with counting() as trips:
        mias.get(conflicts_url(PROJECT))
    assert trips.count <= 2


# The board


def test_the_board_sets_the_sides_beside_each_other(
    world: World, rival: Decision, mias: Client
) -> None:
    """Each with its tasks and their goals, what it stands on, and how many rest on it."""
    page = mias.get(BOARD)
    days, week = page.context["sides"]
    assert (days["side"].conclusion, days["dependents"]) == (world.days.conclusion, 1)
    assert (week["side"].conclusion, week["dependents"]) == (rival.conclusion, 1)
    assert [line["goal"] for line in week["lines"]] == ["Write to the customers."]
    titles = [cited["title"] for cited in days["evidence"]]
    assert titles[0] == "Refund policy"
    assert titles[1] == "Event 2 of its task, tool result search"
    assert days["evidence"][0]["quote"] == "Refunds are paid within 30 days of the request."
    assert days["evidence"][2]["quote"] == world.scope.conclusion
    text = page.content.decode()
    assert "2 tasks chose differently" in text
    assert decision_url(PROJECT, rival.id) in text


def test_the_board_says_what_became_of_the_evidence(
    world: World, rival: Decision, mias: Client
) -> None:
    """A newer version, a removed document, a rejected decision."""
    world.shorten_policy()
    world.traces.reject_decision(str(world.scope.id), "The rest of the world matters.")
    days = mias.get(BOARD).context["sides"][0]
    assert [cited["since"] for cited in days["evidence"]] == ["changed", "", "rejected"]
    assert days["evidence"][0]["quote"] == "Refunds are paid within 30 days of the request."
    world.documents.remove_document("policy")
    sides = mias.get(BOARD).context["sides"]
    assert [side["evidence"][0]["since"] for side in sides] == ["removed", "removed"]
    assert rival.conclusion in mias.get(BOARD).content.decode()


def test_earlier_decisions_of_the_choice_stand_below(
    world: World, rival: Decision, mias: Client
) -> None:
    """With what was said when they were rejected."""
    world.traces.reject_decision(str(rival.id), "Nobody waits a week.")
    page = mias.get(BOARD)
    assert len(page.context["sides"]) == 1
    assert [one["decision"].id for one in page.context["earlier"]] == [rival.id]
    text = page.content.decode()
    assert "There is no conflict" in text
    assert "Nobody waits a week." in text
    assert "Keep this side" not in text
    world.traces.reject_decision(str(world.days.id), "Nor a month.")
    assert "Nothing is decided at the moment" in mias.get(BOARD).content.decode()


@pytest.mark.usefixtures("world")
def test_a_choice_that_nobody_decided_is_not_there(mias: Client) -> None:
    """404 for the board, and for the plan to keep a decision that is nowhere."""
    assert mias.get(conflict_url(PROJECT, "no such choice")).status_code == 404
    assert mias.get(keep_url(PROJECT, "no such choice", uuid4())).status_code == 404


@pytest.mark.usefixtures("rival")
@pytest.mark.parametrize("role", [Role.READER, Role.REVIEWER])
def test_who_does_not_manage_sees_the_board_without_the_means(
    role: Role, charlie: User, signed_in: SignedIn, world: World
) -> None:
    """The sides are for all who read; the plan is not theirs to open or to send."""
    Access.objects.create(user=charlie, project_id=PROJECT, role=role)
    client = signed_in(charlie)
    page = client.get(BOARD)
    assert page.status_code == 200
    assert world.days.conclusion in page.content.decode()
    assert "Keep this side" not in page.content.decode()
    assert plan(client, world.days).status_code == 403
    refused = send(client, world.days, {"explanation": WHY})
    assert refused.status_code == 403
    assert WHY in refused.content.decode()
    assert world.now(world.days).status == DecisionStatus.ACTIVE


@pytest.mark.parametrize("name", ["a/b c", "..", "日本語", "100%", "~", "<i>x</i>"])
def test_a_choice_of_any_name_has_a_board(world: World, mias: Client, name: str) -> None:
    """Agents name choices as they like."""
    for task in ("audit", "letters"):
        world.decide(name, f"As {task} says.", [world.cite(SHIPPING)], task=task)
    page = mias.get(conflict_url(PROJECT, name))
    assert page.context["key"] == name
    assert mias.get(page.context["sides"][0]["keep_url"]).status_code == 200
    assert "<i>x</i>" not in page.content.decode()


def test_hostile_text_is_text(world: World, mias: Client) -> None:
    """In conclusions, goals, keys, titles, tool results and whys, on every page of a conflict."""
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'>{{ 7|add:7 }}"
    world.history.create_task(hostile, hostile)
    world.history.record_event(hostile, "tool_result", name=hostile, payload=hostile)
    supports: list[SupportInput] = [world.cite(SHIPPING)]
    one = world.decide(hostile, hostile, supports, task=hostile)
    other = world.decide(hostile, "Otherwise.", supports, task="audit")
    world.decide("on it", hostile, [world.on(other)])
    world.documents.put_document("policy", "All new.", title=hostile)
    board = mias.get(conflict_url(PROJECT, hostile))
    shown = plan(mias, one)
    answers = [board, mias.get(conflicts_url(PROJECT)), shown]
    answers.append(send(mias, one, filled(shown, explanation=hostile, ground="")))
    send(mias, one, filled(plan(mias, one), explanation=hostile))
    answers.append(mias.get(conflict_url(PROJECT, hostile)))
    for answer in answers:
        text = answer.content.decode()
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "&lt;script&gt;alert(1)" in text


def test_the_board_costs_few_round_trips(world: World, rival: Decision, mias: Client) -> None:
    """However many decisions it compares: the sides, what is around them, passages, history."""
    for number in range(30):
        also(world, f"Refunds take {number} days.", f"task {number}")
    assert rival.id
    mias.get(BOARD)
    with counting() as trips:
        page = mias.get(BOARD)
    assert len(page.context["sides"]) == 32
    assert trips.count <= 4


# Settling


def test_the_plan_says_what_happens_to_each(world: World, rival: Decision, mias: Client) -> None:
    """Who loses, in which order, and who is flagged through it; nothing is chosen or written."""
    page = plan(mias, world.days)
    assert [item["decision"].id for item in page.context["losing"]] == [rival.id]
    rest = page.context["losing"][0]["dependents"]
    assert [one["decision"].conclusion for one in rest] == ["A week is promised."]
    form = page.context["form"]
    assert (form["explanation"].value(), form["ground"].value()) == (None, None)
    assert world.now(rival).status == DecisionStatus.ACTIVE


def test_a_side_is_kept_and_the_others_are_rejected(
    world: World, rival: Decision, mia: User, mias: Client
) -> None:
    """By this person, with this why; who rests on them is flagged, and the board says it all."""
    third = also(world, "Refunds take a year.", "calls")
    answer = send(mias, world.days, filled(plan(mias, world.days)))
    assert (answer.status_code, answer["Location"]) == (303, BOARD)
    for lost in (rival, third):
        now = world.now(lost)
        assert (now.status, now.rejection_reason) == (DecisionStatus.REJECTED, WHY)
        assert now.rejected_by == mia.agent_id
    assert world.now(world.days).status == DecisionStatus.ACTIVE
    message = told(mias)
    assert "2 decisions rejected" in message
    assert "1 decision flagged through it" in message
    assert "nothing was flagged through it" in message
    assert not Draft.objects.exists()
    assert mias.get(conflicts_url(PROJECT)).context["rows"] == []
    counts = {item["label"]: item["count"] for item in mias.get(BOARD).context["nav"]}
    assert counts["Conflicts"] is None
    rows = open_queue(mias).context["rows"]
    assert [row["decision"].conclusion for row in rows] == ["A week is promised."]


def test_no_recorded_text_stays_in_the_session(world: World, rival: Decision, mias: Client) -> None:
    """What was rejected is named by link: a session is beyond the reach of erasure."""
    also(world, "Refunds take a year.", "calls")
    send(mias, world.days, filled(plan(mias, world.days)))
    kept = json.dumps(dict(mias.session), default=str, ensure_ascii=False)
    assert "Settled." in kept
    assert rival.conclusion not in kept
    assert "Refunds take a year." not in kept
    message = told(mias)
    assert f'<a href="{decision_url(PROJECT, rival.id)}">decision ' in message


def test_the_verdict_remembers_how_many_were_judged_at_once(
    world: World, rival: Decision, mias: Client
) -> None:
    """And what rested on each, as the plan showed it."""
    also(world, "Refunds take a year.", "calls")
    send(mias, world.days, filled(plan(mias, world.days)))
    verdict = world.traces.list_verdicts(decision_id=rival.id).verdicts[0]
    assert isinstance(verdict.exhibit, Exhibit)
    assert (verdict.exhibit.in_bulk, verdict.exhibit.dependents) == (2, 1)
    assert verdict.ground == "wrong_when_made"


def test_sending_twice_is_settling_once(world: World, rival: Decision, mias: Client) -> None:
    """A double click, or a retry after an answer was lost, finds what was recorded."""
    form = filled(plan(mias, world.days))
    first, second = send(mias, world.days, form), send(mias, world.days, form)
    assert first.status_code == second.status_code == 303
    assert len(world.traces.list_verdicts(decision_id=rival.id).verdicts) == 1


@pytest.mark.usefixtures("rival")
@pytest.mark.parametrize(
    ("missing", "says"),
    [
        ({"explanation": " "}, "Write why these are rejected"),
        ({"ground": ""}, "Choose what is true of them"),
        ({"ground": "still_holds"}, "Select a valid choice"),
        ({"explanation": "x" * 40_000}, "at most 32000 characters"),
    ],
)
def test_what_is_missing_is_said_and_nothing_is_rejected(
    world: World, rival: Decision, mias: Client, missing: dict[str, str], says: str
) -> None:
    """422, and what was typed is still there."""
    answer = send(mias, world.days, filled(plan(mias, world.days), **missing))
    assert answer.status_code == 422
    assert says in answer.content.decode()
    sent = {"explanation": WHY, "ground": "wrong_when_made"} | missing
    assert {name: answer.context["form"][name].value() for name in sent} == sent
    assert world.now(rival).status == DecisionStatus.ACTIVE


def test_it_stops_at_the_first_refusal(world: World, rival: Decision, mias: Client) -> None:
    """What came before stays rejected, the rest stays as it was, and the page says which is which."""
    third = also(world, "Refunds take a year.", "calls")
    fourth = also(world, "Refunds take an hour.", "mails")
    shown = plan(mias, world.days)
    order = [item["decision"].id for item in shown.context["losing"]]
    assert order == [rival.id, third.id, fourth.id]
    world.traces.reject_decision(str(third.id), "An agent was quicker.")
    answer = send(mias, world.days, filled(shown))
    assert answer.status_code == 409
    assert states(answer) == ["rejected", "refused", "left"]
    text = answer.content.decode()
    assert "1 decision was rejected, then it stopped. 1 other was left as it was." in text
    assert "superseded or rejected in the meantime" in text
    assert [world.now(one).status for one in (rival, third, fourth)] == [
        DecisionStatus.REJECTED,
        DecisionStatus.REJECTED,
        DecisionStatus.ACTIVE,
    ]
    assert [item["decision"].id for item in answer.context["losing"]] == [fourth.id]
    assert answer.context["form"]["explanation"].value() == WHY
    again = send(mias, world.days, filled(answer))
    assert again.status_code == 303
    assert world.now(fourth).rejection_reason == WHY


def _flag(world: World, rival: Decision) -> None:
    del rival
    world.shorten_policy()


def _rest_on(world: World, rival: Decision) -> None:
    world.decide("new", "Something new rests on it.", [world.on(rival)], task="letters")


@pytest.mark.parametrize("change", [_flag, _rest_on])
def test_a_stale_plan_is_refused(
    world: World, rival: Decision, mias: Client, change: Callable[[World, Decision], None]
) -> None:
    """What it showed is not how things stand; the page shows that now, and keeps the why."""
    form = filled(plan(mias, world.days))
    change(world, rival)
    answer = send(mias, world.days, form)
    assert answer.status_code == 409
    assert "It stopped at the first decision, so nothing was rejected" in answer.content.decode()
    assert "Something changed after you opened this page" in answer.content.decode()
    assert world.now(rival).status == DecisionStatus.ACTIVE
    assert answer.context["form"]["explanation"].value() == WHY
    assert send(mias, world.days, filled(answer)).status_code == 303


def test_nothing_is_rejected_for_a_side_that_has_gone(
    world: World, rival: Decision, mias: Client
) -> None:
    """Else nothing would be left of the choice."""
    form = filled(plan(mias, world.days))
    world.traces.reject_decision(str(world.days.id), "Both are wrong.")
    answer = send(mias, world.days, form)
    assert answer.status_code == 409
    assert "This side does not stand any more" in answer.content.decode()
    assert WHY in answer.content.decode()
    assert world.now(rival).status == DecisionStatus.ACTIVE


@pytest.mark.usefixtures("rival")
@pytest.mark.parametrize("forged", ["", "x", "another choice"])
def test_only_a_plan_that_was_shown_is_carried_out(
    world: World, rival: Decision, mias: Client, forged: str
) -> None:
    """Neither an invented one nor that of another choice."""
    for task in ("audit", "letters"):
        world.decide("other", f"As {task} says.", [world.cite(SHIPPING)], task=task)
    sides = mias.get(conflict_url(PROJECT, "other")).context["sides"]
    other = mias.get(sides[0]["keep_url"]).context["form"]["plan"].value()
    sent = other if forged == "another choice" else forged
    answer = send(mias, world.days, filled(plan(mias, world.days), plan=sent))
    assert answer.status_code == 409
    assert "nothing was rejected" in answer.content.decode()
    assert world.now(rival).status == DecisionStatus.ACTIVE


def test_losers_that_rest_on_each_other_go_together(world: World, mias: Client) -> None:
    """The one that rests on the other goes first, so that the other is as it was shown but for it."""
    base = also(world, "Refunds take a week.", "base")
    world.history.create_task("top", "Stand on the base.")
    top = world.decide("days", "Refunds take eight days.", [world.on(base)], task="top")
    shown = plan(mias, world.days)
    assert [item["decision"].id for item in shown.context["losing"]] == [top.id, base.id]
    assert send(mias, world.days, filled(shown)).status_code == 303
    assert [world.now(one).status for one in (base, top)] == [DecisionStatus.REJECTED] * 2


def test_a_newcomer_is_noticed_also_where_losers_rest_on_each_other(
    world: World, mias: Client
) -> None:
    """Only what the plan itself rejected may be missing from what rested on a decision."""
    base = also(world, "Refunds take a week.", "base")
    world.history.create_task("top", "Stand on the base.")
    top = world.decide("days", "Refunds take eight days.", [world.on(base)], task="top")
    form = filled(plan(mias, world.days))
    world.decide("new", "Something new rests on it.", [world.on(base)])
    answer = send(mias, world.days, form)
    assert states(answer) == ["rejected", "refused"]
    assert world.now(top).status == DecisionStatus.REJECTED
    assert world.now(base).status == DecisionStatus.ACTIVE


def test_the_plan_warns_when_the_kept_side_rests_on_a_loser(world: World, mias: Client) -> None:
    """It will need review itself, which is said before and true after."""
    base = also(world, "Refunds take a week.", "base")
    world.history.create_task("top", "Stand on the base.")
    top = world.decide("days", "Refunds take eight days.", [world.on(base)], task="top")
    shown = plan(mias, top)
    assert "The side that you keep rests on it" in shown.content.decode()
    assert send(mias, top, filled(shown)).status_code == 303
    assert world.now(top).review_state == ReviewState.NEEDS_REVIEW


def test_many_losers_take_several_times(world: World, mias: Client) -> None:
    """Each settling is bounded, in what it reads and in what it rejects, and says what is left."""
    made = [also(world, f"Refunds take {n} weeks.", f"task {n}") for n in range(MOST + 2)]
    with counting() as reading:
        shown = plan(mias, world.days)
    assert len(shown.context["losing"]) == MOST
    assert "2 more stay for a second time" in shown.content.decode()
    assert reading.count <= MOST + 2
    with counting() as writing:
        assert send(mias, world.days, filled(shown)).status_code == 303
    assert writing.count <= 2 * MOST + 8
    left = [one for one in made if world.now(one).status == DecisionStatus.ACTIVE]
    assert len(left) == 2
    assert send(mias, world.days, filled(plan(mias, world.days))).status_code == 303
    assert {world.now(one).status for one in made} == {DecisionStatus.REJECTED}


def test_what_was_rejected_leaves_the_queue(world: World, mias: Client) -> None:
    """A flagged loser waits for nobody any more."""
    lost = world.decide(
        "days",
        "Refunds take a month.",
        [world.cite("Refunds are paid within 30 days of the request.")],
        task="letters",
    )
    world.shorten_policy()
    open_queue(mias)
    waiting = FlaggedDecision.objects.filter(decision_id=lost.id, cleared_us__isnull=True)
    assert waiting.exists()
    assert send(mias, world.days, filled(plan(mias, world.days))).status_code == 303
    assert not waiting.exists()


# What is typed is kept


def test_a_dead_graph_keeps_the_why(
    world: World,
    rival: Decision,
    mias: Client,
    graph_settings: GraphSettings,
    settings: Settings,
) -> None:
    """503 with the form; once the graph is back, it goes through, and the plan opens with the why."""
    form = filled(plan(mias, world.days))
    stores.close_store()
    settings.GRAPH = graphstore.Settings(engine="falkordb", falkordb_url="redis://127.0.0.1:1")
    answer = send(mias, world.days, form)
    assert answer.status_code == 503
    assert WHY in answer.content.decode()
    again = {field.html_name: field.value() for field in answer.context["form"]}
    assert again == form
    stores.close_store()
    settings.GRAPH = graphstore.Settings.from_env(graph_settings.environ())
    page = plan(mias, world.days)
    assert page.context["form"]["explanation"].value() == WHY
    assert page.context["form"]["ground"].value() == "wrong_when_made"
    assert send(mias, world.days, again).status_code == 303
    assert world.now(rival).status == DecisionStatus.REJECTED


@pytest.mark.usefixtures("rival")
def test_a_session_that_ended_keeps_the_why(world: World, mias: Client) -> None:
    """Sign-in comes first, then the plan with the text back in its form."""
    form = filled(plan(mias, world.days))
    mias.logout()
    asked = send(mias, world.days, form)
    assert asked.status_code == 403
    sent = {"username": "mia", "password": PASSWORD} | {
        name: asked.context[name] for name in ("next", "kept")
    }
    there = post(mias, "/signin", sent)
    assert there["Location"] == keep_url(PROJECT, "days", world.days.id)
    page = mias.get(there["Location"])
    assert page.context["form"]["explanation"].value() == WHY


@pytest.mark.usefixtures("rival")
def test_a_why_is_shown_to_who_may_not_settle_any_more(
    world: World, mia: User, mias: Client
) -> None:
    """The plan would not open for her, so the text is on the page after sign-in."""
    form = filled(plan(mias, world.days))
    mias.logout()
    asked = send(mias, world.days, form)
    Access.objects.filter(user=mia).update(role=Role.REVIEWER)
    sent = {"username": "mia", "password": PASSWORD} | {
        name: asked.context[name] for name in ("next", "kept")
    }
    answer = post(mias, "/signin", sent)
    assert answer.status_code == 409
    assert answer.context["typed"] == [{"label": "Why", "text": WHY}]


# Ways to the board


def test_pages_of_decisions_lead_to_the_board(world: World, rival: Decision, mias: Client) -> None:
    """From a decision that others decided differently, and from the list of its choice."""
    board = f'href="{BOARD}"'
    assert board in mias.get(decision_url(PROJECT, rival.id)).content.decode()
    assert board in mias.get(decisions_url(PROJECT, choice="days")).content.decode()
    assert board not in mias.get(decision_url(PROJECT, world.scope.id)).content.decode()


def test_another_projects_choice_is_another(world: World, rival: Decision, mias: Client) -> None:
    """The same key elsewhere adds no side, and nothing of it can be kept here."""
    other = World(world.store, project="elsewhere")
    assert len(mias.get(BOARD).context["sides"]) == 2
    assert mias.get(conflict_url("elsewhere", "days")).status_code == 404
    assert mias.get(keep_url(PROJECT, "days", other.days.id)).status_code == 404
    traces = DecisionTraces(world.store, project_id="elsewhere", agent_id="x")
    assert traces.count_conflicts() == 0
    assert rival.id


def test_a_deleted_task_leaves_its_decision_to_be_compared(
    world: World, rival: Decision, mias: Client
) -> None:
    """It has no name and no goal any more, and leads nowhere; what it cited of itself is gone."""
    world.history.create_task("gone", "To be deleted.")
    world.history.record_event("gone", "message", role="user", payload="How long?")
    heard = EventSupportInput(task_name="gone", seq=1)
    kept = world.decide("days", "Refunds take forever.", [heard], task="gone")
    retention = HistoryRetention(world.store, project_id=PROJECT, agent_id="x")
    assert retention.delete_task("gone", include_decisions=False).recorded
    assert world.now(kept).task_deleted
    answers = [
        mias.get(BOARD),
        plan(mias, rival),
        mias.get(decisions_url(PROJECT, choice="days")),
        mias.get(conflicts_url(PROJECT)),
    ]
    assert all("Refunds take forever." in answer.content.decode() for answer in answers)
    assert all("task deleted" in answer.content.decode() for answer in answers[:3])
    side = answers[0].context["sides"][-1]
    assert [cited["title"] for cited in side["evidence"]] == ["An event of a task that is gone"]
