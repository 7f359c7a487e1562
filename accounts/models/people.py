"""People: who they are, how they sign in, and how they like the table to look."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import names

NAME_TAKEN = _("That name is taken, or too like one that is.")
ENDING = ("password", "is_active")
"""The fields whose change ends a person's sessions."""


class UserManager(DjangoUserManager["User"]):
    """Finds people by what their name looks like, so that any case of it signs in."""

    def get_by_natural_key(self, username: str | None) -> User:
        """The person of this name in whatever case or accents.

        Raises:
            User.DoesNotExist: there is none.
        """
        return self.get(username_key=names.name_key(username or ""))


class User(AbstractUser):
    """A person with a name, a password, and perhaps an e-mail address for a lost password."""

    class Theme(models.TextChoices):
        AUTO = "auto", _("As the device is set")
        DARK = "dark", _("Evening (dark)")
        LIGHT = "light", _("Afternoon (light)")

    class Deck(models.TextChoices):
        TWO = "two", _("Two colours")
        FOUR = "four", _("Four colours")

    class CardBack(models.TextChoices):
        VERMILION = "vermilion", _("Vermilion")
        PEACOCK = "peacock", _("Peacock")
        NIGHT = "night", _("Night")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("name"),
        max_length=names.MAX_LENGTH,
        unique=True,
        validators=[names.validate_name],
        error_messages={"unique": NAME_TAKEN},
    )
    username_key = models.CharField(max_length=names.KEY_MAX_LENGTH, unique=True, editable=False)
    email = models.EmailField(_("e-mail address"), blank=True)
    theme = models.CharField(_("light"), max_length=8, choices=Theme, default=Theme.AUTO)
    deck = models.CharField(_("suits"), max_length=8, choices=Deck, default=Deck.TWO)
    card_back = models.CharField(_("card backs"), max_length=12, choices=CardBack, default=CardBack.VERMILION)

    objects: ClassVar[UserManager] = UserManager()

    REQUIRED_FIELDS = []

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        permissions = [("suspend_user", _("Can suspend a person and lift it again"))]

    stored: Mapping[str, Any] = MappingProxyType({})
    """The ``ENDING`` fields as this object last found or put them in the database."""

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **options: Any
    ) -> User:
        """Read from the database, remembering what decides whether sessions end."""
        user = super().from_db(db, field_names, values, **options)
        user.note_stored(field_names)
        return user

    def refresh_from_db(
        self, using: str | None = None, fields: Iterable[str] | None = None, from_queryset: Any = None
    ) -> None:
        """Read again from the database."""
        super().refresh_from_db(using, fields, from_queryset)
        self.note_stored(fields)

    def note_stored(self, fields: Iterable[str] | None) -> Mapping[str, Any]:
        """Note that these fields (None: all) are as the database has them; returns what was noted before."""
        before = self.stored
        now = {name: self.__dict__[name] for name in ENDING if fields is None or name in fields}
        self.stored = {**before, **now}
        return before

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """Normal form C, as everywhere here."""
        return names.normalise(username)

    def clean(self) -> None:
        """Refuse a name that looks like another person's.

        Raises:
            ValidationError: for ``username``, with code ``unique``.
        """
        super().clean()
        same = User.objects.filter(username_key=names.name_key(self.username))
        if same.exclude(pk=self.pk).exists():
            raise ValidationError({"username": ValidationError(NAME_TAKEN, code="unique")})

    def save(
        self,
        force_insert: bool | tuple[Any, ...] = False,
        force_update: bool = False,
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        """Store the person; the key always follows the name, and an address is looked up in lower case."""
        self.email = self.email.lower()
        self.username = names.normalise(self.username)
        self.username_key = names.name_key(self.username)
        if update_fields is not None and "username" in update_fields:
            update_fields = {*update_fields, "username_key"}
        with transaction.atomic(using):  # a new person and his wallet, or neither
            super().save(
                force_insert=force_insert, force_update=force_update, using=using, update_fields=update_fields
            )

    def get_full_name(self) -> str:
        """The name; there is only one."""
        return self.username

    def get_short_name(self) -> str:
        """The name; there is only one."""
        return self.username

    def get_absolute_url(self) -> str:
        """The page that shows this person to others."""
        return reverse("accounts:person", args=[self.pk])

    @property
    def initial(self) -> str:
        """The letter on this person's face."""
        return self.username[:1].upper()

    @property
    def tint(self) -> str:
        """The class that colours this person's face: ``t1`` to ``t4``, or empty for the fifth colour."""
        return ("", "t1", "t2", "t3", "t4")[(self.pk or 0) % 5]

    @property
    def look(self) -> str:
        """The classes on ``<html>`` for how this person likes the site to look; empty by default."""
        return " ".join(
            [
                *([self.theme] if self.theme != self.Theme.AUTO else []),
                *(["four"] if self.deck == self.Deck.FOUR else []),
                *([f"back-{self.card_back}"] if self.card_back != self.CardBack.VERMILION else []),
            ]
        )
