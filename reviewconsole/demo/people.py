"""The demo's people: one for each role, with a sign-in that is printed."""

from dataclasses import dataclass, field

__all__ = ["PEOPLE", "Person"]


@dataclass(frozen=True)
class Person:
    """An account of the demo. `roles` names the role in each project it may enter.

    `librarian` people put and remove documents.
    """

    username: str
    first_name: str
    last_name: str
    roles: dict[str, str] = field(default_factory=dict)
    librarian: bool = False

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @property
    def password(self) -> str:
        return f"demo-{self.username}"


PEOPLE = {
    person.username: person
    for person in (
        Person("reader", "Hanna", "Wolska", {"tarnica-cold-chain": "reader"}),
        Person(
            "reviewer",
            "Tomasz",
            "Brzeski",
            {"tarnica-cold-chain": "reviewer", "tarnica-returns": "reviewer"},
        ),
        Person("manager", "Eglė", "Petrauskaitė", {"tarnica-cold-chain": "manager"}),
        Person(
            "admin",
            "Miriam",
            "Haddad",
            {"tarnica-cold-chain": "admin", "tarnica-returns": "admin"},
            librarian=True,
        ),
    )
}
