"""What a person may be called, and which names count as the same."""

# ruff: noqa: RUF001

import pytest
from django.core.exceptions import ValidationError

from accounts.names import KEY_MAX_LENGTH, name_key, normalise, validate_name, validate_not_reserved


@pytest.mark.parametrize(
    "name",
    [
        *("Asha Rai", "Zoë", "Ngọc", "Þór", "Jean-Luc", "ram_2", "X2", "Łukasz", "e\u0301lan", "n\u030ca"),
        *("प्रकाश", "सीता थापा", "कृष्ण९", "ज़ोया", "काँडा", "ऋतु2"),
        *("রহিম", "ঐশী", "আশা_২", "সৈয়দ মুজতবা", "ঋত্বিক 7"),
    ],
)
def test_names_of_the_three_scripts(name: str) -> None:
    validate_name(name)
    validate_not_reserved(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_separator"),
        (" Ram", "name_separator"),
        ("Ram ", "name_separator"),
        ("Ram  Rai", "name_separator"),
        ("Ram- Rai", "name_separator"),
        ("Ram_", "name_separator"),
        ("R", "name_short"),
        ("क्", "name_short"),
        ("9Ram", "name_start"),
        ("९राम", "name_start"),
        ("a" * 25, "name_long"),
        ("Рам", "name_character"),  # Cyrillic
        ("Αsha", "name_character"),  # Greek
        ("ａｓｈａ", "name_character"),  # full width
        ("ɑsha", "name_character"),  # the phonetic alphabet
        ("ǀan", "name_character"),  # a click, a letter by its category
        ("Ram.Rai", "name_character"),
        ("राम।", "name_character"),
        ("Ram\u00a0Rai", "name_character"),
        ("Ram\nRai", "name_character"),
        ("Ra\u200bm", "name_character"),
        ("क्\u200dष", "name_character"),
        ("Ra\u034fm", "name_character"),  # an invisible mark
        ("Ram\U0001f0a1", "name_character"),
        ("Ramराम", "name_scripts"),
        ("Ram রহিম", "name_scripts"),
        ("राम२৩", "name_scripts"),
        ("Ram२", "name_scripts"),
        ("e\u0301\u0302\u0303\u0304a", "name_marks"),
        ("Ra9\u0301", "name_marks"),
        ("Ram ा", "name_marks"),
    ],
)
def test_no_names(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        validate_name(name)
    assert refusal.value.code == code


def test_length_is_counted_in_normal_form() -> None:
    validate_name("e\u0301" * 24)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Asha Rai", "asha rai"),
        ("Asha Rai", "AshaRai"),
        ("Asha Rai", "asha_rai"),
        ("Zoë", "zoe"),
        ("Strauß", "STRAUSS"),
        ("Omar", "0mar"),
        ("Ali", "A1i"),
        ("Ilan", "llan"),
        ("Ramesh", "Rarnesh"),
        ("Wasim", "vvasim"),
        ("İnci", "ınci"),
        ("क़ासिम", "क\u093cासिम"),
        ("फ़रहा", "फरहा"),
        ("काँडा", "कांडा"),
        ("राम२", "राम2"),
        ("রহিম৪", "রহিম8"),
        ("কো", "ক\u09c7\u09be"),
    ],
)
def test_look_alikes(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ram", "Rama"),
        ("Ram2", "Ram3"),
        ("राम", "रामा"),
        ("কড়ি", "কডি"),
        ("রহিম৪", "রহিম৮"),
        ("सिता", "सीता"),
    ],
)
def test_names_that_differ(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_the_longest_key_fits() -> None:
    for letter in ("ß", "Æ", "ộ", "কো"[0], "\u09cb", "ऩ", "Ǟ"):
        assert len(name_key(letter * 24)) <= KEY_MAX_LENGTH


@pytest.mark.parametrize(
    "name",
    [
        *(
            "admin",
            "Admin",
            "Adm1n",
            "A dmin",
            "Admin Ram",
            "Sita Moderator",
            "Call Break",
            "c0mputer",
            "You",
        ),
        *("bot", "Bot Asha", "bot-asha", "b0t asha", "BotAsha", "Bot7", "House", "the house", "Desk"),
        *("तपाईँ", "प्रशासक", "बोट आशा", "বট", "কলব্রেক"),
    ],
)
def test_reserved(name: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        validate_not_reserved(name)
    assert refusal.value.code == "name_reserved"


@pytest.mark.parametrize("name", ["Botan", "Botond Rai", "Abbot", "Housewright", "बोटे", "Yousuf"])
def test_not_reserved(name: str) -> None:
    validate_not_reserved(name)


def test_normal_form() -> None:
    assert normalise("Zoe\u0308") == "Zoë"
