"""The demo's sign-ins: an account for each person, with its roles."""

from django.db import transaction

from reviewconsole.demo.people import PEOPLE, Person
from reviewconsole.models import Access, Role, User

__all__ = ["seat_everybody", "sign_ins"]


def seat_everybody() -> dict[str, str]:
    """Make the accounts that are missing; returns the agent id of each by sign-in name."""
    return {name: _seat(person).agent_id for name, person in PEOPLE.items()}


@transaction.atomic
def _seat(person: Person) -> User:
    """The account of `person`, made with its roles unless it is there.

    One that is there stays as it is: whoever tries the demo may have changed it.
    """
    user, made = User.objects.get_or_create(
        username=person.username,
        defaults={"first_name": person.first_name, "last_name": person.last_name},
    )
    if made:
        user.set_password(person.password)
        user.is_librarian = person.librarian
        user.save(update_fields=["password", "is_librarian"])
        roles = {role.label: role for role in Role}
        for project_id, label in person.roles.items():
            Access.objects.create(user=user, project_id=project_id, role=roles[label])
    return user


def sign_ins() -> list[str]:
    """One line for each person: sign-in name, password, who it is."""
    return [
        f"{person.username:<10} {person.password:<15} {person.name}, "
        + " and ".join(f"{role} of {project}" for project, role in person.roles.items())
        + (", and librarian" if person.librarian else "")
        for person in PEOPLE.values()
    ]
