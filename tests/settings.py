"""The settings of a test run: the site's own, but all it writes goes to a folder that is removed afterwards.

That is set before the site's settings are read, because those make the data folder and its secret key. A
process that a test starts inherits the folder and shares it.
"""

import atexit
import os
import shutil
import tempfile

CHOSEN_BY_THE_RUN = "CALLBREAK_TEST_DATA"

if CHOSEN_BY_THE_RUN not in os.environ:
    # What the person's own house is set to must not reach the tests. DATABASE_URL may: it chooses the engine,
    # and Django makes a database of another name there.
    for name in (
        *(
            "ALLOWED_HOSTS",
            "AWAY_AFTER",
            "BEHIND_PROXY",
            "COIN_FLOOR",
            "COIN_GRANT",
            "CSRF_TRUSTED_ORIGINS",
            "DEBUG",
            "EMAIL_URL",
            "HOST",
        ),
        *(
            "HTTPS",
            "LOG_LEVEL",
            "MAIL_FROM",
            "NEXT_AFTER",
            "NUDGE_AFTER",
            "PACE",
            "PORT",
            "SECRET_KEY",
            "TIME_ZONE",
        ),
    ):
        os.environ.pop(name, None)
    folder = tempfile.mkdtemp(prefix="callbreak-tests-", dir="/tmp")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ[CHOSEN_BY_THE_RUN] = folder
    os.environ["DATA_DIR"] = folder
    # A Valkey listens here as soon as a test asks for the `valkey` fixture; nothing ever reaches another one.
    os.environ["REDIS_URL"] = f"unix://{folder}/valkey.sock"

from callbreak_site.settings import *  # noqa: E402, F403
from callbreak_site.settings import DATA_DIR, DATABASES, STORAGES  # noqa: E402

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, as in production: threads and processes share it, and wait for its write lock.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # fast
# Static files as they lie in the source, without a manifest that would have to be collected first.
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_USE_FINDERS = True
(DATA_DIR / "static").mkdir(exist_ok=True)
