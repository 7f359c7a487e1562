"""What a test asks of a running house from behind the counter; run as `python -m tests.browser.desk COMMAND`.

It uses the site's own settings and the house's data folder, and answers in JSON.
"""

from __future__ import annotations

import json
import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "callbreak_site.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402

from accounts.models import User  # noqa: E402
from games import actions  # noqa: E402
from games.bots import STAND_IN  # noqa: E402
from games.models import Ruleset  # noqa: E402


def people(*names: str) -> dict[str, str]:
    """Make people without the form and sign them in: session keys by name."""
    keys = {}
    for name in names:
        user = User.objects.create_user(name)
        client = Client()
        client.force_login(user)
        keys[name] = client.cookies[settings.SESSION_COOKIE_NAME].value
    return keys


def bots_only(slug: str, pace: str) -> str:
    """Open a table that bots alone play at; its code."""
    ruleset = Ruleset.objects.get(slug=slug)
    host, _made = User.objects.get_or_create(username="Kamala")
    table = actions.open_table(
        host,
        name="Bots alone",
        ruleset=ruleset,
        rules=ruleset.rules,
        rules_name=ruleset.name,
        players=4,
        length=ruleset.rules.deals[0],
        call_clock=ruleset.rules.call_clock,
        card_clock=ruleset.rules.card_clock,
        pace=pace,
        public=True,
        watchable=True,
        bots=dict.fromkeys(range(4), STAND_IN),
        seat=None,
    )
    return table.code


if __name__ == "__main__":
    command = {"people": people, "bots_only": bots_only}[sys.argv[1]]
    print(json.dumps(command(*sys.argv[2:])))  # noqa: T201
