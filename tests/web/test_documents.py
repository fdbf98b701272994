"""Documents: who may read and change them, what a change would do, and that nothing typed is lost."""

import time
from typing import Any

import pytest
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.fixtures import Settings

import graphstore
from graphstore import Documents
from graphstore.store import counting
from reviewconsole import stores
from reviewconsole.addresses import (
    change_document_url,
    document_url,
    documents_url,
    new_document_url,
    queue_url,
    remove_document_url,
    version_url,
)
from reviewconsole.document_form import MOST_CHARS
from reviewconsole.models import Access, User
from tests.servers import RawGraph
from tests.web import foreign
from tests.web.browsing import Answer, open_decision, open_queue, post
from tests.web.conftest import PASSWORD, SignedIn
from tests.web.world import AGENT, POLICY, POLICY_KEY, PROJECT, SHORTER, World

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'>{{ 7|add:7 }}"
KEYS = ["a/b c", "..", "日本語", "100%", "~", HOSTILE[:60]]

DOCUMENT = document_url(PROJECT, POLICY_KEY)
CHANGE = change_document_url(PROJECT, POLICY_KEY)
REMOVE = remove_document_url(PROJECT, POLICY_KEY)
NEW = new_document_url(PROJECT)
LIST = documents_url(PROJECT)


@pytest.fixture
def dora_reads(dora: User, signed_in: SignedIn) -> Client:
    """The browser of somebody who may only read."""
    return signed_in(dora)


@pytest.fixture
def librarian(dora: User, signed_in: SignedIn) -> Client:
    """The browser of somebody who may read the project, and change documents anywhere."""
    dora.is_librarian = True
    dora.save()
    return signed_in(dora)


@pytest.fixture
def admin(alice: User, signed_in: SignedIn) -> Client:
    """Alice's browser."""
    return signed_in(alice)


@pytest.fixture
def elsewhere(world: World) -> Documents:
    """Documents as another project writes them."""
    return Documents(world.store, project_id="elsewhere", agent_id=AGENT)


def texts(answer: Answer) -> str:
    return answer.content.decode()


def carried(answer: Answer) -> dict[str, Any]:
    """The hidden fields of a preview, and the button that writes."""
    context = answer.context
    hidden = {name: value for name, value in context["form"].sent if value}
    ids = {"seen": context["seen"], "request_id": context["request_id"]}
    return {**hidden, **ids, "step": "put"}


def previewed(client: Client, text: str, **typed: Any) -> Answer:
    """The preview of a change of the policy."""
    sent = {"title": "Refund policy", "text": text, "step": "preview", **typed}
    answer = post(client, CHANGE, sent)
    assert answer.status_code == 200, texts(answer)
    return answer


def current(world: World, key: str = POLICY_KEY) -> str | None:
    return world.documents.get_document(key, scope=frozenset({key})).text


# Reading


def test_the_list_says_how_many_decisions_wait(world: World, dora_reads: Client) -> None:
    """Because of each document, directly or through others, as the index has it."""
    world.shorten_policy()
    open_queue(dora_reads)
    listed = dora_reads.get(LIST).context["documents"]
    assert [(one["title"], one["waiting"]) for one in listed] == [("Refund policy", 3)]
    assert listed[0]["document"].activation_seq == 2


def test_the_list_goes_on_for_pages(world: World, dora_reads: Client) -> None:
    """By key, none twice."""
    for number in range(55):
        key = f"grown {number:02}"
        assert world.documents.put_document(key, "Some text.").recorded
        assert world.documents.grant_document(key).recorded
    page = dora_reads.get(LIST)
    first = [one["document"].document_key for one in page.context["documents"]]
    following = dora_reads.get(page.context["next_url"])
    second = [one["document"].document_key for one in following.context["documents"]]
    assert (len(first), len({*first, *second})) == (50, 56)
    assert following.context["first_url"] == LIST


@pytest.mark.usefixtures("store")
def test_an_empty_list_says_how_documents_come(alice: User, signed_in: SignedIn) -> None:
    """To each person what they can do about it."""
    page = texts(signed_in(alice).get(LIST))
    assert "This project reads no document yet" in page
    assert "You can do that below." in page


def test_a_document_shows_its_text_and_who_cites_it(world: World, dora_reads: Client) -> None:
    """Each cited passage is marked where it stands, and leads to who cites it."""
    page = dora_reads.get(DOCUMENT)
    citers = page.context["citers"]
    assert [one["decision"].id for one in citers] == [world.signature.id, world.days.id]
    assert [p.number for one in citers for p in one["passages"]] == [2, 1]
    assert {"from_words": "cited from version 1, the newest"}.items() <= citers[0].items()
    body = texts(page)
    assert '<span class="anchor" id="passage-1"></span><mark>Refunds are paid' in body
    assert 'href="#passage-2"' in body
    assert 'id="cites-2"' in body


def test_a_passage_that_changed_is_not_marked(world: World, dora_reads: Client) -> None:
    """It says so, and the one that stands word for word keeps its place."""
    world.shorten_policy()
    page = dora_reads.get(DOCUMENT)
    by_id = {one["decision"].id: one for one in page.context["citers"]}
    assert [p.number for p in by_id[world.days.id]["passages"]] == [0]
    assert [p.number for p in by_id[world.signature.id]["passages"]] == [1]
    assert by_id[world.days.id]["from_words"] == "cited from version 1"
    assert "does not stand there word for word any more" in texts(page)
    assert [one["words"] for one in page.context["versions"]] == ["changed", "put"]


def test_long_documents_are_folded_but_not_what_is_cited(world: World, dora_reads: Client) -> None:
    """Every cited passage is in view; nothing of the text is left away."""
    filler = [f"Paragraph {number} says nothing of interest. " * 8 for number in range(120)]
    text = "\n\n".join([*filler[:90], POLICY, *filler[90:]])
    assert world.documents.put_document(POLICY_KEY, text, title="Refund policy").recorded
    page = dora_reads.get(DOCUMENT)
    blocks = page.context["blocks"]
    assert [block.folded for block in blocks] == [False, True, False, True]
    shown = " ".join("".join(p.text for p in q.pieces) for b in blocks for q in b.paragraphs)
    assert shown.split() == text.split()
    assert [p.number for one in page.context["citers"] for p in one["passages"]] == [2, 1]


def test_a_document_of_another_project_is_not_there(
    elsewhere: Documents, dora_reads: Client
) -> None:
    """Nobody reads a document through a project that has nothing to do with it."""
    assert elsewhere.put_document("secret", "Nobody here may read this.").recorded
    for url in (document_url(PROJECT, "secret"), version_url(PROJECT, "secret", 1)):
        assert dora_reads.get(url).status_code == 404


@pytest.mark.parametrize("key", KEYS)
def test_a_document_of_any_key_and_text_is_only_text(
    world: World, librarian: Client, key: str
) -> None:
    """Agents choose keys, and documents come from anywhere."""
    assert world.documents.put_document(key, f"One.\n\n{HOSTILE}", title=HOSTILE).recorded
    assert world.documents.put_document(key, f"Two.\n\n{HOSTILE} 3", uri="javascript:a()").recorded
    assert world.documents.grant_document(key).recorded
    for url in (
        LIST,
        document_url(PROJECT, key),
        version_url(PROJECT, key, 2),
        change_document_url(PROJECT, key),
        remove_document_url(PROJECT, key),
    ):
        page = librarian.get(url)
        assert page.status_code == 200
        assert "<script>alert" not in texts(page)
        assert "<img src=x" not in texts(page)
        assert 'href="javascript:' not in texts(page)
    assert "{{ 7|add:7 }}" in texts(librarian.get(document_url(PROJECT, key)))


def test_an_address_is_shown_only_when_it_leads_to_the_web(
    world: World, dora_reads: Client
) -> None:
    """Anything else would run or open what somebody recorded."""
    world.documents.put_document(POLICY_KEY, POLICY, uri="https://example.org/policy")
    assert 'href="https://example.org/policy"' in texts(dora_reads.get(DOCUMENT))
    world.documents.put_document(POLICY_KEY, POLICY, uri="https://me:pass@example.org/policy")
    assert "example.org" not in texts(dora_reads.get(DOCUMENT))


@pytest.mark.parametrize(
    "query", ["?citers=nonsense", "?before=x", "?before=-1", "?before=" + "9" * 40]
)
@pytest.mark.usefixtures("world")
def test_a_damaged_place_breaks_nothing(dora_reads: Client, query: str) -> None:
    """A page or a plain 404, never a crash."""
    assert dora_reads.get(DOCUMENT + query).status_code in {200, 404}


# Versions


def test_a_version_says_what_it_changed(world: World, dora_reads: Client) -> None:
    """In words first, then by paragraphs with the unchanged ones folded."""
    world.shorten_policy()
    page = dora_reads.get(version_url(PROJECT, POLICY_KEY, 2))
    changes = page.context["changes"]
    assert changes.sentences == [(1, "number 30 became 15")]
    assert [run.folded for run in changes.runs] == [False, True]
    body = texts(page)
    assert body.index("number 30 became 15") < body.index("<del>")
    assert "2 paragraphs, unchanged" in body


def test_the_first_version_is_its_text(dora_reads: Client, world: World) -> None:
    """There is nothing to compare it with."""
    page = dora_reads.get(version_url(world.project, POLICY_KEY, 1))
    assert page.context["changes"] is None
    assert "Shipping is never refunded." in texts(page)


def test_any_two_versions_can_be_compared(world: World, dora_reads: Client) -> None:
    """From the older to the newer, whichever page one is on."""
    for days in ("20", "15"):
        world.documents.put_document(POLICY_KEY, POLICY.replace("30", days))
    forward = dora_reads.get(version_url(PROJECT, POLICY_KEY, 3, against=1))
    back = dora_reads.get(version_url(PROJECT, POLICY_KEY, 1, against=3))
    for page in (forward, back):
        assert page.context["changes"].sentences == [(1, "number 30 became 15")]
    assert [one["version"].activation_seq for one in forward.context["choices"]] == [2, 1]
    assert dora_reads.get(version_url(PROJECT, POLICY_KEY, 3, against=9)).status_code == 404


def test_a_removal_is_a_version_too(world: World, dora_reads: Client) -> None:
    """It says so, and what stood there before can be read."""
    world.documents.remove_document(POLICY_KEY)
    assert "With this version the document was removed" in texts(
        dora_reads.get(version_url(PROJECT, POLICY_KEY, 2))
    )
    page = dora_reads.get(DOCUMENT)
    assert "This document was removed" in texts(page)
    assert [one["words"] for one in page.context["versions"]] == ["removed", "put"]
    quotes = {p.quote for one in page.context["citers"] for p in one["passages"]}
    assert "Refunds are paid within 30 days of the request." in quotes
    assert "Shipping is never" in texts(dora_reads.get(version_url(PROJECT, POLICY_KEY, 1)))


@pytest.mark.parametrize("seq", [0, 7, 2**60, 10**30])
@pytest.mark.usefixtures("world")
def test_a_version_that_is_not_there_is_not_there(dora_reads: Client, seq: int) -> None:
    """404 in one sentence, however large the number."""
    assert dora_reads.get(version_url(PROJECT, POLICY_KEY, seq)).status_code == 404


# What pages cost


def test_pages_cost_few_round_trips(world: World, librarian: Client) -> None:
    """However many decisions cite a document, and however long its history is."""
    cited = [world.cite("Shipping is never refunded.")]
    for number in range(12):
        world.decide(f"choice {number}", "Decided.", list(cited))
    world.shorten_policy()
    open_queue(librarian)
    costs: dict[str, int] = {}
    for url in (LIST, DOCUMENT, version_url(PROJECT, POLICY_KEY, 2), CHANGE, REMOVE):
        librarian.get(url)
        with counting() as trips:
            librarian.get(url)
        costs[url] = trips.count
    assert list(costs.values()) == [1, 4, 4, 1, 3]
    with counting() as trips:
        previewed(librarian, POLICY)
    assert trips.count <= 5


# Changing


def test_a_change_is_shown_before_it_is_written(world: World, librarian: Client) -> None:
    """What changes, whom it flags, whose passage stays; and nothing is in the graph yet."""
    page = previewed(librarian, SHORTER)
    assert page.context["changes"].sentences == [(1, "number 30 became 15")]
    flags = page.context["flags"]
    lines = {line["decision"].id: (line["direct"], line["stays"]) for line in flags["lines"]}
    assert lines == {
        world.days.id: (True, False),
        world.signature.id: (True, True),
        world.letter.id: (False, None),
    }
    assert (flags["total"], flags["direct"], flags["through"]) == (3, 2, 1)
    assert texts(page).count("button--main") == 1
    assert current(world) == POLICY


def test_the_previewed_version_is_put_and_flags_whom_it_said(
    world: World, librarian: Client
) -> None:
    """The queue is level at once, and the message leads there."""
    answer = post(librarian, CHANGE, carried(previewed(librarian, SHORTER)))
    assert (answer.status_code, answer["Location"]) == (303, DOCUMENT)
    page = texts(librarian.get(DOCUMENT))
    assert "3 decisions are flagged by it." in page
    assert f'href="{queue_url(PROJECT, document=POLICY_KEY)}"' in page
    assert open_queue(librarian, document=POLICY_KEY).context["total"] == 3
    assert current(world) == SHORTER


def test_a_double_click_is_one_version(world: World, librarian: Client) -> None:
    """The second sending is told what the first did."""
    form = carried(previewed(librarian, SHORTER, title=""))
    assert [post(librarian, CHANGE, form).status_code for _ in range(3)] == [303] * 3
    log = world.documents.list_versions(POLICY_KEY)
    assert [version.activation_seq for version in log.versions] == [2, 1]
    found = world.documents.get_document(POLICY_KEY).document
    assert found is not None
    assert not found.title


def test_line_ends_that_a_browser_changes_are_no_change(world: World, librarian: Client) -> None:
    """A form sends CR LF; a text that nobody touched must flag nobody."""
    page = previewed(librarian, POLICY.replace("\n", "\r\n"))
    assert page.context["plan"].unchanged
    assert "Nothing would change" in texts(page)
    assert "Put this version" not in texts(page)
    windows = POLICY.replace("\n", "\r\n")
    assert world.documents.put_document(POLICY_KEY, windows).recorded
    assert previewed(librarian, windows).context["plan"].unchanged


def test_a_title_alone_flags_nobody(world: World, librarian: Client) -> None:
    """The preview says so, and the text stays."""
    page = previewed(librarian, POLICY, title="Refunds", uri="https://example.org/refunds")
    assert page.context["flags"]["total"] == 0
    assert {fact["label"] for fact in page.context["facts"]} == {"Title", "Address"}
    assert post(librarian, CHANGE, carried(page)).status_code == 303
    found = world.documents.get_document(POLICY_KEY).document
    assert found is not None
    assert (found.title, found.activation_seq) == ("Refunds", 1)


def test_a_preview_that_is_out_of_date_is_shown_anew(world: World, librarian: Client) -> None:
    """409 with what would happen now; the text goes on with it, and can be put then."""
    form = carried(previewed(librarian, SHORTER))
    world.decide("late", "Shipping stays.", [world.cite("Shipping is never refunded.")])
    answer = post(librarian, CHANGE, form)
    assert answer.status_code == 409
    assert answer.context["refusal"]["code"] == "moved"
    assert answer.context["flags"]["total"] == 4
    assert current(world) == POLICY
    assert post(librarian, CHANGE, carried(answer)).status_code == 303
    assert current(world) == SHORTER


def test_one_can_go_back_to_the_text(librarian: Client, world: World) -> None:
    """With everything as it was typed."""
    form = carried(previewed(librarian, SHORTER, title="Another"))
    page = post(librarian, CHANGE, {**form, "step": "edit"})
    assert page.status_code == 200
    assert (page.context["form"]["text"].value(), page.context["form"]["title"].value()) == (
        SHORTER,
        "Another",
    )
    assert current(world) == POLICY


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"text": "  \r\n "}, "Write the text, or choose a file."),
        ({"text": "x" * (MOST_CHARS + 1)}, "longer than 500,000 characters"),
        ({"text": "New.", "uri": "javascript:alert(1)"}, "begins with https://"),
        ({"text": "New.", "uri": "https://me:secret@example.org"}, "holds no password"),
        ({"text": "New.", "title": "x" * 501}, "at most 500 characters"),
        ({"text": "New\0."}, "Null characters are not allowed."),
    ],
)
@pytest.mark.usefixtures("world")
def test_what_is_missing_is_said_beside_what_was_typed(
    librarian: Client, typed: dict[str, str], told: str
) -> None:
    """422, and every field comes back as it was."""
    answer = post(librarian, CHANGE, {"step": "preview", **typed})
    assert answer.status_code == 422
    assert told in texts(answer)
    form = answer.context["form"]
    assert {name: form[name].value() for name in typed} == typed


@pytest.mark.usefixtures("world")
def test_a_file_takes_the_place_of_the_text(librarian: Client) -> None:
    """Its text is in the form from then on, since no browser sends a file twice by itself."""
    file = SimpleUploadedFile("policy.md", "\ufeffAll is new.\r\nReally.".encode())
    page = previewed(librarian, POLICY, file=file)
    assert carried(page)["text"] == "All is new.\nReally."
    back = post(librarian, CHANGE, {**carried(page), "step": "edit"})
    assert back.context["form"]["text"].value() == "All is new.\nReally."


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("policy.pdf", b"%PDF", "Only files that end in .txt or .md"),
        ("policy.txt", b"\xff\xfe\x00", "not UTF-8 text"),
        ("policy.txt", b"a\x00b", "no record can keep"),
        ("policy.txt", b"x" * (4 * MOST_CHARS + 1), "longer than 500,000 characters"),
        ("policy.txt", b"x" * (MOST_CHARS + 1), "longer than 500,000 characters"),
        ("policy.txt", b" ", "Write the text, or choose a file."),
    ],
)
@pytest.mark.usefixtures("world")
def test_a_file_that_cannot_be_a_text_is_refused(
    librarian: Client, name: str, content: bytes, told: str
) -> None:
    """422 in one sentence; the title that was typed stays."""
    sent = {"title": "Typed", "text": "", "file": SimpleUploadedFile(name, content)}
    answer = post(librarian, CHANGE, sent)
    assert answer.status_code == 422
    assert told in texts(answer)
    assert answer.context["form"]["title"].value() == "Typed"


def test_what_others_look_after_is_not_changed_here(
    world: World, raw: RawGraph, librarian: Client
) -> None:
    """The refusal comes before anything is written, with the text kept."""
    foreign.take_over(raw, POLICY_KEY)
    answer = post(librarian, CHANGE, {"text": SHORTER, "step": "preview"})
    assert answer.status_code == 409
    assert "An ingestion pipeline writes this document" in texts(answer)
    assert answer.context["form"]["text"].value() == SHORTER
    removal = librarian.get(REMOVE)
    assert removal.status_code == 409
    assert "Remove it" not in texts(removal)
    assert current(world) == POLICY


# Putting a new one


def test_a_new_document_can_be_read_where_it_was_put(world: World, librarian: Client) -> None:
    """Nothing cites it yet; the project may read it all the same."""
    sent = {"document_key": "returns", "title": "Returns", "text": "Two weeks.", "step": "preview"}
    page = post(librarian, NEW, sent)
    assert page.status_code == 200
    assert current(world, "returns") is None
    form = carried(page)
    assert [post(librarian, NEW, form).status_code for _ in range(2)] == [303, 303]
    shown = librarian.get(document_url(PROJECT, "returns"))
    assert "Two weeks." in texts(shown)
    assert "No active decision of this project cites it." in texts(shown)
    assert len(world.documents.list_versions("returns").versions) == 1


def test_a_key_that_is_taken_changes_nothing(
    world: World, elsewhere: Documents, librarian: Client
) -> None:
    """409 with what was typed, and the way to the one that is there where one may see it."""
    sent = {"document_key": POLICY_KEY, "title": "Mine", "text": "Overwritten.", "step": "preview"}
    answer = post(librarian, NEW, sent)
    assert answer.status_code == 409
    assert answer.context["refusal"]["links"] == [{"label": "Change that document", "url": CHANGE}]
    assert answer.context["form"]["text"].value() == "Overwritten."
    assert elsewhere.put_document("secret", "Not for this project.").recorded
    other = post(librarian, NEW, {**sent, "document_key": "secret"})
    assert (other.status_code, other.context["refusal"]["links"]) == (409, [])
    assert "Not for this project." not in texts(other)
    assert (current(world), current(world, "secret")) == (POLICY, "Not for this project.")


def test_a_key_that_is_taken_meanwhile_changes_nothing(
    world: World, elsewhere: Documents, librarian: Client
) -> None:
    """The preview showed a new document; there is none any more."""
    sent = {"document_key": "returns", "text": "Two weeks.", "step": "preview"}
    form = carried(post(librarian, NEW, sent))
    assert elsewhere.put_document("returns", "Three weeks.").recorded
    answer = post(librarian, NEW, form)
    assert answer.status_code == 409
    assert answer.context["form"]["text"].value() == "Two weeks."
    assert current(world, "returns") == "Three weeks."


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(("key", "status"), [("", 422), ("x" * 1001, 422)])
def test_a_key_that_cannot_be_kept_is_refused(librarian: Client, key: str, status: int) -> None:
    """With the text that was typed."""
    answer = post(librarian, NEW, {"document_key": key, "text": "Two weeks.", "step": "preview"})
    assert answer.status_code == status
    assert answer.context["form"]["text"].value() == "Two weeks."


def test_a_removed_document_can_be_put_again(world: World, librarian: Client) -> None:
    """Its page offers it; the form is empty, since nothing is its text now."""
    world.documents.remove_document(POLICY_KEY)
    assert "Put it again" in texts(librarian.get(DOCUMENT))
    assert librarian.get(CHANGE).context["form"]["text"].value() == ""
    assert post(librarian, CHANGE, carried(previewed(librarian, SHORTER))).status_code == 303
    assert current(world) == SHORTER


# Removing


def removal(client: Client) -> dict[str, Any]:
    page = client.get(REMOVE)
    return {"seen": page.context["seen"], "request_id": page.context["request_id"]}


def test_removing_shows_whom_it_flags_and_asks_for_the_name(
    world: World, librarian: Client
) -> None:
    """422 without it, and nothing is removed."""
    page = librarian.get(REMOVE)
    assert page.context["flags"]["total"] == 3
    answer = post(librarian, REMOVE, {**removal(librarian), "name": "Refund"})
    assert answer.status_code == 422
    assert "neither its title nor its key" in texts(answer)
    assert answer.context["form"]["name"].value() == "Refund"
    assert current(world) == POLICY


@pytest.mark.parametrize("name", ["Refund policy", " refund  POLICY ", POLICY_KEY])
def test_a_document_is_removed_once(world: World, librarian: Client, name: str) -> None:
    """By title or key; a double click is one removal, and who cited it is in the queue."""
    form = {**removal(librarian), "name": name}
    assert [post(librarian, REMOVE, form).status_code for _ in range(2)] == [303, 303]
    assert len(world.documents.list_versions(POLICY_KEY).versions) == 2
    assert "3 decisions are flagged by it." in texts(librarian.get(DOCUMENT))
    assert open_queue(librarian, reason="source_removed").context["total"] == 2
    assert "It was removed before." in texts(librarian.get(REMOVE))


def test_a_removal_that_is_out_of_date_is_shown_anew(world: World, librarian: Client) -> None:
    """409 with whom it would flag now; what was typed stays."""
    form = {**removal(librarian), "name": POLICY_KEY}
    world.decide("late", "Shipping stays.", [world.cite("Shipping is never refunded.")])
    answer = post(librarian, REMOVE, form)
    assert (answer.status_code, answer.context["flags"]["total"]) == (409, 4)
    assert answer.context["form"]["name"].value() == POLICY_KEY
    assert current(world) == POLICY


# Who may


@pytest.mark.usefixtures("world")
def test_who_is_no_librarian_sees_no_way_to_change(dora_reads: Client) -> None:
    """Not even an admin of the project is one by that."""
    for url in (LIST, DOCUMENT):
        page = texts(dora_reads.get(url))
        assert CHANGE not in page
        assert REMOVE not in page
        assert NEW not in page


def test_a_text_survives_a_role_that_was_taken_away(
    world: World, librarian: Client, dora: User
) -> None:
    """403, with what was typed."""
    form = carried(previewed(librarian, SHORTER))
    dora.is_librarian = False
    dora.save()
    answer = post(librarian, CHANGE, form)
    assert answer.status_code == 403
    assert "Refunds are paid within 15 days" in texts(answer)
    Access.objects.filter(user=dora).delete()
    assert "Refunds are paid within 15 days" in texts(post(librarian, CHANGE, form))
    assert current(world) == POLICY


def test_a_text_survives_another_sign_in(world: World, librarian: Client) -> None:
    """A form with an earlier token is shown again, ready to be sent."""
    form = carried(previewed(librarian, SHORTER))
    answer = librarian.post(CHANGE, form, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 403
    assert "Send again" in texts(answer)
    assert post(librarian, CHANGE, dict(answer.context["hidden"])).status_code == 303
    assert current(world) == SHORTER


def test_a_text_survives_a_session_that_ended(world: World, librarian: Client, dora: User) -> None:
    """The sign-in page carries it, also past a wrong password, and offers to send it."""
    form = carried(previewed(librarian, SHORTER))
    librarian.logout()
    page = post(librarian, CHANGE, form)
    assert page.status_code == 403
    sent = {"username": "dora", "next": CHANGE, "held": page.context["held"]}
    page = post(librarian, "/signin", {**sent, "password": "no"})
    sent["held"] = page.context["held"]
    again = post(librarian, "/signin", {**sent, "password": PASSWORD})
    assert again.context["post_url"] == CHANGE
    assert post(librarian, CHANGE, dict(again.context["hidden"])).status_code == 303
    assert current(world) == SHORTER


def test_a_text_survives_a_sign_in_page_that_was_left_open(
    world: World, librarian: Client, dora: User
) -> None:
    """She signed in in another tab meanwhile; the page's token is old, its text is not."""
    form = carried(previewed(librarian, SHORTER))
    librarian.logout()
    held = post(librarian, CHANGE, form).context["held"]
    librarian.force_login(dora)
    sent = {"username": "dora", "next": CHANGE, "held": held, "csrfmiddlewaretoken": "x" * 32}
    again = librarian.post("/signin", sent, headers={"Sec-Fetch-Site": "same-origin"})
    assert again.context["post_url"] == CHANGE
    assert post(librarian, CHANGE, dict(again.context["hidden"])).status_code == 303
    assert current(world) == SHORTER


class LongAgo(signing.TimestampSigner):
    """Signs as if it were two days ago."""

    def timestamp(self) -> str:
        return signing.b62_encode(int(time.time()) - 2 * 24 * 60 * 60)


def test_a_text_that_waited_too_long_is_shown(world: World, librarian: Client) -> None:
    """No form is made of it any more, and no word of it is lost."""
    form, salt = carried(previewed(librarian, SHORTER)), "reviewconsole.document_forms"
    librarian.logout()
    held = signing.loads(post(librarian, CHANGE, form).context["held"], salt=salt)
    sent = {"username": "dora", "password": PASSWORD, "next": CHANGE}
    answer = post(
        librarian, "/signin", sent | {"held": LongAgo(salt=salt).sign_object(held, compress=True)}
    )
    assert answer.status_code == 409
    assert "Refunds are paid within 15 days" in texts(answer)
    assert "Send again" not in texts(answer)
    assert current(world) == POLICY


def test_a_text_survives_a_graph_that_does_not_answer(
    world: World, librarian: Client, settings: Settings
) -> None:
    """503 with everything typed; the same form does it once the graph is back, and once only."""
    form, graph = carried(previewed(librarian, SHORTER)), settings.GRAPH
    stores.close_store()
    settings.GRAPH = graphstore.Settings(engine="falkordb", falkordb_url="redis://127.0.0.1:1")
    answer = post(librarian, CHANGE, form)
    assert answer.status_code == 503
    assert "Refunds are paid within 15 days" in texts(answer)
    stores.close_store()
    settings.GRAPH = graph
    hidden = dict(answer.context["hidden"])
    assert hidden == form
    assert [post(librarian, CHANGE, hidden).status_code for _ in range(2)] == [303, 303]
    assert len(world.documents.list_versions(POLICY_KEY).versions) == 2


def test_a_chosen_file_survives_a_graph_that_does_not_answer(
    world: World, librarian: Client, settings: Settings
) -> None:
    """The form had read it already; what it says is on the page, ready to be sent again."""
    file = SimpleUploadedFile("handbook.md", b"Be kind.")
    form = {"document_key": "handbook", "text": "Be brief.", "file": file, "step": "preview"}
    graph = settings.GRAPH
    stores.close_store()
    settings.GRAPH = graphstore.Settings(engine="falkordb", falkordb_url="redis://127.0.0.1:1")
    answer = post(librarian, NEW, form)
    assert answer.status_code == 503
    assert dict(answer.context["hidden"])["text"] == "Be kind."
    stores.close_store()
    settings.GRAPH = graph
    again = post(librarian, NEW, dict(answer.context["hidden"]))
    assert carried(again)["text"] == "Be kind."
    assert not world.documents.get_document("handbook").found


# Grants


def test_an_admin_lets_a_project_read_a_document_and_takes_that_back(
    elsewhere: Documents, admin: Client
) -> None:
    """The page of the document offers the way back."""
    assert elsewhere.put_document("handbook", "Be kind.", title="Handbook").recorded
    url = document_url(PROJECT, "handbook")
    assert admin.get(url).status_code == 404
    assert post(admin, LIST, {"document_key": "handbook", "then": "grant"}).status_code == 303
    page = admin.get(url)
    assert "Take the grant back" in texts(page)
    assert post(admin, LIST, {"document_key": "handbook", "then": "revoke"}).status_code == 303
    assert admin.get(url).status_code == 404


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(
    ("key", "told"), [("nothing", "no document of this key"), ("", "by its key")]
)
def test_a_grant_of_what_is_not_there_says_so(admin: Client, key: str, told: str) -> None:
    """422 beside the field, with the key as typed."""
    answer = post(admin, LIST, {"document_key": key, "then": "grant"})
    assert answer.status_code == 422
    assert told in texts(answer)
    assert answer.context["form"]["document_key"].value() == key


# From other pages


def test_a_decision_leads_to_the_document_and_to_what_changed(
    world: World, dora_reads: Client
) -> None:
    """The title of its evidence to the page, the cause to that version."""
    world.documents.put_document(POLICY_KEY, SHORTER, uri="https://example.org/policy")
    open_queue(dora_reads)
    page = texts(open_decision(dora_reads, world.days))
    assert f'<a href="{DOCUMENT}">Refund policy</a>' in page
    assert 'href="https://example.org/policy"' in page
    assert f'href="{version_url(PROJECT, POLICY_KEY, 2)}"' in page
