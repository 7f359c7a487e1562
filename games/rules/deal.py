"""One deal as a value: each call and each play gives the next state.

>>> from games.rules.cards import cards_of, hand_of, deck
>>> from games.rules.ruleset import PRESETS
>>> dealt = tuple(hand_of(deck(4)[seat::4]) for seat in range(4))
>>> deal = DealState.start(PRESETS["classic"], 3, dealt)
>>> for seat in deal.order():
...     deal = deal.call(seat, 3)
>>> deal.phase, deal.turn
('playing', 0)
>>> while deal.turn is not None:
...     deal = deal.play(deal.turn, cards_of(deal.legal().cards)[0])
>>> deal.took, deal.scores()
((3, 3, 3, 4), (30, 30, 30, 31))
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from games.rules.cards import CARDS, Card, Hand, card_text, deck, hand_of, tricks_in_deal
from games.rules.errors import IllegalAction, MalformedAction
from games.rules.legal import LegalPlays, legal_plays, winning_index
from games.rules.ruleset import Ruleset
from games.rules.scoring import deal_score

Phase: TypeAlias = Literal["calling", "playing", "over"]
Play: TypeAlias = tuple[int, Card]
Action: TypeAlias = tuple[str, int, int]
"""("call", seat, tricks) or ("play", seat, card)."""


@dataclass(frozen=True, slots=True)
class DealState:
    """Everything about a deal at one moment, hidden cards included; a player sees the `sight_of` it."""

    ruleset: Ruleset
    players: int
    dealer: int
    dealt: tuple[Hand, ...]
    """By seat, the hands as they were dealt."""
    calls: tuple[int | None, ...]
    """By seat, the call; None until it is made."""
    plays: tuple[Play, ...]
    """(seat, card) of every play so far, in order."""
    hands: tuple[Hand, ...]
    """By seat, the cards still held."""
    trick: tuple[Play, ...]
    """(seat, card) of the trick on the table; empty when a lead is due."""
    took: tuple[int, ...]
    """By seat, the tricks taken so far."""
    turn: int | None
    """The seat to act; None when the deal is over."""
    number: int
    """How many calls and plays were made, which is the number that the next one carries."""
    last_trick: tuple[Play, ...]
    """The latest finished trick; empty before there is one."""
    last_winner: int | None
    """The seat that took it."""

    @staticmethod
    def start(ruleset: Ruleset, dealer: int, dealt: tuple[Hand, ...]) -> "DealState":
        """A deal before its first call. The number of hands is the number of players.

        Raises ValueError when the hands are not the whole deck in equal parts, or there is no such dealer.
        """
        players = len(dealt)
        size = tricks_in_deal(players)
        whole = 0
        for hand in dealt:
            whole |= hand
        if whole != hand_of(deck(players)) or any(hand.bit_count() != size for hand in dealt):
            raise ValueError(f"the hands are not a deck dealt evenly to {players} players")
        if dealer not in range(players):
            raise ValueError(f"no seat {dealer} among {players} players")
        return DealState(
            ruleset=ruleset,
            players=players,
            dealer=dealer,
            dealt=dealt,
            calls=(None,) * players,
            plays=(),
            hands=dealt,
            trick=(),
            took=(0,) * players,
            turn=(dealer + ruleset.turn_step(players)) % players,
            number=0,
            last_trick=(),
            last_winner=None,
        )

    @property
    def phase(self) -> Phase:
        """`calling`, `playing` or `over`."""
        if self.turn is None:
            return "over"
        return "calling" if self.number < self.players else "playing"

    @property
    def first_lead(self) -> bool:
        """Whether the lead to the first trick is due."""
        return self.number == self.players

    def order(self) -> tuple[int, ...]:
        """The seats in the order of the turn: the first caller first, the dealer last."""
        step = self.ruleset.turn_step(self.players)
        return tuple((self.dealer + step * place) % self.players for place in range(1, self.players + 1))

    def legal(self) -> LegalPlays:
        """What the seat to act may play.

        Raises IllegalAction (`wrong_phase`, `deal_over`) when no play is due.
        """
        self._expect("playing")
        assert self.turn is not None
        trick = [card for _, card in self.trick]
        return legal_plays(self.ruleset, self.hands[self.turn], trick, first_lead=self.first_lead)

    def call(self, seat: int, tricks: int) -> "DealState":
        """The state after this call.

        Raises IllegalAction (`deal_over`, `wrong_phase`, `out_of_turn`, `call_range`) or MalformedAction.
        """
        self._check_seat(seat)
        if type(tricks) is not int:
            raise MalformedAction("not_a_number")
        self._expect("calling")
        self._check_turn(seat)
        allowed = self.ruleset.call_range(self.players)
        if tricks not in allowed:
            raise IllegalAction(
                "call_range", f"A call is from {allowed[0]} to {allowed[-1]} tricks, not {tricks}."
            )
        return DealState(
            ruleset=self.ruleset,
            players=self.players,
            dealer=self.dealer,
            dealt=self.dealt,
            calls=(*self.calls[:seat], tricks, *self.calls[seat + 1 :]),
            plays=(),
            hands=self.hands,
            trick=(),
            took=self.took,
            turn=(seat + self.ruleset.turn_step(self.players)) % self.players,
            number=self.number + 1,
            last_trick=(),
            last_winner=None,
        )

    def play(self, seat: int, card: Card) -> "DealState":
        """The state after this play.

        Raises IllegalAction (`deal_over`, `wrong_phase`, `out_of_turn`, `not_in_hand`, `not_legal`) or
        MalformedAction.
        """
        self._check_seat(seat)
        if type(card) is not int or not 0 <= card < CARDS:
            raise MalformedAction("not_a_card")
        self._expect("playing")
        self._check_turn(seat)
        bit = 1 << card
        hand = self.hands[seat]
        if not hand & bit:
            raise IllegalAction("not_in_hand", f"{card_text(card)} is not in this hand.")
        if not self.legal().cards & bit:
            raise IllegalAction("not_legal", f"{card_text(card)} may not be played to this trick.")
        players = self.players
        played = (seat, card)
        trick = (*self.trick, played)
        took, last_trick, last_winner = self.took, self.last_trick, self.last_winner
        turn: int | None
        if len(trick) < players:
            turn = (seat + self.ruleset.turn_step(players)) % players
        else:
            winner = trick[winning_index([down for _, down in trick])][0]
            took = (*took[:winner], took[winner] + 1, *took[winner + 1 :])
            last_trick, last_winner, trick = trick, winner, ()
            turn = winner if hand != bit else None
        return DealState(
            ruleset=self.ruleset,
            players=players,
            dealer=self.dealer,
            dealt=self.dealt,
            calls=self.calls,
            plays=(*self.plays, played),
            hands=(*self.hands[:seat], hand ^ bit, *self.hands[seat + 1 :]),
            trick=trick,
            took=took,
            turn=turn,
            number=self.number + 1,
            last_trick=last_trick,
            last_winner=last_winner,
        )

    def scores(self) -> tuple[int, ...]:
        """By seat, the tenths that this deal scores.

        Raises IllegalAction (`wrong_phase`) while it is not over.
        """
        if self.turn is not None:
            raise IllegalAction("wrong_phase", "The deal is not over yet.")
        return tuple(
            deal_score(self.ruleset, call, took)
            for call, took in zip(self.calls, self.took, strict=True)
            if call is not None
        )

    def _check_seat(self, seat: object) -> None:
        if type(seat) is not int or not 0 <= seat < self.players:
            raise MalformedAction("not_a_seat")

    def _check_turn(self, seat: int) -> None:
        if seat != self.turn:
            raise IllegalAction("out_of_turn")

    def _expect(self, phase: Phase) -> None:
        if self.phase == phase:
            return
        if self.turn is None:
            raise IllegalAction("deal_over")
        sentence = "The calls are not all made yet." if phase == "playing" else "The calls are already made."
        raise IllegalAction("wrong_phase", sentence)


def fold(ruleset: Ruleset, dealer: int, dealt: tuple[Hand, ...], actions: Iterable[Action]) -> DealState:
    """The state after these actions, in their order, from the start of a deal.

    Raises ValueError as `DealState.start` does, and IllegalAction or MalformedAction for the first action
    that is refused.
    """
    deal = DealState.start(ruleset, dealer, dealt)
    for kind, seat, value in actions:
        if kind == "call":
            deal = deal.call(seat, value)
        elif kind == "play":
            deal = deal.play(seat, value)
        else:
            raise MalformedAction("not_an_action")
    return deal
