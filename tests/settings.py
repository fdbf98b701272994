"""The console's settings for tests: a key of the moment, a quick hash."""

import os
import secrets

os.environ.setdefault("RC_SECRET_KEY", secrets.token_urlsafe(50))
os.environ.setdefault("LEDGER_KEY", f"test:{secrets.token_hex(32)}")
os.environ.setdefault("RC_HTTPS", "0")
# Playwright's synchronous API leaves an event loop running in a process of tests, in which
# Django would refuse its database to every test that comes later.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

from reviewconsole.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
