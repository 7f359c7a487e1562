"""Call Break as pure functions and frozen values: the standard library and nothing else.

`Ruleset` says which game is played, `legal_plays` which cards may be put down and why. `DealState` carries a
deal from the first call to the last trick, `sight_of` is what one seat knows of it, and `match_over` and
`outcome` end a match.
"""

from games.rules.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    RANKS,
    SPADES,
    SUITS,
    Card,
    Hand,
    card_text,
    cards_of,
    deck,
    hand_of,
    hand_text,
    parse_card,
    parse_hand,
    rank_of,
    suit_mask,
    suit_of,
    tricks_in_deal,
)
from games.rules.deal import Action, DealState, Phase, Play, fold
from games.rules.errors import IllegalAction, MalformedAction, RulesError
from games.rules.legal import (
    Duty,
    LegalPlays,
    Obligation,
    best_card,
    clock_call,
    legal_plays,
    lowest_card,
    winning_index,
)
from games.rules.match import Outcome, match_over, next_dealer, outcome, standings
from games.rules.record import DealRecord, RecordError, deal_record, parse_record
from games.rules.redeal import redeal_odds, redeal_reason
from games.rules.ruleset import OPTIONS, PRESETS, Ruleset, RulesetError, preset_names
from games.rules.scoring import deal_score, tenths_text
from games.rules.shuffle import VERSION, new_seed, shuffle
from games.rules.sight import Sight, sight_of

__all__ = [
    "CLUBS",
    "DIAMONDS",
    "HEARTS",
    "OPTIONS",
    "PRESETS",
    "RANKS",
    "SPADES",
    "SUITS",
    "VERSION",
    "Action",
    "Card",
    "DealRecord",
    "DealState",
    "Duty",
    "Hand",
    "IllegalAction",
    "LegalPlays",
    "MalformedAction",
    "Obligation",
    "Outcome",
    "Phase",
    "Play",
    "RecordError",
    "RulesError",
    "Ruleset",
    "RulesetError",
    "Sight",
    "best_card",
    "card_text",
    "cards_of",
    "clock_call",
    "deal_record",
    "deal_score",
    "deck",
    "fold",
    "hand_of",
    "hand_text",
    "legal_plays",
    "lowest_card",
    "match_over",
    "new_seed",
    "next_dealer",
    "outcome",
    "parse_card",
    "parse_hand",
    "parse_record",
    "preset_names",
    "rank_of",
    "redeal_odds",
    "redeal_reason",
    "shuffle",
    "sight_of",
    "standings",
    "suit_mask",
    "suit_of",
    "tenths_text",
    "tricks_in_deal",
    "winning_index",
]
