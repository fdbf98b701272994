"""The console's settings for tests: a key of the moment, a quick hash."""

import os
import secrets

os.environ.setdefault("RC_SECRET_KEY", secrets.token_urlsafe(50))
os.environ.setdefault("RC_HTTPS", "0")

from reviewconsole.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
