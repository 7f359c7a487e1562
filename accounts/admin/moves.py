"""Coins that the desk gives or takes: one transfer each, with who did it and why."""

from __future__ import annotations

from uuid import UUID, uuid4

from django import forms
from django.contrib.admin.widgets import AdminIntegerFieldWidget
from django.db import transaction
from django.utils.translation import gettext_lazy, ngettext

from accounts import coins
from accounts.admin.basics import ReasonForm, record
from accounts.models import Transfer, User
from accounts.templatetags.coins import coins as spelt

MOST = 1_000_000_000
GIVE, TAKE = "give", "take"


class MoveForm(ReasonForm):
    """How many coins to give or take. ``token`` names this very page, so that it moves coins once."""

    direction = forms.ChoiceField(
        label=gettext_lazy("What to do"),
        choices=[(GIVE, gettext_lazy("Give coins")), (TAKE, gettext_lazy("Take coins"))],
        widget=forms.RadioSelect,
        initial=GIVE,
    )
    amount = forms.IntegerField(
        label=gettext_lazy("Coins"), min_value=1, max_value=MOST, widget=AdminIntegerFieldWidget
    )
    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    field_order = ["direction", "amount", "reason", "token"]


def move(desk: User, person: User, direction: str, amount: int, reason: str, token: UUID) -> bool:
    """Give coins to a person or take some, and write it in the history; False where ``token`` did it before.

    Raises:
        coins.CoinError: there are not as many to take, or the token was used for something else.
    """
    key = f"desk/{token.hex}"
    with transaction.atomic():
        house, wallet = coins.mint(), coins.wallet_of(person)
        coins.lock([house, wallet])
        done = Transfer.objects.filter(key=key).exists()
        source, target = (house, wallet) if direction == GIVE else (wallet, house)
        why = coins.Reason.DESK_GRANT if direction == GIVE else coins.Reason.DESK_TAKE
        coins.transfer(source, target, amount, reason=why, key=key, actor=desk, note=reason)
        if not done:
            record(desk, person, told(direction, amount), reason)
    return not done


def told(direction: str, amount: int) -> str:
    """What was done, in a sentence."""
    if direction == GIVE:
        sentence = ngettext("%(coins)s coin given.", "%(coins)s coins given.", amount)
    else:
        sentence = ngettext("%(coins)s coin taken.", "%(coins)s coins taken.", amount)
    return sentence % {"coins": spelt(amount)}
