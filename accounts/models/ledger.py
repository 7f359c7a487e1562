"""The ledger: who holds how many coins, and every movement of them. Coins are play money.

Double entry in whole coins. A transfer takes its amount from one account and gives it to another, so all balances
together are zero at any moment; the mint is below zero by as much as the others hold. The balances are kept by the
database: see ``guards.py``. Code moves coins by ``coins.py`` alone.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

NOT_BELOW_ZERO = "account_not_below_zero"
"""The constraint by which the database refuses to spend what is not there."""


class Account(models.Model):
    """A place where coins lie: the mint they come from, a person's wallet, the escrow of a table."""

    class Kind(models.TextChoices):
        MINT = "mint", _("mint")
        WALLET = "wallet", _("wallet")
        ESCROW = "escrow", _("escrow")

    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="wallet",
        verbose_name=_("person"),
        help_text=_("Whose wallet; nobody's once that person is deleted."),
    )
    code = models.CharField(
        _("table"), max_length=16, unique=True, null=True, blank=True, help_text=_("Whose escrow.")
    )
    balance = models.BigIntegerField(_("balance"), default=0, editable=False)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        permissions = [("move_coins", _("Can give coins to a person and take some"))]
        constraints = [
            models.CheckConstraint(condition=Q(kind="mint") | Q(balance__gte=0), name=NOT_BELOW_ZERO),
            models.CheckConstraint(
                condition=Q(kind="mint", user__isnull=True, code__isnull=True)
                | Q(kind="wallet", code__isnull=True)
                | Q(kind="escrow", user__isnull=True, code__isnull=False),
                name="account_of_its_kind",
            ),
            models.UniqueConstraint(fields=["kind"], condition=Q(kind="mint"), name="account_one_mint"),
        ]

    def __str__(self) -> str:
        if self.kind == self.Kind.WALLET:
            return str(self.user or _("the wallet of a former person"))
        if self.kind == self.Kind.ESCROW:
            return str(_("the stakes of table %(code)s") % {"code": self.code})
        return str(_("the mint"))


class Transfer(models.Model):
    """One movement of coins. Never changed, never deleted: what was wrong is put right by another transfer."""

    class Reason(models.TextChoices):
        """Why coins moved, as a sentence for the person they concern."""

        GRANT = "grant", _("Your first coins")
        REFILL = "refill", _("The day's refill")
        STAKE = "stake", _("Stake for a match")
        WIN = "win", _("Won the pot")
        SHARE = "share", _("Your share of the pot, as the win was shared")
        REFUND = "refund", _("Stake given back")
        DESK_GRANT = "desk_grant", _("Given by the desk")
        DESK_TAKE = "desk_take", _("Taken by the desk")
        CLOSED = "closed", _("Back to the house: the person was deleted")

    source = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="outgoing", verbose_name=_("from")
    )
    target = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="incoming", verbose_name=_("to")
    )
    amount = models.PositiveBigIntegerField(_("amount"))
    reason = models.CharField(_("reason"), max_length=12, choices=Reason)
    table = models.CharField(_("table"), max_length=16, blank=True)
    # No constraint in the database: the number stays in the history when that person is deleted.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
        verbose_name=_("by"),
        help_text=_("Who had it done; nobody: the house itself."),
    )
    note = models.CharField(_("note"), max_length=200, blank=True)
    key = models.CharField(_("key"), max_length=80, unique=True, help_text=_("Makes it safe to repeat."))
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")
        indexes = [
            models.Index(fields=["table"], name="transfer_table", condition=~Q(table="")),
            models.Index(fields=["at"], name="transfer_at"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="transfer_amount"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="transfer_two_accounts"),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.amount}"
