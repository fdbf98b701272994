"""Steps: where each stands, what its result is worth and why, and what the task decided."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from graphstore import HistoryRetention
from graphstore.records import (
    BlockCause,
    DocumentSupportInput,
    EventSupportInput,
    StepResultBasis,
    StepState,
    SupportInput,
)
from graphstore.store import counting
from reviewconsole import steps as step_words
from reviewconsole.addresses import (
    conflict_url,
    decision_url,
    document_url,
    event_url,
    queue_url,
    steps_url,
    task_url,
)
from reviewconsole.models import User
from tests.web.browsing import Answer, open_queue
from tests.web.conftest import SignedIn
from tests.web.world import POLICY_KEY, PROJECT, World

FIRST = "Refunds are paid within 30 days of the request."


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def complete(
    world: World, name: str, supports: list[SupportInput] | None = None, seq: int | None = 2
) -> None:
    """A completed step with its result in event 2; without supports, independent."""
    cited = [one.evidence_id for one in supports or [] if isinstance(one, DocumentSupportInput)]
    basis = StepResultBasis.SUPPORTED if supports else StepResultBasis.INDEPENDENT
    assert world.history.set_step(
        "audit",
        name,
        StepState.COMPLETED,
        result_event_seq=seq,
        result_basis=basis,
        supports=supports or [],
        fetched_evidence=world.documents.fetch_evidence(cited) if cited else [],
    ).recorded


def task_page(client: Client, **query: str) -> Answer:
    answer = client.get(task_url(PROJECT, "audit", **query))
    assert answer.status_code == 200
    return answer


def line(client: Client, name: str) -> dict[str, Any]:
    """What the task's page says about a step."""
    groups = task_page(client).context["step_groups"]
    return {one["step"].name: one for group in groups for one in group["steps"]}[name]


def test_steps_stand_by_state_with_how_many_there_are(world: World, bobs: Client) -> None:
    """Open ones first."""
    complete(world, "read")
    for number in range(8):
        world.history.set_step("audit", f"later {number}", StepState.NOT_STARTED)
    world.history.set_step("audit", "now", StepState.IN_PROGRESS)
    page = task_page(bobs)
    assert [
        (group["label"], group["count"], len(group["steps"]), group["more"])
        for group in page.context["step_groups"]
    ] == [("In progress", 1, 1, 0), ("Not started", 8, 6, 2), ("Completed", 1, 1, 0)]
    assert page.context["new_run"] == "A new run would take up 9 steps."


def test_a_task_without_steps_has_no_list_of_them(world: World, bobs: Client) -> None:
    """Nor a sentence about a run."""
    page = task_page(bobs)
    assert (page.context["step_groups"], page.context["new_run"]) == ([], "")
    answer = bobs.get(steps_url(world.project, "audit"))
    assert "No step is recorded" in answer.content.decode()


Change = Callable[[World], object]


def _reject(world: World) -> None:
    assert world.traces.reject_decision(str(world.scope.id), "No.").recorded


def _redact(world: World) -> None:
    events = world.history.list_events("audit").events
    retention = HistoryRetention(world.store, project_id=PROJECT, agent_id="admin")
    assert retention.redact_event(str(events[1].id)).recorded


def _remove(world: World) -> None:
    assert world.documents.remove_document(POLICY_KEY).recorded


@pytest.mark.parametrize(
    ("rests_on", "change", "validity", "why"),
    [
        ("nothing", _reject, "reusable", ""),
        ("document", _reject, "reusable", ""),
        ("document", World.shorten_policy, "needs_review", "Refund policy changed since."),
        ("document", _remove, "unavailable", "Refund policy was removed."),
        ("decision", _reject, "needs_review", "The decision on scope was rejected."),
        ("nothing", _redact, "unavailable", "The text of its result was erased."),
        ("decision", _redact, "unavailable", "The text of its result was erased."),
    ],
)
def test_a_result_says_what_it_is_worth_and_why(
    world: World, bobs: Client, rests_on: str, change: Change, validity: str, why: str
) -> None:
    """In words, with a link to what stands against it."""
    supports: dict[str, list[SupportInput]] = {
        "nothing": [],
        "document": [world.cite(FIRST)],
        "decision": [world.on(world.scope)],
    }
    complete(world, "read", supports[rests_on])
    change(world)
    shown = line(bobs, "read")
    assert (shown["validity"], shown["why"]) == (validity, why)
    html = task_page(bobs).content.decode()
    assert {
        "reusable": "completed · valid",
        "needs_review": "completed · look again",
        "unavailable": "completed · result unavailable",
    }[validity] in html
    assert why in html


def test_a_result_of_which_nobody_said_what_it_rests_on_is_unknown(
    world: World, bobs: Client
) -> None:
    """And so it is one to check again."""
    world.history.set_step("audit", "read", StepState.COMPLETED, result_event_seq=2)
    assert line(bobs, "read")["why"] == "Nobody recorded what its result rests on."
    page = task_page(bobs)
    assert "completed · validity unknown" in page.content.decode()
    assert page.context["new_run"] == "A new run would check 1 result again."


def test_every_cause_has_words() -> None:
    """None of them falls through."""
    assert set(step_words.BLOCKS) == set(BlockCause)


def test_a_result_links_to_its_event_and_to_what_it_rests_on(world: World, bobs: Client) -> None:
    """The document, the event, and the decision by its conclusion."""
    event = EventSupportInput(task_name="audit", seq=1)
    complete(world, "read", [world.cite(FIRST), event, world.on(world.scope)])
    shown = line(bobs, "read")
    assert shown["result_url"] == event_url(PROJECT, "audit", 2)
    assert [(one["words"], one["url"]) for one in shown["supports"]] == [
        (POLICY_KEY, document_url(PROJECT, POLICY_KEY)),
        ("event 1 of audit", event_url(PROJECT, "audit", 1)),
        ("Only the EU matters.", decision_url(PROJECT, world.scope.id)),
    ]
    assert "Rests on 3" in task_page(bobs).content.decode()


def test_what_is_gone_is_named_and_not_linked(world: World, bobs: Client) -> None:
    """An event and a decision of a task that was deleted."""
    world.history.record_event("letters", "note", payload="Sent.")
    event = EventSupportInput(task_name="letters", seq=1)
    complete(world, "read", [event, world.on(world.letter)])
    retention = HistoryRetention(world.store, project_id=PROJECT, agent_id="admin")
    assert retention.delete_task("letters").recorded
    shown = line(bobs, "read")
    assert shown["why_url"] is None
    assert shown["supports"][1] == {
        "kind": "decision",
        "words": "a decision that is gone",
        "url": None,
    }
    assert task_page(bobs).status_code == 200


def test_what_stands_against_a_result_is_linked(world: World, bobs: Client) -> None:
    """To the document that changed."""
    complete(world, "read", [world.on(world.scope), world.cite(FIRST)])
    world.shorten_policy()
    assert line(bobs, "read")["why_url"] == document_url(PROJECT, POLICY_KEY)


def test_an_event_says_which_step_it_completed(world: World, bobs: Client) -> None:
    """In the log, beside the text."""
    complete(world, "read the shop")
    assert "Result of the step <strong>read the shop</strong>" in task_page(bobs).content.decode()


def test_nothing_to_do_is_said(world: World, bobs: Client) -> None:
    """When every result holds."""
    complete(world, "read")
    assert task_page(bobs).context["new_run"] == "A new run would have nothing to do."


# The page of steps


def test_the_page_of_steps_lists_them_by_name(world: World, bobs: Client) -> None:
    """In pages, filtered by state, none twice."""
    complete(world, "a first", [world.on(world.scope)])
    for number in range(60):
        world.history.set_step("audit", f"step {number:02}", StepState.NOT_STARTED)
    page = bobs.get(steps_url(PROJECT, "audit"))
    assert [(c["label"], c["count"]) for c in page.context["state_choices"]] == [
        ("All", 61),
        ("Not started", 60),
        ("Completed", 1),
    ]
    names = [one["step"].name for one in page.context["steps"]]
    more = bobs.get(page.context["next_url"]).context
    names += [one["step"].name for one in more["steps"]]
    assert names == ["a first", *(f"step {number:02}" for number in range(60))]
    assert more["next_url"] is None
    done = bobs.get(steps_url(PROJECT, "audit", state="completed"))
    assert [one["step"].name for one in done.context["steps"]] == ["a first"]
    assert "Only the EU matters." in done.content.decode()
    failed = bobs.get(steps_url(PROJECT, "audit", state="failed"))
    assert "No such step" in failed.content.decode()


def test_a_state_that_is_none_filters_nothing(world: World, bobs: Client) -> None:
    """Addresses get cut in mails."""
    world.history.set_step("audit", "one", StepState.FAILED)
    assert len(bobs.get(steps_url(PROJECT, "audit", state="nonsense")).context["steps"]) == 1


@pytest.mark.usefixtures("world")
def test_steps_of_no_task_are_not_there(bobs: Client) -> None:
    """404 in one sentence."""
    assert bobs.get(steps_url(PROJECT, "no such task")).status_code == 404


def test_names_of_steps_are_only_text(world: World, bobs: Client) -> None:
    """Agents name steps as they like."""
    name = "<script>alert(1)</script>{{ 7|add:7 }}"
    world.history.set_step("audit", name, StepState.FAILED)
    for url in (task_url(PROJECT, "audit"), steps_url(PROJECT, "audit")):
        html = bobs.get(url).content.decode()
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert(1)&lt;/script&gt;{{ 7|add:7 }}" in html


@pytest.mark.parametrize("url", [task_url, steps_url])
def test_steps_cost_few_round_trips(world: World, bobs: Client, url: Callable[..., str]) -> None:
    """However many there are and whatever they rest on."""
    for number in range(20):
        event = EventSupportInput(task_name="audit", seq=1)
        complete(world, f"{number}", [world.cite(FIRST), event, world.on(world.days)])
    bobs.get(url(PROJECT, "audit"))
    with counting() as trips:
        bobs.get(url(PROJECT, "audit"))
    assert trips.count <= 5


# What was decided


def test_decisions_are_counted_by_what_became_of_them(world: World, bobs: Client) -> None:
    """Each count leads to its list."""
    world.shorten_policy()
    assert world.traces.reject_decision(str(world.scope.id), "No.").recorded
    open_queue(bobs)
    context = task_page(bobs).context
    assert (context["active"]["count"], context["waits"]["count"]) == (2, 2)
    assert [(one["label"], one["count"]) for one in context["retired"]] == [("rejected", 1)]
    assert context["waits"]["url"] == queue_url(PROJECT, task=str(world.days.task_id))
    assert len(bobs.get(context["waits"]["url"]).context["rows"]) == 2
    for address in (context["active"]["url"], context["retired"][0]["url"]):
        assert bobs.get(address).status_code == 200


def test_conflicts_with_other_tasks_lead_to_their_boards(world: World, bobs: Client) -> None:
    """By choice key."""
    cited = [world.cite(FIRST)]
    world.decide("days", "Refunds take 90 days.", [*cited], task="letters")
    conflicts = task_page(bobs).context["conflicts"]
    assert conflicts == [{"key": "days", "url": conflict_url(PROJECT, "days")}]
    assert bobs.get(conflicts[0]["url"]).status_code == 200
