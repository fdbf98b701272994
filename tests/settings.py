"""The console's settings for tests: a key of the moment, plain static files."""

import os
import secrets

os.environ.setdefault("RC_SECRET_KEY", secrets.token_urlsafe(50))
os.environ.setdefault("RC_HTTPS", "0")

from reviewconsole.settings import *  # noqa: F403
from reviewconsole.settings import STORAGES

# Tests read the sources of static files, not what an earlier start collected.
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage",
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
