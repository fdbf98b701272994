"""Let an account into a project, or let it put and remove documents."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from graphstore.faults import StoreFault
from graphstore.review_feed import list_projects
from reviewconsole.models import PROJECT_ID_LENGTH, Access, Role, User
from reviewconsole.stores import store

NOBODY = "none"
LIBRARIAN = {"librarian": True, "not-librarian": False}
"""The role without a project: documents belong to the whole graph."""


class Command(BaseCommand):
    help = (
        "Give an account a role in a project: reader, reviewer, manager, admin, or none. "
        "Without a project: librarian, who may put and remove documents wherever they may "
        "read, or not-librarian."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="the account's sign-in name")
        parser.add_argument("role", choices=[*Role.labels, NOBODY, *LIBRARIAN])
        parser.add_argument(
            "project", nargs="?", help="the project's id, as agents use it; not for librarians"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        user, role, project = self._user(options["user"]), options["role"], options["project"]
        if role in LIBRARIAN:
            self._make_librarian(user, project, wanted=LIBRARIAN[role])
        elif project is None:
            raise CommandError(f"Name the project in which {user} shall be {role}.")
        else:
            self._give_role(user, role, project)

    def _make_librarian(self, user: User, project: str | None, *, wanted: bool) -> None:
        if project is not None:
            raise CommandError("A librarian looks after the documents of every project: name none.")
        user.is_librarian = wanted
        user.save(update_fields=["is_librarian"])
        told = "may put and remove documents" if wanted else "may not change documents"
        self.stdout.write(self.style.SUCCESS(f"{user} {told} now."))

    def _give_role(self, user: User, label: str, project: str) -> None:
        if len(project) > PROJECT_ID_LENGTH:
            raise CommandError(f"A project id longer than {PROJECT_ID_LENGTH} cannot be granted.")
        if label == NOBODY:
            Access.objects.filter(user=user, project_id=project).delete()
            self.stdout.write(f"{user} has no role in {project} now.")
            return
        role = next(role for role in Role if role.label == label)
        Access.objects.update_or_create(user=user, project_id=project, defaults={"role": role})
        self.stdout.write(self.style.SUCCESS(f"{user} is {role.label} of {project}."))
        self._warn_of_unknown(project)

    def _user(self, name: str) -> User:
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(
                f"There is no account {name!r}; make it with `manage.py createsuperuser`."
            )
        return user

    def _warn_of_unknown(self, project: str) -> None:
        """An id that the graph does not have may be a slip, or a project still to come."""
        try:
            known = any(one.project_id == project for one in list_projects(store()))
        except StoreFault as fault:
            self.stderr.write(f"Not checked whether the project exists: {fault}")
            return
        if not known:
            self.stderr.write(f"Note: the graph has no project {project!r} yet.")
