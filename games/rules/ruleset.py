"""A table's rules as data: the fields, what makes sense among them, and the seven presets.

A `Ruleset` is a frozen, hashable value. A preset is never changed: `changed` makes a checked copy.

>>> PRESETS["classic"].changed(max_call=13).call_range(4)
range(1, 14)
>>> PRESETS["classic"].changed(min_call=9)
Traceback (most recent call last):
    ...
games.rules.ruleset.RulesetError: The lowest call, 9, is above the highest, 8.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, cast, get_args

from games.rules.cards import tricks_in_deal

Head: TypeAlias = Literal["until_trumped", "always", "never"]
LosingSpade: TypeAlias = Literal["forced", "free"]
Broken: TypeAlias = Literal["call", "shortfall"]
RedealReason: TypeAlias = Literal["no_spade", "no_honour", "four_aces"]
Tie: TypeAlias = Literal["share", "draw", "extra"]
Direction: TypeAlias = Literal["clockwise", "anticlockwise"]
Nudge: TypeAlias = Literal["after_120_s", "never"]

MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 5
MAX_DEALS: Final = 25
MAX_CLOCK: Final = 3600
MAX_POINTS: Final = 100

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "head": get_args(Head),
        "losing_spade": get_args(LosingSpade),
        "broken": get_args(Broken),
        "tie": get_args(Tie),
        "turn": get_args(Direction),
        "deal": get_args(Direction),
        "nudge": get_args(Nudge),
    }
)
_FLAGS: Final = ("cut", "overtrump", "spade_first_lead", "forced_card_plays")
# field: lowest value, highest value, may be null
_NUMBERS: Final[Mapping[str, tuple[int, int, bool]]] = MappingProxyType(
    {
        "min_call": (1, 17, False),
        "max_call": (1, 17, True),
        "overtrick": (0, 10 * MAX_POINTS, False),
        "overtricks_allowed": (0, 17, True),
        "bonus_from": (1, 17, True),
        "bonus_score": (1, MAX_POINTS, True),
        "call_clock": (1, MAX_CLOCK, True),
        "card_clock": (1, MAX_CLOCK, True),
    }
)
_NUMBER_LISTS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"players": (MIN_PLAYERS, MAX_PLAYERS), "deals": (1, MAX_DEALS)}
)


class RulesetError(ValueError):
    """A ruleset that makes no sense.

    `field` is the field to correct, `code` the stable reason, `params` the values the reason speaks of, and
    `str()` an English sentence. Codes: `unknown_field`, `missing_field`, `wrong_type`, `not_a_choice`,
    `out_of_range`, `empty`, `repeated`, `min_above_max`, `min_above_tricks`, `players_not_served`,
    `bonus_incomplete`.
    """

    def __init__(self, field: str, code: str, sentence: str, **params: object) -> None:
        super().__init__(field, code, sentence)
        self.field = field
        self.code = code
        self.sentence = sentence
        self.params = params

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Every rule that one table may set differently from another.

    Built directly it is not checked; `changed` and `from_dict` always check.
    """

    players: tuple[int, ...]
    """Numbers of players a table may have, 3 to 5; the first is the default."""
    deals: tuple[int, ...]
    """Lengths of match offered, 1 to 25 deals; the first is the default."""
    min_call: int
    max_call: int | None
    """Highest call; None: the tricks in the deal, which are the limit anyway where they are fewer."""
    head: Head
    """Must a follower beat the best card of the led suit: until a spade cuts the trick, always, or never."""
    cut: bool
    """Must a player void in the led suit play a spade."""
    overtrump: bool
    """Must the spade of a void player beat the best spade down, while he holds one that does."""
    losing_spade: LosingSpade
    """With cutting required and no spade that would win: is a spade still forced, or any card free."""
    spade_first_lead: bool
    """May a spade be led to the first trick of a deal."""
    overtrick: int
    """Tenths of a point for each trick above a call that is made."""
    overtricks_allowed: int | None
    """More tricks than this above the call break it; None: any number is fine."""
    bonus_from: int | None
    """Calls from this one up score `bonus_score` when made."""
    bonus_score: int | None
    """Whole points that a made call from `bonus_from` up scores in place of the call."""
    broken: Broken
    """What falling short costs: the call, or the missing tricks."""
    redeal: tuple[RedealReason, ...]
    """Hands for which a deal is shuffled again before any call."""
    tie: Tie
    """Level at the top after the last deal: all win, nobody wins, or further deals."""
    turn: Direction
    """Direction of calling and playing."""
    deal: Direction
    """Direction in which the deal passes on."""
    call_clock: int | None
    """Seconds for a call; None: no clock."""
    card_clock: int | None
    """Seconds for a play; None: no clock."""
    forced_card_plays: bool
    """Is a single legal card played by itself."""
    nudge: Nudge
    """May the other people at a table without a clock hurry one who has been idle for two minutes."""

    def call_range(self, players: int) -> range:
        """The calls allowed at this number of players.

        >>> PRESETS["official"].call_range(5), PRESETS["call-bridge"].call_range(4)
        (range(2, 11), range(2, 14))
        """
        tricks = tricks_in_deal(players)
        return range(self.min_call, (tricks if self.max_call is None else min(self.max_call, tricks)) + 1)

    def turn_step(self, players: int) -> int:
        """What to add to a seat, modulo `players`, for the seat that calls or plays next: +1 or -1."""
        return 1 if self.turn == "clockwise" else -1

    @property
    def deal_step(self) -> int:
        """What to add to the dealer's seat for the next dealer's: +1 or -1."""
        return 1 if self.deal == "clockwise" else -1

    def changed(self, **changes: object) -> "Ruleset":
        """A copy with these fields replaced, checked.

        Raises RulesetError.
        """
        return Ruleset.from_dict({**self.to_dict(), **changes})

    def to_dict(self) -> dict[str, object]:
        """The fields in their order, ready for JSON: tuples become lists.

        >>> PRESETS["kal"].to_dict()["deals"]
        [5, 3, 1]
        """
        values = ((name, getattr(self, name)) for name in FIELDS)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values}

    @staticmethod
    def from_dict(data: Mapping[str, object]) -> "Ruleset":
        """The checked ruleset that `to_dict` wrote.

        Raises RulesetError for a field that is unknown, missing, of the wrong type, or makes no sense.
        """
        for name in data:
            if name not in FIELDS:
                raise RulesetError(str(name), "unknown_field", f"There is no rule called {name}.")
        for name in FIELDS:
            if name not in data:
                raise RulesetError(name, "missing_field", f"The rule {name} is missing.")
        values = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
        # check() looks at the type of every value before it looks at anything else.
        ruleset = Ruleset(**cast(dict[str, Any], values))
        ruleset.check()
        return ruleset

    def check(self) -> None:
        """Raise RulesetError, with the reason, when the fields make no sense by themselves or together."""
        for name, (low, high) in _NUMBER_LISTS.items():
            _check_numbers(name, getattr(self, name), low, high)
        _check_list("redeal", self.redeal)
        for reason in self.redeal:
            _check_choice("redeal", reason, get_args(RedealReason))
        for name, (low, high, nullable) in _NUMBERS.items():
            value = getattr(self, name)
            if value is not None or not nullable:
                _check_number(name, value, low, high)
        for name in _FLAGS:
            if type(getattr(self, name)) is not bool:
                raise RulesetError(name, "wrong_type", f"{name} is either true or false.")
        for name, choices in _CHOICES.items():
            _check_choice(name, getattr(self, name), choices)
        self._check_calls()
        if (self.bonus_from is None) != (self.bonus_score is None):
            missing = "bonus_from" if self.bonus_from is None else "bonus_score"
            raise RulesetError(
                missing, "bonus_incomplete", "A bonus needs both its lowest call and its score."
            )

    def _check_calls(self) -> None:
        most = max(tricks_in_deal(players) for players in self.players)
        if self.max_call is not None and self.min_call > self.max_call:
            sentence = f"The lowest call, {self.min_call}, is above the highest, {self.max_call}."
            raise RulesetError("min_call", "min_above_max", sentence, min=self.min_call, max=self.max_call)
        if self.min_call > most:
            sentence = f"The lowest call, {self.min_call}, is above the {most} tricks in a deal."
            raise RulesetError("min_call", "min_above_tricks", sentence, min=self.min_call, tricks=most)
        for players in self.players:
            tricks = tricks_in_deal(players)
            if self.min_call > tricks:
                sentence = (
                    f"The lowest call, {self.min_call}, is above the {tricks} tricks with {players} players."
                )
                raise RulesetError(
                    "players",
                    "players_not_served",
                    sentence,
                    players=players,
                    tricks=tricks,
                    min=self.min_call,
                )


FIELDS: Final = tuple(field.name for field in fields(Ruleset))


def _check_number(name: str, value: object, low: int, high: int) -> None:
    if type(value) is not int:
        raise RulesetError(name, "wrong_type", f"{name} is a whole number.")
    if not low <= value <= high:
        sentence = f"{name} is from {low} to {high}, not {value}."
        raise RulesetError(name, "out_of_range", sentence, low=low, high=high, value=value)


def _check_list(name: str, values: object) -> None:
    if type(values) is not tuple:
        raise RulesetError(name, "wrong_type", f"{name} is a list.")
    for place, value in enumerate(values):
        if value in values[:place]:
            raise RulesetError(name, "repeated", f"{name} has {value} twice.", value=value)


def _check_numbers(name: str, values: tuple[int, ...], low: int, high: int) -> None:
    _check_list(name, values)
    for value in values:
        _check_number(name, value, low, high)
    if not values:
        raise RulesetError(name, "empty", f"{name} has no entry.")


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str):
        raise RulesetError(name, "wrong_type", f"{name} is a word.")
    if value not in choices:
        sentence = f"{name} is one of {', '.join(choices)}, not {value}."
        raise RulesetError(name, "not_a_choice", sentence, choices=choices, value=value)


_CLASSIC: Final = Ruleset(
    players=(4,),
    deals=(5,),
    min_call=1,
    max_call=8,
    head="until_trumped",
    cut=True,
    overtrump=True,
    losing_spade="forced",
    spade_first_lead=True,
    overtrick=1,
    overtricks_allowed=None,
    bonus_from=None,
    bonus_score=None,
    broken="call",
    redeal=(),
    tie="share",
    turn="clockwise",
    deal="clockwise",
    call_clock=None,
    card_clock=None,
    forced_card_plays=False,
    nudge="after_120_s",
)
_OFFICIAL: Final = _CLASSIC.changed(
    players=(3, 4, 5),
    deals=(5, 9, 13),
    min_call=2,
    max_call=None,
    losing_spade="free",
    overtrick=0,
    overtricks_allowed=1,
)

PRESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(
    {
        "classic": _CLASSIC,
        "official": _OFFICIAL,
        "custom": _OFFICIAL.changed(min_call=1, head="never"),
        "kal": _CLASSIC.changed(deals=(5, 3, 1), losing_spade="free", tie="draw", nudge="never"),
        "relaxed": _CLASSIC.changed(head="never", losing_spade="free", overtrick=0, turn="anticlockwise"),
        "strict": _CLASSIC.changed(
            deals=(5, 3),
            max_call=13,
            head="always",
            losing_spade="free",
            tie="extra",
            call_clock=30,
            card_clock=15,
            forced_card_plays=True,
        ),
        "call-bridge": _CLASSIC.changed(
            deals=(5, 10),
            min_call=2,
            max_call=13,
            head="never",
            losing_spade="free",
            overtrick=0,
            overtricks_allowed=1,
            bonus_from=8,
            bonus_score=13,
            turn="anticlockwise",
            deal="anticlockwise",
        ),
    }
)
"""The rulesets that come with the house, by name, in the order they are offered. Read-only."""

OPTIONS: Final[Mapping[str, Mapping[str, tuple[int, ...]]]] = MappingProxyType(
    {"classic": MappingProxyType({"max_call": (8, 13)})}
)
"""By preset and field, the values a table may choose among and still play that preset, the default first."""


def preset_names() -> tuple[str, ...]:
    """The names of the presets in the order they are offered."""
    return tuple(PRESETS)
