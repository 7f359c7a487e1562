"""What became of the coins staked at a table: who got how many, and by which clause of its contract."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup

from games.board import bits, words
from games.view import TableView


def gains(view: TableView) -> dict[int, int]:
    """What each seat is left with: its payout less its stake. Nothing at a friendly table or before the end."""
    if not view.payouts:
        return {}
    paid = {payout.seat: payout.amount for payout in view.payouts}
    return {index: paid.get(index, 0) - view.stake for index in range(view.players)}


def receipt(view: TableView) -> str:
    """The panel with the clause and everybody's gain or loss, the most first; "" where nothing was paid."""
    found = gains(view)
    rows = "".join(
        f"<div><dt>{words.title_of(view, index)}</dt><dd>{words.gain(found[index])}</dd></div>"
        for index in sorted(found, key=lambda index: (-found[index], index))
    )
    if not rows:
        return ""
    told = f'<p>{_clause(view)}</p><dl class="gains">{rows}</dl><p class="quiet">{words.play_money()}</p>'
    return bits.block(_("The coins"), told, " receipt")


def _clause(view: TableView) -> Markup:
    """By which clause of the contract the pot was paid."""
    clause = view.payouts[0].clause
    pot, stake = words.digits(view.pot), words.digits(view.stake)
    if clause == "won":
        names = words.named(view, view.payouts[0].seat)
        return words.fill(
            _("The pot of %(pot)s goes to %(names)s, for the highest total."), pot=pot, names=names
        )
    if clause == "shared":
        level = words.count(len(view.payouts))
        text = _("The pot of %(pot)s is shared by the %(count)s who are level at the top.")
        return words.fill(text, pot=pot, count=level) + _left_over(view)
    return words.fill(
        {
            "draw": _("Level at the top is a draw here: every stake of %(stake)s goes back."),
            "agreed": _("All who staked agreed to stop: every stake of %(stake)s goes back."),
            "house": _("The house cancelled the match: every stake of %(stake)s goes back."),
            "drawn": _("The house declared a draw: every stake of %(stake)s goes back."),
        }[clause],
        stake=stake,
    )


def _left_over(view: TableView) -> Markup:
    """Who got the coins that a shared pot does not divide into."""
    share = view.pot // len(view.payouts)
    lucky = [payout for payout in view.payouts if payout.amount > share]
    if not lucky:
        return Markup("")
    text = ngettext(
        "The coin left over goes to %(names)s, first in the order of the turn from the last dealer.",
        "The coins left over go one each to %(names)s, first in the order of the turn from the last dealer.",
        len(lucky),
    )
    names = words.joined([words.named(view, payout.seat) for payout in lucky])
    return Markup(" ") + words.fill(text, names=names)
