"""A process of its own that counts calls of the only token; prints how many were let through."""

import sys
from datetime import UTC, datetime

import django


def main() -> None:
    """Count as often as the argument says, all in one minute, once a line comes in."""
    django.setup()
    from reviewconsole.models import Token
    from reviewconsole.tokens import count_call

    print("ready", flush=True)
    sys.stdin.readline()
    token = Token.objects.get()
    at = datetime(2030, 1, 1, 12, 0, 30, tzinfo=UTC)
    print(sum(count_call(token, at) == 0 for _ in range(int(sys.argv[1]))), flush=True)


if __name__ == "__main__":
    main()
