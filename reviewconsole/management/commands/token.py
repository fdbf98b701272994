"""Make, list and revoke tokens of the API from a shell."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from reviewconsole.models import PROJECT_ID_LENGTH, Role, Token, User
from reviewconsole.tokens import NewToken, TokenRefused, last_used, live, make_token, revoke_token


class Command(BaseCommand):
    help = "Make a token for an agent, list those of a project, or revoke one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        make = verbs.add_parser("make", help="print a new secret, once")
        make.add_argument("name", help="by which people know it")
        make.add_argument("--project", required=True)
        make.add_argument("--role", choices=Role.labels, default=str(Role.REVIEWER.label))
        make.add_argument("--by", required=True, help="the account that answers for it")
        make.add_argument("--agent", help="the author of what it records; agent:<name> by default")
        make.add_argument("--days", type=int, default=90, help="how long it holds, at most 366")
        make.add_argument("--librarian", action="store_true", help="may put and remove documents")
        listed = verbs.add_parser("list", help="those of a project")
        listed.add_argument("--project", required=True)
        revoke = verbs.add_parser("revoke", help="let nobody in with it any more")
        revoke.add_argument("token", type=UUID, help="its id, as `token list` shows it")
        revoke.add_argument("--project", required=True)

    def handle(self, *_args: Any, **options: Any) -> None:
        match options["verb"]:
            case "make":
                self._make(options)
            case "list":
                self._list(options["project"])
            case _:
                self._revoke(options["project"], options["token"])

    def _make(self, options: dict[str, Any]) -> None:
        """The secret alone goes to the output, so that a shell can take it from there."""
        maker = User.objects.filter(username=options["by"]).first()
        if maker is None:
            raise CommandError(f"There is no account {options['by']!r}.")
        if len(options["project"]) > PROJECT_ID_LENGTH:
            raise CommandError(f"A project id longer than {PROJECT_ID_LENGTH} has no tokens.")
        name = options["name"]
        new = NewToken(
            name[:100],
            options["project"],
            next(role for role in Role if role.label == options["role"]),
            options["agent"] or f"agent:{slugify(name, allow_unicode=True) or 'unnamed'}",
            options["days"],
            librarian=options["librarian"],
        )
        try:
            token, secret = make_token(maker, new)
        except TokenRefused as refused:
            raise CommandError(str(refused)) from None
        self.stderr.write(f"{token.uuid} holds until {token.expires_at:%Y-%m-%d %H:%M} UTC.")
        self.stdout.write(secret)

    def _list(self, project: str) -> None:
        for token in Token.objects.filter(project_id=project).select_related("created_by"):
            used = last_used(token)
            state = "holds" if live(token) else "revoked" if token.revoked_at else "ended"
            told = f"last used {used:%Y-%m-%d %H:%M}" if used else "never used"
            role = Role(token.role).label
            self.stdout.write(
                f"{token.uuid}  {state:8}{role:9} {token.agent_id}  “{token.name}”, {told}"
            )

    def _revoke(self, project: str, uuid: UUID) -> None:
        if not revoke_token(project, uuid):
            raise CommandError("There is no such token in this project, or it is revoked already.")
        self.stdout.write(self.style.SUCCESS("It lets nobody in any more."))
