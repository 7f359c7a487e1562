"""Settings, all from the environment, each with a default that is safe and works on one machine.

Every name read here is described in the README under "Settings".
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from urllib.parse import quote

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
try:
    DATA_DIR.mkdir(parents=True, exist_ok=True)
except OSError as error:
    raise ImproperlyConfigured(f"The data folder {DATA_DIR} cannot be made: {error.strerror}.") from error


def _kept_secret_key() -> str:
    """The secret key of this installation, made once and kept in DATA_DIR, readable by its owner only."""
    path = DATA_DIR / "secret_key"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(descriptor, "w") as file:
        key = secrets.token_urlsafe(50)
        file.write(key)
    return key


SECRET_KEY = env.str("SECRET_KEY", default="") or _kept_secret_key()
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", ".localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "daphne",
    "callbreak_site.apps.DeskConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "accounts",
    "games",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "callbreak_site.urls"
ASGI_APPLICATION = "callbreak_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.wallet",
                "games.context.my_tables",
            ],
        },
    },
]

# ---------------------------------------------------------------- where things are kept

DATABASES = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{quote(str(DATA_DIR))}/callbreak.sqlite3")
}
_database = DATABASES["default"]
if _database["ENGINE"].endswith("sqlite3"):
    # Each atomic block takes the write lock at once: no reader upgrades and fails. See docs/architecture.md.
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000;",
    }
    _database["CONN_MAX_AGE"] = None
elif _database["ENGINE"].endswith("postgresql"):
    _database["OPTIONS"] = {"pool": {"min_size": 1, "max_size": env.int("DATABASE_POOL", default=8)}}
    _database["CONN_MAX_AGE"] = 0
_database["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The bots' compiled play-outs.
KERNEL_DIR = Path(env.str("KERNEL_DIR", default=str(DATA_DIR / "kernel")))

REDIS_URL = env.str("REDIS_URL", default=f"unix://{quote(str(DATA_DIR))}/valkey.sock")
# Celery spells a unix socket another way.
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    "queue_order_strategy": "priority",  # a worker looks at its queues in the order they are named: hints come last
    "socket_connect_timeout": 2,
    "socket_timeout": 30,
    "socket_keepalive": True,
    # Publishing gives up at once: what is not announced, the sweep finds, and a player never waits for Redis.
    "max_retries": 0,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = "clocks"
CELERY_TASK_ROUTES = {
    "games.tasks.think": {"queue": "bots"},
    "games.tasks.hint": {"queue": "hints"},
    "games.tasks.check_books": {"queue": "chores"},
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "games.tasks.sweep", "schedule": 2.0, "options": {"expires": 2.0}},
    "tidy": {"task": "games.tasks.tidy", "schedule": 30.0, "options": {"expires": 30.0}},
    "check_books": {"task": "games.tasks.check_books", "schedule": 60.0 * 60 * 24},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL]},
    }
}

# Rate limits must hold across processes and survive a restart of Redis: they live in the database.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},  # when full, a third is thrown out, limits of today included
    }
}

# ---------------------------------------------------------------- people

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.Backend"]
# Half the time of Django's default for more work to a guesser; on SQLite one thread serves every request.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 60
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "lobby"
ACCOUNT_ADAPTER = "accounts.adapter.Adapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*", "email"]
ACCOUNT_FORMS = {
    "login": "accounts.forms.SignIn",
    "signup": "accounts.forms.Join",
    "change_password": "accounts.forms.ChangePassword",
    "reset_password": "accounts.forms.AskReset",
    "reset_password_from_key": "accounts.forms.NewPassword",
}
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_UNIQUE_EMAIL = False  # an address is for a lost password alone, and a family may share one
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "lobby"
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "django.contrib.auth.tokens.PasswordResetTokenGenerator"
# How often, for one address of the net (ip), one person (user), and one name or e-mail address (key).
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "10/m/ip,10/5m/key",
    "signup": "20/m/ip",
    "change_password": "5/m/user",
    "manage_email": "5/m/user",
    "reset_password": "10/m/ip,3/5m/key",
    "reset_password_from_key": "20/m/ip",
}

# ---------------------------------------------------------------- coins, which are play money

COIN_GRANT = env.int("COIN_GRANT", default=1000)  # for everybody, once, at registration
COIN_FLOOR = env.int("COIN_FLOOR", default=200)  # what the refill, once a UTC day, fills a wallet up to

# ---------------------------------------------------------------- the web's own safety

HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if env.bool("BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

# ---------------------------------------------------------------- static files, language, mail

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEBUG

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
USE_TZ = True

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="filemail://")
vars().update(EMAIL_CONFIG)
EMAIL_FILE_PATH = str(DATA_DIR / "mail")
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default="Call Break <callbreak@localhost>")

# ---------------------------------------------------------------- the house

AWAY_AFTER = env.float("AWAY_AFTER", default=45.0)  # seconds without a sign of life until a bot stands in
NUDGE_AFTER = env.float("NUDGE_AFTER", default=120.0)  # seconds undone until the others may ask a bot to act
NEXT_AFTER = env.float("NEXT_AFTER", default=20.0)  # seconds a scored deal waits at a table with clocks
PACE = env.float("PACE", default=1.0)  # multiplies every pause made for the eye

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
    "loggers": {
        # A made-up Host header is answered with 400; it deserves no traceback in the log.
        "django.request": {"level": "ERROR"},  # refusals are no warnings, and addresses hold private codes
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "games": {"level": "INFO"},
        "accounts": {"level": "INFO"},
    },
}
