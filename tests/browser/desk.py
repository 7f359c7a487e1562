"""What a test asks of a running house from behind the counter; run as `python -m tests.browser.desk COMMAND`.

It uses the site's own settings and the house's data folder, and answers in JSON.
"""

from __future__ import annotations

import json
import os
import sys

import django
from django.core.management import call_command

os.environ["DJANGO_SETTINGS_MODULE"] = "callbreak_site.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402

from accounts.models import User  # noqa: E402
from games import actions, rules  # noqa: E402
from games.bots import STAND_IN  # noqa: E402
from games.models import Deal, Ruleset, Table  # noqa: E402


def people(*names: str) -> dict[str, str]:
    """Make people without the form and sign them in: session keys by name."""
    return {name: _signed_in(User.objects.create_user(name)) for name in names}


def owner(name: str) -> str:
    """Make somebody who runs the house and sign him in: the session key."""
    return _signed_in(User.objects.create_superuser(name))


def _signed_in(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


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


def deal_from(code: str, seed: str, dealer: str) -> None:
    """Deal the first deal of a table again, from this seed (hex) by this seat; nobody has called yet."""
    table = Table.objects.get(code=code)
    deal = Deal.objects.get(table=table, number=1, redealt="")
    assert not deal.actions.exists()
    deal.seed, deal.dealer = bytes.fromhex(seed), int(dealer)
    deal.hands = [rules.hand_text(hand) for hand in rules.shuffle(deal.seed, table.players)]
    deal.save()
    Table.objects.filter(pk=table.pk).update(version=table.version + 1)


def check_ledger() -> None:
    """Count all coins again; fails where something is wrong."""
    call_command("check_ledger", stdout=sys.stderr)


if __name__ == "__main__":
    commands = {each.__name__: each for each in (people, owner, bots_only, deal_from, check_ledger)}
    print(json.dumps(commands[sys.argv[1]](*sys.argv[2:])))  # noqa: T201
