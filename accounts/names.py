"""What a person may be called, and which two names count as the same.

A name is stored as it was typed (in normal form C); its *key* is what it looks like. The key is unique, so
that nobody passes for somebody else by another case, an accent, a separator or a character that looks alike.
"""

# ruff: noqa: RUF001  (characters that look alike are what this module is about)

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MAX_LENGTH = 24
"""Longest name, in code points of normal form C."""
KEY_MAX_LENGTH = 64
"""A key can be longer than its name: ``ß`` counts as ``ss`` and a few letters come apart."""
SEPARATORS = " -_"

# Latin letters beyond A to Z that are not one of those with an accent, and what each counts as in a key.
_LATIN_LETTERS = {
    "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d",
    "ð": "d", "Ð": "d", "þ": "p", "Þ": "p", "ł": "l", "Ł": "l", "ħ": "h", "Ħ": "h", "ı": "i", "ŋ": "n",
    "Ŋ": "n", "ə": "e", "Ə": "e",
}  # fmt: skip
# The accents; the rest of their block holds overlays and an invisible joiner.
_LATIN_MARKS = re.compile("[\u0300-\u0345]")
# Letters, vowel signs and other marks of each block, without stress signs, punctuation and currency.
_DEVANAGARI = re.compile("[\u0900-\u0950\u0955-\u0963\u0966-\u096f\u0972-\u097f]")
_BENGALI = re.compile("[\u0980-\u09f1\u09fc\u09fe]")
_MOST_MARKS = {"latin": 2, "devanagari": 4, "bengali": 4}  # in a row on one letter

# What looks alike in the fonts the house uses. A script's digit is listed where it looks like an ASCII digit,
# which may stand beside it; that ASCII digit need not be the one of its value.
_LOOKS = str.maketrans(
    {
        "0": "o", "1": "l", "i": "l",
        "०": "o", "२": "2", "३": "3",
        "০": "o", "২": "2", "৪": "8", "৭": "9",
        # Candrabindu and anusvara are one dot apart and often written for each other; the Devanagari nukta is
        # a dot often left out. The Bengali one makes another letter: it stays.
        "ँ": "ं", "\u093c": None,
    }
)  # fmt: skip
_LOOK_PAIRS = (("rn", "m"), ("vv", "w"))

_RESERVED = (
    "admin", "administrator", "anonymous", "bot", "callbreak", "computer", "dealer", "desk", "everyone",
    "guest", "host", "house", "moderator", "nobody", "official", "player", "root", "server", "staff",
    "support", "system", "the house", "you",
    "बट", "बोट", "रोबोट", "प्रशासक", "व्यवस्थापक", "सञ्चालक", "कल ब्रेक", "तपाईं", "तिमी", "घर", "पाहुना",
    "বট", "রোবট", "প্রশাসক", "পরিচালক", "কল ব্রেক", "আপনি", "তুমি", "অতিথি",
)  # fmt: skip
_RESERVED_WORDS = ("admin", "administrator", "moderator", "official", "staff", "प्रशासक", "প্রশাসক")
_RESERVED_STARTS = ("bot", "बट", "बोट", "বট")


def normalise(name: str) -> str:
    """The name in normal form C: one spelling for what is written the same."""
    return unicodedata.normalize("NFC", name)


def _script(character: str) -> str | None:
    """``latin``, ``devanagari``, ``bengali``, ``digit`` (ASCII), or None for a character no name may hold."""
    if character in "0123456789":
        return "digit"
    category = unicodedata.category(character)
    if category[0] not in "LM" and category != "Nd":
        return None
    if _DEVANAGARI.match(character):
        return "devanagari"
    if _BENGALI.match(character):
        return "bengali"
    base = unicodedata.normalize("NFD", character)[0]
    if (base.isascii() and base.isalpha()) or character in _LATIN_LETTERS or _LATIN_MARKS.match(character):
        return "latin"
    return None


def validate_name(name: str) -> None:
    """Refuse what is no name.

    Raises:
        ValidationError: with one sentence and a code: ``name_long``, ``name_separator``, ``name_character``,
            ``name_marks``, ``name_scripts``, ``name_start`` or ``name_short``.
    """
    name = normalise(name)
    if len(name) > MAX_LENGTH:
        raise ValidationError(_("A name has at most 24 characters."), code="name_long")
    scripts: set[str] = set()
    words = re.split("[ _-]", name)
    if not all(words):
        raise ValidationError(
            _("Spaces, hyphens and underscores stand one at a time, between letters or digits."),
            code="name_separator",
        )
    bases = 0
    for word in words:
        marks = 0
        for place, character in enumerate(word):
            script = _script(character)
            if script is None:
                raise ValidationError(
                    _("A name is made of letters and digits, in Latin, Devanagari or Bengali script."),
                    code="name_character",
                )
            if script != "digit":
                scripts.add(script)
            if unicodedata.category(character)[0] == "M":
                marks += 1
                if place == 0 or word[place - 1] in "0123456789" or marks > _MOST_MARKS[script]:
                    raise ValidationError(
                        _("An accent or vowel sign belongs to a letter, and not too many to one."),
                        code="name_marks",
                    )
            else:
                marks = 0
                bases += 1
    if len(scripts) > 1:
        raise ValidationError(_("A name keeps to one script."), code="name_scripts")
    if unicodedata.category(name[0])[0] != "L":
        raise ValidationError(_("A name begins with a letter."), code="name_start")
    if bases < 2:
        raise ValidationError(_("A name has at least two letters or digits."), code="name_short")


def name_key(name: str) -> str:
    """What the name looks like: equal for two names that could be taken for each other.

    Never raises: a text that is no name has a key too.
    """
    text = "".join(_LATIN_LETTERS.get(character, character) for character in normalise(name).casefold())
    text = _LATIN_MARKS.sub("", unicodedata.normalize("NFD", text))
    text = "".join(character for character in text if character not in SEPARATORS).translate(_LOOKS)
    for pair, single in _LOOK_PAIRS:
        text = text.replace(pair, single)
    return normalise(text)


_RESERVED_KEYS = frozenset(map(name_key, _RESERVED))
_RESERVED_WORD_KEYS = frozenset(map(name_key, _RESERVED_WORDS))
_RESERVED_START_KEYS = frozenset(map(name_key, _RESERVED_STARTS))


def validate_not_reserved(name: str) -> None:
    """Refuse a name that would pass for the house, its staff or a bot; only those who sign up are asked.

    Raises:
        ValidationError: with code ``name_reserved``.
    """
    # "BotAsha" and "Bot7" read as "Bot Asha" and "Bot 7", "Botan" does not.
    words = re.split("[ _-]", re.sub("(?<=[a-z])(?=[A-Z])", " ", name))
    keys = [name_key(re.sub(r"\d+$", "", word)) for word in words]
    if (
        name_key(name) in _RESERVED_KEYS
        or keys[0] in _RESERVED_START_KEYS
        or not _RESERVED_WORD_KEYS.isdisjoint(keys)
    ):
        raise ValidationError(_("That name is kept for the house and its bots."), code="name_reserved")
