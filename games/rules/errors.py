"""What can be wrong with a call or a play: two small exception types, each with a stable code.

An `IllegalAction` is well formed but not allowed now; a `MalformedAction` could not be allowed at any time.
The text of either is one English sentence fit for a player; the code is what programs and translations go
by.

>>> error = IllegalAction("out_of_turn")
>>> error.code, str(error)
('out_of_turn', "It is another player's turn.")
"""

from typing import Final

_SENTENCES: Final = {
    "deal_over": "The deal is over.",
    "wrong_phase": "That is not what is due now.",
    "out_of_turn": "It is another player's turn.",
    "call_range": "That call is not allowed here.",
    "not_in_hand": "That card is not in this hand.",
    "not_legal": "That card may not be played to this trick.",
    "not_a_card": "That is not a card.",
    "not_a_hand": "That is not a hand of cards.",
    "not_a_number": "A call is a whole number of tricks.",
    "not_a_seat": "There is no such seat.",
    "not_an_action": "That is neither a call nor a play.",
}


class RulesError(Exception):
    """Something the rules refuse: `code` is stable, `str()` is a sentence.

    A sentence that can say more than the code does is given; else there is one for each code.
    """

    def __init__(self, code: str, sentence: str = "") -> None:
        super().__init__(code, sentence)
        self.code = code

    def __str__(self) -> str:
        given: str = self.args[1]
        return given or _SENTENCES.get(self.code, self.code)


class IllegalAction(RulesError):
    """A call or a play that the rules do not allow at this moment.

    Codes: `deal_over`, `wrong_phase`, `out_of_turn`, `call_range`, `not_in_hand`, `not_legal`.
    """


class MalformedAction(RulesError):
    """Input that is no call or play at all.

    Codes: `not_a_card`, `not_a_hand`, `not_a_number`, `not_a_seat`, `not_an_action`.
    """
