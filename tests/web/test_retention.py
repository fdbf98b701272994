"""The admin's pages that erase: plan, confirmation, receipt, and jobs that go on."""

import pytest
from django.test import Client
from django_q.models import OrmQ

from graphstore import HistoryRetention
from graphstore.records import Decision
from graphstore.retention import Bounds
from graphstore.running import finish_jobs, run_slice
from reviewconsole.addresses import (
    delete_task_url,
    receipt_url,
    redact_event_url,
    retention_url,
    task_url,
)
from reviewconsole.models import Draft, User
from reviewconsole.review_index import CONSOLE
from tests.web.browsing import Answer, post, shown_form
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World

DELETE = delete_task_url(PROJECT, "audit")
REDACT = redact_event_url(PROJECT, "audit", 2)
BODY = "The shop sells in the EU only."


@pytest.fixture
def admin(alice: User, signed_in: SignedIn) -> Client:
    """Alice at a browser."""
    return signed_in(alice)


def text_of(answer: Answer) -> str:
    """A page as text."""
    return answer.content.decode()


def confirmed(client: Client, url: str, name: str) -> Answer:
    """Open a page that erases and send its form with a name typed."""
    form = shown_form(client.get(url))
    return post(client, url, {**form, "name": name})


def flagged(world: World, *decisions: Decision) -> list[str]:
    """The states of decisions."""
    return [str(world.now(decision).review_state) for decision in decisions]


def test_a_plan_says_what_goes_and_writes_nothing(admin: Client, world: World) -> None:
    """What goes by kind, whom it flags, and the choice to keep the decisions."""
    shown = text_of(admin.get(DELETE))
    assert "2 events" in shown
    assert "3 decisions" in shown
    assert world.letter.conclusion in shown
    kept = text_of(admin.get(delete_task_url(PROJECT, "audit", decisions="keep")))
    assert "3 decisions of it stay" in kept
    assert world.history.get_task("audit").found is True


def test_a_task_is_deleted_and_has_a_receipt(admin: Client, world: World) -> None:
    """The name typed, the task is gone; the receipt tells who, what, and whom it flagged."""
    answer = confirmed(admin, DELETE, "audit")
    assert answer.status_code == 303
    assert world.history.get_task("audit").found is False
    assert flagged(world, world.letter) == ["needs_review"]
    shown = text_of(admin.get(answer.headers["Location"]))
    assert "Task deleted" in shown
    assert "Alice" in shown
    assert "2 events" in shown
    assert world.letter.conclusion in shown
    assert "audit" not in shown
    assert "Task deleted" in text_of(admin.get(retention_url(PROJECT)))


def test_the_decisions_may_stay(admin: Client, world: World) -> None:
    """The choice is in the address, and the form is sent there."""
    url = delete_task_url(PROJECT, "audit", decisions="keep")
    assert confirmed(admin, url, "audit").status_code == 303
    assert world.now(world.signature).task_deleted is True


def test_an_event_is_redacted(admin: Client, world: World) -> None:
    """Its task and number typed; the receipt keeps its fingerprint, and a worker is woken."""
    assert BODY in text_of(admin.get(REDACT))
    answer = confirmed(admin, REDACT, "audit/2")
    event = world.history.fetch_event("audit", 2).event
    assert event is not None
    assert event.payload == "[REDACTED]"
    shown = text_of(admin.get(answer.headers["Location"]))
    assert "Event redacted" in shown
    assert event.payload_sha256 in shown
    assert "still to be rewritten" in shown
    assert BODY not in shown


def test_the_receipt_says_when_the_log_is_rewritten(admin: Client, world: World) -> None:
    """As soon as a worker did it, without a promise that the engine does not keep."""
    answer = confirmed(admin, REDACT, "audit/2")
    finish_jobs(world.store, PROJECT, CONSOLE)
    shown = text_of(admin.get(answer.headers["Location"]))
    assert ("own log was rewritten" in shown) or ("transaction logs" in shown)
    assert "every 2s" not in shown


@pytest.mark.parametrize(("url", "wrong"), [(DELETE, "Audit"), (REDACT, "audit"), (DELETE, "")])
def test_a_wrong_name_erases_nothing(url: str, wrong: str, admin: Client, world: World) -> None:
    """The page comes back with what was typed."""
    answer = confirmed(admin, url, wrong)
    assert answer.status_code == 422
    assert f'value="{wrong}"' in text_of(answer) or not wrong
    assert world.history.fetch_event("audit", 2).event is not None


def test_sending_it_twice_erases_once(admin: Client, world: World) -> None:
    """The same form leads to the same receipt."""
    form = {**shown_form(admin.get(DELETE)), "name": "audit"}
    first = post(admin, DELETE, form)
    again = post(admin, DELETE, form)
    assert first.headers["Location"] == again.headers["Location"]
    receipts = HistoryRetention(world.store, PROJECT, "anybody").list_receipts().receipts
    assert len(receipts) == 1


def test_what_moved_since_the_plan_is_shown_first(admin: Client, world: World) -> None:
    """Somebody cites it meanwhile: nothing is erased, and the page says what differs."""
    form = shown_form(admin.get(DELETE))
    late = world.decide("late", "A late one.", [world.on(world.scope)], task="letters")
    answer = post(admin, DELETE, {**form, "name": "audit"})
    assert answer.status_code == 409
    assert late.conclusion in text_of(answer)
    assert 'value="audit"' in text_of(answer)
    assert world.history.get_task("audit").found is True


def test_a_quote_elsewhere_is_listed(admin: Client, world: World) -> None:
    """Other places that repeat the text are named, with a link, since they stay."""
    world.history.record_event("letters", "note", payload=f"They said: {BODY}")
    shown = text_of(admin.get(REDACT))
    assert "stands elsewhere" in shown
    assert "Event <bdi>letters</bdi>, 1" in shown


def test_drafts_that_repeat_it_go(admin: Client, alice: User, bob: User, world: World) -> None:
    """Of whoever, in this project; other drafts stay."""
    for user, words in ((alice, f"It says “{BODY}”"), (bob, "Something else entirely.")):
        Draft.objects.create(
            user=user,
            project_id=PROJECT,
            decision_id=world.days.id,
            typed={"explanation": [words]},
        )
    confirmed(admin, REDACT, "audit/2")
    assert [draft.user for draft in Draft.objects.all()] == [bob]


def hidden(world: World, alice: User) -> str:
    """Begin to delete the task by a job; the address of its receipt."""
    retention = HistoryRetention(
        world.store, PROJECT, alice.agent_id, bounds=Bounds(at_once=0, events=1)
    )
    result = retention.delete_task("audit", request_id="job")
    job = retention.get_job(result.job_id or "")
    assert job is not None
    return receipt_url(PROJECT, job.entry_id or "")


def test_a_large_task_goes_by_a_job(admin: Client, alice: User, world: World) -> None:
    """Its receipt shows how far it is, as a page and as the part that is looked at again."""
    url = hidden(world, alice)
    assert "under way" in text_of(admin.get(url))
    for _ in range(3):
        run_slice(world.store, PROJECT, CONSOLE)
    part = text_of(admin.get(url, headers={"HX-Request": "true"}))
    assert "1 of 2 events" in part
    assert "every 2s" in part
    assert "<h1>" not in part
    assert "A task is being deleted" in text_of(admin.get(retention_url(PROJECT)))
    finish_jobs(world.store, PROJECT, CONSOLE)
    done = text_of(admin.get(url))
    assert "100 %" in done
    assert world.letter.conclusion in done


def test_a_job_is_paused_resumed_and_called_off(admin: Client, alice: User, world: World) -> None:
    """Each by a button that is there when it may be pressed; a refusal says why."""
    url = hidden(world, alice)
    assert post(admin, url, {"then": "pause"}).status_code == 303
    assert run_slice(world.store, PROJECT, CONSOLE) is False
    assert "Let it go on" in text_of(admin.get(url))
    assert post(admin, url, {"then": "cancel"}).status_code == 303
    assert world.history.get_task("audit").found is True
    late = post(admin, url, {"then": "pause"})
    assert late.status_code == 409
    assert "cannot be held" in text_of(late)


def test_what_has_begun_cannot_be_called_off(admin: Client, alice: User, world: World) -> None:
    """There is no button for it, and whoever sends it all the same is told."""
    url = hidden(world, alice)
    run_slice(world.store, PROJECT, CONSOLE)
    assert "Call it off" not in text_of(admin.get(url))
    assert post(admin, url, {"then": "cancel"}).status_code == 409
    assert post(admin, url, {"then": "explode"}).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_woken_at_once(admin: Client, world: World) -> None:
    """For the engine's log, or for a task that goes by a job."""
    assert world.history.get_task("audit").found
    before = OrmQ.objects.count()
    confirmed(admin, REDACT, "audit/2")
    assert OrmQ.objects.count() > before


def test_only_admins_see_the_way(
    admin: Client, bob: User, signed_in: SignedIn, world: World
) -> None:
    """The links stand on the task's page and in the project's bar, for nobody else."""
    assert world.history.get_task("audit").found
    links = (DELETE, REDACT, retention_url(PROJECT))
    shown, others = (text_of(c.get(task_url(PROJECT, "audit"))) for c in (admin, signed_in(bob)))
    assert [f'href="{link}"' in shown for link in links] == [True] * 3
    assert [link in others for link in links] == [False] * 3


def test_nothing_was_erased_yet(admin: Client, world: World) -> None:
    """The empty list says where erasing begins."""
    assert world.history.get_task("audit").found
    assert "Nothing was erased here" in text_of(admin.get(retention_url(PROJECT)))
