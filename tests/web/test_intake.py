"""Intake: an existing graph's flags, opened in portions, the rest in a backlog."""

import time
from collections.abc import Iterable
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.db.models import Model
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from graphstore.evidence import Comparison
from graphstore.ids import named_id
from graphstore.store import counting
from reviewconsole import claims, comparing
from reviewconsole.addresses import intake_url
from reviewconsole.backlog import parked
from reviewconsole.drafts import keep_draft
from reviewconsole.intake import Portion, PortionKind, by_document, keep, park, take_up
from reviewconsole.models import (
    Access,
    Due,
    FlagCause,
    FlaggedDecision,
    IntakeKind,
    IntakeStep,
    Role,
    User,
)
from reviewconsole.review_index import catch_up, now_us
from reviewconsole.staking import stake_of
from reviewconsole.waiting import by_project, capped, oldest_flag, waiting
from tests.servers import RawGraph
from tests.web import foreign
from tests.web.browsing import at, open_decision, open_queue, post
from tests.web.conftest import SignedIn
from tests.web.world import POLICY_KEY, PROJECT, World

POLICY_ID = named_id("Document", POLICY_KEY)
OLD = 1_700_000_000_000_000
"""When the old flags were found: November 2023."""


@pytest.fixture
def mia() -> User:
    """A manager of the project."""
    user = User.objects.create_user("mia", first_name="Mia")
    Access.objects.create(user=user, project_id=PROJECT, role=Role.MANAGER)
    return user


@pytest.fixture
def mias(mia: User, signed_in: SignedIn) -> Client:
    """Mia's browser."""
    return signed_in(mia)


@pytest.fixture
def flagged(world: World) -> World:
    """The policy changed: `days`, `letter` and `signature` wait and are compared."""
    world.shorten_policy()
    while not catch_up(world.store, PROJECT):
        pass
    comparing.run(world.store, PROJECT, time.monotonic() + 60)
    return world


def old_flags(number: int, **values: object) -> None:
    """Rows of the index as they are after another writer's flags were taken in; no graph behind them.

    Put there as plain rows: building 40,000 objects first would take longer than all that is tested.
    """
    first = FlaggedDecision.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    _fill(FlaggedDecision, (_old_flag(first + 1, place, values) for place in range(number)))
    _fill(
        FlagCause,
        (
            {"flagged_id": first + 1 + place, "kind": "document", "ref": POLICY_ID, "number": 2}
            for place in range(number)
        ),
    )


def _old_flag(first: int, place: int, values: dict[str, object]) -> dict[str, object]:
    own = {
        "id": first + place,
        "project_id": PROJECT,
        "decision_id": UUID(int=first + place),
        "task_id": UUID(int=1 + place % 7),
        "reason": "source_changed",
        "version": 1,
        "flagged_us": OLD + place,
        "created_us": OLD - 1,
        "inferred": True,
        "due": Due.NOTHING.value,
    }
    return own | _found(place) | values


def _fill(model: type[Model], rows: Iterable[dict[str, object]]) -> None:
    """Insert rows, with the defaults of the model for what they leave out."""
    given = list(model._meta.concrete_fields)  # noqa: SLF001 - the table's own columns
    columns = [field for field in given if not (field.primary_key and model is FlagCause)]
    usual = {field.attname: field.get_default() for field in columns}
    into = ", ".join(str(field.column) for field in columns)
    marks = ", ".join("%s" for _ in columns)
    uuids = {field.attname: field for field in columns if field.get_internal_type() == "UUIDField"}
    values: list[list[Any]] = [
        [
            uuids[name].get_db_prep_value(value, connection) if name in uuids else value
            for name, value in (usual | row).items()
        ]
        for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {model._meta.db_table} ({into}) VALUES ({marks})",  # noqa: S608, SLF001
            values,
        )


def _found(place: int) -> dict[str, object]:
    """What a worker found: every eightieth is in an open task, the more rests on it the earlier it is."""
    dependents, open_tasks = (place % 90) // 10, int(place % 80 == 0)
    worst = Comparison.EDITED if place % 4 == 0 else Comparison.VERBATIM
    return {
        "comparison": worst.value,
        "worst": worst.rank,
        "dependents": dependents,
        "open_tasks": open_tasks,
        "supports": 1,
        "stake": stake_of(dependents, open_tasks, worst.rank),
    }


def ids(rows: object) -> set[UUID]:
    return {row.decision_id for row in rows}  # pyright: ignore[reportGeneralTypeIssues]


def test_forty_thousand_old_flags(
    flagged: World,
    mia: User,
    mias: Client,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """The queue opens at once, shows what matters after one step, and every page costs the page."""
    old_flags(40_000)
    with counting() as trips, django_assert_max_num_queries(20):
        page = mias.get(intake_url(PROJECT))
    assert trips.count <= 5
    assert page.context["progress"].flagged == 40_003
    shown = page.content.decode()
    assert "cause inferred from versions for 40,000" in shown
    assert "14 Nov 2023" in shown
    answer = post(
        mias,
        intake_url(PROJECT),
        {"portion": "open_tasks", "size": "500", "seen": page.context["seen"], "then": "keep"},
    )
    assert answer.status_code == 303
    assert capped(waiting(PROJECT)) == (500, False)
    assert parked(PROJECT).count() == 39_503
    assert set(waiting(PROJECT).values_list("open_tasks", flat=True).distinct()) <= {1, 2}
    with counting() as trips:
        assert open_queue(mias).status_code == 200
    assert trips.count <= 5
    step = IntakeStep.objects.get()
    assert (step.user, step.kind, step.kept, step.moved) == (mia, IntakeKind.KEPT, 500, 39_503)
    assert take_up(mia, PROJECT, Portion(PortionKind.EVERYTHING)) > 39_000
    assert not parked(PROJECT).exists()


def test_those_with_the_most_at_stake_are_compared_first_among_many(flagged: World) -> None:
    """Old flags that come by thousands do not hold up what open tasks rest on."""
    old_flags(300, due=Due.STAKE)
    flagged.documents.put_document(POLICY_KEY, "Refunds are never paid.", title="Refund policy")
    while not catch_up(flagged.store, PROJECT):
        pass
    comparing.run(flagged.store, PROJECT, time.monotonic() - 1)
    counted = FlaggedDecision.objects.filter(due__lt=Due.STAKE)
    assert flagged.days.id in ids(counted)
    done = comparing.progress(PROJECT)
    assert 0 < done.counted < done.flagged == 303
    assert comparing.run(flagged.store, PROJECT, time.monotonic() + 60) is False
    assert comparing.progress(PROJECT).compared == 303


def test_the_rest_is_parked_and_counts_nowhere(flagged: World, mia: User, mias: Client) -> None:
    """Ages, counts and the queue leave the backlog out; its decisions stay flagged and open."""
    FlaggedDecision.objects.filter(decision_id=flagged.letter.id).update(flagged_us=OLD)
    chosen = Portion(PortionKind.RELIED_ON, 100)
    assert keep(mia, PROJECT, chosen, now_us()) == 2
    assert ids(waiting(PROJECT)) == {flagged.days.id}
    oldest = oldest_flag(PROJECT)
    assert oldest is not None
    assert oldest.year > 2023
    assert by_project([PROJECT])[PROJECT].number == 1
    queue = open_queue(mias)
    assert [line["decision"].id for line in queue.context["rows"]] == [flagged.days.id]
    assert f'<a href="{intake_url(PROJECT)}">2 in the backlog</a>' in queue.content.decode()
    desk = open_decision(mias, flagged.letter)
    assert desk.context["reviewable"] or desk.context["flag_parked"]
    assert "in the backlog" in desk.content.decode()
    found = mias.get(intake_url(PROJECT)).context["backlog"]
    assert {line["decision"].id for line in found} == {flagged.letter.id, flagged.signature.id}


def test_what_somebody_works_on_is_never_parked(flagged: World, mia: User, bob: User) -> None:
    """A draft, a claim and a question each keep a decision in the queue."""
    keep_draft(bob, PROJECT, flagged.days.id, {"explanation": ["Still so."]})
    claims.take(bob, PROJECT, flagged.letter.id)
    assert flagged.traces.ask_for_review(flagged.scope.id, "Is that so?").recorded
    catch_up(flagged.store, PROJECT)
    assert park(mia, PROJECT, Portion(PortionKind.EVERYTHING), now_us()) == 1
    assert ids(parked(PROJECT)) == {flagged.signature.id}


def test_what_was_flagged_after_the_page_was_drawn_stays(flagged: World, mia: User) -> None:
    """A manager parks what they saw."""
    assert keep(mia, PROJECT, Portion(PortionKind.RELIED_ON, 100), OLD) == 0


def test_whoever_begins_to_work_on_a_parked_decision_takes_it_up(
    flagged: World, mia: User, bob: User
) -> None:
    """By holding it, or by typing about it."""
    park(mia, PROJECT, Portion(PortionKind.EVERYTHING), now_us())
    assert not waiting(PROJECT).exists()
    claims.take(bob, PROJECT, flagged.letter.id)
    assert ids(waiting(PROJECT)) == {flagged.letter.id}
    keep_draft(bob, PROJECT, flagged.days.id, {"explanation": ["Still so."]})
    assert ids(waiting(PROJECT)) == {flagged.letter.id, flagged.days.id}


def test_a_document_is_parked_and_taken_up_as_one(flagged: World, mia: User, mias: Client) -> None:
    """By document: how many wait, how many are parked, what became of their passages."""
    old_flags(3)
    (found,) = by_document(PROJECT)
    assert (found.ref, found.flagged, found.parked, found.inferred) == (POLICY_ID, 6, 0, 3)
    assert found.before_us == OLD + 2
    sent = {"portion": "document", "ref": POLICY_ID, "size": "all", "seen": now_us()}
    answer = post(mias, intake_url(PROJECT), {**sent, "then": "park"})
    assert answer.status_code == 303
    assert by_document(PROJECT)[0].parked == 6
    post(mias, intake_url(PROJECT), {**sent, "then": "take_up"})
    assert by_document(PROJECT)[0].parked == 0
    said = mias.get(intake_url(PROJECT)).content.decode()
    assert "6 decisions were put into the backlog." in said
    assert "parked 6 because of “Refund policy”" in said
    assert "took up 6 because of “Refund policy”" in said
    assert [step.user for step in IntakeStep.objects.all()] == [mia, mia]


@pytest.mark.parametrize(
    "sent",
    [
        {"size": "500", "then": "keep"},
        {"portion": "nonsense", "size": "500", "then": "keep"},
        {"portion": "document", "size": "all", "then": "park"},
        {"portion": "everything", "size": "7", "then": "keep"},
        {"portion": "everything", "size": "all", "then": "burn"},
        {"portion": "everything", "size": "all", "then": "park", "seen": "soon"},
    ],
    ids=str,
)
def test_a_step_that_names_no_portion_moves_nothing(
    sent: dict[str, str], flagged: World, mias: Client
) -> None:
    """The page comes back and says what is missing."""
    answer = post(mias, intake_url(PROJECT), {"seen": str(now_us()), **sent})
    assert answer.status_code == 422
    assert answer.context["error"] == "Choose which decisions first."
    assert waiting(PROJECT).count() == 3
    assert flagged.store is not None


def test_an_old_flag_says_what_is_known_of_it(
    world: World, raw: RawGraph, bob: User, signed_in: SignedIn
) -> None:
    """Nobody knows when another writer flagged a decision: only that it was before, and by what."""
    foreign.flag(raw, world.signature)
    client = signed_in(bob)
    assert "before " in open_queue(client).content.decode()
    said = open_decision(client, world.signature).content.decode()
    assert "cause inferred from versions" in said


def test_the_figures_come_alone_while_the_page_stays_open(flagged: World, mias: Client) -> None:
    """The live part costs no read of the graph, and stops once everything is compared."""
    FlaggedDecision.objects.filter(decision_id=flagged.days.id).update(due=Due.COMPARISON)
    assert mias.get(intake_url(PROJECT)).status_code == 200
    with counting() as trips:
        answer = mias.get(intake_url(PROJECT), headers={"HX-Request": "true"})
    assert trips.count == 0
    said = answer.content.decode()
    assert "2 of 3 are compared (66 %)" in said
    assert "every 5s" in said
    FlaggedDecision.objects.update(due=Due.NOTHING)
    said = mias.get(intake_url(PROJECT), headers={"HX-Request": "true"}).content.decode()
    assert "every 5s" not in said


def test_the_backlog_is_shown_in_pages(flagged: World, mia: User, mias: Client) -> None:
    """Twenty at a time; what the graph does not confirm is dropped."""
    old_flags(30, parked_us=1)
    park(mia, PROJECT, Portion(PortionKind.EVERYTHING), now_us())
    first = mias.get(intake_url(PROJECT))
    assert first.context["next_url"] == intake_url(PROJECT, page=1)
    second = mias.get(intake_url(PROJECT, page=1))
    assert second.context["first_url"] == intake_url(PROJECT)
    assert mias.get(intake_url(PROJECT) + "?page=x").status_code == 200
    assert mias.get(at(flagged.days)).status_code == 200


def test_an_empty_queue_has_nothing_to_open(world: World, mias: Client) -> None:
    """The page says when something will stand there."""
    assert world.store is not None
    said = mias.get(intake_url(PROJECT)).content.decode()
    assert "Nothing is flagged" in said
    assert "Keep these" not in said
