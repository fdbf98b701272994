"""The list of verdicts, and each one with the page that it was given on."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from graphstore import HistoryRetention
from graphstore.evidence import COMPARISON_VERSION
from graphstore.records import Exhibit, Ground, VerdictKind, VerdictRecord
from graphstore.store import counting
from reviewconsole.addresses import decision_url, verdict_url, verdicts_url
from reviewconsole.exhibits import read_opened
from reviewconsole.models import User
from reviewconsole.views.verdicts import PAGE
from tests.web.browsing import Answer, at, judge, open_decision, open_queue, post, shown_form
from tests.web.conftest import SignedIn
from tests.web.test_asking import asking
from tests.web.test_verdicts import evidence_field, picked
from tests.web.world import AGENT, POLICY, PROJECT, SHORTER, World, passage

HOSTILE = "<script>alert(1)</script>\"'><svg onload=alert(2)> {{ 7 }}"


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


@pytest.fixture
def flagged(world: World, bobs: Client) -> World:
    """The project after the policy changed, its flags in the queue."""
    world.shorten_policy()
    open_queue(bobs)
    return world


def open_list(client: Client, **query: str) -> Answer:
    answer = client.get(verdicts_url(PROJECT, **query))
    assert answer.status_code == 200
    return answer


def listed(client: Client, **query: str) -> list[str]:
    """The kinds of the verdicts on a page of the list, newest first."""
    return [row["verdict"].kind.value for row in open_list(client, **query).context["rows"]]


def last(world: World) -> VerdictRecord:
    return world.traces.list_verdicts().verdicts[0]


def kept(world: World) -> Exhibit:
    """What the newest verdict kept of its page."""
    exhibit = last(world).exhibit
    assert exhibit is not None
    return exhibit


def open_seen(client: Client, verdict: VerdictRecord) -> Answer:
    answer = client.get(verdict_url(PROJECT, verdict.id))
    assert answer.status_code == 200
    return answer


# The list


def test_a_row_says_what_was_judged_by_whom_and_why(
    flagged: World, bob: User, bobs: Client
) -> None:
    """The conclusion leads to the decision, and there is a way to the page as seen."""
    judge(bobs, flagged.days, "reject", explanation="The period is wrong.", ground="source_changed")
    (row,) = open_list(bobs).context["rows"]
    assert row["words"] == "Rejected"
    assert row["ground"] == "The source changed"
    assert row["decision_url"] == at(flagged.days)
    text = open_list(bobs).content.decode()
    assert flagged.days.conclusion in text
    assert "The period is wrong." in text
    assert "Bob" in text
    assert bob.agent_id not in text


def test_the_newest_stands_first(flagged: World, bobs: Client) -> None:
    """Of every kind, taken back or not."""
    judge(bobs, flagged.signature, "reaffirm")
    judge(bobs, flagged.days, "reject", explanation="x")
    asking(bobs, flagged.scope)
    flagged.traces.withdraw_verdict(last(flagged).id, "No need.")
    assert listed(bobs) == ["withdraw", "ask", "reject", "reaffirm"]
    text = open_list(bobs).content.decode()
    assert "Taken back by <bdi>support-agent</bdi>" in text


def test_filters_narrow_by_person_kind_and_agent(flagged: World, bobs: Client) -> None:
    """Each in the address, all of them together."""
    judge(bobs, flagged.signature, "reaffirm")
    flagged.traces.reject_decision(flagged.days.id, "An agent was quicker.")
    assert listed(bobs, by="me") == ["reaffirm"]
    assert listed(bobs, kind="reject") == ["reject"]
    assert listed(bobs, agent=AGENT) == ["reject", "reaffirm"]
    assert listed(bobs, agent="nobody") == []
    assert listed(bobs, kind="reject", by="me") == []
    assert listed(bobs, kind="no such kind") == ["reject", "reaffirm"]


def test_filters_are_kept_by_each_other(flagged: World, bobs: Client) -> None:
    """Choosing one leaves the others as they are."""
    context = open_list(bobs, by="me", agent=AGENT).context
    rejections = next(one for one in context["kind_choices"] if one["value"] == "reject")
    assert rejections["url"] == verdicts_url(PROJECT, by="me", kind="reject", agent=AGENT)
    assert [one["value"] for one in context["by_choices"] if one["active"]] == ["me"]


def test_pages_follow_each_other_without_a_gap(world: World, bobs: Client) -> None:
    """The address of the next page holds the filters and where this page ended."""
    for number in range(PAGE + 2):
        assert world.traces.ask_for_review(world.scope.id, f"Look, {number}.").recorded
    first = open_list(bobs, kind="ask")
    second = bobs.get(first.context["next_url"])
    seen = [row["verdict"].why for page in (first, second) for row in page.context["rows"]]
    assert seen == [f"Look, {number}." for number in reversed(range(PAGE + 2))]
    assert second.context["next_url"] is None
    assert second.context["first_url"] == verdicts_url(PROJECT, kind="ask")


def test_an_empty_list_says_what_will_stand_there(world: World, bobs: Client) -> None:
    """Apart from a list that only filters emptied."""
    assert "Nobody has judged here yet" in open_list(bobs).content.decode()
    assert "No verdict is of this kind" in open_list(bobs, kind="ask").content.decode()


def test_a_list_costs_one_read(flagged: World, bobs: Client) -> None:
    """However many verdicts it shows."""
    judge(bobs, flagged.signature, "reaffirm")
    open_list(bobs)
    with counting() as trips:
        open_list(bobs)
    assert trips.count == 1


# What a verdict keeps of its page


def test_a_verdict_keeps_what_its_page_showed(flagged: World, bobs: Client) -> None:
    """Causes, each support with the machine's finding, and what rested on it."""
    judge(bobs, flagged.days, "reject", explanation="x")
    exhibit = kept(flagged)
    by_kind = {support.kind: support for support in exhibit.supports}
    cited = by_kind["document"]
    assert (cited.comparison, cited.cited_seq, cited.present_seq) == ("edited", 1, 2)
    assert cited.cited == passage(POLICY, "Refunds are paid within 30 days of the request.")
    assert cited.present == passage(SHORTER, SHORTER.split("\n")[0])
    assert by_kind["event"].comparison == "intact"
    assert (by_kind["decision"].comparison, by_kind["decision"].state) == ("clear", "clear")
    assert [cause.split(":")[0] for cause in exhibit.causes] == ["document"]
    assert (exhibit.dependents, exhibit.transitive, exhibit.tasks) == (1, 0, 1)
    assert (exhibit.in_bulk, exhibit.algorithm) == (1, COMPARISON_VERSION)


def test_no_text_is_kept_twice(flagged: World, bobs: Client) -> None:
    """Ids and hashes only, so that erasing a text erases it everywhere."""
    judge(bobs, flagged.days, "reject", explanation="Never in the exhibit.")
    stored = kept(flagged).model_dump_json()
    assert "Refunds" not in stored
    assert "Never in the exhibit." not in stored


def test_the_picked_passage_is_the_present_one(flagged: World, bobs: Client) -> None:
    """What the person chose, not what the machine found."""
    field = evidence_field(flagged, flagged.days)
    other = passage(SHORTER, "Shipping is never refunded.")
    judge(bobs, flagged.days, "reaffirm", explanation="x", **{field: other})
    cited = next(one for one in kept(flagged).supports if one.kind == "document")
    assert cited.present == other


def test_what_was_opened_is_what_stood_open_or_was_unfolded(flagged: World, bobs: Client) -> None:
    """Quiet evidence is folded; a script writes down which of it was opened."""
    form = shown_form(open_decision(bobs, flagged.days))
    page = open_decision(bobs, flagged.days)
    kinds = [card["support_on_desk"].support.kind for card in page.context["cards"]]
    sent = form | {
        "verdict": "reject",
        "explanation": "x",
        "opened": str(kinds.index("event")),
    }
    assert post(bobs, at(flagged.days), sent).status_code == 303
    opened = {one.kind: one.opened for one in kept(flagged).supports}
    assert opened == {"document": True, "event": True, "decision": False}


@pytest.mark.parametrize("text", ["", "x,-1,²", "1;DROP", ",,"])
def test_a_list_of_opened_cards_that_is_none_is_empty(text: str) -> None:
    """The field comes from a browser."""
    assert read_opened(text) == frozenset()


def test_when_the_page_was_opened_cannot_be_made_up(flagged: World, bobs: Client) -> None:
    """It travels signed, in the form."""
    before = timezone.now()
    judge(bobs, flagged.signature, "reaffirm")
    exhibit = kept(flagged)
    assert exhibit.opened_at is not None
    assert exhibit.decided_at is not None
    assert before <= exhibit.opened_at <= exhibit.decided_at
    assert exhibit.decided_at - before < timedelta(minutes=5)


# As seen


def test_the_page_is_rebuilt_from_the_versions_of_that_time(flagged: World, bobs: Client) -> None:
    """The document moved on twice since; both passages are those that were compared."""
    judge(bobs, flagged.days, "reaffirm", explanation="So be it.", **picked(flagged))
    verdict = last(flagged)
    flagged.documents.put_document("policy", "All new.", title="Refund policy")
    page = open_seen(bobs, verdict)
    card = next(c for c in page.context["cards"] if c["shown"].support.kind == "document")
    assert card["shown"].cited_text == "Refunds are paid within 30 days of the request."
    assert card["shown"].present_text == SHORTER.split("\n")[0]
    assert card["place"] == "cited from version 1, then version 2"
    assert card["erased"] == []
    text = page.content.decode()
    assert "So be it." in text
    assert "All new." not in text
    assert page.context["causes"][0]["words"] == "Refund policy, version 2"


def test_what_was_erased_since_is_marked(flagged: World, bobs: Client) -> None:
    """The event's text went after the verdict; that it was there then is still said."""
    judge(bobs, flagged.days, "reject", explanation="x")
    verdict = last(flagged)
    event = flagged.history.list_events("audit", after_seq=1).events[0]
    assert HistoryRetention(flagged.store, PROJECT, "keeper").redact_event(str(event.id)).recorded
    page = open_seen(bobs, verdict)
    card = next(c for c in page.context["cards"] if c["shown"].support.kind == "event")
    assert card["comparison"] == "intact"
    assert card["erased"] == ["The text of the event was erased since."]
    assert "The shop sells in the EU only." not in page.content.decode()


def test_a_verdict_of_a_program_kept_no_page(flagged: World, bobs: Client) -> None:
    """The page says plainly that nothing is known of what was looked at."""
    flagged.traces.reject_decision(
        flagged.days.id, "An agent was quicker.", ground=Ground.WRONG_WHEN_MADE
    )
    page = open_seen(bobs, last(flagged))
    assert page.context["exhibit"] is None
    text = page.content.decode()
    assert "Nothing was kept of the page" in text
    assert "An agent was quicker." in text


def test_an_odd_cause_of_a_program_leads_nowhere(flagged: World, bobs: Client) -> None:
    """Causes are text to whoever writes them: what names no record has no link, and no error."""
    odd = ["decision:", "decision:no id", "asked:", "asked:no id", "document:no id:x", "nonsense"]
    flagged.traces.reject_decision(flagged.days.id, "Odd.", exhibit=Exhibit(causes=odd))
    page = open_seen(bobs, last(flagged))
    assert [cause["url"] for cause in page.context["causes"]] == [None] * len(odd)


def test_a_verdict_taken_back_says_so(flagged: World, bobs: Client) -> None:
    """With the way from each to the other."""
    judge(bobs, flagged.signature, "reject", explanation="x")
    verdict = last(flagged)
    flagged.traces.withdraw_verdict(verdict.id, "Too quick.")
    page = open_seen(bobs, verdict)
    assert page.context["item"]["undo_url"] is None
    assert "Taken back by" in page.content.decode()
    taken = open_seen(bobs, last(flagged))
    assert taken.context["item"]["withdraws_url"] == verdict_url(PROJECT, verdict.id)


def test_a_supersession_leads_to_what_replaced_it(flagged: World, bobs: Client) -> None:
    """The new revision stands beside the judged one."""
    judge(
        bobs,
        flagged.signature,
        "supersede",
        conclusion="Three people sign.",
        rationale="x",
        explanation="x",
        support_0="keep",
    )
    verdict = last(flagged)
    assert verdict.kind == VerdictKind.SUPERSEDE
    page = open_seen(bobs, verdict)
    new = decision_url(PROJECT, str(verdict.new_decision_id))
    assert page.context["item"]["new_url"] == new
    assert page.context["decision"].conclusion == flagged.signature.conclusion


def test_a_page_as_seen_costs_two_reads(flagged: World, bobs: Client) -> None:
    """However much it shows."""
    judge(bobs, flagged.days, "reject", explanation="x")
    verdict = last(flagged)
    open_seen(bobs, verdict)
    with counting() as trips:
        open_seen(bobs, verdict)
    assert trips.count == 2


def test_hostile_text_is_text(world: World, bobs: Client) -> None:
    """Conclusions, reasons, names and keys, in the list and on the page as seen."""
    world.history.create_task(HOSTILE, HOSTILE)
    decision = world.decide(HOSTILE, HOSTILE, [world.on(world.scope)], task=HOSTILE)
    asking(bobs, decision, HOSTILE)
    judge(bobs, decision, "reject", explanation=HOSTILE)
    pages = [open_list(bobs), open_list(bobs, agent=HOSTILE), open_seen(bobs, last(world))]
    for page in pages:
        assert "<script>alert" not in page.content.decode()
        assert "<svg onload" not in page.content.decode()
