"""What the house keeps: rulesets, tables, seats, deals and actions.

Facts, constraints and queries; no play happens here.

A deal is its shuffled hands and its ordered actions; everything else about it is folded from those (see ``state.py``).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games import rules

CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no look-alikes: codes are read out and typed
CODE_LENGTH = 10  # 31 ** 10, about 2 ** 49: a private table cannot be found by trying


def new_code() -> str:
    """A fresh code for a table: the last part of its address, and all that a private link needs."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class Pace(models.TextChoices):
    """How fast bots and cards move; it changes no rule."""

    SLOW = "slow", _("slow")
    NORMAL = "normal", _("normal")
    FAST = "fast", _("fast")


class Ruleset(models.Model):
    """A named set of rules on offer: a preset (read-only) or a house set made from one."""

    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=40)
    preset = models.BooleanField(default=False, editable=False)
    fields = models.JSONField(
        help_text="The fields of the rules, as games.rules.Ruleset.to_dict() writes them."
    )
    position = models.PositiveSmallIntegerField(default=100)
    retired = models.BooleanField(default=False)

    class Meta:
        ordering = ["position", "name"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Refuse fields that make no sense, and any change of a preset but by ``load_presets``."""
        rules.Ruleset.from_dict(self.fields)
        if self.preset and rules.PRESETS[self.slug].to_dict() != self.fields:
            raise rules.RulesetError("name", "preset", "A preset is never changed; make a house set of it.")
        super().save(*args, **kwargs)

    @property
    def rules(self) -> rules.Ruleset:
        """The rules themselves; raises rules.RulesetError when the stored fields make no sense."""
        return rules.Ruleset.from_dict(self.fields)


class Stake(models.Model):
    """What a place at a table costs: on the administrator's list, copied by the tables opened with it."""

    name = models.CharField(max_length=40, unique=True)
    amount = models.PositiveIntegerField(help_text="Coins each player stakes; 0 is a friendly table.")
    lowest_balance = models.PositiveIntegerField(
        default=0, help_text="Coins a person must have to sit down; never less than the stake itself."
    )
    rulesets = models.ManyToManyField(
        Ruleset,
        blank=True,
        related_name="stakes",
        help_text="The rules it may be played under; none chosen: all.",
    )
    active = models.BooleanField(default=True, help_text="Offered when a table is opened.")

    class Meta:
        ordering = ["amount", "name"]

    def __str__(self) -> str:
        return f"{self.name} ({self.amount})"

    @property
    def asks_for(self) -> int:
        """The coins a person must have to sit down."""
        return max(self.amount, self.lowest_balance)


class TableQuerySet(models.QuerySet["Table"]):
    """The questions asked of tables."""

    def listed(self) -> TableQuerySet:
        """Open tables the lobby shows, those nearest to starting first, then the oldest."""
        free = F("players") - models.Count("seats")
        return self.filter(status=Table.OPEN, public=True).annotate(free=free).order_by("free", "opened_at")


class Table(models.Model):
    """A table and the match played at it. A rematch is a new table."""

    OPEN, PLAYING, FINISHED, CANCELLED, CLOSED = "open", "playing", "finished", "cancelled", "closed"
    STATUSES = [
        (OPEN, _("open")),
        (PLAYING, _("playing")),
        (FINISHED, _("finished")),
        (CANCELLED, _("cancelled")),
        (CLOSED, _("closed before it started")),
    ]

    PLAYED, AGREED, HOUSE, DRAWN = "played", "agreed", "house", "drawn"
    ENDINGS = [
        (PLAYED, _("played to its end")),
        (AGREED, _("stopped by its players")),
        (HOUSE, _("cancelled by the house")),
        (DRAWN, _("declared a draw by the house")),
    ]

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=40)
    status = models.CharField(max_length=10, choices=STATUSES, default=OPEN)
    version = models.PositiveIntegerField(
        default=0, help_text="Grows by one with every change people can see."
    )

    # What was agreed when it was opened. The rules are a copy: a later edit of the ruleset changes nothing here.
    ruleset = models.ForeignKey(
        Ruleset, null=True, blank=True, on_delete=models.SET_NULL, related_name="tables"
    )
    rules_name = models.CharField(max_length=40)
    fields = models.JSONField(help_text="This table's own copy of the rules.")
    players = models.PositiveSmallIntegerField()
    length = models.PositiveSmallIntegerField(help_text="Deals in the match, before extra deals.")
    call_clock = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Seconds for a call.")
    card_clock = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Seconds for a card.")
    pace = models.CharField(max_length=6, choices=Pace.choices, default=Pace.NORMAL)
    public = models.BooleanField(
        default=True, help_text="Listed in the lobby; otherwise found by its link only."
    )
    watchable = models.BooleanField(default=True)

    host = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="hosted_tables",
    )
    ending = models.CharField(max_length=6, choices=ENDINGS, blank=True, help_text="How the match ended.")
    stake = models.PositiveIntegerField(
        default=0, help_text="Coins each player stakes; 0 at a friendly table."
    )
    asks_for = models.PositiveIntegerField(default=0, help_text="Coins a person must have to sit down.")
    barred = models.JSONField(default=list, help_text="People the host removed: they do not sit down again.")
    rematch = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch_of"
    )

    # The clockwork: since when the player to act may act, when the house must look again, and at what.
    turn_at = models.DateTimeField(null=True, blank=True)
    act_by = models.DateTimeField(null=True, blank=True)
    act_queue = models.CharField(max_length=8, default="clocks")
    late = models.BooleanField(default=False, help_text="The player to act may be nudged by the others.")

    opened_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = TableQuerySet.as_manager()

    class Meta:
        permissions = [("settle_table", _("Can cancel a match, declare a draw and help a stuck table"))]
        indexes = [
            models.Index(fields=["act_by"], name="table_act_by", condition=Q(status="playing")),
            models.Index(fields=["status", "public", "opened_at"], name="table_lobby"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=(Q(status__in=["finished", "cancelled"]) & ~Q(ending=""))
                | (~Q(status__in=["finished", "cancelled"]) & Q(ending="")),
                name="table_ending",
            ),
            models.CheckConstraint(condition=Q(players__range=(3, 5)), name="table_players"),
            models.CheckConstraint(condition=Q(length__range=(1, 25)), name="table_length"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"


class Seat(models.Model):
    """A chair at a table: a person's or a bot's; one that is nobody's has no row.

    A person who has sat anywhere cannot be deleted, only suspended: matches and coins keep their owner.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField(help_text="0 to players - 1, numbered clockwise.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )
    name = models.CharField(max_length=24, help_text="As it was when the seat was taken.")
    bot = models.CharField(max_length=8, blank=True, help_text="A bot's level; empty for a person.")
    playing = models.BooleanField(default=False, help_text="A person in a running match who has not left it.")
    left = models.BooleanField(
        default=False, help_text="He left the running match; a bot plays, he may come back."
    )
    away = models.BooleanField(
        default=False, help_text="No sign of life was noticed for too long; a bot plays."
    )
    last_seen = models.DateTimeField(default=timezone.now)
    ready_for = models.PositiveSmallIntegerField(default=0, help_text="The deal after which he pressed Next.")
    nudges = models.PositiveIntegerField(null=True, blank=True, help_text="The moment he would have hurried.")
    wants_cancel = models.BooleanField(default=False)

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["table", "index"], name="seat_once"),
            models.UniqueConstraint(fields=["table", "user"], name="seat_one_each"),
            models.UniqueConstraint(fields=["user"], condition=Q(playing=True), name="seat_one_match"),
            models.CheckConstraint(
                condition=Q(bot="", user__isnull=False) | (~Q(bot="") & Q(user__isnull=True)),
                name="seat_person_or_bot",
            ),
            models.CheckConstraint(condition=Q(index__lte=4), name="seat_index"),
        ]
        indexes = [
            models.Index(fields=["last_seen"], name="seat_going_away", condition=Q(playing=True, away=False)),
        ]

    def __str__(self) -> str:
        return f"{self.name}, seat {self.index}"


class Deal(models.Model):
    """One distribution: who deals, the seed it was shuffled from, and the hands. Its actions tell the rest."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveSmallIntegerField(help_text="1 for the first deal of the match.")
    attempt = models.PositiveSmallIntegerField(
        default=0, help_text="0, or how often it was dealt again before."
    )
    dealer = models.PositiveSmallIntegerField()
    seed = models.BinaryField(max_length=32)
    shuffle_version = models.PositiveSmallIntegerField()
    hands = models.JSONField(help_text="The hands by seat, as text. Secret until the deal is scored.")
    redealt = models.CharField(max_length=10, blank=True, help_text="Why this distribution was not played.")
    dealt_at = models.DateTimeField(default=timezone.now)
    scored_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number", "attempt"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number", "attempt"], name="deal_once"),
            models.UniqueConstraint(
                fields=["table", "number"], condition=Q(redealt=""), name="deal_played_once"
            ),
        ]

    def __str__(self) -> str:
        return f"deal {self.number}"


class Action(models.Model):
    """A call or a play. Never changed, never deleted."""

    CALL, PLAY = "call", "play"
    KINDS = [(CALL, _("call")), (PLAY, _("play"))]
    PLAYER, CLOCK, BOT, ABSENT, SINGLE = "player", "clock", "bot", "absent", "single"
    NUDGE, DESK = "nudge", "desk"
    ACTORS = [
        (PLAYER, _("the player")),
        (CLOCK, _("the clock")),
        (BOT, _("a bot in its own seat")),
        (ABSENT, _("a bot for an absent player")),
        (SINGLE, _("the only legal card")),
        (NUDGE, _("a bot, asked by the others")),
        (DESK, _("a bot, asked by the desk")),
    ]

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="actions")
    number = models.PositiveSmallIntegerField(help_text="0 for the first call; every action counts one on.")
    kind = models.CharField(max_length=4, choices=KINDS)
    seat = models.PositiveSmallIntegerField()
    value = models.PositiveSmallIntegerField(help_text="The tricks called, or the card (suit * 13 + rank).")
    by = models.CharField(max_length=6, choices=ACTORS, default=PLAYER)
    at = models.DateTimeField(default=timezone.now)
    thought = models.JSONField(
        null=True,
        blank=True,
        help_text="What a bot decided by: its level, the version of the bots, and a seed.",
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["deal", "number"], name="action_once"),
            models.UniqueConstraint(
                fields=["deal", "value"], condition=Q(kind="play"), name="action_card_once"
            ),
            models.UniqueConstraint(
                fields=["deal", "seat"], condition=Q(kind="call"), name="action_call_once"
            ),
            models.CheckConstraint(
                condition=Q(kind="call", value__range=(1, 17)) | Q(kind="play", value__lte=51),
                name="action_value",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: seat {self.seat} {self.kind} {self.value}"


class Pulse(models.Model):
    """When a part of the house last showed that it runs ("sweep", "web"): how an outage is noticed afterwards."""

    name = models.CharField(max_length=16, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class BookCheck(models.Model):
    """One check of the books: all coins counted again, and every table's stakes and payouts. See ``books.py``."""

    at = models.DateTimeField(default=timezone.now)
    sound = models.BooleanField(help_text="Whether nothing was wrong.")
    figures = models.JSONField(
        default=list, help_text="Pairs: what was counted, and how much of it there is."
    )
    faults = models.JSONField(default=list, help_text="Pairs: the row at fault, and what is wrong with it.")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Who had it done; nobody: the house, once a day.",
    )

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("check of the books")
        verbose_name_plural = _("checks of the books")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"


def load_presets() -> None:
    """Write the presets of ``games.rules`` into the database, keeping whatever else is there. Safe to repeat."""
    for position, (slug, preset) in enumerate(rules.PRESETS.items()):
        Ruleset.objects.update_or_create(
            slug=slug,
            defaults={
                "name": PRESET_NAMES[slug],
                "preset": True,
                "fields": preset.to_dict(),
                "position": position,
            },
        )


PRESET_NAMES: Mapping[str, str] = {
    "classic": "Classic",
    "official": "Official",
    "custom": "Custom",
    "kal": "Kal",
    "relaxed": "Relaxed",
    "strict": "Strict",
    "call-bridge": "Call Bridge",
}

FIRST_STAKES = (("Friendly", 0), ("Small", 10), ("Evening", 50), ("High", 200))


def load_stakes() -> None:
    """Give a house that keeps no stakes a few to begin with. Its own list is left alone."""
    if not Stake.objects.exists():
        Stake.objects.bulk_create(Stake(name=name, amount=amount) for name, amount in FIRST_STAKES)
