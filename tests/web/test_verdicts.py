"""Verdicts given on the page: what they record, and that nothing typed is ever lost."""

import json
from uuid import uuid4

import pytest
from django.contrib.messages import get_messages
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve
from django.utils.html import escape
from django_htmx.middleware import HtmxMiddleware
from pytest_django.fixtures import Settings

import graphstore
from graphstore.records import Decision, DecisionStatus, ReviewState
from graphstore.store import counting
from reviewconsole import stores
from reviewconsole.addresses import decision_url, queue_url
from reviewconsole.models import Access, Draft, FlaggedDecision, Role, User
from reviewconsole.pages import MARK, go_on
from reviewconsole.problems import MOVED
from tests.servers import RawGraph
from tests.web import foreign
from tests.web.browsing import Answer, at, judge, open_decision, open_queue, post, shown_form
from tests.web.conftest import PASSWORD, SignedIn
from tests.web.world import POLICY_KEY, PROJECT, SHORTER, World, passage

WHY = "The policy still says so, <b>word</b> for word."
HTMX = {"HX-Request": "true"}


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


def typed(answer: Answer, name: str) -> str:
    """What a field of the page's form holds."""
    return answer.context["form"][name].value()


def picked(world: World) -> dict[str, str]:
    """The passage that `days` stands on after the change."""
    return {evidence_field(world, world.days): passage(SHORTER, SHORTER.split("\n")[0])}


def evidence_field(world: World, decision: Decision) -> str:
    """The name of the one passage field of a decision's form."""
    from graphstore.desk import open_desk

    desk = open_desk(world.store, PROJECT, str(decision.id))
    assert desk is not None
    index = next(i for i, shown in enumerate(desk.supports) if shown.support.kind == "document")
    return f"evidence_{index}"


def all_supports(world: World, decision: Decision) -> dict[str, str]:
    """Every support goes into the new revision, documents with their present passage."""
    present = evidence_field(world, decision).replace("evidence", "support")
    return {f"support_{k}": "keep" for k in range(len(decision.supports))} | {present: "present"}


def test_a_passage_that_stands_word_for_word_needs_no_words(
    flagged: World, bob: User, bobs: Client
) -> None:
    """It is proposed; one choice and one press reaffirm it, as this person."""
    answer = judge(bobs, flagged.signature, "reaffirm")
    assert answer.status_code == 303
    now = flagged.now(flagged.signature)
    assert now.review_state == ReviewState.CLEAR
    assert [support.reviewed_by for support in now.supports] == [bob.agent_id]


def test_nothing_is_chosen_for_the_person(flagged: World, bobs: Client) -> None:
    """No verdict, no ground, no why; only what nothing happened to is kept or proposed."""
    always = {"seen", "request_id", "offered", "conclusion", "rationale"}
    form = shown_form(open_decision(bobs, flagged.signature))
    assert set(form) == {*always, evidence_field(flagged, flagged.signature)}
    form = shown_form(open_decision(bobs, flagged.days))
    assert form["conclusion"] == flagged.days.conclusion
    assert form["rationale"] == flagged.days.rationale
    kept = {name: value for name, value in form.items() if name not in always}
    assert kept == {"support_1": "keep", "support_2": "keep"}


def test_a_picked_passage_needs_a_why(flagged: World, bobs: Client) -> None:
    """Its words differ from what was cited, so a sentence says why it still holds."""
    answer = judge(bobs, flagged.days, "reaffirm", **picked(flagged))
    assert answer.status_code == 422
    assert answer.context["form"].errors["explanation"]
    assert typed(answer, evidence_field(flagged, flagged.days)) == (
        passage(SHORTER, SHORTER.split("\n")[0])
    )


def test_a_picked_passage_with_its_why_reaffirms(flagged: World, bobs: Client) -> None:
    """What was decided stays; what it cites is the present text."""
    answer = judge(
        bobs, flagged.days, "reaffirm", explanation=WHY, ground="still_holds", **picked(flagged)
    )
    assert answer.status_code == 303
    now = flagged.now(flagged.days)
    assert now.review_state == ReviewState.CLEAR
    assert now.conclusion == flagged.days.conclusion
    cited = [support for support in now.supports if support.kind == "document"]
    assert [support.evidence_id for support in cited] == list(picked(flagged).values())
    assert cited[0].review_explanation == WHY


def test_a_passage_of_another_document_is_no_choice(flagged: World, bobs: Client) -> None:
    """The form says so before anything is asked of the graph."""
    flagged.documents.put_document("other", "Something else.", title="Other")
    name = evidence_field(flagged, flagged.days)
    foreign_passage = passage("Something else.", "Something else.", "other")
    answer = judge(bobs, flagged.days, "reaffirm", explanation=WHY, **{name: foreign_passage})
    assert answer.status_code == 422
    assert answer.context["form"].errors[name]


def test_superseding_records_a_new_revision(flagged: World, bob: User, bobs: Client) -> None:
    """Conclusion, rationale, why, lists by line, and the supports that were kept."""
    answer = judge(
        bobs,
        flagged.days,
        "supersede",
        conclusion="Refunds take at most 15 days.",
        rationale="The policy was shortened.",
        explanation="The period changed.",
        assumptions="Weekends count.\n\n  Holidays too. ",
        **all_supports(flagged, flagged.days),
        **picked(flagged),
    )
    assert answer.status_code == 303
    assert flagged.now(flagged.days).status == DecisionStatus.SUPERSEDED
    new = open_decision(bobs, flagged.days).context["desk"].revisions[0]
    now = flagged.now(new.id)
    assert (now.revision, now.author) == (2, bob.agent_id)
    assert now.conclusion == "Refunds take at most 15 days."
    assert now.assumptions == ["Weekends count.", "Holidays too."]
    assert sorted(support.kind for support in now.supports) == ["decision", "document", "event"]


@pytest.mark.parametrize("missing", ["conclusion", "rationale", "explanation", "support_0"])
def test_superseding_says_what_is_missing(flagged: World, bobs: Client, missing: str) -> None:
    """Each field that must be there has its own sentence, and the others stay."""
    fields = {
        "conclusion": "New.",
        "rationale": "Because.",
        "explanation": "Since.",
        **all_supports(flagged, flagged.days),
        **picked(flagged),
    }
    answer = judge(bobs, flagged.days, "supersede", **{**fields, missing: ""})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [missing]
    assert flagged.now(flagged.days).status == DecisionStatus.ACTIVE


def test_rejecting_needs_a_reason(flagged: World, bobs: Client) -> None:
    """Agents read it."""
    answer = judge(bobs, flagged.days, "reject")
    assert answer.status_code == 422
    assert answer.context["form"].errors["explanation"]


def test_rejecting_records_the_reason(flagged: World, bob: User, bobs: Client) -> None:
    """And says how many decisions are to be looked at now."""
    answer = judge(bobs, flagged.days, "reject", explanation="The period is wrong.")
    assert answer.status_code == 303
    now = flagged.now(flagged.days)
    assert now.status == DecisionStatus.REJECTED
    assert (now.rejection_reason, now.rejected_by) == ("The period is wrong.", bob.agent_id)


def test_no_verdict_is_no_verdict(flagged: World, bobs: Client) -> None:
    """Pressing the button without choosing says so."""
    answer = judge(bobs, flagged.days, "", explanation=WHY)
    assert answer.status_code == 422
    assert answer.context["form"].errors["verdict"] == ["Choose a verdict."]
    assert typed(answer, "explanation") == WHY


def test_the_next_decision_follows_under_the_same_filters(flagged: World, bobs: Client) -> None:
    """A verdict leads on through what the person had narrowed the queue to."""
    form = shown_form(open_decision(bobs, flagged.signature))
    here = at(flagged.signature, order="newest", reason="source_changed")
    answer = post(bobs, here, {**form, "verdict": "reaffirm"})
    query = {"order": "newest", "reason": "source_changed", "take": "1"}
    assert answer["Location"] == at(flagged.days, **query)


def test_the_last_verdict_leads_to_the_queue(flagged: World, bobs: Client) -> None:
    """There is no next one, so the empty queue says it."""
    here = at(flagged.letter, reason="dependency_review")
    form = shown_form(open_decision(bobs, flagged.letter))
    answer = post(bobs, here, {**form, "verdict": "reject", "explanation": "No longer sent."})
    assert answer["Location"] == queue_url(PROJECT, reason="dependency_review")


def test_whoever_wants_to_stay_stays(flagged: World, bobs: Client) -> None:
    """The second button comes back to the same decision."""
    answer = judge(bobs, flagged.signature, "reaffirm", then="stay")
    assert answer["Location"] == at(flagged.signature)


def test_a_message_says_what_happened_and_leads_back(flagged: World, bobs: Client) -> None:
    """It holds a link and no text of the record, since it lives in the session."""
    answer = judge(bobs, flagged.days, "reject", explanation="Wrong.")
    said = [str(message) for message in get_messages(answer.wsgi_request)]
    assert "Rejected." in said[0]
    assert f'href="{at(flagged.days)}"' in said[0]
    assert flagged.days.conclusion not in said[0]


def test_what_was_judged_is_gone_from_the_queue(flagged: World, bobs: Client) -> None:
    """Also when the graph's own news is read later."""
    judge(bobs, flagged.signature, "reaffirm")
    assert FlaggedDecision.objects.get(decision_id=flagged.signature.id).cleared_us is not None


def test_a_double_click_is_one_verdict(flagged: World, bobs: Client) -> None:
    """Both presses end on the next page; one verdict is recorded."""
    form = shown_form(open_decision(bobs, flagged.signature)) | {"verdict": "reaffirm"}
    first, second = post(bobs, at(flagged.signature), form), post(bobs, at(flagged.signature), form)
    assert (first.status_code, second.status_code) == (303, 303)
    verdicts = open_decision(bobs, flagged.signature).context["verdicts"]
    assert [verdict["kind"] for verdict in verdicts] == ["reaffirm"]


def test_a_form_sent_twice_with_other_words_is_refused(flagged: World, bobs: Client) -> None:
    """The first sending counts, and the second keeps its text."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject"}
    assert post(bobs, at(flagged.days), form | {"explanation": "First."}).status_code == 303
    answer = post(bobs, at(flagged.days), form | {"explanation": "Second."})
    assert answer.status_code == 409
    assert answer.context["refusal"]["code"] == "request_id_reused"
    assert typed(answer, "explanation") == "Second."


def test_a_page_gone_stale_says_what_moved(flagged: World, bobs: Client) -> None:
    """409, the difference in words, the text kept, and the page as things stand."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject"}
    newer = SHORTER.replace("15", "20")
    flagged.documents.put_document("policy", newer, title="Refund policy")
    answer = post(bobs, at(flagged.days), form | {"explanation": WHY})
    assert answer.status_code == 409
    assert answer.context["refusal"]["code"] == "moved"
    assert MOVED["documents"] in answer.context["refusal"]["details"]
    assert typed(answer, "explanation") == WHY
    now = answer.context["cards"][0]["support_on_desk"].passage.text
    assert now == "Refunds are paid within 20 days of the request."
    again = shown_form(answer)
    assert again["seen"] != form["seen"]
    assert post(bobs, at(flagged.days), again).status_code == 303


def test_a_decision_that_another_person_judged_says_so(
    flagged: World, bobs: Client, alice: User, signed_in: SignedIn
) -> None:
    """Two people opened it; the second learns what the first did."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject"}
    judge(signed_in(alice), flagged.days, "reject", explanation="Alice was first.")
    answer = post(bobs, at(flagged.days), form | {"explanation": WHY})
    assert answer.status_code == 409
    assert answer.context["refusal"]["code"] in {"moved", "decision_not_active"}
    assert "Alice was first." in answer.content.decode()
    assert Draft.objects.get().typed["explanation"] == [WHY]


def test_a_reaffirmation_on_an_unclear_parent_is_refused_with_the_way_out(
    flagged: World, bobs: Client
) -> None:
    """The page says beforehand what would make it possible, and the refusal says it again."""
    page = open_decision(bobs, flagged.letter)
    possible = page.context["possible"]["reaffirm"]
    assert possible["state"] == "after"
    assert [link["url"] for link in possible["links"]] == [at(flagged.days)]
    answer = judge(bobs, flagged.letter, "reaffirm", explanation=WHY)
    assert answer.status_code == 409
    assert answer.context["refusal"]["code"] == "cannot_revalidate"
    assert any("waiting for review itself" in line for line in answer.context["refusal"]["details"])
    assert typed(answer, "explanation") == WHY


def test_reaffirming_what_cannot_be_is_refused_with_the_reason(
    flagged: World, bobs: Client
) -> None:
    """No passage can be chosen, so the form has nothing to complain of; the record has."""
    flagged.documents.remove_document("policy")
    answer = judge(bobs, flagged.signature, "reaffirm", explanation=WHY)
    assert answer.status_code == 409
    assert any("was removed" in line for line in answer.context["refusal"]["details"])


def test_a_text_too_long_to_record_is_kept_whole(flagged: World, bobs: Client) -> None:
    """It is refused with its length, and comes back to be shortened."""
    long = "why " * 10_000
    answer = judge(bobs, flagged.days, "reject", explanation=long)
    assert answer.status_code == 422
    assert typed(answer, "explanation") == long
    assert Draft.objects.get().typed["explanation"] == [long]


@pytest.mark.parametrize("offered", ["", "x", "a:b:c"])
def test_an_offer_that_we_did_not_sign_is_out_of_date(
    flagged: World, bobs: Client, offered: str
) -> None:
    """Nobody passes off a picked passage as an unchanged one."""
    answer = judge(bobs, flagged.days, "reaffirm", offered=offered, explanation=WHY)
    assert answer.status_code == 409
    assert flagged.now(flagged.days).review_state == ReviewState.NEEDS_REVIEW
    assert typed(answer, "explanation") == WHY


def test_an_offer_for_another_decision_is_out_of_date(flagged: World, bobs: Client) -> None:
    """A signature speaks of one decision."""
    offered = shown_form(open_decision(bobs, flagged.signature))["offered"]
    assert judge(bobs, flagged.days, "reaffirm", offered=offered).status_code == 409


def test_a_reader_is_told_and_keeps_reading(
    flagged: World, dora: User, signed_in: SignedIn
) -> None:
    """403, because they may know that the decision is there."""
    client = signed_in(dora)
    page = open_decision(client, flagged.days)
    assert not page.context["may_judge"]
    answer = post(client, at(flagged.days), {"verdict": "reject", "explanation": WHY})
    assert answer.status_code == 403
    assert flagged.now(flagged.days).status == DecisionStatus.ACTIVE


def test_a_role_taken_away_takes_no_words_with_it(flagged: World, bob: User, bobs: Client) -> None:
    """The page says that he may not, and still shows what he wrote."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject", "explanation": WHY}
    Access.objects.filter(user=bob).update(role=Role.READER)
    answer = post(bobs, at(flagged.days), form)
    assert answer.status_code == 403
    assert {"label": "Why", "text": WHY} in answer.context["typed"]
    assert escape(WHY) in answer.content.decode()
    assert Draft.objects.get().typed["explanation"] == [WHY]


def test_an_access_taken_away_takes_no_words_with_it(
    flagged: World, bob: User, bobs: Client
) -> None:
    """The decision is as if it were not there; what he wrote is his all the same."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject", "explanation": WHY}
    Access.objects.filter(user=bob).delete()
    answer = post(bobs, at(flagged.days), form)
    assert answer.status_code == 404
    assert escape(WHY) in answer.content.decode()
    assert flagged.days.conclusion not in answer.content.decode()


# When something else fails


@pytest.fixture
def graph_is_down(flagged: World, bobs: Client, settings: Settings) -> dict[str, str]:
    """The graph goes away while Bob writes; gives the form as he sends it."""
    form = shown_form(open_decision(bobs, flagged.days))
    stores.close_store()
    settings.GRAPH = graphstore.Settings(engine="falkordb", falkordb_url="redis://127.0.0.1:1")
    return form | {"verdict": "reject", "explanation": WHY, "conclusion": "Something."}


def test_a_dead_graph_keeps_every_word(
    flagged: World, bobs: Client, graph_is_down: dict[str, str]
) -> None:
    """503, one sentence, the same form with the same text, ready to be sent again."""
    answer = post(bobs, at(flagged.days), graph_is_down)
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "cannot be reached" in answer.content.decode()
    kept = shown_form(answer)
    assert {name: kept[name] for name in graph_is_down} == graph_is_down
    assert Draft.objects.get().typed["explanation"] == [WHY]


def test_the_form_of_the_dead_graph_works_once_it_is_back(
    flagged: World,
    bobs: Client,
    graph_is_down: dict[str, str],
    graph_settings: graphstore.Settings,
    settings: Settings,
) -> None:
    """It carries the same request id, since the first sending may have landed."""
    kept = shown_form(post(bobs, at(flagged.days), graph_is_down))
    stores.close_store()
    settings.GRAPH = graphstore.Settings.from_env(graph_settings.environ())  # pyright: ignore[reportAttributeAccessIssue]
    assert post(bobs, at(flagged.days), kept).status_code == 303
    assert flagged.now(flagged.days).rejection_reason == WHY
    assert not Draft.objects.exists()


@pytest.mark.usefixtures("graph_is_down")
def test_pages_of_a_dead_graph_are_one_sentence(flagged: World, bobs: Client) -> None:
    """Whatever is asked for, the answer is a page that says what to do."""
    for url in (at(flagged.days), queue_url(PROJECT)):
        answer = bobs.get(url)
        assert answer.status_code == 503
        assert "cannot be reached" in answer.content.decode()


def test_a_session_that_ended_keeps_every_word(flagged: World, bobs: Client) -> None:
    """Sign-in comes first, then the same decision with the text back in its form."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject", "explanation": WHY}
    bobs.logout()
    asked = post(bobs, at(flagged.days), form)
    assert asked.status_code == 403
    sent = {"username": "bob", "password": PASSWORD} | {
        name: asked.context[name] for name in ("next", "kept")
    }
    signed_in = post(bobs, "/signin", sent)
    assert signed_in["Location"] == at(flagged.days)
    page = open_decision(bobs, flagged.days)
    assert typed(page, "explanation") == WHY
    assert page.context["draft_saved_at"]


def test_a_wrong_password_does_not_lose_the_words(flagged: World, bobs: Client) -> None:
    """The text travels through a second try."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject", "explanation": WHY}
    bobs.logout()
    kept = post(bobs, at(flagged.days), form).context["kept"]
    answer = post(bobs, "/signin", {"username": "bob", "password": "no", "kept": kept})
    assert answer.status_code == 422
    assert answer.context["kept"] == kept


def test_a_sign_in_page_left_open_does_not_lose_the_words(
    flagged: World, bobs: Client, bob: User
) -> None:
    """He signed in in another tab meanwhile; the page's token is old, its text is not."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject", "explanation": WHY}
    bobs.logout()
    left_open = post(bobs, at(flagged.days), form).context
    bobs.force_login(bob)
    sent = {"username": "bob", "password": PASSWORD, "csrfmiddlewaretoken": "x" * 32}
    sent |= {name: left_open[name] for name in ("next", "kept")}
    answer = bobs.post("/signin", sent, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer["Location"] == at(flagged.days)
    assert typed(open_decision(bobs, flagged.days), "explanation") == WHY


def test_words_go_only_to_somebody_who_may_judge(
    flagged: World, bobs: Client, charlie: User
) -> None:
    """Whoever signs in without access gets no draft for a decision that they may not see."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject", "explanation": WHY}
    bobs.logout()
    kept = post(bobs, at(flagged.days), form).context["kept"]
    sent = {"username": charlie.username, "password": PASSWORD, "kept": kept, "next": "/"}
    answer = post(bobs, "/signin", sent)
    assert not Draft.objects.exists()
    assert answer.status_code == 409
    assert escape(WHY) in answer.content.decode()


def test_words_whose_role_is_gone_are_shown_from_a_page_left_open(
    flagged: World, bobs: Client, bob: User
) -> None:
    """There is no form for them any more; he signed in in another tab, and loses none of them."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject", "explanation": WHY}
    bobs.logout()
    kept = post(bobs, at(flagged.days), form).context["kept"]
    Access.objects.filter(user=bob).update(role=Role.READER)
    bobs.force_login(bob)
    sent = {"username": "bob", "kept": kept, "csrfmiddlewaretoken": "x" * 32}
    answer = bobs.post("/signin", sent, headers={"Sec-Fetch-Site": "same-origin"})
    assert {"label": "Why", "text": WHY} in answer.context["typed"]
    assert not Draft.objects.exists()


def test_a_form_from_an_earlier_sign_in_keeps_every_word(flagged: World, bobs: Client) -> None:
    """Its token is from before; from our own page the text comes back with a new one."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject", "explanation": WHY}
    headers = {"Sec-Fetch-Site": "same-origin"}
    answer = bobs.post(at(flagged.days), form | {"csrfmiddlewaretoken": "x" * 32}, headers=headers)
    assert answer.status_code == 403
    assert shown_form(answer)["explanation"] == WHY
    assert post(bobs, at(flagged.days), shown_form(answer)).status_code == 303


def test_a_post_from_another_site_shows_nothing_of_itself(flagged: World, bobs: Client) -> None:
    """No other page can put words into a form that a person only has to confirm."""
    form = {"verdict": "reject", "explanation": "planted", "csrfmiddlewaretoken": "x" * 32}
    answer = bobs.post(at(flagged.days), form, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert "planted" not in answer.content.decode()
    assert not Draft.objects.exists()


def test_a_draft_comes_back_and_goes_with_its_verdict(flagged: World, bobs: Client) -> None:
    """What was refused once waits in the form of the next visit, until a verdict takes it."""
    judge(bobs, flagged.signature, "supersede", conclusion="Three people sign.")
    page = open_decision(bobs, flagged.signature)
    assert typed(page, "conclusion") == "Three people sign."
    assert typed(page, "verdict") == "supersede"
    assert judge(bobs, flagged.signature, "reaffirm").status_code == 303
    assert not Draft.objects.exists()


def test_a_draft_is_its_writers_alone(
    flagged: World, bobs: Client, alice: User, signed_in: SignedIn
) -> None:
    """Nobody else sees what was typed."""
    judge(bobs, flagged.signature, "supersede", conclusion="Three people sign.")
    page = open_decision(signed_in(alice), flagged.signature)
    assert typed(page, "conclusion") == flagged.signature.conclusion


# Through htmx


def test_htmx_gets_a_422_as_the_verdict_column(flagged: World, bobs: Client) -> None:
    """The rest of the page stays, and so does the offer that it shows."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject"}
    answer = post(bobs, at(flagged.days), form, **HTMX)
    assert answer.status_code == 422
    assert "<html" not in answer.content.decode()
    assert MARK in answer
    assert "HX-Retarget" not in answer
    again = shown_form(answer)
    assert {again[name] for name in ("seen", "offered")} == {form["seen"], form["offered"]}


def test_htmx_gets_a_409_as_the_whole_page(flagged: World, bobs: Client) -> None:
    """What the person looked at is out of date, so all of it is replaced."""
    form = shown_form(open_decision(bobs, flagged.days)) | {"verdict": "reject"}
    flagged.documents.put_document("policy", "All new.", title="Refund policy")
    answer = post(bobs, at(flagged.days), form | {"explanation": WHY}, **HTMX)
    assert answer.status_code == 409
    assert MARK in answer
    assert answer["HX-Retarget"] == "body"
    assert "<html" in answer.content.decode()


def test_htmx_is_led_on_after_a_verdict(flagged: World, bobs: Client) -> None:
    """To the next decision, whose page takes the place of this one without being loaded anew."""
    form = shown_form(open_decision(bobs, flagged.signature)) | {"verdict": "reaffirm"}
    answer = post(bobs, at(flagged.signature), form, **HTMX)
    assert answer.status_code == 200
    onward = json.loads(answer["HX-Location"])
    assert onward["path"] == at(flagged.days, take="1")
    following = bobs.get(onward["path"], headers={**HTMX, **onward["headers"]})
    assert "<html" in following.content.decode()
    assert following["HX-Push-Url"] == onward["path"]


@pytest.mark.parametrize("project", ["ελληνικά", "100 % größer", "a/b?c#d", "~ü"])
def test_a_project_of_any_name_is_gone_on_in(project: str, rf: RequestFactory) -> None:
    """Its name stands quoted in addresses."""
    here, onward = (decision_url(project, uuid4()) for _ in range(2))
    request = rf.post(here, headers=HTMX)
    HtmxMiddleware(lambda _: HttpResponse())(request)
    request.resolver_match = resolve(request.path_info)
    assert json.loads(go_on(request, onward, "decision.html")["HX-Location"])["path"] == onward


def test_a_page_of_another_kind_is_loaded_whole(flagged: World, bobs: Client) -> None:
    """The queue has styles that the page of a decision has not, so it cannot take its place."""
    form = shown_form(open_decision(bobs, flagged.signature)) | {"verdict": "reaffirm"}
    onward = json.loads(post(bobs, at(flagged.signature), form, **HTMX)["HX-Location"])
    queue = bobs.get(queue_url(flagged.project), headers={**HTMX, **onward["headers"]})
    assert (queue["HX-Redirect"], queue.content) == (queue_url(flagged.project), b"")


def test_what_waits_again_after_it_was_reaffirmed_says_so(flagged: World, bobs: Client) -> None:
    """In the queue and on its page, with who reaffirmed it; what waits for the first time does not."""
    signature = flagged.signature
    assert judge(bobs, signature, verdict="reaffirm").status_code == 303
    flagged.documents.put_document(POLICY_KEY, SHORTER.replace("500", "400"), title="Policy")
    rows = {row["decision"].id: row for row in open_queue(bobs).context["rows"]}
    assert rows[signature.id]["reaffirmed_at"] == max(
        support.reviewed_at for support in flagged.now(signature).supports if support.reviewed_at
    )
    assert rows[flagged.days.id]["reaffirmed_at"] is None
    assert "changed again since it was reaffirmed" in open_queue(bobs).content.decode()
    page = open_decision(bobs, signature).content.decode()
    assert "changed again since <bdi>Bob</bdi> reaffirmed it" in page
    assert "changed again" not in open_decision(bobs, flagged.days).content.decode()


def test_from_the_last_that_waits_the_queue_is_loaded_at_once(flagged: World, bobs: Client) -> None:
    """It is asked for once, not first to take a place that it cannot take."""
    judge(bobs, flagged.days, "reject", explanation="Wrong.")
    judge(bobs, flagged.letter, "reject", explanation="Wrong.")
    form = shown_form(open_decision(bobs, flagged.signature)) | {"verdict": "reaffirm"}
    answer = post(bobs, at(flagged.signature), form, **HTMX)
    assert answer["HX-Redirect"] == queue_url(flagged.project)


# What it costs


@pytest.mark.parametrize("verdict", ["reaffirm", "supersede", "reject"])
def test_a_verdict_costs_few_round_trips(flagged: World, bobs: Client, verdict: str) -> None:
    """One read says what the page showed, for the exhibit; the rest is the operation's own."""
    form = shown_form(open_decision(bobs, flagged.signature)) | {
        "verdict": verdict,
        "explanation": "x",
        "conclusion": "x",
        "rationale": "x",
        "support_0": "present",
    }
    with counting() as trips:
        assert post(bobs, at(flagged.signature), form).status_code == 303
    assert trips.count <= 5


@pytest.mark.parametrize("name", ["scope", "days", "letter", "signature"])
def test_a_decision_page_costs_few_round_trips(flagged: World, bobs: Client, name: str) -> None:
    """However much it shows."""
    with counting() as trips:
        open_decision(bobs, getattr(flagged, name))
    assert trips.count <= 5


def test_a_refused_page_costs_few_round_trips(flagged: World, raw: RawGraph, bobs: Client) -> None:
    """The refusal and the page as things stand."""
    form = shown_form(open_decision(bobs, flagged.signature)) | {"verdict": "reject"}
    foreign.clear(raw, flagged.signature)
    flagged.documents.put_document("policy", "All new.", title="Refund policy")
    with counting() as trips:
        assert post(bobs, at(flagged.signature), form | {"explanation": "x"}).status_code == 409
    assert trips.count <= 5
