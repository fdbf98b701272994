"""Reaffirming in bulk: who qualifies, the sample, the button, the worker, and what it leaves."""

from typing import Any

import pytest
from django.db.models import QuerySet
from django.test import Client

from graphstore.records import ReviewState
from graphstore.store import counting
from reviewconsole import bulk_running, jobs
from reviewconsole.addresses import bulk_start_url, bulk_url, bundle_url, open_url
from reviewconsole.bulk_models import BulkItem, BulkWhy, Ending, ItemState, Stage
from reviewconsole.bulk_rules import draw_sample, sample_size
from reviewconsole.models import Access, Bulk, FlaggedDecision, User
from tests.web.browsing import Answer, at, judge, post
from tests.web.bulk_world import KEY, Shifts, handbook, noticed, rule, sampled
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World

ROUND_TRIPS = 5
WHY = "The change is about lunch."


@pytest.fixture
def shifts(world: World) -> Shifts:
    """Seven decisions that wait because of a change that touches none of them."""
    made = Shifts(world)
    made.change()
    return made


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def of(bulk: Bulk, **which: Any) -> QuerySet[BulkItem]:
    """Its decisions, or some of them."""
    return BulkItem.objects.filter(bulk=bulk, **which)


def begun(client: Client) -> Bulk:
    post(client, bulk_start_url(PROJECT, KEY), {})
    return Bulk.objects.get()


def pressed(client: Client, bulk: Bulk, why: str = WHY) -> Answer:
    """Press the button of the page as it stands."""
    page = client.get(bulk_url(PROJECT, bulk.uuid))
    sent = {
        "seen": page.context["signature"],
        "request_id": page.context["form"]["request_id"].value(),
        "explanation": why,
    }
    return post(client, bulk_url(PROJECT, bulk.uuid), sent)


def ready(client: Client, shifts: Shifts) -> Bulk:
    """A bulk whose sample is reaffirmed and whose rest was looked at."""
    bulk = begun(client)
    jobs.run_bulk(bulk.pk)
    shifts.settle_sample(bulk)
    return bulk


def test_a_bulk_from_its_sample_to_its_results(shifts: Shifts, bobs: Client) -> None:
    """The sample by one button each, then why, then each of the rest by itself, in words and graph."""
    bulk = begun(bobs)
    jobs.run_bulk(bulk.pk)
    order = [item.decision_id for item in of(bulk, sampled=True).order_by("ordinal")]
    page = bobs.get(at(order[0]))
    assert (page.context["sample"]["number"], page.context["sample"]["of"]) == (1, 5)
    assert not bobs.get(bulk_url(PROJECT, bulk.uuid)).context["ready"]
    led_to = [sampled(bobs, one)["Location"] for one in order]
    assert led_to == [*(open_url(PROJECT, one) for one in order[1:]), bulk_url(PROJECT, bulk.uuid)]
    assert pressed(bobs, bulk, why=" ").status_code == 422
    assert pressed(bobs, bulk).status_code == 303
    jobs.run_bulk(bulk.pk)
    bulk.refresh_from_db()
    rest = list(of(bulk, sampled=False))
    assert (bulk.stage, bulk.size, len(rest)) == (Stage.DONE, 7, 2)
    assert {item.state for item in rest} == {ItemState.REAFFIRMED}
    assert not BulkWhy.objects.exists()
    assert not FlaggedDecision.objects.filter(cleared_us__isnull=True).exists()
    states = {shifts.world.now(decision).review_state for decision in shifts.decisions}
    assert states == {ReviewState.CLEAR}
    verdicts = [shifts.world.traces.get_verdict(item.verdict_id) for item in rest]
    assert [(v.decision_id, v.why) for v in verdicts] == [(i.decision_id, WHY) for i in rest]
    assert {(v.exhibit.in_bulk, v.exhibit.in_bulk_opened) for v in verdicts} == {(7, 5)}
    results = bobs.get(bulk_url(PROJECT, bulk.uuid)).context["rows"]
    seen = {row["sampled"]: bobs.get(row["verdict_url"]).content.decode() for row in results}
    assert "in bulk with 6 others, 5 opened" in seen[False]
    assert "by itself" in seen[True]


@pytest.mark.parametrize(
    ("verdict", "ending"), [("reject", Ending.REJECTED), ("reaffirm", ""), ("", "")]
)
def test_one_of_the_sample_that_is_not_reaffirmed_ends_the_bulk(
    shifts: Shifts, bobs: Client, verdict: str, ending: str
) -> None:
    """A verdict that was chosen stands against the button, and the rest waits as it did."""
    bulk = begun(bobs)
    first = of(bulk, sampled=True).order_by("ordinal")[0].decision_id
    assert sampled(bobs, first, verdict=verdict, explanation="No longer so.").status_code == 303
    bulk.refresh_from_db()
    assert bulk.ending == ending
    assert FlaggedDecision.objects.filter(cleared_us__isnull=True).count() == 6


def test_a_verdict_at_another_door_counts_for_the_sample(shifts: Shifts, bobs: Client) -> None:
    """The bulk finds it in the graph: a reaffirmation goes on, a rejection ends it."""
    bulk = begun(bobs)
    kept, rejected = of(bulk, sampled=True).order_by("ordinal")[:2]
    by_id = {decision.id: decision for decision in shifts.decisions}
    judge(bobs, by_id[kept.decision_id], "reaffirm")
    BulkItem.objects.filter(pk=kept.pk).update(state=ItemState.WAITING, verdict_id="")
    bobs.get(bulk_url(PROJECT, bulk.uuid))
    kept.refresh_from_db()
    assert (kept.state, bool(kept.verdict_id)) == (ItemState.REAFFIRMED, True)
    shifts.world.traces.reject_decision(str(rejected.decision_id), "No longer so.")
    noticed()
    page = bobs.get(bulk_url(PROJECT, bulk.uuid))
    assert page.context["bulk"].ending == Ending.REJECTED


def test_what_moved_after_the_button_is_left_out_with_its_reason(
    shifts: Shifts, bobs: Client
) -> None:
    """A decision that was judged meanwhile, and one that another now rests on, are not judged."""
    bulk = ready(bobs, shifts)
    judged, moved = of(bulk, sampled=False).order_by("ordinal")[:2]
    pressed(bobs, bulk)
    by_id = {decision.id: decision for decision in shifts.decisions}
    judge(bobs, by_id[judged.decision_id], "reject", explanation="No longer so.")
    shifts.world.traces.ask_for_review(str(moved.decision_id), "Look again.")
    jobs.run_bulk(bulk.pk)
    judged.refresh_from_db()
    moved.refresh_from_db()
    assert (judged.state, judged.why_not) == (ItemState.LEFT_OUT, "judged")
    assert moved.state == ItemState.LEFT_OUT
    page = bobs.get(bulk_url(PROJECT, bulk.uuid, show="left_out"))
    assert [row["decision"] is None for row in page.context["rows"]] == [True, False]
    assert "It was judged meanwhile" in page.content.decode()


def test_a_worker_that_died_after_a_commit_judges_nothing_twice(
    shifts: Shifts, bobs: Client
) -> None:
    """The next one finds the verdict by the request id of bulk and decision."""
    bulk = ready(bobs, shifts)
    pressed(bobs, bulk)
    jobs.run_bulk(bulk.pk)
    before = {i.decision_id: i.verdict_id for i in of(bulk, sampled=False)}
    lost = BulkItem.objects.filter(bulk=bulk, sampled=False)
    lost.update(state=ItemState.WAITING, verdict_id="", done_us=None)
    Bulk.objects.filter(pk=bulk.pk).update(stage=Stage.RUNNING)
    BulkWhy.objects.create(bulk=bulk, text=WHY)
    assert bulk_running.unfinished() == [bulk.pk]
    jobs.run_bulk(bulk.pk)
    assert {i.decision_id: i.verdict_id for i in of(bulk, sampled=False)} == before
    assert all(
        len(shifts.world.traces.list_verdicts(decision_id=str(one)).verdicts) == 1 for one in before
    )


def test_the_button_needs_the_page_that_was_seen(shifts: Shifts, bobs: Client) -> None:
    """On another state of things nothing happens and the page comes again, text kept."""
    bulk = ready(bobs, shifts)
    stale = {"seen": "0" * 64, "request_id": "r", "explanation": WHY}
    answer = post(bobs, bulk_url(PROJECT, bulk.uuid), stale)
    assert answer.status_code == 409
    assert WHY in answer.content.decode()
    bulk.refresh_from_db()
    assert bulk.stage == Stage.SAMPLING


def test_whoever_may_no_longer_judge_has_nothing_judged_for_them(
    shifts: Shifts, bobs: Client, bob: User
) -> None:
    """The worker ends the bulk, and its why goes with it."""
    bulk = ready(bobs, shifts)
    pressed(bobs, bulk)
    Access.objects.filter(user=bob).delete()
    jobs.run_bulk(bulk.pk)
    bulk.refresh_from_db()
    assert (bulk.stage, bulk.ending) == (Stage.ENDED, Ending.FORBIDDEN)
    assert not BulkWhy.objects.exists()
    assert not of(bulk, sampled=False, state=ItemState.REAFFIRMED).exists()


def test_nothing_dangerous_is_offered(world: World, bobs: Client) -> None:
    """Each that is not calm says in words why it is judged singly."""
    shifts = Shifts(world, rules=10)
    shifts.change()
    rows = {row.decision_id: row for row in FlaggedDecision.objects.all()}
    a, b, c, d = (rows[decision.id] for decision in shifts.decisions[:4])
    FlaggedDecision.objects.filter(pk=a.pk).update(dangers="number", calm=False)
    FlaggedDecision.objects.filter(pk=b.pk).update(comparison="edited", calm=False)
    FlaggedDecision.objects.filter(pk=c.pk).update(dependents=10)
    FlaggedDecision.objects.filter(pk=d.pk).update(due=1)
    page = bobs.get(bulk_start_url(PROJECT, KEY))
    whys = {why.value: number for why, number in page.context["offered"].whys.items()}
    assert whys == {"danger": 1, "changed": 1, "relied_on": 1, "not_compared": 1}
    assert len(page.context["rows"]) == 6
    named = bobs.get(bulk_start_url(PROJECT, KEY, why="relied_on"))
    assert [row["decision"].id for row in named.context["rows"]] == [c.decision_id]
    assert "10 decisions or more rest on it." in named.content.decode()
    bulk = begun(bobs)
    assert bulk.size == 6
    assert not {a.decision_id, b.decision_id, c.decision_id, d.decision_id} & set(
        of(bulk).values_list("decision_id", flat=True)
    )


def test_a_bundle_says_how_far_it_is_and_what_else_caused_a_flag(
    shifts: Shifts, bobs: Client
) -> None:
    """What was judged is counted as done; a decision with two causes names the other bundle."""
    world = shifts.world
    both = [world.cite_from(KEY, *_last(shifts)), world.cite("Shipping is never refunded.")]
    two = world.decide("two", "Two things hold.", list(both))
    shifts.change("Lunch is at two.")
    world.shorten_policy()
    noticed()
    judge(bobs, shifts.decisions[0], "reaffirm")
    with counting() as trips:
        page = bobs.get(bundle_url(PROJECT, KEY))
    assert trips.count <= ROUND_TRIPS
    assert (page.context["bundle"].waiting, page.context["bundle"].done) == (7, 1)
    row = next(row for row in page.context["rows"] if row["decision"].id == two.id)
    assert [other["words"] for other in row["others"]] == ["Refund policy"]
    assert page.context["offered"].qualify == 6
    assert bobs.get(bundle_url(PROJECT, "policy")).context["bundle"].waiting == 4


def _last(shifts: Shifts) -> tuple[str, str]:
    return handbook(shifts.rules, "Lunch is at one."), rule(3)


@pytest.mark.usefixtures("world")
def test_a_bundle_of_a_document_that_nobody_knows_is_none(bobs: Client) -> None:
    """And one in which nothing waits says so."""
    assert bobs.get(bundle_url(PROJECT, "nothing")).status_code == 404
    empty = bobs.get(bundle_url(PROJECT, "policy")).content.decode()
    assert "Nothing waits because of this document" in empty


def test_a_sample_is_the_same_for_the_same_seed(shifts: Shifts) -> None:
    """Whatever the order of the decisions; what more rests on is drawn more often."""
    ids = [decision.id for decision in shifts.decisions]
    weights = dict.fromkeys(ids, 0)
    seeds = [decision.task_id for decision in shifts.decisions]
    assert draw_sample(seeds[0], weights) == draw_sample(seeds[0], dict(reversed(weights.items())))
    drawn = [draw_sample(seed, weights | {ids[0]: 1_000}) for seed in ids]
    assert all(ids[0] in sample for sample in drawn)
    assert [sample_size(n) for n in (3, 6, 25, 26, 240)] == [3, 5, 5, 6, 16]
