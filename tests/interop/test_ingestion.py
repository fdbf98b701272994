"""What the library is still ingesting is there already, tagged, and must not be read."""

from tests.interop.world import POLICY, POLICY_LONGER, Side, World, our_document


def test_the_text_that_is_coming_is_not_the_text_that_is(world: World) -> None:
    """Until its job commits, a document has its old text, one version and its old number."""
    side = world.side
    side.library.begin_update(side.policy, POLICY_LONGER)
    lookup = side.our_document(side.policy)
    assert lookup.text == POLICY
    assert lookup.document is not None
    assert lookup.document.activation_seq == 1
    assert len(side.our_versions(side.policy).versions) == 1


def test_a_passage_of_the_text_that_is_coming_cannot_be_fetched_or_cited(world: World) -> None:
    """The library shows nobody the rows of a job in flight; nor do we."""
    side = world.side
    side.library.begin_update(side.policy, POLICY_LONGER)
    coming = side.cite(POLICY_LONGER, "Refunds are paid within 45 days")
    assert side.their_fetch(coming)[0].text is None
    mine = side.our_fetch(coming)
    assert (mine[0].status, mine[0].text) == ("unavailable", None)
    there = side.our_fetch(side.cite(POLICY, "Refunds are paid within 30 days"))[0]
    forged = there.model_copy(
        update={
            "evidence_id": coming.evidence_id,
            "text": coming.words,
            "content_hash": side.peer.nodes("Chunk", text=POLICY_LONGER)[0]["content_hash"],
        }
    )
    result = side.traces.record_decision(
        "audit", "early", "c", "r", supports=[our_document(coming)], fetched_evidence=[forged]
    )
    assert (result.recorded, result.error) == (False, "support_not_fetched")


def test_a_removed_document_whose_next_text_is_coming_is_still_removed(world: World) -> None:
    """Open parts that are tagged do not make it live again."""
    side = world.side
    side.library.remove_document(side.policy)
    side.library.begin_update(side.policy, POLICY_LONGER)
    assert side.our_document(side.policy).text is None
    cited = side.cite(POLICY, "Refunds are paid within 30 days")
    assert side.their_fetch(cited)[0].text is None
    assert side.our_fetch(cited)[0].text is None
    result = side.traces.reaffirm_decision(
        world.days, [our_document(cited)], fetched_evidence=side.our_fetch(cited)
    )
    assert (result.recorded, result.error) == (False, "cannot_revalidate")


def test_a_document_that_a_job_holds_is_left_alone(both: Side) -> None:
    """Even one that we put: the job would commit over our version."""
    assert both.documents.put_document(both.policy, POLICY).recorded
    both.library.begin_update(both.policy, POLICY_LONGER)
    assert both.documents.put_document(both.policy, "Else.").error == "document_managed_elsewhere"
    assert both.documents.remove_document(both.policy).error == "document_managed_elsewhere"
