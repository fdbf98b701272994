"""Going through the queue: next, back, skip, set aside, snooze, drafts, and going on later."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from graphstore.records import Decision
from reviewconsole import claims, jobs, text_stores
from reviewconsole.addresses import claim_url, draft_url, leave_url, next_item_url
from reviewconsole.flow_models import Claim, ReviewerPlace, SetAside, Snooze
from reviewconsole.models import Draft, FlaggedDecision, User
from tests.web.browsing import Answer, at, judge, open_decision, open_queue, post, shown_form
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, SHORTER, World

WHY = "This needs a lawyer."


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


@pytest.fixture
def alices(alice: User, signed_in: SignedIn) -> Client:
    """Alice's browser."""
    return signed_in(alice)


@pytest.fixture
def flagged(world: World, bobs: Client) -> World:
    """The project after the policy changed: three decisions wait, in the queue's order."""
    world.shorten_policy()
    open_queue(bobs)
    return world


@pytest.fixture
def line(flagged: World) -> list[UUID]:
    """What waits, in the order of the queue."""
    rows = FlaggedDecision.objects.order_by("flagged_us", "decision_id")
    return list(rows.values_list("decision_id", flat=True))


def led_to(answer: Answer) -> UUID | None:
    """The decision to which an answer leads; None for the queue."""
    assert answer.status_code == 303
    path = answer["Location"].partition("?")[0]
    return None if path.endswith("/queue") else UUID(path.rpartition("/")[2])


def decided(world: World, decision_id: UUID) -> Decision:
    """A decision as it is now."""
    found = world.traces.get_decision(decision_id).decision
    assert found is not None
    return found


def go_on(client: Client, here: UUID | None = None) -> UUID | None:
    return led_to(client.get(next_item_url(PROJECT, here)))


def leave(client: Client, decision_id: UUID, how: str, **sent: Any) -> Answer:
    """Leave a decision for later by the form on its page."""
    version = open_decision(client, decision_id).context["going"]["version"]
    return post(client, leave_url(PROJECT, decision_id), {"leave": how, "version": version, **sent})


def words_of(client: Client) -> str:
    """What the next page says about what was just done."""
    return " ".join(str(message) for message in open_queue(client).context["messages"])


def test_two_reviewers_never_get_the_same_next(
    line: list[UUID], bobs: Client, alices: Client
) -> None:
    """The second gets the one after; who is through gets the queue, which says why."""
    assert (go_on(bobs), go_on(alices)) == (line[0], line[1])
    assert go_on(bobs, line[0]) == line[2]
    assert go_on(alices, line[1]) == line[0]
    Claim.objects.filter(decision_id=line[0]).update(until_us=1)
    assert go_on(bobs, line[2]) == line[0]


def test_nothing_left_says_why(line: list[UUID], bobs: Client, alices: Client) -> None:
    """A queue in which something waits does not seem empty."""
    go_on(alices)
    leave(bobs, line[1], "snooze", until="change")
    assert led_to(leave(bobs, line[2], "aside", aside_why=WHY)) is None
    assert "1 held by others, 1 snoozed, 1 that you could not judge" in words_of(bobs)


def test_opened_from_the_queue_it_is_claimed(
    line: list[UUID], bobs: Client, alices: Client, bob: User
) -> None:
    """Reading it elsewhere claims nothing, and whoever comes second reads who has it."""
    assert open_decision(bobs, line[0]).context["claim"]["state"] == "free"
    assert bobs.get(at(line[0], take="1")).context["claim"]["state"] == "mine"
    seen = alices.get(at(line[0], take="1"))
    assert seen.context["claim"]["state"] == "other"
    assert seen.context["claim"]["holder"].name == "Bob"
    assert claims.holders(PROJECT, line)[line[0]].user_id == bob.pk


def test_a_reader_reads_on_and_claims_nothing(
    line: list[UUID], dora: User, signed_in: SignedIn
) -> None:
    """From one to the next, and from the last to the first."""
    doras = signed_in(dora)
    doras.get(at(line[0], take="1"))
    assert [go_on(doras, one) for one in line] == [line[1], line[2], line[0]]
    assert not Claim.objects.exists()


def test_a_verdict_without_the_claim_is_refused(
    line: list[UUID], flagged: World, bobs: Client, alices: Client
) -> None:
    """409 names who has it and why, keeps everything typed, and records nothing."""
    one = flagged.days
    bobs.get(at(one.id, take="1"))
    form = shown_form(open_decision(bobs, one))
    taken = post(
        alices, claim_url(PROJECT, one.id), {"do": "take_over", "takeover_why": "Bob is away."}
    )
    assert taken.status_code == 303
    answer = post(bobs, at(one), {**form, "verdict": "reject", "explanation": WHY})
    assert answer.status_code == 409
    assert answer.context["refusal"]["code"] == "claimed"
    assert "Alice" in answer.context["refusal"]["details"][0]
    assert "Bob is away." in answer.context["refusal"]["details"][1]
    assert answer.context["form"]["explanation"].value() == WHY
    assert decided(flagged, one.id).status == "active"
    back = post(bobs, claim_url(PROJECT, one.id), {"do": "take_over", "takeover_why": "I am back."})
    assert back.status_code == 303
    assert shown_form(open_decision(bobs, one))["explanation"] == WHY
    assert judge(bobs, one, "reject", explanation=WHY).status_code == 303


def test_taking_over_needs_a_reason(line: list[UUID], bobs: Client, alices: Client) -> None:
    """Without one it stays whose it is, and what was typed beside it is kept."""
    go_on(bobs)
    url = claim_url(PROJECT, line[0])
    post(alices, url, {"do": "take_over", "takeover_why": " ", "explanation": WHY})
    shown = open_decision(alices, line[0])
    assert shown.context["claim"]["state"] == "other"
    assert "Write why you take it over" in shown.content.decode()
    assert shown_form(shown)["explanation"] == WHY


def test_the_script_hears_how_the_claim_stands(
    line: list[UUID], bobs: Client, alices: Client
) -> None:
    """Taken, beaten, looked at by another, let go by its number only."""
    url, json = claim_url(PROJECT, line[0]), {"Accept": "application/json"}
    taken = post(bobs, url, {"do": "take"}, **json).json()
    assert (taken["state"], taken["name"]) == ("mine", "Bob")
    assert post(bobs, url, {"do": "beat"}, **json).json()["fence"] == taken["fence"]
    assert post(alices, url, {"do": "look"}, **json).json()["state"] == "other"
    post(bobs, url, {"do": "release", "fence": taken["fence"] - 1})
    assert post(bobs, url, {"do": "look"}, **json).json()["state"] == "mine"
    post(bobs, url, {"do": "release", "fence": taken["fence"]})
    assert post(alices, url, {"do": "look"}, **json).json()["state"] == "free"


def test_the_verdict_lets_go_and_takes_the_next(
    line: list[UUID], flagged: World, bobs: Client
) -> None:
    """Whoever judges holds one decision at a time."""
    bobs.get(at(line[0], take="1"))
    judge(bobs, decided(flagged, line[0]), "reject", explanation=WHY)
    assert list(claims.holders(PROJECT, line)) == [line[1]]


def test_what_was_skipped_does_not_come_back(
    line: list[UUID], bobs: Client, alices: Client
) -> None:
    """Not to who skipped it, in this session, unless they ask for it."""
    assert led_to(leave(bobs, line[0], "skip")) == line[1]
    assert [go_on(bobs, one) for one in line[1:]] == [line[2], line[1]]
    assert go_on(alices) == line[0]
    claims.release(User.objects.get(username="alice"), PROJECT, line[0])
    leave(bobs, line[0], "unskip")
    assert go_on(bobs, line[2]) == line[0]


def test_what_one_cannot_judge_is_for_others(
    line: list[UUID], bobs: Client, alices: Client
) -> None:
    """They read who could not and why; it comes back to that person once it changed."""
    leave(bobs, line[0], "aside", aside_why=WHY)
    assert go_on(bobs, line[1]) == line[2]
    assert go_on(alices) == line[0]
    shown = open_decision(alices, line[0]).content.decode()
    assert "<bdi>Bob</bdi> could not judge this" in shown
    assert WHY in shown
    FlaggedDecision.objects.filter(decision_id=line[0]).update(version=9)
    claims.release(User.objects.get(username="alice"), PROJECT, line[0])
    assert go_on(bobs, line[2]) == line[0]


def test_setting_aside_needs_a_why(line: list[UUID], bobs: Client) -> None:
    """Without one nothing is set aside."""
    assert led_to(leave(bobs, line[0], "aside", aside_why=" ")) == line[0]
    assert not SetAside.objects.exists()


@pytest.mark.parametrize("until", ["tomorrow", "week", "month", "change"])
def test_what_is_snoozed_is_offered_to_nobody(
    line: list[UUID], bobs: Client, alices: Client, until: str
) -> None:
    """Until its time, or until it changes, or somebody wakes it."""
    assert led_to(leave(bobs, line[0], "snooze", until=until)) == line[1]
    assert go_on(alices) == line[2]
    shown = open_decision(alices, line[0])
    assert "<bdi>Bob</bdi> snoozed this until" in shown.content.decode()
    leave(alices, line[0], "wake")
    assert go_on(alices, line[2]) == line[0]


def test_a_snooze_ends_with_its_time_or_a_change(line: list[UUID], bobs: Client) -> None:
    """Whichever is first."""
    leave(bobs, line[0], "snooze", until="week")
    leave(bobs, line[1], "snooze", until="week")
    assert go_on(bobs) == line[2]
    Snooze.objects.filter(decision_id=line[0]).update(until_us=1)
    assert go_on(bobs, line[2]) == line[0]
    FlaggedDecision.objects.filter(decision_id=line[1]).update(version=9)
    assert go_on(bobs, line[0]) == line[1]


@pytest.mark.parametrize("day", ["", "yesterday", "1999-01-01", "2999-01-01"])
def test_a_day_that_makes_no_sense_snoozes_nothing(
    line: list[UUID], bobs: Client, day: str
) -> None:
    """It stays where it is, and the page says what is missing."""
    assert led_to(leave(bobs, line[0], "snooze", until="date", day=day)) == line[0]
    assert not Snooze.objects.exists()


def test_a_day_is_a_morning_of_the_reader(line: list[UUID], bobs: Client) -> None:
    """Six o'clock where they are."""
    day = timezone.localdate() + timedelta(days=3)
    bobs.cookies["timezone"] = "Asia/Tokyo"
    leave(bobs, line[0], "snooze", until="date", day=day.isoformat())
    until = Snooze.objects.get().until_us
    assert until is not None
    woken = datetime.fromtimestamp(until / 1e6, timezone.get_fixed_timezone(540))
    assert (woken.date(), woken.hour) == (day, 6)


def test_the_count_goes_up_while_the_queue_shrinks(
    line: list[UUID], flagged: World, bobs: Client
) -> None:
    """Item 1 of 3, then 2 of 3; the queue leads on from there."""
    first = bobs.get(at(line[0], take="1")).context["going"]["at"]
    assert (first.item, first.total) == (1, 3)
    judge(bobs, decided(flagged, line[0]), "reject", explanation=WHY)
    second = bobs.get(at(line[1], take="1")).context["going"]["at"]
    waits = FlaggedDecision.objects.filter(cleared_us=None).count()
    assert (second.item, second.total) == (2, 1 + waits)
    left = open_queue(bobs).context["continue_at"]
    assert (left["item"], left["total"]) == (2, 1 + waits)
    assert left["url"] == at(line[1], take="1")
    assert open_queue(bobs, order="newest").context["continue_at"] is None


def test_back_leads_to_the_one_before(line: list[UUID], bobs: Client) -> None:
    """In the queue's order; nothing stands before the first."""
    assert open_decision(bobs, line[0]).context["going"]["back_url"] is None
    assert open_decision(bobs, line[1]).context["going"]["back_url"] == at(line[0], take="1")


def test_a_draft_is_saved_as_it_is_written(
    line: list[UUID], bobs: Client, bob: User, signed_in: SignedIn
) -> None:
    """On another device it is there, and goes when everything was taken away."""
    url = draft_url(PROJECT, line[0])
    sent = {"explanation": WHY, "verdict": "reject", "evidence_0": "x", "request_id": "y"}
    assert post(bobs, url, sent).status_code == 204
    other = shown_form(open_decision(signed_in(bob), line[0]))
    assert (other["explanation"], other["verdict"]) == (WHY, "reject")
    assert post(bobs, url, {"explanation": " ", "evidence_0": "x"}).status_code == 204
    assert not Draft.objects.exists()


def test_a_draft_that_arrives_after_its_verdict_is_dropped(
    line: list[UUID], flagged: World, bobs: Client
) -> None:
    """The verdict has taken it already."""
    judge(bobs, flagged.days, "reject", explanation=WHY)
    assert post(bobs, draft_url(PROJECT, flagged.days.id), {"explanation": WHY}).status_code == 204
    assert not Draft.objects.exists()


def test_the_sweep_drops_what_is_over(line: list[UUID], bobs: Client, bob: User) -> None:
    """Drafts after 14 days, claims and snoozes once they ended; what is newer stays."""
    for one in line[:2]:
        post(bobs, draft_url(PROJECT, one), {"explanation": WHY})
    old = timezone.now() - timedelta(days=14, minutes=1)
    Draft.objects.filter(decision_id=line[0]).update(saved_at=old)
    leave(bobs, line[0], "snooze", until="week")
    Snooze.objects.update(until_us=1)
    claims.release(bob, PROJECT, line[1])
    jobs.sweep()
    assert [draft.decision_id for draft in Draft.objects.all()] == [line[1]]
    assert not Snooze.objects.exists()
    assert not Claim.objects.exists()


def test_what_was_written_beside_a_decision_is_erased_with_it(
    line: list[UUID], bobs: Client, alices: Client
) -> None:
    """Why it was taken over, why it could not be judged, and where somebody was."""
    go_on(bobs)
    post(alices, claim_url(PROJECT, line[0]), {"do": "take_over", "takeover_why": WHY})
    leave(bobs, line[0], "aside", aside_why=WHY)
    bobs.get(at(line[0], take="1"))
    assert len(text_stores.search(WHY)) == 2
    text_stores.erase(PROJECT, decisions=[line[0]])
    assert text_stores.search(WHY) == []
    assert not ReviewerPlace.objects.filter(decision_id=line[0]).exists()


def test_a_why_that_quotes_what_is_erased_goes(line: list[UUID], bobs: Client) -> None:
    """As drafts do."""
    leave(bobs, line[0], "aside", aside_why=f"It says: {SHORTER}")
    assert text_stores.erase_quotes(PROJECT, SHORTER) == 1
    assert not SetAside.objects.exists()
