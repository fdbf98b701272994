"""Every sentence of the console comes from a catalogue, whatever page says it."""

import gc
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from django.test import Client, override_settings
from django.urls import resolve
from django.utils import translation

from graphstore.changed_words import WORDINGS
from graphstore.ids import sha256
from graphstore.store import GraphStore
from reviewconsole import change_words, problems
from reviewconsole.addresses import (
    ask_url,
    bulk_start_url,
    decision_url,
    document_url,
    new_document_url,
    projects_url,
    queue_news_url,
    queue_url,
)
from reviewconsole.api.root import api
from reviewconsole.models import Access, Role, User
from reviewconsole.problems import Problem
from reviewconsole.said import Said
from tests.catalogues import accented, django_messages, messages, write_catalogue
from tests.web.browsing import Answer, post
from tests.web.conftest import SignedIn
from tests.web.greek import GREEK, RULES_LATER, SHIFTS, Greek
from tests.web.reading import LATIN, Reading

TEMPLATES = Path(__file__).parents[2] / "templates"
PSEUDO = "en-xa"
"""A language that no person speaks: English in accented letters."""

ALIKE_PAGES = 1
MANY = 14
"""Pages of one kind that are read: of decisions all, since each stands on something else."""

FOR_PROGRAMS = {"api", "health", "lineage_csv", "log_export"}
"""What answers programs, in English, and exports that programs read."""
LEFT_OUT = {"signout"}
TYPED = "κείμενο"
OPERATIONS = frozenset(
    operation["operationId"]
    for methods in api.get_openapi_schema()["paths"].values()
    for operation in methods.values()
)
"""Names of what the API does: its reference lists them."""


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with a catalogue of everything that may be translated."""
    folder = tmp_path_factory.mktemp("locale")
    said = {
        message: tuple(accented(message, text) for text in message[1:] if text)
        for message in messages() | django_messages()
    }
    write_catalogue(folder, "en_XA", said)
    return folder


@pytest.fixture
def pseudo(catalogues: Path) -> Iterator[None]:
    """The console with that language."""
    with override_settings(
        LANGUAGES=[("en", "English"), (PSEUDO, "Accented")], LOCALE_PATHS=[catalogues]
    ):
        yield
    translation.activate("en")


@pytest.fixture
def admin(store: GraphStore, signed_in: SignedIn) -> Client:
    """Somebody who may do everything, and who reads in that language."""
    user = User.objects.create_user("άλκης", first_name="Άλκης", is_librarian=True)
    Access.objects.create(user=user, project_id=GREEK, role=Role.ADMIN)
    client = signed_in(user)
    client.headers = {"Accept-Language": PSEUDO}
    return client


class Reader:
    """Follows every link, sends every form, and keeps what was said without a translation."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.found: dict[str, list[str]] = {}
        self.drawn: set[str] = set()
        self.seen: Counter[tuple[str, bool]] = Counter()
        self.sent: set[tuple[str, ...]] = set()
        self.pages: list[Reading] = []
        self.waiting = deque([projects_url(), bulk_start_url(GREEK, SHIFTS)])

    def follow_all(self) -> None:
        while self.waiting:
            url = self.waiting.popleft()
            if self._is_new(url):
                self.open(url)

    def send_all(self) -> None:
        """Every kind of form, empty and filled in; what that leads to is read, too."""
        for page in self.pages:  # It grows meanwhile.
            for form in page.forms.values():
                self._send_new(form.url, form.kind, form.answers(TYPED, most=3))
                *_, filled = form.answers(TYPED, most=1)
                for url, button in form.elsewhere:
                    self._send_new(url, tuple(button.values()), [filled | button])

    def open(self, url: str, client: Client | None = None) -> None:
        self.read((client or self.client).get(url, headers={"Accept-Language": PSEUDO}), url)

    def send(self, url: str, answer: dict[str, str]) -> None:
        self.read(post(self.client, url, answer, **{"Accept-Language": PSEUDO}), url)

    def read(self, answer: Answer, url: str) -> None:
        assert answer.status_code < 500, url
        self.drawn.update(part.name for part in answer.templates if part.name)
        if answer.status_code in {302, 303}:
            self.open(answer["Location"])
            return
        if not answer.get("Content-Type", "").startswith(("text/html", "image/svg")):
            return
        page = Reading(answer.content.decode(), url, OPERATIONS)
        if page.latin:
            self.found.setdefault(url, []).extend(page.latin)
        self.pages.append(page)
        self.waiting += [urljoin(url, urldefrag(link).url) for link in page.links]

    def _send_new(self, url: str, kind: tuple[str, ...], answers: Iterable[dict[str, str]]) -> None:
        name = _name(url)
        if name in LEFT_OUT or (name, *kind) in self.sent:
            return
        self.sent.add((name, *kind))
        for answer in answers:
            self.send(url, answer)

    def _is_new(self, url: str) -> bool:
        parts = urlsplit(url)
        if not url.startswith("/") or url.startswith("/static/"):
            return False
        name = _name(parts.path)
        self.seen[name, bool(parts.query)] += 1
        most = MANY if name == "decision" and not parts.query else ALIKE_PAGES
        return name not in FOR_PROGRAMS | LEFT_OUT and self.seen[name, bool(parts.query)] <= most


def _name(url: str) -> str:
    match = resolve(unquote(urlsplit(url).path))
    return match.namespace or match.url_name or ""


@pytest.mark.usefixtures("pseudo")
def test_no_page_says_what_no_catalogue_holds(admin: Client, store: GraphStore) -> None:
    """Whatever is written in Latin letters was neither recorded, in Greek, nor translated."""
    world = Greek(store)
    reader = Reader(admin)
    reader.follow_all()
    _pick_a_part(reader, world)
    reader.send_all()
    reader.follow_all()
    _see_what_nothing_leads_to(reader, world)
    assert reader.found == {}
    drawn = {path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.*")}
    assert drawn - reader.drawn == set()


def _pick_a_part(reader: Reader, world: Greek) -> None:
    """As somebody does by selecting words of the present text."""
    url = decision_url(GREEK, world.edited.id)
    card = reader.client.get(url).context["cards"][0]
    part = {"version": sha256(RULES_LATER), "part": "0-7", "quote": RULES_LATER[:7]}
    reader.send(card["pick_url"], part)
    reader.open(url)


def _see_what_nothing_leads_to(reader: Reader, world: Greek) -> None:
    """Pages for somebody who is signed out or was, refusals, and answers to scripts."""
    stranger, own = Client(enforce_csrf_checks=True), {"Accept-Language": PSEUDO}
    reader.open(queue_url(GREEK), stranger)
    sign_in = {"username": TYPED, "password": TYPED}
    reader.read(post(stranger, "/signin", sign_in, **own), "/signin")
    reader.open(document_url(GREEK, TYPED))
    reader.open(queue_news_url(GREEK, since=0))
    new = {"document_key": TYPED, "title": TYPED, "text": TYPED}
    reader.send(new_document_url(GREEK), new)
    own["Sec-Fetch-Site"] = "same-origin"
    typed = {"explanation": TYPED, "verdict": "reject"}
    decision = str(world.edited.id)
    for url in (decision_url(GREEK, decision), ask_url(GREEK, decision), new_document_url(GREEK)):
        reader.read(reader.client.post(url, typed | new, headers=own), url)


@pytest.mark.usefixtures("pseudo")
def test_every_table_of_words_is_translated() -> None:
    """Also words for what no test brought about: each refusal, fault and cause."""
    tables = [one for one in gc.get_objects() if type(one) is Said]
    told = [one for one in vars(problems).values() if isinstance(one, Problem)]
    told += [*problems.REFUSALS.values(), *problems.FAULTS.values()]
    with translation.override(PSEUDO):
        words = [text for table in tables for text in table.values()]
        for one in told:
            words += map(translation.gettext, (one.title, one.sentence, one.what_to_do))
    assert [text for text in words if LATIN.search(text.replace("{label}", ""))] == []


def test_what_the_graph_says_of_changes_is_known_to_translators() -> None:
    """`graphstore` knows no language; its patterns stand in a table of the console."""
    assert change_words.SAID == WORDINGS


def test_a_catalogue_makes_a_language(tmp_path: Path) -> None:
    """One sentence in German on a page; programs that ask for German hear English."""
    said = {("", "Sign in", ""): ("Anmelden",), ("", problems.NOT_FOUND.title, ""): ("Nichts",)}
    write_catalogue(tmp_path, "de", said)
    german = Client(headers={"Accept-Language": "de-AT,de;q=0.9"})
    with override_settings(
        LANGUAGES=[("en", "English"), ("de", "Deutsch")], LOCALE_PATHS=[tmp_path]
    ):
        page = german.get("/signin").content.decode()
        missing = german.get("/api/v1/nothing").json()
    assert '<html lang="de"' in page
    assert "Anmelden" in page
    assert missing["title"] == problems.NOT_FOUND.title
