"""The obligation, case by case, as the board will say it."""

import pytest

from games.rules import (
    CLUBS,
    HEARTS,
    PRESETS,
    SPADES,
    Duty,
    Obligation,
    Ruleset,
    clock_call,
    hand_text,
    legal_plays,
    lowest_card,
    parse_card,
    parse_hand,
)

CLASSIC, KAL, RELAXED, STRICT = (PRESETS[name] for name in ("classic", "kal", "relaxed", "strict"))
QUIET_LEAD = KAL.changed(spade_first_lead=False)
NO_CUT = KAL.changed(cut=False)
NO_OVERTRUMP = KAL.changed(overtrump=False)
TEN, TS = parse_card("TH"), parse_card("TS")

# ruleset, hand, trick, legal cards, obligation
POSITIONS = {
    "lead": (KAL, "2C 2S", "", "2C 2S", Obligation(Duty.FREE)),
    "follow and beat": (KAL, "2H JH AS", "4H TH", "JH", Obligation(Duty.HEAD, HEARTS, TEN)),
    "cannot beat": (KAL, "2H 9H AS", "4H TH", "2H 9H", Obligation(Duty.FOLLOW, HEARTS)),
    "a higher card of another suit wins nothing": (
        KAL,
        "JH",
        "TH AC",
        "JH",
        Obligation(Duty.HEAD, HEARTS, TEN),
    ),
    "trumped": (KAL, "2H JH AS", "TH 2S", "2H JH", Obligation(Duty.FOLLOW, HEARTS)),
    "trumped, strict": (STRICT, "2H JH AS", "TH 2S", "JH", Obligation(Duty.HEAD, HEARTS, TEN)),
    "no heading": (RELAXED, "2H JH AS", "TH", "2H JH", Obligation(Duty.FOLLOW, HEARTS)),
    "spades led are never cut": (KAL, "4S JS", "TS 2S", "JS", Obligation(Duty.HEAD, SPADES, TS)),
    "spades led, no heading": (RELAXED, "4S JS", "TS", "4S JS", Obligation(Duty.FOLLOW, SPADES)),
    "cut": (KAL, "2C 4S JS", "TH", "4S JS", Obligation(Duty.CUT, SPADES, None, HEARTS)),
    "overtrump": (KAL, "2C 4S JS", "TH TS", "JS", Obligation(Duty.OVERTRUMP, SPADES, TS, HEARTS)),
    "overtrumping is not asked": (
        NO_OVERTRUMP,
        "2C 4S JS",
        "TH TS",
        "4S JS",
        Obligation(Duty.CUT, SPADES, None, HEARTS),
    ),
    "a spade that loses is free": (KAL, "2C 4S", "TH TS", "2C 4S", Obligation(Duty.FREE, void=HEARTS)),
    "free without overtrumping too": (
        NO_OVERTRUMP,
        "2C 4S",
        "TH TS",
        "2C 4S",
        Obligation(Duty.FREE, void=HEARTS),
    ),
    "a spade that loses is forced": (
        CLASSIC,
        "2C 4S",
        "TH TS",
        "4S",
        Obligation(Duty.FORCED_SPADE, SPADES, None, HEARTS),
    ),
    "no spade": (CLASSIC, "2C 4D", "TH TS", "2C 4D", Obligation(Duty.FREE, void=HEARTS)),
    "no cutting, no spade down": (NO_CUT, "2C 4S JS", "TH", "2C 4S JS", Obligation(Duty.FREE, void=HEARTS)),
    "no cutting, but a spade beats": (
        NO_CUT,
        "2C 4S JS",
        "TH TS",
        "2C JS",
        Obligation(Duty.FREE, None, TS, HEARTS),
    ),
    "no cutting, only spades": (
        NO_CUT,
        "4S JS",
        "TH TS",
        "JS",
        Obligation(Duty.OVERTRUMP, SPADES, TS, HEARTS),
    ),
    "no cutting, none beats": (NO_CUT, "2C 4S", "TH TS", "2C 4S", Obligation(Duty.FREE, void=HEARTS)),
}


@pytest.mark.parametrize(("ruleset", "hand", "trick", "legal", "asked"), POSITIONS.values(), ids=POSITIONS)
def test_obligation(ruleset: Ruleset, hand: str, trick: str, legal: str, asked: Obligation) -> None:
    plays = legal_plays(ruleset, parse_hand(hand), [parse_card(card) for card in trick.split()])
    assert (hand_text(plays.cards), plays.obligation) == (legal, asked)


def test_the_lead_to_the_first_trick_of_a_deal() -> None:
    asked = legal_plays(QUIET_LEAD, parse_hand("2C 2S"), [], first_lead=True)
    assert (hand_text(asked.cards), asked.obligation) == ("2C", Obligation(Duty.NO_SPADE_LEAD))
    for ruleset, hand, first in (
        (QUIET_LEAD, "2S 3S", True),
        (QUIET_LEAD, "2C 2S", False),
        (KAL, "2C 2S", True),
    ):
        free = legal_plays(ruleset, parse_hand(hand), [], first_lead=first)
        assert (hand_text(free.cards), free.obligation) == (hand, Obligation(Duty.FREE))
    cut = legal_plays(QUIET_LEAD, parse_hand("2S"), [parse_card("TC")])
    assert cut.obligation == Obligation(Duty.CUT, SPADES, None, CLUBS)


@pytest.mark.parametrize(("hand", "lowest"), [("2S 2H 2D 2C", "2C"), ("3C 2S", "2S"), ("AS AH", "AH")])
def test_lowest_card(hand: str, lowest: str) -> None:
    assert lowest_card(parse_hand(hand)) == parse_card(lowest)


def test_no_card_is_the_lowest_of_none() -> None:
    with pytest.raises(ValueError, match="none"):
        lowest_card(0)


@pytest.mark.parametrize(
    ("name", "hand", "call"),
    [
        ("kal", "2S AS AH KH", 3),
        ("kal", "KH QD", 1),
        ("kal", "2S 3S 4S 5S 6S 7S 8S 9S TS", 8),
        ("official", "AH", 2),
        ("strict", "2S 3S 4S 5S 6S 7S 8S 9S TS AH AD AC", 12),
    ],
)
def test_the_call_of_a_clock(name: str, hand: str, call: int) -> None:
    assert clock_call(PRESETS[name], parse_hand(hand), 4) == call
