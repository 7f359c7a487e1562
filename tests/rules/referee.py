"""A second referee: the page of rules written out word for word, as slowly and plainly as it reads.

It shares no code and no idea with `games.rules`, so that both are wrong in the same way only if the page
is. Cards are texts (`"TS"`), hands and tricks are lists of them, points are Decimals, and the rules are the
plain fields by name.
"""

from decimal import Decimal
from typing import Any

Rules = dict[str, Any]

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
SUITS = ["C", "D", "H", "S"]


def pack(players: int) -> list[str]:
    """Where the players cannot share it evenly the lowest cards go, 2D before 2C."""
    cards = [rank + suit for suit in SUITS for rank in RANKS]
    for unwanted in ("2D", "2C"):
        if len(cards) % players != 0:
            cards.remove(unwanted)
    return cards


def suit(card: str) -> str:
    return card[1]


def higher(card: str, other: str) -> bool:
    """Whether a card is above another of the same suit."""
    assert suit(card) == suit(other)
    return RANKS.index(card[0]) > RANKS.index(other[0])


def of_suit(cards: list[str], wanted: str) -> list[str]:
    return [card for card in cards if suit(card) == wanted]


def highest(cards: list[str]) -> str:
    """The best of some cards of one suit."""
    best = cards[0]
    for card in cards:
        if higher(card, best):
            best = card
    return best


# ---------------------------------------------------------------- what may be played


def is_legal(rules: Rules, card: str, hand: list[str], trick: list[str], first_lead: bool) -> bool:
    """May this card of this hand be played to this trick?"""
    if not trick:
        if first_lead and not rules["spade_first_lead"] and suit(card) == "S":
            return len(of_suit(hand, "S")) == len(hand)
        return True
    led = suit(trick[0])
    if of_suit(hand, led):
        return suit(card) == led and (not must_head(rules, hand, trick) or beats_the_led_suit(card, trick))
    if not of_suit(hand, "S"):
        return True
    if suit(card) != "S":
        return not must_play_a_spade(rules, hand, trick)
    return not must_overtrump(rules, hand, trick) or beats_the_spades(card, trick)


def must_head(rules: Rules, hand: list[str], trick: list[str]) -> bool:
    """A follower who can beat the best card of the led suit, under a rule that asks for it now."""
    led = suit(trick[0])
    if rules["head"] == "never":
        return False
    if rules["head"] == "until_trumped" and led != "S" and of_suit(trick, "S"):
        return False
    return any(beats_the_led_suit(card, trick) for card in of_suit(hand, led))


def must_play_a_spade(rules: Rules, hand: list[str], trick: list[str]) -> bool:
    """A void player with a spade must where cutting is required, unless spades that lose are free to keep."""
    if not rules["cut"]:
        return False
    can_win = any(beats_the_spades(card, trick) for card in of_suit(hand, "S"))
    return can_win or rules["losing_spade"] == "forced"


def must_overtrump(rules: Rules, hand: list[str], trick: list[str]) -> bool:
    """For a void player: does only a spade that beats the best one down count, since he holds one?"""
    return rules["overtrump"] and any(beats_the_spades(card, trick) for card in of_suit(hand, "S"))


def beats_the_led_suit(card: str, trick: list[str]) -> bool:
    return higher(card, highest(of_suit(trick, suit(trick[0]))))


def beats_the_spades(card: str, trick: list[str]) -> bool:
    down = of_suit(trick, "S")
    return not down or higher(card, highest(down))


def legal_cards(rules: Rules, hand: list[str], trick: list[str], first_lead: bool) -> list[str]:
    return [card for card in hand if is_legal(rules, card, hand, trick, first_lead)]


def duty(rules: Rules, hand: list[str], trick: list[str], first_lead: bool) -> tuple[str, str | None]:
    """The name of what is asked of the player, and the card to beat if there is one."""
    spades = of_suit(hand, "S")
    if not trick:
        forbidden = first_lead and not rules["spade_first_lead"] and spades and len(spades) < len(hand)
        return ("no_spade_lead" if forbidden else "free"), None
    led = suit(trick[0])
    if of_suit(hand, led):
        if must_head(rules, hand, trick):
            return "head", highest(of_suit(trick, led))
        return "follow", None
    down = of_suit(trick, "S")
    if not spades:
        return "free", None
    if must_overtrump(rules, hand, trick) and down:
        choice = not must_play_a_spade(rules, hand, trick) and len(spades) < len(hand)
        return ("free" if choice else "overtrump"), highest(down)
    if must_play_a_spade(rules, hand, trick):
        can_win = any(beats_the_spades(card, trick) for card in spades)
        return ("cut" if can_win else "forced_spade"), None
    return "free", None


def winner(trick: list[str]) -> int:
    """The place of the card that takes the trick: its highest spade, else the highest of the led suit."""
    spades = of_suit(trick, "S")
    if spades:
        return trick.index(highest(spades))
    return trick.index(highest(of_suit(trick, suit(trick[0]))))


# ---------------------------------------------------------------- around the table


def on_the_left(seat: int, players: int) -> int:
    """Seats are numbered clockwise: seat 1 sits on the left of seat 0."""
    return 0 if seat == players - 1 else seat + 1


def on_the_right(seat: int, players: int) -> int:
    return players - 1 if seat == 0 else seat - 1


def next_to_act(rules: Rules, seat: int, players: int) -> int:
    return on_the_left(seat, players) if rules["turn"] == "clockwise" else on_the_right(seat, players)


def next_to_deal(rules: Rules, seat: int, players: int) -> int:
    return on_the_left(seat, players) if rules["deal"] == "clockwise" else on_the_right(seat, players)


# ---------------------------------------------------------------- calls and points


def calls_allowed(rules: Rules, players: int) -> list[int]:
    tricks = len(pack(players)) // players
    limit = tricks if rules["max_call"] is None else rules["max_call"]
    return [call for call in range(1, tricks + 1) if rules["min_call"] <= call <= limit]


def clock_call(rules: Rules, hand: list[str], players: int) -> int:
    """The spades and the side-suit aces, counted; then the nearest call allowed."""
    count = len(of_suit(hand, "S")) + len([card for card in hand if card in ("AC", "AD", "AH")])
    return min(calls_allowed(rules, players), key=lambda call: abs(call - count))


def clock_card(cards: list[str]) -> str:
    """The lowest rank; between equals clubs, diamonds, hearts, spades."""
    for rank in RANKS:
        for suit in SUITS:
            if rank + suit in cards:
                return rank + suit
    raise AssertionError("no card")


def score(rules: Rules, call: int, took: int) -> Decimal:
    if took < call:
        return Decimal(-call) if rules["broken"] == "call" else Decimal(-(call - took))
    overtricks = took - call
    allowed = rules["overtricks_allowed"]
    if allowed is not None and overtricks > allowed:
        return Decimal(-call)
    big = rules["bonus_from"] is not None and call >= rules["bonus_from"]
    return Decimal(rules["bonus_score"] if big else call) + overtricks * Decimal(rules["overtrick"]) / 10


def redeal(rules: Rules, hands: list[list[str]]) -> bool:
    return any(has_reason(reason, hand) for reason in rules["redeal"] for hand in hands)


def has_reason(reason: str, hand: list[str]) -> bool:
    ranks = [card[0] for card in hand]
    return {
        "no_spade": not of_suit(hand, "S"),
        "no_honour": "A" not in ranks and "K" not in ranks and "Q" not in ranks,
        "four_aces": ranks.count("A") == 4,
    }[reason]


# ---------------------------------------------------------------- the match


def at_the_top(totals: list[Decimal]) -> list[int]:
    return [seat for seat in range(len(totals)) if all(totals[seat] >= other for other in totals)]


def is_over(rules: Rules, length: int, sheet: list[list[Decimal]]) -> bool:
    """`sheet` has a row of points by seat for every deal played."""
    if len(sheet) < length:
        return False
    return rules["tie"] != "extra" or len(at_the_top(add_up(sheet))) == 1


def add_up(sheet: list[list[Decimal]]) -> list[Decimal]:
    totals = [Decimal(0) for _ in sheet[0]]
    for row in sheet:
        totals = [totals[seat] + row[seat] for seat in range(len(row))]
    return totals


def ending(rules: Rules, totals: list[Decimal]) -> tuple[str, list[int]]:
    best = at_the_top(totals)
    if len(best) == 1:
        return "won", best
    return {"share": "shared", "draw": "draw"}[rules["tie"]], best
