"""Rulesets in plain words: for the lobby, the form that opens a table, a table's facts and the house's desk.

Everything is derived from the fields, so what people read is what is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games import rules

LEVEL_NAMES = {
    "easy": gettext_lazy("easy"),
    "normal": gettext_lazy("normal"),
    "hard": gettext_lazy("hard"),
    "expert": gettext_lazy("expert"),
}

RULE_LABELS = {
    "players": gettext_lazy("Players"),
    "deals": gettext_lazy("Deals"),
    "min_call": gettext_lazy("Lowest call"),
    "max_call": gettext_lazy("Highest call"),
    "head": gettext_lazy("Beating the led suit"),
    "cut": gettext_lazy("Out of the led suit, a spade is a must"),
    "overtrump": gettext_lazy("A spade must beat the spades before it"),
    "losing_spade": gettext_lazy("When no spade of yours would win"),
    "spade_first_lead": gettext_lazy("Spades may be led to the first trick"),
    "overtrick": gettext_lazy("Points for each trick above the call"),
    "overtricks_allowed": gettext_lazy("Most tricks above the call"),
    "bonus_from": gettext_lazy("Bonus for calls from"),
    "bonus_score": gettext_lazy("Score of a bonus call"),
    "broken": gettext_lazy("What falling short costs"),
    "redeal": gettext_lazy("Dealing again"),
    "tie": gettext_lazy("Level at the top"),
    "turn": gettext_lazy("Calling and playing go"),
    "deal": gettext_lazy("The deal moves"),
    "call_clock": gettext_lazy("Seconds for a call"),
    "card_clock": gettext_lazy("Seconds for a card"),
    "forced_card_plays": gettext_lazy("The only card allowed plays itself"),
    "nudge": gettext_lazy("Hurrying someone idle"),
}
"""What each field of a ruleset is called, by the field's name, in the fields' order."""

TOPICS = ("calls", "play", "score", "deal", "time")
"""What rules are about, in the order in which people meet it."""

REDEAL_REASONS = {
    "no_spade": gettext_lazy("a hand without a spade"),
    "no_honour": gettext_lazy("a hand without ace, king or queen"),
    "four_aces": gettext_lazy("a hand with all four aces"),
}
"""The hands for which a deal may be dealt again, as they stand in a sentence."""


# ---------------------------------------------------------------- small pieces


def either(words: Sequence[object]) -> str:
    """A list with "or" before its last part: "3, 4 or 5"."""
    texts = [str(word) for word in words]
    if len(texts) == 1:
        return texts[0]
    return _("%(first)s or %(last)s") % {"first": ", ".join(texts[:-1]), "last": texts[-1]}


def percent(share: Fraction) -> str:
    """A share as a percentage with one decimal: "5.1 %"."""
    return _("%(number)s %%") % {"number": formats.number_format(round(float(share * 100), 1), 1)}


def deals_text(length: int) -> str:
    """The length of a match: "5 deals"."""
    return ngettext("%(count)s deal", "%(count)s deals", length) % {"count": length}


def clock_text(call_clock: int | None, card_clock: int | None) -> str:
    """A table's clock in full: "15 s a card, 30 s a call", or "no clock"."""
    parts = []
    if card_clock is not None:
        parts.append(_("%(seconds)s s a card") % {"seconds": card_clock})
    if call_clock is not None:
        parts.append(_("%(seconds)s s a call") % {"seconds": call_clock})
    return ", ".join(parts) or _("no clock")


def redeal_cost(players: int, reasons: Iterable[str]) -> str:
    """How often these reasons make a table of this size deal again: "about 5.1 % of deals"."""
    return _("about %(percent)s of deals") % {"percent": percent(rules.redeal_odds(players, reasons))}


# ---------------------------------------------------------------- the whole of a ruleset


def ruleset_summary(ruleset: rules.Ruleset, players: int | None = None) -> list[str]:
    """Every rule of the set, one or two sentences a matter, in the order in which people meet them.

    ``players`` is the number at the table, where it is known: what redeals cost depends on it.
    """
    return [
        _("For %(players)s players.") % {"players": either(sorted(ruleset.players))},
        ngettext("A match is %(deals)s deal.", "A match is %(deals)s deals.", max(ruleset.deals))
        % {"deals": either(sorted(ruleset.deals))},
        *(sentence for topic in TOPICS for sentence in topic_sentences(ruleset, topic, players)),
    ]


def topic_sentences(ruleset: rules.Ruleset, topic: str, players: int | None = None) -> list[str]:
    """What the ruleset says about one of ``TOPICS``."""
    match topic:
        case "calls":
            return [_call_sentence(ruleset)]
        case "play":
            return _play_sentences(ruleset)
        case "score":
            return [*_score_sentences(ruleset), _tie_sentence(ruleset)]
        case "deal":
            return [_direction_sentence(ruleset), _redeal_sentence(ruleset, players)]
        case "time":
            return _time_sentences(ruleset)
    raise ValueError(f"no such topic: {topic}")


def _direction_sentence(ruleset: rules.Ruleset) -> str:
    return {
        ("clockwise", "clockwise"): _("Calls and cards go clockwise, and so does the deal."),
        ("clockwise", "anticlockwise"): _("Calls and cards go clockwise; the deal moves the other way."),
        ("anticlockwise", "clockwise"): _("Calls and cards go anticlockwise; the deal moves clockwise."),
        ("anticlockwise", "anticlockwise"): _("Calls and cards go anticlockwise, and so does the deal."),
    }[ruleset.turn, ruleset.deal]


def _call_sentence(ruleset: rules.Ruleset) -> str:
    if ruleset.max_call is None:
        return _("Calls go from %(low)s to the number of tricks in the deal.") % {"low": ruleset.min_call}
    if ruleset.max_call == ruleset.min_call:
        return _("Every call is %(call)s.") % {"call": ruleset.min_call}
    return _("Calls go from %(low)s to %(high)s.") % {"low": ruleset.min_call, "high": ruleset.max_call}


def _play_sentences(ruleset: rules.Ruleset) -> list[str]:
    head = {
        "until_trumped": _(
            "Following suit, beat the best card of that suit if you can, until a spade has cut it."
        ),
        "always": _(
            "Following suit, beat the best card of that suit if you can, even after a spade has cut it."
        ),
        "never": _("Following suit, any card of that suit will do."),
    }
    found = [head[ruleset.head]]
    if ruleset.cut:
        found.append(_("With none of the led suit, a spade must be played."))
    else:
        found.append(_("With none of the led suit, any card may be played."))
    if ruleset.overtrump:
        found.append(_("Such a spade must beat the spades before it if you hold one that does."))
    elif ruleset.cut:
        found.append(_("Such a spade need not be the higher one, as long as you hold one that would win."))
    else:
        found.append(_("A spade played then need not beat the spades before it."))
    if ruleset.cut and ruleset.losing_spade == "forced":
        found.append(_("When no spade of yours would win, you still have to play one."))
    elif ruleset.cut:
        found.append(_("When no spade of yours would win, you may play any card."))
    if ruleset.spade_first_lead:
        found.append(_("A spade may be led from the first trick on."))
    else:
        found.append(_("No spade is led to the first trick, unless the hand is all spades."))
    return found


def _score_sentences(ruleset: rules.Ruleset) -> list[str]:
    most = ruleset.overtricks_allowed
    found = [_("A call that is made scores its number.")]
    if ruleset.bonus_from is not None:
        found.append(
            _("From a call of %(call)s up it scores %(score)s instead.")
            % {"call": ruleset.bonus_from, "score": ruleset.bonus_score}
        )
    else:
        found.append(_("High calls earn no bonus."))
    if ruleset.overtrick:
        found.append(
            _("Each trick above it adds %(points)s.") % {"points": rules.tenths_text(ruleset.overtrick)}
        )
    else:
        found.append(_("Tricks above it add nothing."))
    if most is None:
        found.append(_("Any number of tricks above the call is fine."))
    elif most == 0:
        found.append(_("A single trick above the call breaks it and costs the whole call."))
    else:
        found.append(
            ngettext(
                "More than %(most)s trick above the call breaks it and costs the whole call.",
                "More than %(most)s tricks above the call break it and cost the whole call.",
                most,
            )
            % {"most": most}
        )
    if ruleset.broken == "call":
        found.append(_("Falling short costs the whole call."))
    else:
        found.append(_("Falling short costs only the tricks that are missing."))
    return found


def _redeal_sentence(ruleset: rules.Ruleset, players: int | None) -> str:
    if not ruleset.redeal:
        return _("Hands are played as they come; nothing is dealt again.")
    reasons = either([REDEAL_REASONS[reason] for reason in ruleset.redeal])
    if players is None:
        return _("The cards are dealt again for %(reasons)s.") % {"reasons": reasons}
    return _("The cards are dealt again for %(reasons)s: %(cost)s.") % {
        "reasons": reasons,
        "cost": redeal_cost(players, ruleset.redeal),
    }


def _tie_sentence(ruleset: rules.Ruleset) -> str:
    return {
        "share": _("All who are level at the top share the win."),
        "draw": _("Level at the top is a draw: nobody wins."),
        "extra": _("Level at the top, further deals are played until one player leads alone."),
    }[ruleset.tie]


def _time_sentences(ruleset: rules.Ruleset) -> list[str]:
    found = []
    if ruleset.card_clock is None and ruleset.call_clock is None:
        found.append(_("There is no clock."))
    else:
        clock = clock_text(ruleset.call_clock, ruleset.card_clock)
        found.append(_("The clock: %(clock)s.") % {"clock": clock})
    if ruleset.forced_card_plays:
        found.append(_("The only card allowed plays itself after a moment."))
    else:
        found.append(_("Every card is played by hand, even when only one is allowed."))
    if ruleset.nudge == "never":
        found.append(_("Nobody can be hurried."))
    else:
        found.append(
            _(
                "Without a clock, someone idle for two minutes can be hurried: "
                "if all the others ask, a bot acts for him once."
            )
        )
    return found


# ---------------------------------------------------------------- what is special about one


def ruleset_line(ruleset: rules.Ruleset) -> str:
    """What tells this ruleset from the others, in up to three short sentences, what is rarest first."""
    return " ".join(_specials(ruleset)[:3])


def _specials(ruleset: rules.Ruleset) -> list[str]:
    most = ruleset.overtricks_allowed
    found = []
    if ruleset.call_clock is not None or ruleset.card_clock is not None:
        found.append(_("Against the clock."))
    if ruleset.bonus_from is not None:
        found.append(
            _("A made call of %(call)s or more scores %(score)s.")
            % {"call": ruleset.bonus_from, "score": ruleset.bonus_score}
        )
    if not ruleset.cut:
        found.append(_("You need not cut."))
    if not ruleset.spade_first_lead:
        found.append(_("No spade is led to the first trick."))
    if ruleset.redeal:
        found.append(_("Some hands are dealt again."))
    if ruleset.broken == "shortfall":
        found.append(_("A broken call costs only the missing tricks."))
    if len(ruleset.players) > 1 or ruleset.players[0] != 4:
        found.append(_("For %(players)s players.") % {"players": either(sorted(ruleset.players))})
    if most is not None:
        found.append(_exactly(most))
    if ruleset.turn == "anticlockwise":
        found.append(_("Play goes anticlockwise."))
    if ruleset.cut and ruleset.losing_spade == "forced":
        found.append(_("Out of a suit you play a spade, even one that loses."))
    found.append(
        {
            "until_trumped": _("Follow suit with a higher card if you can."),
            "always": _("Follow suit with a higher card if you can, even after a cut."),
            "never": _("Follow suit with any card."),
        }[ruleset.head]
    )
    if ruleset.tie == "draw":
        found.append(_("Level at the top is a draw."))
    elif ruleset.tie == "extra":
        found.append(_("Level at the top, you play on."))
    if most is None and not ruleset.overtrick:
        found.append(_("Tricks above the call add nothing."))
    elif ruleset.overtrick:
        found.append(
            _("Each trick above the call adds %(points)s.") % {"points": rules.tenths_text(ruleset.overtrick)}
        )
    return found


def contract(
    ruleset: rules.Ruleset, stake: int, asks_for: int, players: int, clocks: bool
) -> list[tuple[str, str]]:
    """What a person agrees to by sitting down at a table with a stake: (about what, the sentence), in order.

    Derived from the table's own rules, so that what is promised is what ``games.stakes.payouts`` does.
    """
    ties = {
        "share": _(
            "All who are level at the top share the pot in whole coins. Coins left over go one each to them, in the "
            "order of the turn from the last dealer."
        ),
        "draw": _("The match is a draw: every stake goes back."),
        "extra": _("More deals are played until one player alone leads; he gets the pot."),
    }
    absence = _("A bot plays your turns until you are back; the seat and the stake stay yours.")
    if clocks:
        absence = _("The clock plays for you, and once you are away a bot does; seat and stake stay yours.")
    pot = stake * players
    taken = ngettext(
        "%(stake)d coin is taken from your wallet when the match starts, not before.",
        "%(stake)d coins are taken from your wallet when the match starts, not before.",
        stake,
    )
    taken %= {"stake": stake}
    if asks_for > stake:
        taken += " " + _("To sit down you need to have %(asks)d.") % {"asks": asks_for}
    return [
        (_("The stake"), taken),
        (
            _("The pot"),
            _("%(pot)d coins; all of it goes to whoever has the highest total after the last deal.")
            % {"pot": pot},
        ),
        (_("Level at the top"), ties[ruleset.tie]),
        (_("If you are away"), absence),
        (
            _("If you leave"),
            _(
                "A bot plays on for you. If it wins, the pot is yours; if not, your stake is lost as if you had played."
            ),
        ),
        (
            _("Stopping"),
            _(
                "The match stops only when every player agrees, absent ones included, or when the desk cancels it or "
                "declares a draw. Then every stake goes back."
            ),
        ),
        (_("The coins"), _("They are play money of this house: never bought, sold or cashed out.")),
    ]


def _exactly(most: int) -> str:
    if most == 0:
        return _("Take exactly your call; anything else breaks it.")
    return ngettext(
        "Take your call or %(most)s more; anything else breaks it.",
        "Take your call or up to %(most)s more; anything else breaks it.",
        most,
    ) % {"most": pgettext("tricks more than the call", "one") if most == 1 else most}


# ---------------------------------------------------------------- why a ruleset is refused


def ruleset_refusal(error: rules.RulesetError) -> str:
    """One sentence for whoever made a ruleset that makes no sense."""
    values = {key: str(value) for key, value in error.params.items()}
    label = RULE_LABELS.get(error.field, gettext_lazy("The rules"))
    match error.code:
        case "min_above_max":
            return _("The lowest call, %(min)s, is above the highest, %(max)s.") % values
        case "min_above_tricks":
            return _("The lowest call, %(min)s, is above the %(tricks)s tricks of a deal.") % values
        case "players_not_served":
            return (
                _("With %(players)s players a deal has %(tricks)s tricks; the lowest call is %(min)s.")
                % values
            )
        case "bonus_incomplete":
            return _("A bonus needs both: the call it begins at, and what it scores.")
        case "out_of_range":
            return _("%(label)s: from %(low)s to %(high)s.") % {"label": label, **values}
        case "empty":
            return _("%(label)s: choose at least one.") % {"label": label}
        case "repeated":
            return _("%(label)s: %(value)s stands there twice.") % {"label": label, **values}
        case "preset":
            return _("A preset is never changed; make a house set of it.")
        case _:
            return _("%(label)s: that is not one of the choices.") % {"label": label}
