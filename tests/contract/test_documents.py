"""Documents: versions, who is flagged by a new one, and what a passage reads like afterwards."""

from typing import Any
from uuid import UUID

import pytest

from graphstore.records import FetchStatus, VersionStatus
from graphstore.store import counting
from tests.contract.looking import (
    Props,
    decision,
    dump,
    entries,
    node,
    nodes,
    project,
)
from tests.contract.seeding import Heard, Passage, Seed, derived, digest, named
from tests.contract.world import (
    DAYS,
    DAYS_15,
    POLICY,
    POLICY_15,
    POLICY_45,
    SIGNED,
    Deaf,
    Work,
    answer,
)

DOC = named("Document", "policy")
CITED = Passage("policy", POLICY, DAYS)
TASK = derived("p", "t")
SCOPE = frozenset(["policy"])


def _id(choice: str) -> str:
    return derived("Decision", TASK, choice, 1)


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A task with an event."""
    seed.project_node()
    seed.task("t", "How long?")


def parts(work: Work) -> list[tuple[str, bool]]:
    """The document's parts in order of their text: the text, and whether it is open."""
    found = work.raw.run(
        "MATCH (:Document {id: $id})-[h:HAS_PART]->(c:Chunk) "
        "RETURN c.content_hash, c.index, c.text, h.invalid_at IS NULL",
        {"id": DOC},
    )
    return [(text, is_open) for _, _, text, is_open in sorted(found)]


def changes(work: Work) -> list[Props]:
    """The document's change log."""
    found = nodes(work.raw, "DocumentActivation", document_key="policy")
    return sorted(found, key=lambda a: a["activation_seq"])


def test_a_new_document(work: Work) -> None:
    """It has the library's id and shape, one open version and one entry in its log."""
    put = work.documents.put_document(
        "policy", POLICY, title="Policy", uri="https://example.org/policy"
    )
    assert (put.recorded, put.flagged, put.unchanged) == (True, 0, False)
    found = node(work.raw, "Document", id=DOC)
    assert (
        found.items()
        >= {
            "document_key": "policy",
            "title": "Policy",
            "uri": "https://example.org/policy",
            "current_content_hash": digest(POLICY),
            "activation_seq": 1,
        }.items()
    )
    assert nodes(work.raw, "_Node", id=DOC) == [found]
    assert parts(work) == [(POLICY, True)]
    (activation,) = changes(work)
    assert (activation["verb"], activation["content_hash"]) == ("add", digest(POLICY))
    assert "previous_content_hash" not in activation
    assert activation["version_id"] == derived("Version", digest(POLICY), "", "")


def test_a_document_is_read_as_it_was_put(work: Work) -> None:
    """The result of putting equals what reading gives."""
    put = work.documents.put_document("policy", POLICY, title="Policy")
    found = work.documents.get_document("policy", scope=SCOPE)
    assert (found.found, found.document, found.text) == (True, put.document, POLICY)


def test_a_new_version(work: Work) -> None:
    """The old parts are closed, the new ones open, and the log says what was replaced."""
    work.documents.put_document("policy", POLICY, title="Policy", uri="https://example.org/")
    put = work.documents.put_document("policy", POLICY_15)
    assert put.document is not None
    assert (put.document.activation_seq, put.document.title) == (2, "Policy")
    assert put.document.uri == "https://example.org/"
    assert sorted(parts(work)) == sorted([(POLICY, False), (POLICY_15, True)])
    assert [(a["verb"], a.get("previous_content_hash")) for a in changes(work)] == [
        ("add", None),
        ("update", digest(POLICY)),
    ]
    assert work.documents.get_document("policy", scope=SCOPE).text == POLICY_15


def test_an_earlier_text_again(work: Work) -> None:
    """Its parts are opened again, under a new number."""
    for text in (POLICY, POLICY_15, POLICY):
        assert work.documents.put_document("policy", text).recorded
    assert sorted(parts(work)) == sorted([(POLICY, True), (POLICY_15, False)])
    assert [a["activation_seq"] for a in changes(work)] == [1, 2, 3]
    assert work.documents.get_document("policy", scope=SCOPE).text == POLICY


def test_the_same_text_again(work: Work) -> None:
    """Nothing is written and nobody is flagged."""
    work.documents.put_document("policy", POLICY, title="Policy")
    made = work.record("days", CITED)
    before = dump(work.raw)
    again = work.documents.put_document("policy", POLICY, title="Policy")
    assert (again.recorded, again.unchanged, again.flagged) == (True, True, 0)
    assert dump(work.raw) == before
    assert work.get(made.id).review_state == "clear"


def test_another_title_for_the_same_text(work: Work) -> None:
    """The title changes; the version does not, and nobody is flagged."""
    work.documents.put_document("policy", POLICY, title="Policy")
    made = work.record("days", CITED)
    put = work.documents.put_document("policy", POLICY, title="Refund policy")
    assert (put.recorded, put.unchanged, put.flagged) == (True, False, 0)
    assert put.document == work.documents.get_document("policy").document
    assert put.document is not None
    assert (put.document.title, put.document.activation_seq) == ("Refund policy", 1)
    assert work.get(made.id).review_state == "clear"


def test_the_same_text_claims_its_request_id(work: Work) -> None:
    """An id under which nothing had to be changed is used all the same."""
    work.documents.put_document("policy", POLICY)
    first = work.documents.put_document("policy", POLICY, request_id="r")
    assert work.documents.put_document("policy", POLICY, request_id="r") == first
    other = work.documents.put_document("policy", POLICY_15, request_id="r")
    assert answer(other) == (False, "request_id_reused")


@pytest.mark.parametrize("text", ["", " ", "\n\n\t\u2003"])
def test_an_empty_text_is_no_version(text: str, work: Work) -> None:
    """Who wants a document gone removes it."""
    before = dump(work.raw)
    refused = work.documents.put_document("policy", text, request_id="r")
    assert answer(refused) == (False, "document_empty")
    assert dump(work.raw) == before


def test_what_the_library_looks_after_is_left_to_it(work: Work, seed: Seed) -> None:
    """A document that its ingestion wrote is neither replaced nor removed here."""
    seed.document("policy", POLICY, managed=False)
    before = dump(work.raw)
    put = work.documents.put_document("policy", POLICY_15)
    removed = work.documents.remove_document("policy")
    assert answer(put) == answer(removed) == (False, "document_managed_elsewhere")
    assert dump(work.raw) == before


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("pending", "document_managed_elsewhere"),
        ("rolling_back", "document_managed_elsewhere"),
        ("committed", "document_managed_elsewhere"),
        ("cleaning", "document_managed_elsewhere"),
        ("done", None),
    ],
)
def test_what_the_library_is_working_on(
    status: str, code: str | None, work: Work, seed: Seed
) -> None:
    """A document of a running ingestion job is not touched, even before it exists."""
    seed.create("CutoverJob", [{"id": "job", "document_key": "policy", "status": status}])
    assert work.documents.put_document("policy", POLICY).error == code


def test_long_texts_are_cut_where_paragraphs_begin(work: Work) -> None:
    """The parts follow each other without a gap and give the text back to the letter."""
    text = "\n\n".join(f"Paragraph {k}. " + "word " * (k % 90) for k in range(120)) + "\n\n  end\n"
    work.documents.put_document("policy", text)
    found = sorted(nodes(work.raw, "Chunk"), key=lambda c: c["index"])
    assert len(found) > 5
    assert found[0]["char_start"] == 0
    assert found[-1]["char_end"] == len(text)
    assert [a["char_end"] for a in found[:-1]] == [b["char_start"] for b in found[1:]]
    assert all(c["text"] == text[c["char_start"] : c["char_end"]] for c in found)
    assert all(c["text"].startswith("Paragraph") for c in found[1:-1])
    assert max(len(c["text"]) for c in found) <= 1200
    assert work.documents.get_document("policy", scope=SCOPE).text == text
    across = Passage("policy", text, text[1000:4000])
    assert [f.text for f in fetch(work, across)] == [across.words]


# Removing.


def test_a_removed_document(work: Work) -> None:
    """It has no current version; its old texts stay for those who cited them."""
    work.documents.put_document("policy", POLICY)
    removed = work.documents.remove_document("policy")
    assert removed.document is not None
    assert (removed.document.removed, removed.document.activation_seq) == (True, 2)
    assert "current_content_hash" not in node(work.raw, "Document", id=DOC)
    assert parts(work) == [(POLICY, False)]
    last = changes(work)[-1]
    assert (last["verb"], last.get("content_hash"), last.get("version_id")) == (
        "delete",
        None,
        None,
    )
    assert last["previous_content_hash"] == digest(POLICY)
    found = work.documents.get_document("policy", scope=SCOPE)
    assert (found.found, found.document, found.text) == (True, removed.document, None)


def test_a_document_is_removed_once(work: Work) -> None:
    """Removing what is removed changes nothing; removing what never was is refused."""
    work.documents.put_document("policy", POLICY)
    work.documents.remove_document("policy")
    before = dump(work.raw)
    again = work.documents.remove_document("policy")
    unknown = work.documents.remove_document("handbook")
    assert (again.recorded, again.unchanged) == (True, True)
    assert answer(unknown) == (False, "document_not_found")
    assert dump(work.raw) == before


def test_a_removed_document_comes_back(work: Work) -> None:
    """A text after a removal is added again, under the next number."""
    work.documents.put_document("policy", POLICY)
    work.documents.remove_document("policy")
    put = work.documents.put_document("policy", POLICY)
    assert put.document is not None
    assert put.document.activation_seq == 3
    assert [a["verb"] for a in changes(work)] == ["add", "delete", "add"]
    assert parts(work) == [(POLICY, True)]


# Flags.


def test_a_new_version_flags_whoever_cites_an_older_one(work: Work) -> None:
    """Citers are flagged with the reason and the activation, their dependents after them, at once."""
    work.documents.put_document("policy", POLICY)
    days = work.record("days", CITED)
    mail = work.record("mail", str(days.id))
    letter = work.record("letter", str(mail.id), Heard("t", 1))
    other = work.record("other", Heard("t", 1))
    put = work.documents.put_document("policy", POLICY_15)
    cause = f"document:{DOC}:2"
    assert put.flagged == 3
    found = {choice: work.get(_id(choice)) for choice in ("days", "mail", "letter")}
    assert [d.review_reason for d in found.values()] == [
        "source_changed",
        "dependency_review",
        "dependency_review",
    ]
    assert [d.status for d in found.values()] == ["active"] * 3
    assert [d.causes for d in found.values()] == [[cause]] * 3
    assert len({d.flagged_at for d in found.values()}) == 1
    assert work.get(other.id).review_state == "clear"
    assert work.get(letter.id).version == 2
    assert project(work.raw).items() >= {"review_epoch": 3, "review_incomplete": False}.items()
    manifest = entries(work.raw, action="put_document")[-1]["manifest"]
    assert (set(manifest["flagged"]), manifest["cause"]) == (
        {_id("days"), _id("mail"), _id("letter")},
        cause,
    )
    assert manifest["changed"][_id("days")] == {
        "review_state": ["clear", "needs_review"],
        "review_reason": [None, "source_changed"],
        "causes": [[], [cause]],
    }


def test_a_removal_flags_with_its_own_reason(work: Work) -> None:
    """Whoever cites a document that is gone is told so."""
    work.documents.put_document("policy", POLICY)
    work.record("days", CITED)
    assert work.documents.remove_document("policy").flagged == 1
    found = work.get(_id("days"))
    assert (found.review_reason, found.causes) == ("source_removed", [f"document:{DOC}:2"])


def test_later_versions_bring_a_flag_up_to_date(work: Work) -> None:
    """The cause names the last activation; the flag keeps its first time and its other causes."""
    work.documents.put_document("policy", POLICY)
    work.record("days", CITED, Heard("t", 1))
    work.documents.put_document("policy", POLICY_15)
    first = work.get(_id("days"))
    event = derived("Event", TASK, 1)
    work.retention.redact_event(event)
    work.documents.put_document("policy", POLICY_45)
    found = work.get(_id("days"))
    assert found.causes == sorted([f"document:{DOC}:3", f"event:{event}"])
    assert found.flagged_at == first.flagged_at
    assert found.version > first.version
    work.documents.remove_document("policy")
    assert work.get(_id("days")).review_reason == "source_removed"


def test_going_back_to_the_cited_text_leaves_the_flag(work: Work) -> None:
    """A person says that it holds again; the text alone does not."""
    work.documents.put_document("policy", POLICY)
    work.record("days", CITED)
    work.documents.put_document("policy", POLICY_15)
    work.documents.put_document("policy", POLICY)
    found = work.get(_id("days"))
    assert (found.review_state, found.causes) == ("needs_review", [f"document:{DOC}:3"])


@pytest.mark.parametrize("props", [{"status": "rejected"}, {"status": "superseded"}], ids=str)
def test_retired_citers_are_left_alone(props: dict[str, Any], work: Work, seed: Seed) -> None:
    """Only active decisions are flagged, and only by what they stand on now."""
    seed.document("policy", POLICY)
    retired = seed.decision("old", CITED, **props)
    archived = seed.decision("moved", CITED)
    work.raw.run(
        "MATCH (:Decision {id: $id})-[:HAS_SUPPORT]->(s) SET s.current = false", {"id": archived}
    )
    before = decision(work.raw, retired), decision(work.raw, archived)
    assert work.documents.put_document("policy", POLICY_15).flagged == 0
    assert (decision(work.raw, retired), decision(work.raw, archived)) == before


def test_a_citer_below_a_citer(work: Work) -> None:
    """It stands on the document itself, so that is its reason, and it is flagged once."""
    work.documents.put_document("policy", POLICY)
    days = work.record("days", CITED)
    both = work.record("both", CITED, str(days.id))
    assert work.documents.put_document("policy", POLICY_15).flagged == 2
    found = work.get(both.id)
    assert (found.review_reason, found.version) == ("source_changed", 2)


def test_decisions_of_every_project_are_flagged(work: Work, seed: Seed) -> None:
    """Each project has its own entry; nobody is told of another's decisions."""
    other = Seed(work.raw, "q", seed.ticks)
    other.project_node()
    other.task("t")
    seed.document("policy", POLICY)
    here, there = seed.decision("days", CITED), other.decision("days", CITED)
    put = work.documents.put_document("policy", POLICY_15)
    assert put.flagged == 1
    assert decision(work.raw, there)["review_reason"] == "source_changed"
    assert project(work.raw, "q")["review_epoch"] == 1
    assert [e["decisions"] for e in entries(work.raw, "p")] == [[here]]
    assert [e["decisions"] for e in entries(work.raw, "q")] == [[there]]
    assert entries(work.raw, "q")[0]["operation_id"] == entries(work.raw, "p")[0]["operation_id"]


def test_a_writer_without_a_project(work: Work, seed: Seed) -> None:
    """A document may be put before its project has a task."""
    seed.document("policy", POLICY)
    here = seed.decision("days", CITED)
    assert work.within("nowhere").documents.put_document("policy", POLICY_15).flagged == 0
    assert decision(work.raw, here)["review_state"] == "needs_review"
    assert len(entries(work.raw, "nowhere")) == 1
    assert [e["decisions"] for e in entries(work.raw, "p")] == [[here]]


def test_many_versions_cost_two_round_trips_each(work: Work, seed: Seed) -> None:
    """One read and one commit, with twenty citers too."""
    seed.document("policy", POLICY)
    seed.decisions([(f"d{k}", [CITED]) for k in range(20)])
    with counting() as putting:
        assert work.documents.put_document("policy", POLICY_15).flagged == 20
    with counting() as removing:
        assert work.documents.remove_document("policy").flagged == 20
    assert (putting.count, removing.count) == (2, 2)


# A document that many cite.


@pytest.mark.parametrize("number", [500, 501, 1100])
def test_a_document_that_hundreds_cite(number: int, work: Work, seed: Seed) -> None:
    """All are flagged when the call returns, their dependents queued, and no job is left."""
    seed.document("policy", POLICY)
    made = seed.decisions([(f"d{k:04}", [CITED]) for k in range(number)])
    below = seed.decision("below", made[0])
    put = work.documents.put_document("policy", POLICY_15)
    assert (put.recorded, put.left_to_job) == (True, False)
    clear = "MATCH (d:Decision {project_id: 'p', review_state: 'clear'}) RETURN d.id"
    work.traces.continue_decision_review()
    drained(work)
    assert work.raw.run(clear) == []
    assert decision(work.raw, below)["ctx_causes"] == [f"document:{DOC}:2"]
    assert [job for job in nodes(work.raw, "CtxJob") if "ctx_open" in job] == []
    assert project(work.raw)["review_incomplete"] is False
    named_in_entries = {i for e in entries(work.raw) for i in e["decisions"]}
    assert named_in_entries >= {*made, below}


def drained(work: Work) -> None:
    """Move the queue until it is empty."""
    while work.traces.continue_decision_review():
        pass


def test_projects_wait_for_a_job_on_a_document(work: Work, seed: Seed) -> None:
    """Killed after the first commit, the job is there: everything reads unknown until somebody takes it on."""
    seed.document("policy", POLICY)
    made = seed.decisions([(f"d{k:03}", [CITED]) for k in range(501)])

    class Gone(Exception):
        """The process ended."""

    class Dying(Deaf):
        """Commits once, and is gone."""

        def commit(self, verb: Any, changeset: Any) -> Any:
            self.store.commit(verb, changeset)
            raise Gone

    with pytest.raises(Gone):
        work.through(Dying(work.store)).documents.put_document("policy", POLICY_15, request_id="r")
    assert work.get(made[0]).review_state == "unknown"
    assert project(work.raw)["review_incomplete"] is True
    assert work.traces.continue_decision_review() == 0
    assert project(work.raw)["review_incomplete"] is True
    again = work.documents.put_document("policy", POLICY_15, request_id="r")
    assert (again.recorded, again.flagged, again.left_to_job) == (True, 501, False)
    drained(work)
    assert work.get(made[0]).review_state == "needs_review"
    assert project(work.raw)["review_incomplete"] is False


def test_a_slice_whose_answer_was_lost(work: Work, seed: Seed) -> None:
    """A job goes on behind a lost answer, and flags nobody twice."""
    seed.document("policy", POLICY)
    seed.decisions([(f"d{k:03}", [CITED]) for k in range(501)])
    work.documents.put_document("policy", POLICY_15)

    class DeafToSlices(Deaf):
        """Loses the answer of the first slice."""

        def commit(self, verb: Any, changeset: Any) -> Any:
            whole = super().commit if verb.name == "flag_citers" else self.store.commit
            return whole(verb, changeset)

    deaf = DeafToSlices(work.store)
    put = work.through(deaf).documents.put_document("policy", POLICY_45)
    assert [verb.name for verb in deaf.lost] == ["flag_citers"]
    assert put.flagged == 501
    versions = "MATCH (d:Decision {project_id: 'p'}) RETURN DISTINCT d.ctx_version, d.ctx_causes"
    assert work.raw.run(versions) == [[2, [f"document:{DOC}:3"]]]


# Reading.


def fetch(work: Work, *passages: Passage, max_chars: int = 4000) -> Any:
    """Fetch passages as an agent that is about to cite the policy."""
    return work.documents.fetch_evidence(
        [p.evidence_id for p in passages], max_chars=max_chars, scope=SCOPE
    )


def test_a_passage_of_the_current_version(work: Work) -> None:
    """Its text, where it stands, and the activation under which it was read."""
    work.documents.put_document("policy", POLICY, title="Policy", uri="https://example.org/p")
    (found,) = fetch(work, CITED)
    assert (found.status, found.text, found.partial) == (FetchStatus.OK, DAYS, False)
    assert (found.document_key, found.title, found.uri) == (
        "policy",
        "Policy",
        "https://example.org/p",
    )
    assert (found.content_hash, found.observed_activation_seq) == (digest(POLICY), 1)
    assert found.status_of_version is VersionStatus.CURRENT
    assert found.covered_range == (CITED.start, CITED.end)
    assert found.citation_markdown == "[Policy](https://example.org/p)"


def test_a_passage_of_an_older_version(work: Work) -> None:
    """It can still be read as it was cited, and says that it is not current."""
    work.documents.put_document("policy", POLICY)
    work.documents.put_document("policy", POLICY_15)
    old, new = fetch(work, CITED, Passage("policy", POLICY_15, DAYS_15))
    assert (old.text, old.status_of_version) == (DAYS, VersionStatus.SUPERSEDED)
    assert (new.text, new.status_of_version) == (DAYS_15, VersionStatus.CURRENT)
    assert (old.observed_activation_seq, new.observed_activation_seq) == (2, 2)
    assert old.citation_markdown == "policy, superseded version"


def test_what_cannot_be_fetched(work: Work) -> None:
    """Malformed ids, unknown versions and documents, and what was removed, in the order asked."""
    work.documents.put_document("policy", POLICY)
    asked = ["nonsense", Passage("policy", POLICY_15, DAYS_15).evidence_id, CITED.evidence_id]
    asked += [Passage("handbook", POLICY, DAYS).evidence_id, ""]
    found = work.documents.fetch_evidence(asked, scope=SCOPE | {"handbook"})
    assert [f.evidence_id for f in found] == asked
    assert [f.status.value for f in found] == [
        "malformed",
        "unavailable",
        "ok",
        "unavailable",
        "malformed",
    ]
    work.documents.remove_document("policy")
    assert [f.status.value for f in fetch(work, CITED)] == ["unavailable"]
    assert work.documents.fetch_evidence([]) == []


def test_a_document_outside_the_scope(work: Work, seed: Seed) -> None:
    """A project reads what one of its decisions cites; anything else looks as if it were not there."""
    work.documents.put_document("policy", POLICY)
    ids = [CITED.evidence_id]
    assert [f.status.value for f in work.documents.fetch_evidence(ids)] == ["unavailable"]
    assert work.documents.get_document("policy").found is False
    assert work.documents.list_versions("policy").found is False
    assert work.documents.list_documents().documents == []
    work.record("days", CITED)
    assert [f.text for f in work.documents.fetch_evidence(ids)] == [DAYS]
    assert work.documents.get_document("policy").text == POLICY
    assert work.documents.list_versions("policy").found is True
    assert [d.document_key for d in work.documents.list_documents().documents] == ["policy"]
    elsewhere = work.within("q").documents
    assert [f.status.value for f in elsewhere.fetch_evidence(ids)] == ["unavailable"]
    assert elsewhere.list_documents().documents == []


@pytest.mark.parametrize(("limit", "status"), [(5, "truncated"), (len(DAYS), "ok")])
def test_a_long_passage_is_cut(limit: int, status: str, work: Work) -> None:
    """A cut passage says so, has no citation, and cannot support a decision."""
    work.documents.put_document("policy", POLICY)
    (found,) = fetch(work, CITED, max_chars=limit)
    assert (found.status.value, found.text) == (status, DAYS[:limit])
    assert found.covered_range == (CITED.start, CITED.start + limit)
    assert (found.citation_markdown is None) == (status == "truncated")


def test_many_passages_are_one_round_trip(work: Work) -> None:
    """However many are asked for, of however many documents."""
    keys = [f"doc {k}" for k in range(10)]
    for key in keys:
        work.documents.put_document(key, POLICY)
    passages = [Passage(key, POLICY, words) for key in keys for words in (DAYS, SIGNED)]
    with counting() as trips:
        found = work.documents.fetch_evidence(
            [p.evidence_id for p in passages], scope=frozenset(keys)
        )
    assert [f.text for f in found] == [p.words for p in passages]
    assert trips.count == 1


def test_a_chunk_of_the_library(work: Work, seed: Seed) -> None:
    """Chunks can be cited by their own id too."""
    seed.document("policy", POLICY, managed=False)
    chunk = nodes(work.raw, "Chunk")[0]["id"]
    evidence = f"ev1:c:{DOC}:{digest(POLICY)[:16]}:{chunk}"
    (found,) = work.documents.fetch_evidence([evidence], scope=SCOPE)
    assert (found.status, found.text) == (FetchStatus.OK, POLICY)
    assert found.reference is not None
    assert found.reference.chunk_id == UUID(chunk)


def test_documents_are_listed_by_key(work: Work) -> None:
    """Pages follow each other without a gap, of documents that the project cites."""
    keys = [f"doc {k}" for k in range(7)]
    for key in [*keys, "uncited"]:
        work.documents.put_document(key, POLICY)
    work.record("all", *(Passage(key, POLICY, DAYS) for key in keys))
    listed: list[str] = []
    cursor = None
    for _ in range(3):
        page = work.documents.list_documents(cursor=cursor, limit=3)
        listed += [d.document_key for d in page.documents]
        cursor = page.next_cursor
    assert (listed, cursor) == (keys, None)


def test_documents_of_any_script_are_listed(work: Work) -> None:
    """Keys outside ASCII have their place among the others; FalkorDB's index forgets them."""
    keys = ["Größe", "a", "z", "é", "温度"]
    for key in keys:
        work.documents.put_document(key, POLICY)
    work.record("all", *(Passage(key, POLICY, DAYS) for key in keys))
    listed: list[str] = []
    cursor = None
    for _ in range(3):
        page = work.documents.list_documents(cursor=cursor, limit=2)
        listed += [d.document_key for d in page.documents]
        cursor = page.next_cursor
    assert (listed, cursor) == (keys, None)


def test_versions_are_listed_newest_first(work: Work) -> None:
    """The change log in pages, with what each activation did."""
    for text in (POLICY, POLICY_15, POLICY_45):
        work.documents.put_document("policy", text)
    work.documents.remove_document("policy")
    first = work.documents.list_versions("policy", limit=3, scope=SCOPE)
    second = work.documents.list_versions(
        "policy", before_seq=first.next_before_seq, limit=3, scope=SCOPE
    )
    assert [(v.activation_seq, v.verb) for v in first.versions] == [
        (4, "delete"),
        (3, "update"),
        (2, "update"),
    ]
    assert [(v.activation_seq, v.verb) for v in second.versions] == [(1, "add")]
    assert (second.next_before_seq, second.versions[0].content_hash) == (None, digest(POLICY))
    assert work.documents.list_versions("handbook", scope=frozenset(["handbook"])).found is False


def test_a_plan_is_what_the_write_does(work: Work) -> None:
    """The decisions that it names are those that are flagged; planning writes nothing."""
    work.documents.put_document("policy", POLICY)
    days = work.record("days", CITED)
    mail = work.record("mail", str(days.id))
    before = dump(work.raw)
    plan = work.documents.plan_put_document("policy", POLICY_15)
    assert dump(work.raw) == before
    assert (plan.error, plan.unchanged, plan.left_to_job) == (None, False, False)
    assert ([d.id for d in plan.flagged], plan.direct, plan.again) == ([days.id, mail.id], 1, 0)
    assert plan.flagged[0] == days
    put = work.documents.put_document("policy", POLICY_15, seen=plan.seen)
    assert (put.recorded, put.flagged) == (True, 2)
    again = work.documents.plan_remove_document("policy")
    assert ([d.id for d in again.flagged], again.direct, again.again) == ([days.id], 1, 1)


def test_a_plan_of_the_same_text(work: Work) -> None:
    """Nothing would change."""
    work.documents.put_document("policy", POLICY)
    work.record("days", CITED)
    plan = work.documents.plan_put_document("policy", POLICY)
    assert (plan.error, plan.unchanged, plan.flagged) == (None, True, [])
    assert work.documents.put_document("policy", POLICY, seen=plan.seen).unchanged


@pytest.mark.parametrize(
    ("key", "text", "error"),
    [
        ("policy", "  ", "document_empty"),
        ("policy", "\0", "invalid_text"),
        ("x" * 1001, POLICY, "name_too_long"),
        ("theirs", POLICY, "document_managed_elsewhere"),
    ],
)
def test_a_plan_says_why_it_would_be_refused(
    key: str, text: str, error: str, work: Work, seed: Seed
) -> None:
    """With the code of the write."""
    seed.document("theirs", POLICY_15, managed=False)
    plan = work.documents.plan_put_document(key, text)
    assert plan.error == error == work.documents.put_document(key, text).error


def test_a_removal_of_nothing_is_refused_when_it_is_planned(work: Work) -> None:
    """As the removal is."""
    assert work.documents.plan_remove_document("nothing").error == "document_not_found"


def test_a_plan_names_no_decision_of_another_project(work: Work, seed: Seed) -> None:
    """They are flagged, and nobody elsewhere hears how many or which."""
    other = Seed(seed.raw, "q", seed.ticks)
    other.project_node()
    other.task("t", "Elsewhere.")
    work.documents.put_document("policy", POLICY)
    theirs = work.within("q").record("theirs", CITED)
    plan = work.documents.plan_put_document("policy", POLICY_15)
    assert (plan.flagged, plan.direct, plan.again) == ([], 0, 0)
    seen_with_more = work.documents.plan_put_document("policy", POLICY_15).seen
    work.within("q").record("more", str(theirs.id))
    assert work.documents.plan_put_document("policy", POLICY_15).seen == seen_with_more


def test_a_document_that_moved_on_since_the_plan(work: Work) -> None:
    """Somebody else put a version: the plan was of another document."""
    work.documents.put_document("policy", POLICY)
    plan = work.documents.plan_put_document("policy", POLICY_15)
    work.documents.put_document("policy", POLICY_45)
    before = dump(work.raw)
    put = work.documents.put_document("policy", POLICY_15, seen=plan.seen, request_id="r")
    assert (put.recorded, put.error, put.moved) == (False, "moved", ["documents"])
    assert dump(work.raw) == before


@pytest.mark.parametrize("verb", ["put", "remove"])
def test_a_citer_that_came_since_the_plan(verb: str, work: Work) -> None:
    """One decision more would be flagged than was shown."""
    work.documents.put_document("policy", POLICY)
    plans = {
        "put": lambda: work.documents.plan_put_document("policy", POLICY_15),
        "remove": lambda: work.documents.plan_remove_document("policy"),
    }
    plan = plans[verb]()
    days = work.record("days", CITED)
    writes = {
        "put": lambda: work.documents.put_document("policy", POLICY_15, seen=plan.seen),
        "remove": lambda: work.documents.remove_document("policy", seen=plan.seen),
    }
    result = writes[verb]()
    assert (result.error, result.moved) == ("moved", ["dependents"])
    assert work.get(days.id).review_state == "clear"


@pytest.mark.parametrize(("number", "shown"), [(500, (False, 500)), (501, (True, 200))])
def test_a_plan_of_what_hundreds_cite(
    number: int, shown: tuple[bool, int], work: Work, seed: Seed
) -> None:
    """Up to 500 are named; more would be left to a job, and the newest 200 are named."""
    seed.document("policy", POLICY)
    seed.decisions([(f"d{k:03}", [CITED]) for k in range(number)])
    plan = work.documents.plan_put_document("policy", POLICY_15)
    assert (plan.left_to_job, len(plan.flagged)) == shown
    assert work.documents.put_document("policy", POLICY_15, seen=plan.seen).flagged == number


def test_a_plan_is_the_same_however_many_others_cite(work: Work, seed: Seed) -> None:
    """A count that passes 500 only with other projects' citers changes nothing in it."""
    seed.document("policy", POLICY)
    mine = seed.decision("mine", CITED)
    on_mine = seed.decision("on-mine", mine)
    alone = work.documents.plan_put_document("policy", POLICY_15)
    other = Seed(seed.raw, "q")
    other.project_node()
    other.task("t")
    other.decisions([(f"d{k:03}", [CITED]) for k in range(501)])
    among = work.documents.plan_put_document("policy", POLICY_15)
    assert among == alone
    assert [str(d.id) for d in among.flagged] == [mine, on_mine]
    assert (among.left_to_job, among.direct) == (False, 1)
    put = work.documents.put_document("policy", POLICY_15, seen=among.seen)
    assert (put.recorded, put.flagged) == (True, 2)


def test_citers_are_listed_newest_first(work: Work, seed: Seed) -> None:
    """Active ones of the project with a current support, in pages, with what they cite."""
    seed.document("policy", POLICY, POLICY_15)
    first = seed.decision("first", CITED)
    seed.decision("gone", CITED, status="rejected")
    both = seed.decision("both", CITED, Passage("policy", POLICY, SIGNED), Heard("t", 1))
    newest = seed.decision("newest", Passage("policy", POLICY_15, DAYS_15, seq=2))
    page = work.documents.list_citers("policy", limit=2)
    assert [str(c.decision.id) for c in page.citers] == [newest, both]
    assert [c.cited_seq for c in page.citers] == [2, 1]
    assert page.citers[1].evidence_ids == sorted(
        [CITED.evidence_id, Passage("policy", POLICY, SIGNED).evidence_id]
    )
    assert len(page.citers[1].decision.supports) == 3
    rest = work.documents.list_citers("policy", cursor=page.next_cursor, limit=2)
    assert ([str(c.decision.id) for c in rest.citers], rest.next_cursor) == ([first], None)
    assert work.within("q").documents.list_citers("policy", scope=SCOPE).citers == []


def test_the_text_of_each_version(work: Work) -> None:
    """What each activation made current; a removal has none, and a number too many is not found."""
    for text in (POLICY, POLICY_15):
        work.documents.put_document("policy", text)
    work.documents.remove_document("policy")
    found = [work.documents.get_version("policy", seq, scope=SCOPE) for seq in range(1, 5)]
    assert [one.text for one in found] == [POLICY, POLICY_15, None, None]
    assert [one.found for one in found] == [True, True, True, False]
    assert [one.version and one.version.verb for one in found] == ["add", "update", "delete", None]
    assert work.documents.get_version("policy", 1).found is False


def test_the_text_of_a_purged_version(work: Work, seed: Seed) -> None:
    """The version is in the log; its text is gone."""
    seed.document("policy", POLICY, POLICY_15)
    work.raw.run("MATCH (c:Chunk {content_hash: $hash}) DETACH DELETE c", {"hash": digest(POLICY)})
    found = work.documents.get_version("policy", 1, scope=SCOPE)
    assert (found.found, found.text) == (True, None)
