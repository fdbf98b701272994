"""Every setting, and the only place that reads the environment.

`docs/settings.md` lists the variables. The names of the graph store are read by
`graphstore.Settings.from_env`, so that a Python program and the console mean the
same store by the same names.
"""

import os
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

import graphstore
from graphstore.faults import StoreMisconfigured
from reviewconsole.environment import (
    Environment,
    given_key,
    kept_key,
    kept_ledger_key,
    require_ledger_key,
)

environment = Environment(os.environ)

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(environment.text("RC_VAR") or BASE_DIR / "var").resolve()

# What kind of process this is

DEMO = environment.switch("RC_DEMO", default=False)
DEBUG = environment.switch("RC_DEBUG", default=False)
if DEBUG and not DEMO:
    raise ImproperlyConfigured(
        "RC_DEBUG shows code and settings to whoever sees an error; it is allowed "
        "with RC_DEMO=1 only."
    )
SECRET_KEY = (
    kept_key(VAR_DIR / "secret_key")
    if DEMO and not environment.text("RC_SECRET_KEY")
    else given_key(environment.text("RC_SECRET_KEY"))
)

ALLOWED_HOSTS = environment.words("RC_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
if "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured("RC_HOSTS must name hosts; `*` lets anyone forge links.")
CSRF_TRUSTED_ORIGINS = environment.words("RC_ORIGINS", [])

# The graph

# The ledger's key has no default: in the demo it is made and kept, elsewhere it is given.

LEDGER_KEY = (
    kept_ledger_key(VAR_DIR / "ledger_key")
    if DEMO and not environment.text("LEDGER_KEY")
    else environment.text("LEDGER_KEY")
)
require_ledger_key(LEDGER_KEY)

try:
    GRAPH = graphstore.Settings.from_env(
        {"GRAPH_DIR": str(VAR_DIR / "graph"), **os.environ, "LEDGER_KEY": LEDGER_KEY}
    )
except StoreMisconfigured as fault:
    raise ImproperlyConfigured(str(fault)) from None

# The application

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_q",
    "reviewconsole.apps.ReviewConsoleConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "reviewconsole.middleware.ReaderLanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "reviewconsole.middleware.ReaderTimeZoneMiddleware",
    "reviewconsole.middleware.SignInMiddleware",
    "reviewconsole.middleware.PageHeadersMiddleware",
    "reviewconsole.middleware.StoreFaultMiddleware",
]
if environment.switch("RC_SERVER_TIMING", default=False):
    # Behind what serves files, before everything that may ask a database.
    MIDDLEWARE.insert(
        MIDDLEWARE.index("whitenoise.middleware.WhiteNoiseMiddleware") + 1,
        "reviewconsole.middleware.ServerTimingMiddleware",
    )

ROOT_URLCONF = "reviewconsole.urls"
WSGI_APPLICATION = "reviewconsole.wsgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "builtins": ["reviewconsole.templatetags.desk"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "reviewconsole.context.around_the_page",
            ],
        },
    }
]

# The console's own rows

DATABASES = {
    "default": dj_database_url.parse(
        environment.text("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'console.sqlite3'}",
        conn_max_age=60,
        conn_health_checks=True,
    )
}
if DATABASES["default"].get("ENGINE") == "django.db.backends.sqlite3":
    # With Django's own choice most concurrent read-then-write transactions fail:
    # a transaction that may write must take the write lock when it begins.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }

# Jobs. `retry` counts from the moment a job is fetched, not from its start, so it
# stays well above `timeout`; a job that failed is not run again by the queue, since
# the next page or the sweep wakes what is left to do.

Q_CLUSTER = {
    "name": "review-console",
    "workers": environment.number("RC_WORKERS", 1, least=1, most=64),
    "bulk": 1,
    "queue_limit": 2,
    "timeout": 60,
    "retry": 600,
    "ack_failures": True,
    "max_attempts": 1,
    "catch_up": False,
    "save_limit": 100,
    "poll": 0.5,
    "label": "Jobs",
}
if environment.text("Q_REDIS_URL"):
    Q_CLUSTER["redis"] = environment.text("Q_REDIS_URL")
else:
    Q_CLUSTER["orm"] = "default"

# People

AUTH_USER_MODEL = "reviewconsole.User"
LOGIN_URL = "signin"
LOGIN_REDIRECT_URL = "projects"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# Agents over HTTP: calls of one token in one minute, over all processes; 0 is no limit.

API_PER_MINUTE = environment.number("RC_API_PER_MINUTE", 600, least=0, most=1_000_000)

# Safety. Nothing inline anywhere, so the policy needs no nonce.

SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "font-src": [CSP.SELF],
    "img-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"

HTTPS = environment.switch("RC_HTTPS", default=not DEMO)
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
if environment.switch("RC_TRUST_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_COOKIE_NAME = "rc_session"
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_NAME = "rc_csrf"
CSRF_FAILURE_VIEW = "reviewconsole.views.problems.csrf_refused"

# A message may name what was judged by link, never by text: a cookie would carry
# it out of every place that erasure reaches.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# Files

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# A dozen small files, served from where they are; nothing has to be collected first.
WHITENOISE_USE_FINDERS = True

# Times are stored and sent in UTC; a cookie names the reader's zone.

USE_TZ = True
TIME_ZONE = "UTC"

# Pages speak the reader's language: a cookie names it, else what the browser prefers among
# those listed. Catalogues lie under `locale/`; CONTRIBUTING says how one is made.

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LANGUAGE_COOKIE_NAME = "language"
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {
        "handlers": ["stderr"],
        "level": environment.choice("RC_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR")),
    },
    "loggers": {"django-q": {"level": "WARNING"}},
}
