"""What can be wrong with a move: two small exception types, each with a stable code.

An `IllegalAction` is well formed but not allowed now; a `MalformedAction` could not be allowed at any time.
The text of either is one English sentence fit for a player; the code is what programs and translations go by.
"""


class RulesError(Exception):
    """Something the rules refuse; `code` is stable, `str()` is a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(code, sentence)
        self.code = code
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence


class IllegalAction(RulesError):
    """A call or a play that the rules do not allow at this moment.

    Codes: `deal_over`, `wrong_phase`, `out_of_turn`, `call_range`, `not_in_hand`, `not_legal`.
    """


class MalformedAction(RulesError):
    """Input that is no call or play at all.

    Codes: `not_a_card`, `not_a_hand`, `not_a_number`, `not_a_seat`, `not_an_action`.
    """
