"""What one commit does, clause by clause: all of it or nothing.

Changesets are written by hand here and given to the engine; what they meet was put
there past it.
"""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from graphstore.changeset import (
    Append,
    Change,
    Changeset,
    CitersHeld,
    Cites,
    Create,
    Erase,
    ErasePart,
    Guard,
    Late,
    Link,
    QueueRaise,
    Scope,
    Scrub,
    StanceCount,
    SupportsHeld,
)
from graphstore.store import GraphStore
from graphstore.verbs import (
    CONTINUE_REVIEW,
    CREATE_TASK,
    PUT_DOCUMENT,
    REAFFIRM_DECISION,
    RECORD_DECISION,
    RECORD_EVENTS,
    REDACT_EVENT,
    REJECT_DECISION,
    SUPERSEDE_DECISION,
    VERBS,
    Verb,
)
from tests.contract.committing import ENTRY, IDS, name_of, small, stays_out, written
from tests.contract.looking import Props, decision, entries, node, nodes, project, stances, supports
from tests.contract.seeding import MARK, Seed, derived, digest
from tests.contract.world import POLICY
from tests.servers import RawGraph

SUPPORT = derived("Support", IDS["Decision"], 0)
VERSION = derived("Version", digest(POLICY), "", "")


@pytest.fixture
def seeded(seed: Seed) -> Seed:
    """The small graph, this test's own."""
    return small(seed)


def test_nothing_remains_when_the_last_clause_fails(store: GraphStore, seeded: Seed) -> None:
    """Hundreds of flags, counts and a ledger entry are undone when the request id is taken."""
    made = seeded.decisions([(f"d{k:03}", (IDS["Decision"],)) for k in range(450)])
    seeded.create("Request", [MARK | {"id": "r", "project_id": "p", "request_id": "r"}])
    changes = written(
        Guard("Project", "p"),
        changes=[Change("Decision", i, {"review_state": "needs_review"}) for i in made],
        raises=[QueueRaise("p", 450, True)],
        late=[Late((IDS["Decision"],), {"review_state": "needs_review"})],
        stances=[_count("days", "30 days", 1)],
        request=MARK | {"id": "other", "project_id": "p", "request_id": "r"},
    )
    stays_out(store, seeded.raw, REJECT_DECISION, changes)
    found = "MATCH (d:Decision {project_id: 'p', review_state: 'needs_review'}) RETURN count(d)"
    assert seeded.raw.run(found) == [[0]]


def test_what_is_removed_is_gone_and_nothing_else(store: GraphStore, seeded: Seed) -> None:
    """Two or three properties removed at once, the newest among them, cost no other."""
    names = [f"p{k}" for k in range(6)]
    cases = [list(gone) for n in (2, 3) for gone in permutations(names, n)]
    props: Props = dict.fromkeys(names, 1)
    made = seeded.decisions([(f"d{k:03}", ()) for k in range(len(cases))], **props)
    changes = [
        Change("Decision", i, dict.fromkeys(gone, None) | {"status": "x"}, revises=False)
        for i, gone in zip(made, cases, strict=True)
    ]
    store.commit(CONTINUE_REVIEW, written(Guard("Project", "p"), changes=changes))
    for identity, gone in zip(made, cases, strict=True):
        left = [name for name in names if name in node(seeded.raw, "Decision", id=identity)]
        assert left == [name for name in names if name not in gone]


NEW: dict[str, Create] = {
    "Project": Create("Project", MARK | {"project_id": "new"}),
    "Task": Create("Task", MARK | {"id": "new", "project_id": "p", "name": "new"}),
    "Decision": Create(
        "Decision",
        MARK
        | {"id": "new", "task_id": IDS["Task"], "choice_key": "new", "revision": 1}
        | {"conclusion": "c", "rationale": "r"},
        IDS["Task"],
    ),
    "DecisionSupport": Create("DecisionSupport", MARK | {"id": "new"}, IDS["Decision"]),
    "Step": Create("Step", MARK | {"id": "new", "name": "new"}, IDS["Task"]),
    "Document": Create("Document", {"id": "new document", "document_key": "new"}),
    "Chunk": Create(
        "Chunk",
        {"id": "new chunk"},
        IDS["Document"],
        {"id": "edge", "version_id": "v", "valid_at": "2026-04-01"},
    ),
    "DocumentActivation": Create("DocumentActivation", {"id": "new activation"}, IDS["Document"]),
    "CtxJob": Create("CtxJob", {"id": "new job", "project_ids": ["p"], "ctx_open": True}),
    "CtxVerdict": Create("CtxVerdict", {"id": "new verdict"}),
    "CtxScope": Create("CtxScope", {"id": "new scope"}),
    "CtxTombstone": Create("CtxTombstone", {"id": "new tombstone"}),
}
OLD: dict[str, Change] = {
    "Decision": Change("Decision", IDS["Decision"], {"status": "rejected"}),
    "DecisionSupport": Change("DecisionSupport", SUPPORT, {"current": False}),
    "Document": Change("Document", IDS["Document"], {"activation_seq": 2}),
    "Event": Change("Event", IDS["Event"], {"payload": "gone"}),
    "Step": Change("Step", IDS["Step"], {"state": "unknown"}),
    "Request": Change("Request", "kept", {"result_json": "gone"}),
    "CtxJob": Change("CtxJob", "old job", {"ctx_open": None}),
    "CtxVerdict": Change("CtxVerdict", "old verdict", {"withdrawn_at": "2026-04-01"}),
    "CtxScope": Change("CtxScope", IDS["CtxScope"], {"granted": True}),
    "CtxTombstone": Change("CtxTombstone", "old tombstone", {"lives": 2}),
    "Project": Change("Project", "p", {"review_incomplete": True}),
    "Task": Change("Task", IDS["Task"], {"_agrag_history_record": False, "ctx_deleting": "job"}),
    "CtxChoice": Change("CtxChoice", IDS["CtxChoice"], {"stances": 7}),
    "CtxStance": Change("CtxStance", IDS["CtxStance"], {"active": 7}),
}


ERASE = Erase(
    IDS["Task"],
    "p",
    whole=True,
    made=3,
    support_ids=(
        derived("Support", IDS["Decision"], 1),
        derived("Support", IDS["Decision"], 2),
        derived("Support", derived("Decision", IDS["Task"], "dependent", 1), 0),
        derived("Support", derived("Decision", IDS["Task"], "scope", 1), 0),
    ),
    choice_ids=(),
    emptied="{}",
)


PART = ErasePart(
    IDS["Task"],
    support_ids=(
        derived("Support", IDS["Decision"], 1),
        derived("Support", derived("Decision", IDS["Task"], "scope", 1), 0),
    ),
    high=2,
)


def everything(verb: Verb) -> Changeset:
    """A changeset that makes use of every clause of a verb."""
    ends = ("new" if "Decision" in verb.creates else IDS["Decision"], IDS["Decision"])
    event = MARK | {"task_id": IDS["Task"], "payload": "new"}
    return Changeset(
        guards=[Guard(label, IDS[label]) for label in verb.guards],
        supports_held=[SupportsHeld(IDS["Decision"], 3)] * verb.supports_held,
        citers_held=[CitersHeld("document_node_id", IDS["Document"], (SUPPORT,))]
        * verb.citers_held,
        creates=[NEW[label] for label in verb.creates],
        changes=[OLD[label] for label in verb.changes],
        links=[Link(kind, *ends) for kind in verb.links],
        appends=[Append(IDS["Task"], 2, ["new"], [event])] * verb.appends,
        cites=[Cites(IDS["Step"], (IDS["Document"],))] * verb.cites,
        scopes=[Scope("p", "new document", "new")] * verb.scopes,
        identified=[(IDS["Task"], 3, "given")] * verb.identifies,
        erase=ERASE if verb.erases else None,
        erase_part=PART if verb.erases_part else None,
        restores=[IDS["Task"]] * verb.restores,
        stances=[_count("k", "a", 1)] * verb.stances,
        raises=[QueueRaise("p", 1, True)] * verb.raises,
        late=[Late((IDS["Decision"],), {"review_state": "needs_review"})] * verb.late,
        finish_projects=["p"] * verb.finishes,
        part_documents=[(IDS["Document"], "2026-04-01")] * verb.parts,
        open_parts=[(IDS["Document"], VERSION, "2026-04-01")] * verb.parts,
        entries=[dict(ENTRY)],
    )


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb.entry], ids=name_of)
def test_every_clause_of_a_verb_is_undone_together(
    verb: Verb, store: GraphStore, seeded: Seed
) -> None:
    """When the very last key is taken, nothing that any clause did is left, and the engine goes on."""
    seeded.decision("dependent", IDS["Decision"])
    seeded.create("Request", [MARK | {"id": "kept", "project_id": "p", "request_id": "kept"}])
    seeded.create("Event", [MARK | {"task_id": IDS["Task"], "seq": 3}] * verb.identifies)
    seeded.create("CtxTrace", [{"id": "taken"}])
    seeded.create("CtxJob", [{"id": "old job", "project_ids": ["p"], "ctx_open": True}])
    changes = everything(verb)
    changes.entries.append(ENTRY | {"id": "taken"})
    stays_out(store, seeded.raw, verb, changes)
    changes.entries.pop()
    store.commit(verb, changes)
    assert len(entries(seeded.raw)) == 1


def test_a_change_of_bookkeeping_raises_no_version(store: GraphStore, seeded: Seed) -> None:
    """A queue mark or a cache is no new version of the decision."""
    other = seeded.decision("other", ctx_version=7)
    changes = [Change("Decision", other, {"review_pending": True}, revises=False)]
    store.commit(REJECT_DECISION, written(changes=changes))
    found = decision(seeded.raw, other)
    assert (found["review_pending"], found["ctx_version"]) == (True, 7)


def test_a_change_is_applied_once_and_raises_the_version(store: GraphStore, seeded: Seed) -> None:
    """Values are set, null removes one, and each changed decision gets a new version."""
    other = seeded.decision("other", review_reason="source_changed", ctx_version=7)
    changes = [
        Change("Decision", IDS["Decision"], {"status": "rejected", "rejected_by": "me"}),
        Change("Decision", other, {"review_reason": None, "ctx_causes": ["a", "b"]}),
    ]
    store.commit(REJECT_DECISION, written(changes=changes))
    first, second = decision(seeded.raw, IDS["Decision"]), decision(seeded.raw, other)
    assert (first["status"], first["rejected_by"], first["ctx_version"]) == ("rejected", "me", 1)
    assert ("review_reason" in second, second["ctx_causes"], second["ctx_version"]) == (
        False,
        ["a", "b"],
        8,
    )


# The late clause.


def late_on(*ids: str) -> Changeset:
    """A commit that flags what arrived below `ids`."""
    props = {"review_state": "needs_review", "review_pending": True, "ctx_causes": ["why"]}
    return written(Guard("Project", "p"), late=[Late(ids, props)])


LATE = [verb for verb in VERBS if verb.late]


@pytest.mark.parametrize("verb", LATE, ids=name_of)
def test_a_dependent_that_arrived_is_flagged_and_returned(
    verb: Verb, store: GraphStore, seeded: Seed
) -> None:
    """What was recorded on a flagged decision since the gather is queued, counted, named and written down."""
    arrived = seeded.decision("late", IDS["Decision"], ctx_version=2)
    committed = store.commit(verb, late_on(IDS["Decision"]))
    assert committed.late == [arrived]
    found = decision(seeded.raw, arrived)
    assert (found["review_state"], found["review_pending"], found["ctx_version"]) == (
        "needs_review",
        True,
        3,
    )
    assert (project(seeded.raw)["review_epoch"], project(seeded.raw)["review_incomplete"]) == (
        4,
        True,
    )
    assert entries(seeded.raw)[0]["late"] == [arrived]


@pytest.mark.parametrize(
    "props",
    [{"status": "rejected"}, {"status": "superseded"}, {"review_state": "needs_review"}],
    ids=["rejected", "superseded", "flagged"],
)
def test_what_is_no_clear_active_dependent_is_left_alone(
    props: Props, store: GraphStore, seeded: Seed
) -> None:
    """A retired or flagged dependent is neither touched nor reported."""
    other = seeded.decision("late", IDS["Decision"], **props)
    before = decision(seeded.raw, other)
    assert store.commit(REJECT_DECISION, late_on(IDS["Decision"])).late == []
    assert decision(seeded.raw, other) == before
    assert project(seeded.raw)["review_epoch"] == 3


def test_a_dependent_of_two_is_flagged_once(store: GraphStore, seeded: Seed) -> None:
    """What cites two flagged decisions, or one twice, counts as one flag."""
    scope = derived("Decision", IDS["Task"], "scope", 1)
    arrived = seeded.decision("late", IDS["Decision"], scope, scope)
    committed = store.commit(REJECT_DECISION, late_on(IDS["Decision"], scope))
    assert sorted(committed.late) == sorted([arrived, IDS["Decision"]])
    assert decision(seeded.raw, arrived)["ctx_version"] == 1
    assert project(seeded.raw)["review_epoch"] == 5


def test_dependents_arrive_in_their_own_projects(store: GraphStore, seeded: Seed) -> None:
    """Each project counts and names only what arrived there."""
    other = Seed(seeded.raw, "q", seeded.ticks)
    other.project_node()
    other.task("t")
    there = other.decision("there", IDS["Decision"])
    here = seeded.decision("here", IDS["Decision"])
    changes = late_on(IDS["Decision"])
    changes.entries.append(ENTRY | {"id": "entry in q", "project_id": "q"})
    assert sorted(store.commit(PUT_DOCUMENT, changes).late) == sorted([here, there])
    assert [e["late"] for e in entries(seeded.raw, "p")] == [[here]]
    assert [e["late"] for e in entries(seeded.raw, "q")] == [[there]]
    assert project(seeded.raw, "q")["review_incomplete"] is True


def test_nothing_arrived(store: GraphStore, seeded: Seed) -> None:
    """A decision without dependents leaves the project's mark as it was."""
    before = project(seeded.raw)
    assert store.commit(REJECT_DECISION, late_on(IDS["Decision"])).late == []
    assert project(seeded.raw) == before


# The project's mark.


QUEUED: list[tuple[Props, Props]] = [
    ({"review_pending": True}, {"review_incomplete": True}),
    ({"review_pending": False}, {"review_incomplete": False}),
    ({}, {"review_incomplete": False}),
]


@pytest.mark.parametrize(("queued", "mark"), QUEUED)
def test_the_mark_follows_the_queue(
    queued: Props, mark: Props, store: GraphStore, seeded: Seed
) -> None:
    """Finishing sets the mark by whether anything is queued, after its own changes."""
    seeded.decision("queued", **queued)
    seeded.raw.run("MATCH (q:Project) SET q.review_incomplete = true")
    store.commit(CONTINUE_REVIEW, written(Guard("Project", "p"), finish_projects=["p"]))
    assert project(seeded.raw).items() >= mark.items()


def test_the_mark_sees_what_the_same_commit_unqueues(store: GraphStore, seeded: Seed) -> None:
    """The last queued decision's own commit clears the mark."""
    queued = seeded.decision("queued", review_pending=True)
    changes = written(
        Guard("Project", "p"),
        changes=[Change("Decision", queued, {"review_pending": None})],
        finish_projects=["p"],
    )
    seeded.raw.run("MATCH (q:Project) SET q.review_incomplete = true")
    store.commit(CONTINUE_REVIEW, changes)
    assert project(seeded.raw)["review_incomplete"] is False


def test_the_mark_sees_what_arrived_in_the_same_commit(store: GraphStore, seeded: Seed) -> None:
    """A dependent that the late clause queues keeps the mark."""
    seeded.decision("late", IDS["Decision"])
    store.commit(CONTINUE_REVIEW, replace(late_on(IDS["Decision"]), finish_projects=["p"]))
    assert project(seeded.raw)["review_incomplete"] is True


def test_the_queue_of_another_project_does_not_count(store: GraphStore, seeded: Seed) -> None:
    """A project is finished whatever others have queued."""
    other = Seed(seeded.raw, "q", seeded.ticks)
    other.project_node()
    other.task("t")
    other.decision("queued", review_pending=True)
    seeded.raw.run("MATCH (q:Project {project_id: 'p'}) SET q.review_incomplete = true")
    store.commit(CONTINUE_REVIEW, written(finish_projects=["p"]))
    assert project(seeded.raw)["review_incomplete"] is False


RAISED: list[tuple[Props, QueueRaise, Props]] = [
    ({"m": False}, QueueRaise("p", 5, False), {"review_epoch": 8, "review_incomplete": False}),
    ({"m": False}, QueueRaise("p", 1, True), {"review_epoch": 4, "review_incomplete": True}),
    ({"m": True}, QueueRaise("p", 5, False), {"review_epoch": 8, "review_incomplete": True}),
    ({"m": True}, QueueRaise("p", 5, True), {"review_epoch": 8, "review_incomplete": True}),
]


@pytest.mark.parametrize(("mark", "more", "after"), RAISED)
def test_raising_the_queue(
    mark: Props, more: QueueRaise, after: Props, store: GraphStore, seeded: Seed
) -> None:
    """The epoch rises by the flags; the mark is set, never lifted."""
    seeded.raw.run("MATCH (q:Project) SET q.review_incomplete = $m", mark)
    store.commit(REJECT_DECISION, written(raises=[more]))
    assert project(seeded.raw).items() >= after.items()


@pytest.mark.parametrize(
    ("job", "mark"),
    [
        ({"ctx_open": True, "project_ids": ["q", "p"]}, {"review_incomplete": True}),
        ({"ctx_open": True, "project_ids": ["q"]}, {"review_incomplete": False}),
        ({"project_ids": ["p"]}, {"review_incomplete": False}),
    ],
    ids=["open", "another project's", "done"],
)
def test_an_open_job_keeps_the_mark(
    job: Props, mark: Props, store: GraphStore, seeded: Seed
) -> None:
    """A project is not finished while a job that flags its decisions goes on."""
    seeded.create("CtxJob", [job | {"id": "job", "kind": "flag_citers"}])
    seeded.raw.run("MATCH (q:Project) SET q.review_incomplete = true")
    store.commit(CONTINUE_REVIEW, written(finish_projects=["p"]))
    assert project(seeded.raw).items() >= mark.items()


# Counts of choices.


def _count(choice: str, side: str, by: int) -> StanceCount:
    choice_id, stance_id = f"choice {choice}", f"choice {choice} {side}"
    return StanceCount(
        choice_id,
        {"_ctx_record": True, "project_id": "p", "choice_key": choice, "stances": 0},
        stance_id,
        {"_ctx_record": True, "project_id": "p", "choice_id": choice_id, "active": 0},
        by,
    )


COUNTS: dict[str, tuple[list[list[StanceCount]], tuple[int, list[int]]]] = {
    "one side": ([[_count("k", "a", 1)]], (1, [1])),
    "twice the same side": ([[_count("k", "a", 1)], [_count("k", "a", 1)]], (1, [2])),
    "twice in one commit": ([[_count("k", "a", 1), _count("k", "a", 1)]], (1, [2])),
    "two sides": ([[_count("k", "a", 1)], [_count("k", "b", 1)]], (2, [1, 1])),
    "one taken back": ([[_count("k", "a", 1)], [_count("k", "a", -1)]], (0, [0])),
    "one of two taken back": (
        [[_count("k", "a", 1)], [_count("k", "a", 1)], [_count("k", "a", -1)]],
        (1, [1]),
    ),
    "changed sides": (
        [[_count("k", "a", 1)], [_count("k", "a", -1), _count("k", "b", 1)]],
        (1, [1, 0]),
    ),
    "changed and stayed": (
        [[_count("k", "a", 1)], [_count("k", "a", -1), _count("k", "a", 1)]],
        (1, [1]),
    ),
    "another choice": ([[_count("k", "a", 1), _count("l", "a", 1)]], (1, [1])),
}


@pytest.mark.parametrize("steps", COUNTS)
def test_choices_count_their_sides(steps: str, store: GraphStore, seeded: Seed) -> None:
    """A choice counts the conclusions that active decisions stand on, each its decisions."""
    commits, expected = COUNTS[steps]
    for number, counted in enumerate(commits):
        changes = Changeset(stances=counted, entries=[ENTRY | {"id": f"entry {number}"}])
        store.commit(RECORD_DECISION, changes)
    assert stances(seeded.raw, "k") == expected


# Numbers of events.


def _append(base: int, count: int, spare: int = 3) -> Changeset:
    task_id = IDS["Task"]
    ids = [derived("Event", task_id, base + k) for k in range(1, count + spare + 1)]
    events = [MARK | {"task_id": task_id, "payload": f"new {k}"} for k in range(count)]
    return written(
        Guard("Task", task_id, low=base, high=base + spare),
        appends=[Append(task_id, base, ids, events)],
    )


@pytest.mark.parametrize("base", [0, 1, 2])
def test_appended_events_take_the_next_numbers(base: int, store: GraphStore, seeded: Seed) -> None:
    """The commit takes numbers under the task's lock and picks the ids derived for them."""
    committed = store.commit(RECORD_EVENTS, _append(base, 3))
    assert committed.last_seq == 5
    found = sorted(nodes(seeded.raw, "Event", task_id=IDS["Task"]), key=lambda e: e["seq"])
    assert [e["seq"] for e in found] == [1, 2, 3, 4, 5]
    assert [e["payload"] for e in found][2:] == ["new 0", "new 1", "new 2"]
    assert [e["id"] for e in found] == [derived("Event", IDS["Task"], k) for k in range(1, 6)]
    assert node(seeded.raw, "Task", id=IDS["Task"])["event_seq"] == 5
    assert entries(seeded.raw)[0]["last_seq"] == 5


def test_appended_events_hang_below_their_task(store: GraphStore, seeded: Seed) -> None:
    """Each event is reached from its task once."""
    store.commit(RECORD_EVENTS, _append(2, 2))
    reached = seeded.raw.run(
        "MATCH (:Task {id: $id})-[:HAS_EVENT]->(e:Event) RETURN e.seq ORDER BY e.seq",
        {"id": IDS["Task"]},
    )
    assert reached == [[1], [2], [3], [4]]


def test_more_events_meanwhile_than_there_are_ids_for(store: GraphStore, seeded: Seed) -> None:
    """When others took more numbers than there are spare ids, nothing is appended."""
    seeded.events("t", "third", "fourth")
    stays_out(store, seeded.raw, RECORD_EVENTS, _append(0, 1))


@pytest.mark.parametrize("last", [2, 12, 119])
def test_a_stored_result_gets_the_number_taken(last: int, store: GraphStore, seeded: Seed) -> None:
    """The request keeps the event's id and number, which only the commit knew."""
    seeded.raw.run("MATCH (t:Task) SET t.event_seq = $n", {"n": last})
    changes = replace(
        _append(last, 1),
        request=MARK | {"id": "r", "project_id": "p", "request_id": "r"},
        result_parts=('{"id": "', '", "seq": ', "}"),
    )
    store.commit(RECORD_EVENTS, changes)
    made = derived("Event", IDS["Task"], last + 1)
    stored = node(seeded.raw, "Request", id="r")["result_json"]
    assert stored == f'{{"id": "{made}", "seq": {last + 1}}}'


def test_a_stored_result_without_gaps(store: GraphStore, seeded: Seed) -> None:
    """Other verbs store their result as it is."""
    request = MARK | {"id": "r", "project_id": "p", "request_id": "r", "result_json": "{}"}
    store.commit(CREATE_TASK, written(request=request))
    assert node(seeded.raw, "Request", id="r")["result_json"] == "{}"


# What is created and joined.


def test_created_records_hang_below_their_owners(store: GraphStore, seeded: Seed) -> None:
    """A new revision hangs below its task, its supports below it, and it points at what it cites."""
    made = {"id": "new", "task_id": IDS["Task"], "choice_key": "k", "revision": 1}
    changes = written(
        creates=[
            Create("Decision", MARK | made | {"conclusion": "a\nb", "rationale": "c"}, IDS["Task"]),
            Create("DecisionSupport", MARK | {"id": "s", "ordinal": 0}, "new"),
        ],
        links=[
            Link("DEPENDS_ON", "new", IDS["Decision"]),
            Link("SUPERSEDES", "new", IDS["Decision"]),
        ],
    )
    store.commit(SUPERSEDE_DECISION, changes)
    reached = seeded.raw.run(
        "MATCH (:Task)-[:MADE]->(d:Decision {id: 'new'})-[:HAS_SUPPORT]->(s) "
        "WITH d, s MATCH (d)-[r]->(x:Decision) RETURN s.id, type(r), x.id ORDER BY type(r)"
    )
    assert reached == [
        ["s", "DEPENDS_ON", IDS["Decision"]],
        ["s", "SUPERSEDES", IDS["Decision"]],
    ]
    assert [s["id"] for s in supports(seeded.raw, "new")] == ["s"]


def test_a_record_without_its_owner_is_lost_with_its_guard(store: GraphStore, seeded: Seed) -> None:
    """Whoever creates below an owner guards it, so that nothing is half created."""
    changes = written(
        Guard("Decision", "nowhere"),
        creates=[Create("DecisionSupport", MARK | {"id": "s"}, "nowhere")],
    )
    stays_out(store, seeded.raw, REAFFIRM_DECISION, changes)


def _parts(raw: RawGraph) -> list[list[Any]]:
    return raw.run(
        "MATCH (:Document {id: $id})-[h:HAS_PART]->(c) "
        "RETURN h.version_id, h.valid_at, h.invalid_at ORDER BY h.version_id",
        {"id": IDS["Document"]},
    )


def test_a_version_is_closed_and_an_earlier_one_opened(store: GraphStore, seed: Seed) -> None:
    """The open parts get their end, those of the other version lose theirs."""
    seed.document("policy", POLICY, "Other text.")
    first, second = (derived("Version", digest(text), "", "") for text in (POLICY, "Other text."))
    changes = written(
        part_documents=[(IDS["Document"], "2026-04-01")],
        open_parts=[(IDS["Document"], first, "2026-04-01")],
    )
    store.commit(PUT_DOCUMENT, changes)
    found = {version: (since, until) for version, since, until in _parts(seed.raw)}
    assert found[first] == ("2026-04-01", None)
    assert found[second][1] == "2026-04-01"


def test_redaction_changes_three_labels_at_once(store: GraphStore, seeded: Seed) -> None:
    """Event, stored result and decision change in the same commit."""
    stored = {
        "payload_sha256": "d",
        "result_json": f'{{"id": "{IDS["Event"]}", "payload": "said"}}',
    }
    seeded.create("Request", [MARK | stored | {"id": "r", "project_id": "p", "request_id": "r"}])
    changes = written(
        changes=[
            Change("Event", IDS["Event"], {"payload": "gone"}),
            Change("Decision", IDS["Decision"], {"review_state": "needs_review"}),
        ],
        scrubs=[Scrub("p", "d", IDS["Event"], "gone")],
    )
    store.commit(REDACT_EVENT, changes)
    assert node(seeded.raw, "Event", id=IDS["Event"])["payload"] == "gone"
    assert node(seeded.raw, "Request", id="r")["result_json"] == "gone"
    assert decision(seeded.raw, IDS["Decision"])["review_state"] == "needs_review"
