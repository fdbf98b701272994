"""The lineage of a decision: what is drawn, where, in which state, and what is left out."""

from graphstore.records import ReviewState
from graphstore.results import Lineage, LineageNode
from graphstore.store import counting
from tests.contract.seeding import Heard, Passage, Seed, derived, named
from tests.contract.world import DAYS, DAYS_15, POLICY, POLICY_15, Work

CITED = Passage("policy", POLICY, DAYS)


def start(seed: Seed) -> None:
    """A project with a task of three events and a policy that moved on."""
    seed.project_node()
    seed.task("t", "How long?", "Where?", "When?")
    seed.document("policy", POLICY, POLICY_15)


def drawn(work: Work, decision_id: str, **how: int) -> Lineage:
    """The lineage of a decision, which must be there."""
    found = work.traces.get_lineage(decision_id, **how)
    assert found is not None
    return found


def by_id(found: Lineage) -> dict[str, LineageNode]:
    """The nodes by id, each once."""
    nodes = {node.id: node for node in found.nodes}
    assert len(nodes) == len(found.nodes)
    return nodes


def event(seq: int, task: str = "t") -> str:
    """The id of an event of project p."""
    return derived("Event", derived("p", task), seq)


def test_a_lineage_shows_both_sides(work: Work, seed: Seed) -> None:
    """Sources stand above, dependents below, revisions beside, each at its hops and with its edges."""
    start(seed)
    scope = seed.decision("scope", Heard("t", 2))
    old = seed.decision("days", CITED, status="superseded")
    days = seed.decision("days", CITED, scope, Heard("t", 1), revision=2, conclusion="30 days")
    seed.link("Decision", "SUPERSEDES", "Decision", [(days, old)])
    reply = seed.decision("reply", days)
    last = seed.decision("last", reply)
    with counting() as trips:
        found = drawn(work, days)
    policy = named("Document", "policy")
    assert trips.count == 2
    assert {node.id: node.hops for node in found.nodes} == {
        days: 0, old: 0, scope: -1, policy: -1, event(1): -1, event(2): -2, reply: 1, last: 2,
    }  # fmt: skip
    assert found.nodes[0].id == days
    hops = [abs(node.hops) for node in found.nodes]
    assert hops == sorted(hops)
    assert {(edge.start, edge.end, edge.kind) for edge in found.edges} == {
        (days, old, "supersedes"), (days, policy, "cites"), (old, policy, "cites"),
        (days, scope, "cites"), (days, event(1), "cites"), (scope, event(2), "cites"),
        (reply, days, "cites"), (last, reply, "cites"),
    }  # fmt: skip
    assert (found.truncated, {node.more for node in found.nodes}) == (False, {0})


def test_each_kind_has_its_label(work: Work, seed: Seed) -> None:
    """A decision shows its conclusion, a document its title or key, an event its task and number."""
    start(seed)
    seed.document("terms", POLICY)
    seed.raw.run("MATCH (d:Document {document_key: 'terms'}) SET d.title = null", {})
    made = seed.decision("days", CITED, Passage("terms", POLICY, DAYS), Heard("t", 2))
    nodes = by_id(drawn(work, made))
    policy, terms = (nodes[named("Document", key)] for key in ("policy", "terms"))
    heard, itself = nodes[event(2)], nodes[made]
    assert (itself.label, itself.task_name) == ("Conclusion of days", "t")
    assert itself.decision == work.get(made)
    assert (policy.label, policy.document_key) == ("Policy", "policy")
    assert (terms.label, terms.document_key) == ("terms", "terms")
    assert (heard.label, heard.task_name, heard.seq) == ("t · event 2", "t", 2)


def test_each_source_has_its_state(work: Work, seed: Seed) -> None:
    """Documents are current, changed or removed since they were cited; events intact, redacted or deleted."""
    start(seed)
    seed.document("same", POLICY)
    seed.document("gone", POLICY, None)
    seed.raw.run(
        "MATCH (e:Event {id: $id}) SET e.redacted_at = '2026-03-01T10:00:00+00:00'",
        {"id": event(2)},
    )
    cited = [Passage(key, POLICY, DAYS) for key in ("same", "gone")]
    heard = [Heard("t", 1), Heard("t", 2), Heard("over", 1)]
    made = seed.decision("days", CITED, *cited, *heard)
    nodes = by_id(drawn(work, made))
    documents = {key: nodes[named("Document", key)].state for key in ("policy", "same", "gone")}
    assert documents == {"policy": "changed", "same": "current", "gone": "removed"}
    assert [nodes[i].state for i in (event(1), event(2), event(1, "over"))] == [
        "intact", "redacted", "deleted",
    ]  # fmt: skip
    assert nodes[event(1, "over")].label == "over · event 1"
    now = seed.decision("now", Passage("policy", POLICY_15, DAYS_15, seq=2))
    assert by_id(drawn(work, now))[named("Document", "policy")].state == "current"


def test_sixty_nodes_leave_room_for_both_sides(work: Work, seed: Seed) -> None:
    """A decision with many dependents still shows all it rests on, and says how many are left out."""
    start(seed)
    parents = seed.decisions([(f"parent {k}", []) for k in range(10)])
    hub = seed.decision("days", *parents, CITED)
    seed.decisions([(f"reply {k}", [hub]) for k in range(200)])
    found = drawn(work, hub)
    nodes = by_id(found)
    assert (len(nodes), found.truncated) == (60, True)
    assert {*parents, named("Document", "policy")} <= nodes.keys()
    below = [node for node in found.nodes if node.hops > 0]
    assert (len(below), nodes[hub].more) == (48, 152)
    assert len(found.edges) == 59
    few = drawn(work, hub, limit=5)
    assert (len(few.nodes), by_id(few)[hub].more) == (5, 207)


def test_what_is_further_out_is_counted(work: Work, seed: Seed) -> None:
    """Four hops are drawn each way, and the last node of each says that it goes on."""
    start(seed)
    chain = [seed.decision("0")]
    for k in range(1, 11):
        chain.append(seed.decision(f"{k}", chain[-1]))
    found = drawn(work, chain[5])
    assert {node.id: node.hops for node in found.nodes} == {
        chain[5 + hops]: hops for hops in range(-4, 5)
    }
    assert {node.id for node in found.nodes if node.more} == {chain[1], chain[9]}
    assert {node.more for node in found.nodes if node.more} == {1}
    assert found.truncated


def test_paths_are_not_walked(work: Work, seed: Seed) -> None:
    """Twenty layers of three, which have billions of paths, are drawn like any other lineage."""
    start(seed)
    layers = [seed.decisions([(f"0 {k}", []) for k in range(3)])]
    for depth in range(1, 20):
        layers.append(seed.decisions([(f"{depth} {k}", layers[-1]) for k in range(3)]))
    found = drawn(work, layers[10][0])
    assert len(found.nodes) == 25
    assert {abs(node.hops) for node in found.nodes} == {0, 1, 2, 3, 4}


def test_a_decision_cited_twice_is_drawn_once(work: Work, seed: Seed) -> None:
    """A node at two distances stands at the nearer one, and one edge joins two nodes."""
    start(seed)
    root = seed.decision("root", CITED)
    middle = seed.decision("middle", root, root)
    leaf = seed.decision("leaf", middle, root, CITED, CITED)
    found = drawn(work, leaf)
    assert {node.id: node.hops for node in found.nodes} == {
        leaf: 0, middle: -1, root: -1, named("Document", "policy"): -1,
    }  # fmt: skip
    assert len(found.edges) == len({(edge.start, edge.end) for edge in found.edges}) == 5


def test_lineages_of_others_are_not_seen(work: Work, seed: Seed) -> None:
    """A decision of another project has no lineage here, nor has one that does not exist."""
    start(seed)
    made = seed.decision("days", CITED)
    assert work.within("other").traces.get_lineage(made) is None
    assert work.traces.get_lineage("nothing") is None


def test_a_lineage_reads_unknown_while_flags_travel(work: Work, seed: Seed) -> None:
    """No decision drawn reads clear while the project's queue is not drained."""
    start(seed)
    made = seed.decision("days", CITED)
    seed.decision("reply", made)
    seed.raw.run("MATCH (q:Project {project_id: 'p'}) SET q.review_incomplete = true", {})
    states = {node.decision.review_state for node in drawn(work, made).nodes if node.decision}
    assert states == {ReviewState.UNKNOWN}
