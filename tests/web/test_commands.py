"""Management commands: each repeatable, each one sentence when it cannot."""

from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

import graphstore
from reviewconsole import stores
from reviewconsole.models import Access, IndexMark, Role, User
from reviewconsole.waiting import waiting
from tests.servers import RawGraph
from tests.web import foreign
from tests.web.world import PROJECT, World


def run(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out, stderr=out)
    return out.getvalue()


def test_grant_gives_changes_and_takes_a_role(world: World, charlie: User) -> None:
    """One role per person and project."""
    run("grant", "charlie", "reviewer", world.project)
    run("grant", "charlie", "manager", world.project)
    assert Access.objects.get(user=charlie).role == Role.MANAGER
    run("grant", "charlie", "none", world.project)
    assert not Access.objects.filter(user=charlie).exists()


def test_grant_names_an_account_that_is_not_there(world: World) -> None:
    """And says how to make one."""
    with pytest.raises(CommandError, match="createsuperuser"):
        run("grant", "nobody", "reader", world.project)


def test_grant_makes_a_librarian_and_ends_that(charlie: User) -> None:
    """Without a project, since documents belong to the whole graph."""
    run("grant", "charlie", "librarian")
    charlie.refresh_from_db()
    assert charlie.is_librarian
    run("grant", "charlie", "not-librarian")
    charlie.refresh_from_db()
    assert not charlie.is_librarian


@pytest.mark.usefixtures("charlie")
@pytest.mark.parametrize(
    ("words", "told"),
    [(["librarian", PROJECT], "name none"), (["reader"], "Name the project"), (["none"], "Name")],
)
def test_grant_says_where_a_project_belongs(words: list[str], told: str) -> None:
    """A role needs one, a librarian has none."""
    with pytest.raises(CommandError, match=told):
        run("grant", "charlie", *words)


@pytest.mark.usefixtures("world", "charlie")
def test_grant_notes_a_project_that_the_graph_does_not_have() -> None:
    """It may be a slip, or a project that an agent is about to start."""
    assert "no project 'refund' yet" in run("grant", "charlie", "reader", "refund")
    assert Access.objects.filter(project_id="refund").exists()


@pytest.mark.usefixtures("charlie")
def test_grant_refuses_a_project_id_that_no_database_indexes() -> None:
    """One sentence rather than a database error."""
    with pytest.raises(CommandError, match="longer than"):
        run("grant", "charlie", "reader", "x" * 501)


@pytest.mark.usefixtures("store")
def test_graph_setup_can_be_run_again() -> None:
    """What is there stays."""
    assert "set up" in run("graph_setup")
    assert "set up" in run("graph_setup")


@pytest.mark.parametrize("command", [["graph_setup"], ["adopt"], ["reindex", PROJECT]])
def test_a_dead_graph_is_one_sentence(settings: Settings, command: list[str]) -> None:
    """No traceback for what the operator can mend."""
    stores.close_store()
    settings.GRAPH = graphstore.Settings(engine="falkordb", falkordb_url="redis://127.0.0.1:1")
    with pytest.raises(CommandError) as raised:
        run(*command)
    assert "\n" not in str(raised.value)


def test_adopt_takes_up_what_others_wrote(world: World, raw: RawGraph) -> None:
    """Projects, time keys, choices and the queue; a second run finds nothing left."""
    foreign.flag(raw, world.days)
    said = run("adopt")
    assert "2 decisions wait" in said
    assert waiting(PROJECT).count() == 2
    assert IndexMark.objects.get(project_id=PROJECT).adopted
    assert "taken up" not in run("adopt")


@pytest.mark.usefixtures("store")
def test_adopt_of_an_empty_graph_says_so() -> None:
    """There is nothing to do, and that is no fault."""
    assert "no projects yet" in run("adopt")


def test_reindex_rebuilds_the_rows_from_the_graph(world: World) -> None:
    """Rows that were lost come back, rows that nothing backs go."""
    world.shorten_policy()
    run("reindex", PROJECT)
    lost = waiting(PROJECT).get(decision_id=world.days.id)
    lost.delete()
    invented = waiting(PROJECT).get(decision_id=world.letter.id)
    invented.pk, invented.decision_id = None, uuid4()
    invented.save()
    assert "3 decisions wait" in run("reindex", PROJECT)
    rows = waiting(PROJECT).values_list("decision_id", flat=True)
    assert set(rows) == {world.days.id, world.letter.id, world.signature.id}


@pytest.mark.usefixtures("world")
def test_createsuperuser_makes_an_account_with_its_own_person_id(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Made with the account, so that no verdict is ever anonymous."""
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "a long enough secret")
    run("createsuperuser", "--noinput", "--username", "root", "--email", "root@example.org")
    root = User.objects.get(username="root")
    assert root.agent_id == f"person:{root.person_uuid}"
    assert root.check_password("a long enough secret")


def test_no_model_change_lacks_its_migration() -> None:
    """A forgotten migration fails here rather than at an operator's."""
    call_command("makemigrations", "--check", "--dry-run", stdout=StringIO())
