"""The review index follows the graph, whoever wrote there and whatever died in between."""

from uuid import UUID, uuid4

import pytest
from django.test import Client

from graphstore import HistoryRetention
from graphstore.records import FlagState
from graphstore.review_feed import take
from reviewconsole import review_index
from reviewconsole.drafts import keep_draft, why_id
from reviewconsole.models import Draft, FlagCause, FlaggedDecision, IndexMark, User
from reviewconsole.review_index import CONSOLE, apply_states, catch_up, note_judged
from reviewconsole.waiting import waiting
from tests.servers import RawGraph
from tests.web import foreign
from tests.web.browsing import open_queue
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def shown(client: Client) -> set[UUID]:
    """The decisions on the first page of the queue."""
    return {row["decision"].id for row in open_queue(client).context["rows"]}


def state(
    decision_id: UUID, *, flagged: bool = True, version: int = 1, causes: list[str] | None = None
) -> FlagState:
    return FlagState(
        decision_id=decision_id,
        task_id=UUID(int=1),
        flagged=flagged,
        reason="source_changed" if flagged else None,
        version=version,
        flagged_us=None,
        created_us=1,
        causes=causes or [],
    )


def test_a_flag_that_the_library_set_shows_on_the_next_page(
    world: World, raw: RawGraph, bobs: Client
) -> None:
    """Nothing is run in between, and what rests on the decision is flagged along."""
    assert shown(bobs) == set()
    foreign.flag(raw, world.days)
    assert shown(bobs) == {world.days.id, world.letter.id}


def test_a_flag_that_was_set_again_shows_again(world: World, raw: RawGraph, bobs: Client) -> None:
    """The library raises no version, so an equal one counts as news."""
    foreign.flag(raw, world.signature)
    assert shown(bobs) == {world.signature.id}
    foreign.clear(raw, world.signature)
    assert shown(bobs) == set()
    foreign.flag(raw, world.signature, "source_removed")
    assert shown(bobs) == {world.signature.id}
    assert waiting(PROJECT).get().reason == "source_removed"


def test_a_row_that_the_graph_does_not_confirm_is_dropped(
    world: World, raw: RawGraph, bobs: Client
) -> None:
    """The library clears a flag without a trace; the page notices while it reads the texts."""
    world.shorten_policy()
    assert len(shown(bobs)) == 3
    foreign.clear(raw, world.signature)
    page = open_queue(bobs)
    assert {row["decision"].id for row in page.context["rows"]} == {world.days.id, world.letter.id}
    row = FlaggedDecision.objects.get(decision_id=world.signature.id)
    assert row.cleared_us is not None


def test_what_was_committed_before_a_process_died_shows_afterwards(
    world: World, bobs: Client
) -> None:
    """The graph was written, the console's rows were not: the next page takes up the rest."""
    world.shorten_policy()
    assert not FlaggedDecision.objects.exists()
    assert shown(bobs) == {world.days.id, world.letter.id, world.signature.id}


def test_rows_stored_twice_are_stored_once(world: World) -> None:
    """A process may die after its rows were stored and before the graph was told."""
    world.shorten_policy()
    batch = take(world.store, PROJECT, after_epoch=None, limit=200, actor=CONSOLE)
    apply_states(PROJECT, batch.states)
    assert catch_up(world.store, PROJECT)
    assert waiting(PROJECT).count() == 3
    assert FlagCause.objects.values("flagged", "kind", "ref", "number").distinct().count() == (
        FlagCause.objects.count()
    )


def test_a_catch_up_with_nothing_new_is_one_read(world: World) -> None:
    """Quiet projects cost a page one round trip."""
    from graphstore.store import counting

    world.shorten_policy()
    while not catch_up(world.store, PROJECT):
        pass
    with counting() as trips:
        assert catch_up(world.store, PROJECT)
    assert trips.count == 1


def test_causes_are_rows_of_their_own(world: World) -> None:
    """A bundle per document can be counted without reading the graph."""
    world.shorten_policy()
    catch_up(world.store, PROJECT)
    causes = FlagCause.objects.filter(flagged__decision_id=world.days.id)
    assert [(cause.kind, cause.number) for cause in causes] == [("document", 2)]


def test_an_older_version_changes_nothing() -> None:
    """States may arrive late; the newest one stays."""
    ident = uuid4()
    apply_states(PROJECT, [state(ident, version=3, flagged=True)])
    apply_states(PROJECT, [state(ident, version=4, flagged=False)])
    apply_states(PROJECT, [state(ident, version=3, flagged=True)])
    assert not waiting(PROJECT).exists()


def test_a_cleared_flag_leaves_a_row_behind() -> None:
    """With its causes: a bundle counts it as done. An older state does not bring the flag back."""
    ident = uuid4()
    apply_states(PROJECT, [state(ident, causes=["event:x"])])
    apply_states(PROJECT, [state(ident, flagged=False, version=2)])
    row = FlaggedDecision.objects.get(decision_id=ident)
    assert row.cleared_us is not None
    assert list(FlagCause.objects.values_list("flagged_id", "ref")) == [(row.pk, "x")]


def test_causes_are_replaced_not_added() -> None:
    """A decision whose cause changed stands in one bundle, not in both."""
    ident = uuid4()
    apply_states(PROJECT, [state(ident, causes=["document:a:2", "event:e"])])
    apply_states(PROJECT, [state(ident, version=2, causes=["document:a:3", "nonsense:x"])])
    rows = FlagCause.objects.values_list("kind", "ref", "number")
    assert list(rows) == [("document", "a", 3)]


def test_a_flag_that_waits_keeps_its_place_when_it_is_seen_again() -> None:
    """Being flagged a second time does not send a decision to the end of the queue."""
    ident = uuid4()
    apply_states(PROJECT, [state(ident)])
    before = FlaggedDecision.objects.get().flagged_us
    apply_states(PROJECT, [state(ident, version=2)])
    assert FlaggedDecision.objects.get().flagged_us == before


def test_a_row_set_again_since_it_was_read_is_not_dropped() -> None:
    """Whoever drops a row speaks of what they read, not of what came after."""
    ident = uuid4()
    apply_states(PROJECT, [state(ident)])
    read = FlaggedDecision.objects.get()
    apply_states(PROJECT, [state(ident)])
    review_index.drop_unconfirmed([read])
    assert waiting(PROJECT).exists()


def test_a_reaffirmation_does_not_clear_a_flag_that_came_after_it() -> None:
    """The version that it left is already flagged again."""
    ident = uuid4()
    apply_states(PROJECT, [state(ident, version=5)])
    note_judged(PROJECT, ident, 5)
    assert waiting(PROJECT).exists()
    note_judged(PROJECT, ident, 6)
    assert not waiting(PROJECT).exists()


def test_what_was_read_before_a_verdict_does_not_offer_the_decision_again() -> None:
    """Another consumer read the flag, then the verdict cleared the row, then it stored what it read."""
    ident = uuid4()
    read = state(ident, version=5)
    apply_states(PROJECT, [read])
    note_judged(PROJECT, ident, None)
    apply_states(PROJECT, [read])
    assert not waiting(PROJECT).exists()
    apply_states(PROJECT, [state(ident, version=7)])
    assert waiting(PROJECT).exists()


def test_a_cause_inferred_from_versions_stays_so_until_somebody_names_one(
    world: World, raw: RawGraph, bobs: Client
) -> None:
    """Another writer's flag says neither why nor when; an index made anew still knows that."""
    foreign.flag(raw, world.days)
    shown(bobs)
    assert FlaggedDecision.objects.get(decision_id=world.days.id).inferred
    review_index.rebuild(world.store, PROJECT)
    assert FlaggedDecision.objects.get(decision_id=world.days.id).inferred
    foreign.clear(raw, world.days)
    shown(bobs)
    world.shorten_policy()
    shown(bobs)
    assert not FlaggedDecision.objects.get(decision_id=world.days.id).inferred


def test_what_was_found_about_a_flag_goes_when_the_flag_changes() -> None:
    """A decision must not look calm by what was true of another version."""
    ident = uuid4()
    apply_states(PROJECT, [state(ident, causes=["document:a:2"])])
    found = {"calm": True, "comparison": "verbatim", "worst": 15, "due": 0, "compared_version": 1}
    FlaggedDecision.objects.update(**found)
    apply_states(PROJECT, [state(ident, causes=["document:a:2"])])
    assert FlaggedDecision.objects.filter(**found).exists()
    apply_states(PROJECT, [state(ident, causes=["document:a:3"])])
    row = FlaggedDecision.objects.get()
    assert (row.calm, row.comparison, row.due, row.compared_version) == (
        False,
        "not_compared",
        2,
        None,
    )


def test_a_flag_that_is_only_looked_at_more_closely_keeps_what_was_found() -> None:
    """Dating another writer's flag and finding its causes changes nothing that was compared."""
    ident = uuid4()
    apply_states(PROJECT, [state(ident)])
    found = {"comparison": "verbatim", "worst": 15, "due": 0, "compared_version": 1}
    FlaggedDecision.objects.update(**found)
    apply_states(PROJECT, [state(ident, causes=["document:a:2"])])
    assert FlaggedDecision.objects.filter(**found, calm=True).exists()


def test_a_parked_flag_is_taken_up_when_it_is_set_anew() -> None:
    """Looking at it more closely leaves it in the backlog; another cause, or a second flag, does not."""
    ident = uuid4()
    apply_states(PROJECT, [state(ident)])
    FlaggedDecision.objects.update(parked_us=1)
    assert not waiting(PROJECT).exists()
    apply_states(PROJECT, [state(ident, version=2, causes=["document:a:2"])])
    assert not waiting(PROJECT).exists()
    apply_states(PROJECT, [state(ident, version=3, causes=["document:a:2", "event:x"])])
    assert waiting(PROJECT).exists()
    FlaggedDecision.objects.update(parked_us=1)
    apply_states(PROJECT, [state(ident, version=4, flagged=False)])
    apply_states(PROJECT, [state(ident, version=5, causes=["event:x"])])
    assert waiting(PROJECT).exists()


def test_one_consumer_at_a_time(world: World) -> None:
    """A page does not wait for the process that is at it; it says that more is coming."""
    IndexMark.objects.create(
        project_id=PROJECT,
        lease_holder=uuid4(),
        lease_until_us=review_index.now_us() + 10_000_000,
    )
    world.shorten_policy()
    assert catch_up(world.store, PROJECT) is False
    assert not waiting(PROJECT).exists()


def test_the_lease_of_a_process_that_died_lapses(world: World) -> None:
    """Nobody has to clean up."""
    IndexMark.objects.create(
        project_id=PROJECT, lease_holder=uuid4(), lease_until_us=review_index.now_us() - 1
    )
    world.shorten_policy()
    assert catch_up(world.store, PROJECT)
    assert waiting(PROJECT).count() == 3


def test_a_consumer_that_lost_its_lease_stores_nothing(world: World) -> None:
    """It slept, another took over: what it read is old."""
    world.shorten_policy()
    IndexMark.objects.create(
        project_id=PROJECT,
        lease_holder=uuid4(),
        lease_until_us=review_index.now_us() + 10_000_000,
    )
    batch = take(world.store, PROJECT, after_epoch=None, limit=200, actor=CONSOLE)
    assert not review_index._stored(PROJECT, uuid4(), batch)  # noqa: SLF001 - the sleeper's step
    assert not waiting(PROJECT).exists()


def test_the_index_holds_no_text(world: World, bobs: Client) -> None:
    """Erasing a record in the graph leaves no copy in the console's database."""
    world.shorten_policy()
    shown(bobs)
    held = [*FlaggedDecision.objects.values(), *FlagCause.objects.values()]
    texts = {str(value) for row in held for value in row.values() if isinstance(value, str)}
    assert not any("refund" in text.lower() and text != PROJECT for text in texts)


def test_what_was_typed_about_a_deleted_decision_is_erased(world: World, bob: User) -> None:
    """Drafts are texts like any other: they go with the record that they are about."""
    other = uuid4()
    kept = {"verdict": ["reject"], "explanation": ["It was never true."]}
    for about in (world.days.id, why_id("ask", world.scope.id), other):
        keep_draft(bob, PROJECT, about, kept)
    HistoryRetention(world.store, PROJECT, "admin").delete_task("audit")
    review_index.catch_up(world.store, PROJECT)
    assert [draft.decision_id for draft in Draft.objects.all()] == [other]
