"""What the tests with Hypothesis share."""

from typing import get_args

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from games.rules import Ruleset, tricks_in_deal
from games.rules.ruleset import Broken, Direction, Head, LosingSpade, Nudge, RedealReason, Tie

SEEDS = st.integers(0, 2**32 - 1)

clocks = st.none() | st.integers(1, 3600)


def examples(count: int) -> settings:
    """So many examples, however long a busy machine takes over them."""
    return settings(max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any ruleset that the house would accept, every field at random."""
    players = draw(st.lists(st.integers(3, 5), min_size=1, unique=True))
    min_call = draw(st.integers(1, min(tricks_in_deal(number) for number in players)))
    bonus = draw(st.none() | st.tuples(st.integers(1, 17), st.integers(1, 30)))
    return Ruleset.from_dict(
        {
            "players": players,
            "deals": draw(st.lists(st.integers(1, 25), min_size=1, max_size=3, unique=True)),
            "min_call": min_call,
            "max_call": draw(st.none() | st.integers(min_call, 17)),
            "head": draw(st.sampled_from(get_args(Head))),
            "cut": draw(st.booleans()),
            "overtrump": draw(st.booleans()),
            "losing_spade": draw(st.sampled_from(get_args(LosingSpade))),
            "spade_first_lead": draw(st.booleans()),
            "overtrick": draw(st.integers(0, 10)),
            "overtricks_allowed": draw(st.none() | st.integers(0, 4)),
            "bonus_from": bonus[0] if bonus else None,
            "bonus_score": bonus[1] if bonus else None,
            "broken": draw(st.sampled_from(get_args(Broken))),
            "redeal": draw(st.lists(st.sampled_from(get_args(RedealReason)), unique=True)),
            "tie": draw(st.sampled_from(get_args(Tie))),
            "turn": draw(st.sampled_from(get_args(Direction))),
            "deal": draw(st.sampled_from(get_args(Direction))),
            "call_clock": draw(clocks),
            "card_clock": draw(clocks),
            "forced_card_plays": draw(st.booleans()),
            "nudge": draw(st.sampled_from(get_args(Nudge))),
        }
    )
