"""Make the console's database with the people of the browser tests.

    python tests/browser/prepare.py

Run in a process of its own, since the browser's driver has an event loop in the
tests' process and Django's database wants none. What it makes is copied for each
console, so that migrations run once in a run.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import django
from django.core.management import call_command

PASSWORD = "correct horse battery"
PEOPLE = {"alice": "Alice Marsh", "bob": "Bob Reed", "dora": "Dora Hale", "charlie": "Charlie Fenn"}
"""Sign-in names and the names that pages show."""
CROWD = [f"reviewer-{number}" for number in range(1, 21)]
"""Twenty more, for who wants many at once. Pages show these names."""


def main() -> None:
    """Migrate the database that the environment names and create everybody."""
    django.setup()
    from reviewconsole.models import User

    call_command("migrate", verbosity=0)
    for name, shown in PEOPLE.items():
        first, last = shown.split()
        User.objects.create_user(name, password=PASSWORD, first_name=first, last_name=last)
    for name in CROWD:
        User.objects.create_user(name, password=PASSWORD)


if __name__ == "__main__":
    main()
