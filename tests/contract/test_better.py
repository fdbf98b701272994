"""What the reference library does badly and nothing else here shows; `docs/differences.md` has all of it."""

from pathlib import Path

import graphstore
from graphstore.records import EventKind
from graphstore.store import Row, counting
from tests.contract.looking import nodes
from tests.contract.seeding import Heard, Passage, Seed, derived
from tests.contract.world import DAYS, POLICY, Work, Wrapped


class Weighing(Wrapped):
    """Counts the characters of the chunks that reads return."""

    characters = 0

    def read(self, name: str, p: object, *, leader: bool = False) -> list[Row]:
        """Read, and weigh what came."""
        found = super().read(name, p, leader=leader)  # pyright: ignore[reportArgumentType]
        self.characters += len(str(found))
        return found


def test_no_parameter_goes_into_a_trace() -> None:
    """A trace would keep payloads that a redaction never reaches: nothing of ours makes any."""
    root = Path(graphstore.__file__).parents[1]
    sources = [*root.glob("graphstore/**/*.py"), *root.glob("reviewconsole/**/*.py")]
    assert [f.name for f in sources if "opentelemetry" in f.read_text()] == []
    assert len(sources) > 100


def test_a_half_written_event_breaks_no_page(work: Work, seed: Seed) -> None:
    """The library, killed between its two statements, leaves an event without its id."""
    seed.project_node()
    task_id = seed.task("t", "first", "second", "third")
    work.raw.run("MATCH (e:Event {task_id: $t, seq: 2}) SET e.id = null", {"t": task_id})
    page = work.history.list_events("t")
    assert [event.payload for event in page.events] == ["first", "second", "third"]
    assert str(page.events[1].id) == derived("Event", task_id, 2)
    found = work.history.fetch_event("t", 2).event
    assert found is not None
    assert str(found.id) == derived("Event", task_id, 2)


def test_a_document_that_comes_back_follows_nothing(work: Work) -> None:
    """Its text before is that of no version, rather than the word None."""
    work.documents.put_document("policy", POLICY)
    work.documents.remove_document("policy")
    work.documents.put_document("policy", POLICY)
    before = [a.get("previous_content_hash") for a in nodes(work.raw, "DocumentActivation")]
    assert before.count(None) == 2
    assert "None" not in before


def test_a_short_passage_of_a_long_document_is_read_alone(work: Work) -> None:
    """Five passages cost five pieces of the text, not the text five times."""
    text = "\n\n".join(f"Paragraph {k:04}. {'word ' * 60}" for k in range(1200))
    work.documents.put_document("long", text)
    store = Weighing(work.store)
    passages = [Passage("long", text, f"Paragraph {k:04}.") for k in range(0, 1200, 240)]
    fetched = work.through(store).documents.fetch_evidence(
        [p.evidence_id for p in passages], scope=frozenset(["long"])
    )
    assert [f.text for f in fetched] == [p.words for p in passages]
    assert store.characters < len(text) / 4


def test_a_deletion_reports_only_what_is_left(work: Work, seed: Seed) -> None:
    """Whoever gets the list can look at each decision of it."""
    seed.project_node()
    seed.task("t", "first")
    seed.task("other", "first")
    own = work.record("days", Heard("t", 1))
    work.record("mail", str(own.id))
    citing = work.record("letter", str(own.id), task="other")
    reported = work.retention.delete_task("t").affected_decision_ids
    assert [str(i) for i in reported] == [str(citing.id)]
    assert work.get(citing.id).review_state == "needs_review"


def test_objects_of_a_request_cost_nothing(work: Work, seed: Seed) -> None:
    """A web request makes its own; only what it asks for goes to the graph."""
    seed.project_node()
    seed.task("t")
    with counting() as trips:
        fresh = work.by("another")
        assert trips.count == 0
        assert fresh.history.record_event("t", EventKind.NOTE, payload="said").recorded
        fresh.traces.list_decisions("t")
    assert trips.count <= 4


def test_a_passage_in_an_event_is_erased_with_the_event(work: Work, seed: Seed) -> None:
    """Text that an agent copied out of a document is found by its redaction, wherever it stands."""
    seed.project_node()
    seed.task("t")
    seed.document("policy", POLICY)
    told = work.history.record_event(
        "t", EventKind.TOOL_RESULT, payload=f"It says: {DAYS}", request_id="r-1"
    ).event
    assert told is not None
    assert work.retention.redact_event(told.id).recorded
    assert DAYS not in str(nodes(work.raw, "Event")) + str(nodes(work.raw, "Request"))
