"""The demo's content keeps the rules of the record and shows what a reviewer may meet."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise

import pytest

from graphstore.evidence import Comparison, compare
from graphstore.records import StepState
from reviewconsole.demo.library import documents, text_of, versions_of
from reviewconsole.demo.people import PEOPLE
from reviewconsole.demo.script import (
    Decide,
    Happening,
    OpenTask,
    Put,
    Reaffirm,
    Redact,
    Reject,
    Supersede,
    events_of,
    read_script,
)
from tests.demo.pretend import PretendDecision, PretendRecord, PretendSupport

MAIN = "tarnica-cold-chain"


@pytest.fixture(scope="module")
def record() -> PretendRecord:
    """Everything played: fails where a quote, a name or a verdict is impossible."""
    played = PretendRecord()
    for entry in read_script():
        try:
            played.play(entry)
        except Exception as error:
            error.add_note(str(entry))
            raise
    return played


def in_main(decisions: list[PretendDecision]) -> list[PretendDecision]:
    return [decision for decision in decisions if decision.project == MAIN]


def test_the_project_has_the_size_that_makes_pages_worth_paging(record: PretendRecord) -> None:
    """About thirty tasks and two hundred decisions of five agents, and a dozen documents."""
    decisions = in_main(record.decisions)
    first = [decision for decision in decisions if decision.revision == 1]
    agents = {d.author for d in decisions} - set(PEOPLE)
    main_tasks = [e for e in read_script() if e.project == MAIN and isinstance(e.step, OpenTask)]
    assert 28 <= len(main_tasks) <= 36
    assert 200 <= len(first) <= 215
    assert len(agents) == 5
    assert min(Counter(d.author for d in decisions)[agent] for agent in agents) >= 30
    assert 12 <= len(documents()) <= 15


def test_the_second_project_is_small(record: PretendRecord) -> None:
    """Two projects make access and the project list matter."""
    others = {decision.project for decision in record.decisions} - {MAIN}
    assert others == {"tarnica-returns"}
    assert 4 <= len(record.decisions) - len(in_main(record.decisions)) <= 10


def test_every_version_of_every_document_is_used() -> None:
    """No text lies about that nobody sees, and most documents have several versions."""
    put = {(step.document, step.version) for step in steps(Put)}
    assert put == {(key, version) for key in documents() for version in versions_of(key)}
    assert sum(len(versions_of(key)) > 1 for key in documents()) >= 10


@pytest.mark.parametrize("key", documents())
def test_a_document_is_long_enough_to_read_and_short_enough_to_fetch(key: str) -> None:
    """Real paragraphs, in each version another text."""
    texts = [text_of(key, version) for version in versions_of(key)]
    assert all(220 <= len(text.split()) <= 900 for text in texts)
    assert all(text.count("\n\n") >= 10 for text in texts)
    assert all(before != after for before, after in pairwise(texts))


def test_one_version_changes_format_only() -> None:
    """The narrow print of the qualification report has the same words."""
    before, after = text_of("polarnest-report", 1), text_of("polarnest-report", 2)
    assert before != after
    assert before.split() == after.split()


def test_the_big_change_flags_many_directly_and_a_dozen_more_through_chains() -> None:
    """SOP-021 version 3 is the wave that the queue shows."""
    played = PretendRecord()
    before: list[PretendDecision] = []
    entries = read_script()
    wave = next(
        number
        for number, entry in enumerate(entries)
        if isinstance(entry.step, Put)
        and (entry.step.document, entry.step.version) == ("sop-021", 3)
    )
    for entry in entries[:wave]:
        played.play(entry)
    before = played.flagged()
    played.play(entries[wave])
    direct = [d for d in played.flagged("source_changed") if "sop-021" in d.documents]
    through = [d for d in played.flagged("dependency_review") if d not in before]
    assert 15 <= len(direct) <= 25
    assert len(through) >= 12


def test_what_waits_in_the_end_has_every_reason(record: PretendRecord) -> None:
    """Enough for several pages of the queue, and most of the project is clear."""
    waiting = Counter(decision.reason for decision in in_main(record.flagged()))
    assert waiting["source_changed_during_recording"] == 3
    assert waiting["source_removed"] >= 5
    assert waiting["dependency_review"] >= 12
    assert 60 <= sum(waiting.values()) <= 85


def test_comparisons_of_every_kind_occur_among_what_waits(record: PretendRecord) -> None:
    """Each of the findings of a document passage can be looked at, more than once."""
    found = Counter(
        comparison_of(record, support)
        for decision in record.flagged()
        for support in decision.supports
        if support.kind == "document"
    )
    expected = (
        Comparison.IDENTICAL,
        Comparison.VERBATIM,
        Comparison.SURROUNDINGS_CHANGED,
        Comparison.MOVED,
        Comparison.EDITED,
        Comparison.NOT_FOUND,
        Comparison.REMOVED,
    )
    assert {comparison: found[comparison] for comparison in expected if found[comparison] < 2} == {}


def test_a_cited_event_was_redacted_and_one_was_cut(record: PretendRecord) -> None:
    """Both states of an event stand under decisions."""
    cited = {s.ref for d in record.decisions for s in d.supports if s.kind == "event"}
    long = {
        step.id
        for step in steps(Happening)
        if any(len(event.payload) > 32_000 for event in events_of(step))
    }
    assert record.redacted == {"audit-drawa-interview"}
    assert record.redacted <= cited
    assert long & cited


def test_steps_stand_in_every_state_and_their_results_in_every_validity(
    record: PretendRecord,
) -> None:
    """Several tasks have steps, and one has more than a page beside the log holds."""
    states = Counter(step.set.state for step in record.steps.values())
    worth = Counter(
        record.validity(step)
        for step in record.steps.values()
        if step.set.state is StepState.COMPLETED
    )
    tasks = Counter(task for task, _ in record.steps)
    assert set(states) == set(StepState)
    assert min(worth[value] for value in ("reusable", "needs_review", "unavailable")) >= 3
    assert worth["unknown"] >= 1
    assert len(tasks) >= 9
    assert max(tasks.values()) >= 12


def test_conflicts_stand_between_tasks(record: PretendRecord) -> None:
    """Several choice keys have other conclusions in other tasks, one of them three."""
    stances: dict[str, set[str]] = defaultdict(set)
    for decision in record.decisions:
        if decision.status == "active":
            stances[decision.key].add(decision.conclusion)
    sizes = [len(conclusions) for conclusions in stances.values() if len(conclusions) > 1]
    assert len(sizes) >= 5
    assert max(sizes) >= 3


def test_chains_are_five_deep(record: PretendRecord) -> None:
    """Dependence can be followed from a limit to what a client was promised."""

    def depth(decision: PretendDecision) -> int:
        return 1 + max((depth(parent) for parent in decision.parents), default=-1)

    assert max(depth(d) for d in record.decisions if d.status == "active") >= 5


def test_verdicts_of_every_kind_were_given_with_a_why() -> None:
    """People reaffirmed, superseded and rejected, each in words of its own."""
    whys = [step.why for step in (*steps(Reaffirm), *steps(Reject))]
    assert len(steps(Reaffirm)) >= 30
    assert len(steps(Supersede)) >= 15
    assert len(steps(Reject)) >= 5
    assert len(set(whys)) == len(whys)
    assert {step.by for step in (*steps(Reaffirm), *steps(Reject), *steps(Redact))} <= set(PEOPLE)


def test_agents_state_assumptions_and_open_questions() -> None:
    """Not on every decision, but often enough to be met."""
    assert sum(bool(step.assumptions) for step in steps(Decide)) >= 8
    assert sum(bool(step.open_questions) for step in steps(Decide)) >= 8


def test_conclusions_are_sentences_that_differ(record: PretendRecord) -> None:
    """Each is a sentence of its own, one of them long."""
    conclusions = [decision.conclusion for decision in record.decisions]
    assert len(set(conclusions)) == len(conclusions)
    assert all(30 <= len(text) <= 4_000 and text.endswith(".") for text in conclusions)
    assert max(map(len, conclusions)) > 2_500


def test_a_log_holds_text_that_looks_like_an_attack() -> None:
    """Pages must show it and nothing else."""
    payloads = [event.payload for step in steps(Happening) for event in events_of(step)]
    assert any("<script>" in text and "onerror=" in text for text in payloads)


def test_one_task_is_long_and_the_last_one_empty() -> None:
    """The long one is paged, and the empty one marks that all was played."""
    lengths: Counter[str] = Counter()
    for entry in read_script():
        if isinstance(entry.step, Happening):
            lengths[entry.task or ""] += len(events_of(entry.step))
    last = read_script()[-1].step
    assert max(lengths.values()) > 100
    assert isinstance(last, OpenTask)
    assert last.id not in lengths


def comparison_of(record: PretendRecord, support: PretendSupport) -> Comparison:
    current = record.current[support.ref]
    if current is None:
        return Comparison.REMOVED
    start, end = support.span
    old, text = text_of(support.ref, support.version), text_of(support.ref, current)
    return compare(old[start:end], (old[:start], old[end:]), text, start)[0]


def steps[Step](kind: type[Step]) -> list[Step]:
    return list(_steps(kind))


def _steps[Step](kind: type[Step]) -> Iterator[Step]:
    for entry in read_script():
        if isinstance(entry.step, kind):
            yield entry.step
