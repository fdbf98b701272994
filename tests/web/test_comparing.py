"""In the background: what rests on flagged decisions, what became of their supports, and again."""

import time
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django_q.models import OrmQ
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks, Settings

import graphstore
from graphstore.comparing import compare_supports
from graphstore.evidence import Comparison
from graphstore.stakes import stakes
from reviewconsole import comparing, jobs, stores
from reviewconsole.comparing import Progress, progress, run
from reviewconsole.models import ComparedSupport, ComparingMark, Due, FlaggedDecision
from reviewconsole.review_index import apply_states, catch_up, note_judged, now_us
from tests.servers import RawGraph
from tests.web import foreign
from tests.web.test_review_index import state
from tests.web.world import PROJECT, SHORTER, World


def far() -> float:
    """A time by which a worker has done everything."""
    return time.monotonic() + 60


def row(decision: object) -> FlaggedDecision:
    return FlaggedDecision.objects.get(decision_id=getattr(decision, "id", decision))


@pytest.fixture
def flagged(world: World) -> World:
    """The policy changed: three decisions wait, and nobody has compared them."""
    world.shorten_policy()
    while not catch_up(world.store, PROJECT):
        pass
    return world


def test_nothing_is_said_before_it_was_looked_at(flagged: World) -> None:
    """A row is true from its first moment: it was not compared, and nobody knows what rests on it."""
    fresh = row(flagged.days)
    assert (fresh.comparison, fresh.worst) == ("not_compared", Comparison.NOT_COMPARED.rank)
    assert (fresh.dependents, fresh.open_tasks, fresh.supports) == (None, None, None)
    assert (fresh.compared_us, fresh.calm) == (None, False)
    assert progress(PROJECT) == Progress(flagged=3, parked=0, counted=0, compared=0)


def test_a_worker_fills_the_rows(flagged: World) -> None:
    """What rests on each, the worst of its supports, and of which versions that was found."""
    assert run(flagged.store, PROJECT, far()) is False
    days, letter, signature = row(flagged.days), row(flagged.letter), row(flagged.signature)
    assert (days.dependents, days.open_tasks, days.supports) == (1, 2, 3)
    assert (letter.dependents, letter.open_tasks, letter.supports) == (0, 1, 1)
    assert [one.comparison for one in (days, letter)] == ["edited", "flagged"]
    assert (days.dangers, signature.dangers) == ("number", "neighbour")
    assert days.stake > signature.stake
    assert days.author == "support-agent"
    assert days.compared_version == days.version
    found = ComparedSupport.objects.filter(flagged=days).order_by("ordinal")
    assert next((one.kind, one.comparison, one.cited_seq, one.current_seq) for one in found) == (
        "document",
        "edited",
        1,
        2,
    )
    assert [one.kind for one in found] == ["document", "event", "decision"]
    assert progress(PROJECT) == Progress(flagged=3, parked=0, counted=3, compared=3)
    assert progress(PROJECT).percent == 100


def test_only_one_cause_without_anything_to_look_at_is_calm(flagged: World, raw: RawGraph) -> None:
    """Verbatim with quiet surroundings is calm; a second cause, or somebody's question, is not."""
    calm = flagged.decide("place", "The shop is in the EU.", [flagged.on(flagged.scope)])
    foreign.flag(raw, calm)
    asked = flagged.decide("area", "Only the EU counts.", [flagged.on(flagged.scope)])
    flagged.traces.ask_for_review(asked.id, "Is that so?")
    apply_states(PROJECT, [state(calm.id, version=9, causes=["event:x"])])
    catch_up(flagged.store, PROJECT)
    run(flagged.store, PROJECT, far())
    assert row(calm).comparison == row(asked).comparison == "clear"
    assert (row(calm).calm, row(asked).calm, row(flagged.days).calm) == (True, False, False)
    apply_states(PROJECT, [state(calm.id, version=10, causes=["event:x", "event:y"])])
    run(flagged.store, PROJECT, far())
    assert (row(calm).comparison, row(calm).calm) == ("clear", False)


def test_no_text_is_kept(flagged: World) -> None:
    """Comparisons are values and versions: erasing a passage leaves nothing here."""
    run(flagged.store, PROJECT, far())
    held = [*FlaggedDecision.objects.values(), *ComparedSupport.objects.values()]
    texts = {value for one in held for value in one.values() if isinstance(value, str)}
    assert max(len(text) for text in texts) <= 36
    assert not any(" " in text for text in texts)


def test_a_worker_stops_when_its_time_is_up_and_another_goes_on(flagged: World) -> None:
    """Slices are bounded, and what is left stands in the rows."""
    assert run(flagged.store, PROJECT, time.monotonic() - 1) is True
    assert progress(PROJECT) == Progress(flagged=3, parked=0, counted=3, compared=0)
    assert run(flagged.store, PROJECT, far()) is False
    assert progress(PROJECT).compared == 3


def test_one_worker_at_a_time_unless_it_died(flagged: World) -> None:
    """Another is not waited for; the lease of one that died lapses."""
    mark = ComparingMark.objects.create(
        project_id=PROJECT, lease_holder=uuid4(), lease_until_us=now_us() + 60_000_000
    )
    assert run(flagged.store, PROJECT, far()) is False
    assert progress(PROJECT).counted == 0
    ComparingMark.objects.filter(pk=mark.pk).update(lease_until_us=now_us() - 1)
    run(flagged.store, PROJECT, far())
    assert progress(PROJECT).compared == 3


class Died(BaseException):
    """What ends a worker here as a kill would: nothing of ours catches it."""


class Mortal:
    """Lets so many statements reach the console's database, and none after them.

    But for the end of a transaction, which a database sees to itself when nobody is there.
    """

    def __init__(self, statements: int) -> None:
        self.left = statements

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("ROLLBACK", "RELEASE")):
            return execute(sql, params, many, context)
        if self.left == 0:
            raise Died
        self.left -= 1
        return execute(sql, params, many, context)


def found() -> list[Any]:
    """What a worker wrote, but for when."""
    rows = FlaggedDecision.objects.order_by("decision_id").values(
        "due", "comparison", "worst", "dangers", "dependents", "open_tasks", "stake", "calm"
    )
    supports = ComparedSupport.objects.order_by("flagged__decision_id", "ordinal").values(
        "ordinal", "kind", "ref", "comparison", "cited_seq", "current_seq"
    )
    return [*rows, *supports]


def test_a_worker_may_die_at_any_statement(flagged: World) -> None:
    """The next one finishes what it left, and nothing stands there twice or half."""
    run(flagged.store, PROJECT, far())
    whole = found()
    deaths = 0
    for statements in range(0, 60, 2):
        FlaggedDecision.objects.update(due=Due.STAKE, compared_us=None, comparison="not_compared")
        ComparingMark.objects.update(lease_until_us=0, looked_us=0)
        mortal = Mortal(statements)
        with suppress(Died), connection.execute_wrapper(mortal):
            run(flagged.store, PROJECT, far())
        deaths += mortal.left == 0
        ComparingMark.objects.update(lease_until_us=0)
        run(flagged.store, PROJECT, far())
        assert found() == whole
    assert 10 < deaths < 30


def test_two_workers_at_once_write_a_row_once(flagged: World) -> None:
    """The one that comes second with what it read before the first changes nothing."""
    run(flagged.store, PROJECT, time.monotonic() - 1)
    read = comparing._next(PROJECT, Due.COMPARISON, 50)  # noqa: SLF001 - the slower worker's read
    found = compare_supports(flagged.store, PROJECT, [one.decision_id for one in read])
    run(flagged.store, PROJECT, far())
    before = list(FlaggedDecision.objects.order_by("pk").values())
    written = [comparing._stored(one, found[one.decision_id], []) for one in read]  # noqa: SLF001
    assert written == [False, False, False]
    assert list(FlaggedDecision.objects.order_by("pk").values()) == before
    assert ComparedSupport.objects.count() == 5


def test_what_was_flagged_anew_meanwhile_stays_due(flagged: World) -> None:
    """A worker that read the decision before must not say what became of it since."""
    run(flagged.store, PROJECT, time.monotonic() - 1)
    read = comparing._next(PROJECT, Due.COMPARISON, 50)  # noqa: SLF001
    found = compare_supports(flagged.store, PROJECT, [one.decision_id for one in read])
    ident = flagged.signature.id
    version = row(ident).version + 1
    apply_states(PROJECT, [state(ident, version=version, causes=["event:x"])])
    late = next(one for one in read if one.decision_id == ident)
    assert not comparing._stored(late, found[ident], [])  # noqa: SLF001
    assert (row(ident).due, row(ident).comparison) == (Due.STAKE, "not_compared")


def test_another_version_of_a_cited_document_is_noticed(flagged: World, raw: RawGraph) -> None:
    """A flag that stands is raised by nobody again; the versions that were compared tell."""
    run(flagged.store, PROJECT, far())
    moved = "MATCH (d:Document {document_key: 'policy'}) SET d.activation_seq = 7 RETURN d.id"
    assert len(raw.run(moved)) == 1
    ComparingMark.objects.update(looked_us=0)
    assert comparing.wanted(PROJECT)
    run(flagged.store, PROJECT, far())
    seqs = ComparedSupport.objects.filter(kind="document").values_list("current_seq", flat=True)
    assert set(seqs) == {7}
    assert progress(PROJECT).compared == 3
    assert not comparing.wanted(PROJECT)


def test_what_became_of_a_cited_decision_is_noticed(flagged: World, raw: RawGraph) -> None:
    """The letter rests on a flag that another writer cleared; that sends no flag on."""
    run(flagged.store, PROJECT, far())
    assert row(flagged.letter).comparison == "flagged"
    foreign.clear(raw, flagged.days)
    ComparingMark.objects.update(looked_us=0)
    run(flagged.store, PROJECT, far())
    assert row(flagged.letter).comparison == "clear"


def test_what_rests_on_a_decision_is_compared_again_once_it_was_judged(flagged: World) -> None:
    """Its reaffirmation is what may make them calm; nobody waits a minute for that."""
    run(flagged.store, PROJECT, far())
    note_judged(PROJECT, flagged.days.id, row(flagged.days).version + 1)
    assert (row(flagged.letter).due, row(flagged.letter).comparison) == (1, "not_compared")
    assert row(flagged.signature).due == Due.NOTHING
    run(flagged.store, PROJECT, far())
    apply_states(PROJECT, [state(flagged.days.id, version=row(flagged.days).version + 1)])
    assert row(flagged.letter).comparison == "not_compared"


def test_what_comes_to_rest_on_a_flagged_decision_counts(flagged: World) -> None:
    """Agents go on deciding while a flag waits; numbers follow within a round of looks."""
    run(flagged.store, PROJECT, far())
    before = row(flagged.signature)
    flagged.decide("form", "The form has two fields.", [flagged.on(flagged.signature)])
    ComparingMark.objects.update(looked_us=0)
    run(flagged.store, PROJECT, far())
    after = row(flagged.signature)
    assert (before.dependents, after.dependents) == (0, 1)
    assert after.stake > before.stake
    assert after.comparison == before.comparison != "not_compared"


def test_a_decision_that_is_gone_leaves_nothing_due(flagged: World) -> None:
    """Its flag goes with the feed; the worker must not ask for it for ever."""
    apply_states(PROJECT, [state(uuid4(), version=3)])
    run(flagged.store, PROJECT, far())
    assert not FlaggedDecision.objects.exclude(due=Due.NOTHING).exists()


def test_what_is_parked_comes_after_everything_else(flagged: World) -> None:
    """What the queue shows is compared first, however much rests on the backlog."""
    run(flagged.store, PROJECT, far())
    FlaggedDecision.objects.update(due=Due.COMPARISON, compared_us=None)
    FlaggedDecision.objects.filter(decision_id=flagged.days.id).update(parked_us=1)
    first = comparing._next(PROJECT, Due.COMPARISON, 1)  # noqa: SLF001 - the order of slices
    assert [one.decision_id for one in first] != [flagged.days.id]
    FlaggedDecision.objects.exclude(decision_id=flagged.days.id).update(due=Due.NOTHING)
    first = comparing._next(PROJECT, Due.COMPARISON, 1)  # noqa: SLF001
    assert [one.decision_id for one in first] == [flagged.days.id]


def test_the_stake_is_what_rests_on_it_then_the_worst_comparison(flagged: World) -> None:
    """The order's number goes by its stated reasons."""
    run(flagged.store, PROJECT, far())
    found = stakes(flagged.store, PROJECT, [flagged.days.id])[flagged.days.id]
    days = row(flagged.days)
    rank = Comparison.EDITED.rank
    assert days.stake == (found.dependents + found.open_tasks) * 100 + 99 - rank


def test_noticing_a_flag_wakes_a_worker(
    world: World, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    """A flag is compared because it was noticed, whoever looks or not."""
    cache.clear()
    world.shorten_policy()
    with django_capture_on_commit_callbacks(execute=True):
        jobs.catch_up(PROJECT)
    assert [one.func() for one in OrmQ.objects.all()] == ["reviewconsole.jobs.compare"]
    jobs.compare(PROJECT)
    assert progress(PROJECT).compared == 3


def test_the_sweep_wakes_a_worker_for_what_is_left(
    flagged: World, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    """A job that was lost loses nothing."""
    cache.clear()
    with django_capture_on_commit_callbacks(execute=True):
        jobs.sweep()
    assert "reviewconsole.jobs.compare" in [one.func() for one in OrmQ.objects.all()]
    assert flagged.store is not None


def test_a_graph_that_is_down_leaves_everything_due(flagged: World, settings: Settings) -> None:
    """The rows say what is left; the next worker does it."""
    assert flagged.store is stores.store()
    stores.close_store()
    settings.GRAPH = graphstore.Settings(engine="falkordb", falkordb_url="redis://127.0.0.1:1")
    with pytest.raises(jobs.JobFailed, match="StoreUnavailable"):
        jobs.compare(PROJECT)
    assert progress(PROJECT) == Progress(flagged=3, parked=0, counted=0, compared=0)


def test_a_record_that_cannot_be_read_keeps_no_other_from_being_compared(
    flagged: World, raw: RawGraph
) -> None:
    """It says that it could not be compared; the rest of its slice is compared all the same."""
    broken = "MATCH (d:Decision {id: $id}) SET d.author = null RETURN d.id"
    assert len(raw.run(broken, {"id": str(flagged.signature.id)})) == 1
    run(flagged.store, PROJECT, far())
    assert (row(flagged.signature).comparison, row(flagged.signature).calm) == ("failed", False)
    assert row(flagged.days).comparison == "edited"
    assert progress(PROJECT).compared == 3


def test_a_second_version_is_compared_with_the_newest(flagged: World) -> None:
    """Each decision is compared from the version it cites to the newest one."""
    run(flagged.store, PROJECT, far())
    again = SHORTER.replace("500 euro", "900 euro")
    assert flagged.documents.put_document("policy", again, title="Refund policy").recorded
    while not catch_up(flagged.store, PROJECT):
        pass
    run(flagged.store, PROJECT, far())
    found = ComparedSupport.objects.get(flagged__decision_id=flagged.signature.id)
    assert (found.comparison, found.cited_seq, found.current_seq) == ("edited", 1, 3)
