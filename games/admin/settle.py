"""What the desk does to a table: cancel, declare a draw, act for a stuck one. Each says first what will move."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django import forms
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.admin.basics import Question, ReasonForm, record
from games import actions
from games.admin.waiting import wait_of
from games.errors import Refusal, stale
from games.fields import Text
from games.models import Table
from games.stakes import payouts
from games.state import TableState, read, store

if TYPE_CHECKING:
    from accounts.models import User


class SettleForm(ReasonForm):
    """The reason, and the moment of the table that the page showed."""

    shown = forms.CharField(widget=forms.HiddenInput, max_length=20)


class Verb:
    """One thing the desk may do to a table. Everything it says depends on the state alone."""

    key: str
    label: Text

    def may(self, state: TableState) -> bool:
        """Whether it can be done to a table in this state."""
        raise NotImplementedError

    def shown(self, state: TableState) -> str:
        """What must not have changed between the page and the answer."""
        return state.status

    def question(self, state: TableState, desk: User) -> Question:
        """What the page asks."""
        raise NotImplementedError

    def told(self, state: TableState) -> str:
        """What was done, in a sentence, given the state before."""
        raise NotImplementedError

    def act(self, state: TableState, desk: User, reason: str) -> TableState:
        """Do it. Raises Refusal."""
        raise NotImplementedError

    def do(self, table_id: int, desk: User, reason: str, shown: str) -> str:
        """Do it to the table that the page showed, write it in the history, and say what was done.

        Raises:
            Refusal: the table is no longer as the page showed it; nothing was changed.
        """
        try:
            with transaction.atomic():
                row = Table.objects.select_for_update(of=("self",)).select_related("rematch").get(pk=table_id)
                state = read(row)
                if self.shown(state) != shown or not self.may(state):
                    raise stale()
                told = self.told(state)
                record(desk, row, told, reason)
                self.act(state, desk, reason)
        except Exception as error:
            if not isinstance(error, Refusal):
                store.forget(table_id)  # the action may have remembered what is now undone
            raise
        return told


class Cancel(Verb):
    """Cancel a running match, or close an open table."""

    key, label = "cancel", gettext_lazy("Cancel and refund")

    def may(self, state: TableState) -> bool:
        return state.status in (Table.OPEN, Table.PLAYING)

    def question(self, state: TableState, desk: User) -> Question:
        if state.status == Table.OPEN:
            people = sum(seat.user_id is not None for seat in state.taken)
            says = [
                _("The match has not begun: nobody has staked anything, and no coins move."),
                ngettext(
                    "The table is closed; %(people)d person loses the seat.",
                    "The table is closed; %(people)d people lose their seats.",
                    people,
                )
                % {"people": people},
            ]
            return Question(
                _("Close %(table)s") % {"table": state.name}, says, _("Close the table"), grave=True
            )
        return _ending(
            state,
            desk,
            title=_("Cancel the match at %(table)s"),
            says=_("The match ends now and counts for nothing: nobody wins."),
            button=_("Cancel the match"),
        )

    def told(self, state: TableState) -> str:
        if state.status == Table.OPEN:
            return _("Table closed before the match began; no coins moved.")
        return _("Match cancelled.") + " " + _back(state)

    def act(self, state: TableState, desk: User, reason: str) -> TableState:
        return actions.cancel_by_house(state.id, desk, reason)


class Draw(Verb):
    """End a running match as a draw."""

    key, label = "draw", gettext_lazy("Declare a draw and refund")

    def may(self, state: TableState) -> bool:
        return state.status == Table.PLAYING

    def question(self, state: TableState, desk: User) -> Question:
        return _ending(
            state,
            desk,
            title=_("Declare the match at %(table)s a draw"),
            says=_("The match ends now as a draw: nobody wins, nobody loses."),
            button=_("Declare a draw"),
        )

    def told(self, state: TableState) -> str:
        return _("Declared a draw.") + " " + _back(state)

    def act(self, state: TableState, desk: User, reason: str) -> TableState:
        return actions.declare_draw(state.id, desk, reason)


class ActFor(Verb):
    """Let a bot act once for whom a stuck table waits."""

    key, label = "act", gettext_lazy("Act for the table")

    def may(self, state: TableState) -> bool:
        wait = wait_of(state)
        return wait is not None and wait.stuck

    def shown(self, state: TableState) -> str:
        return f"{state.status} {state.moment}"

    def question(self, state: TableState, desk: User) -> Question:
        wait = wait_of(state)
        assert wait is not None
        names = ", ".join(wait.names)
        what = {
            "calling": _("A bot makes the call for %(names)s, from that hand alone."),
            "playing": _("A bot plays one card for %(names)s, from that hand alone."),
            "scored": _("Next is pressed for %(names)s, and the next deal is dealt."),
        }[state.phase]
        says = [
            _("The table has been waiting for %(names)s for %(long)s.") % {"names": names, "long": wait.long},
            what % {"names": names},
            _("No coins move, the match goes on, and whoever was waited for keeps seat and stake."),
            *_own_seat(state, desk),
        ]
        return Question(_("Act once at %(table)s") % {"table": state.name}, says, str(self.label))

    def told(self, state: TableState) -> str:
        wait = wait_of(state)
        names = ", ".join(wait.names) if wait is not None else ""
        what = {
            "calling": _("A bot called for %(names)s."),
            "playing": _("A bot played for %(names)s."),
            "scored": _("Next was pressed for %(names)s."),
        }[state.phase]
        return what % {"names": names}

    def act(self, state: TableState, desk: User, reason: str) -> TableState:
        return actions.act_for_stuck(state.id, state.moment)


VERBS: tuple[Verb, ...] = (ActFor(), Draw(), Cancel())


def refunds(state: TableState) -> list[tuple[str, int]]:
    """Who would get how many coins if the match were stopped now, by name."""
    stopped = replace(state, status=Table.CANCELLED, ending=Table.HOUSE)
    names = {seat.index: seat.name for seat in state.taken}
    return [(names[payout.seat], payout.amount) for payout in payouts(stopped)]


def _ending(state: TableState, desk: User, *, title: str, says: str, button: str) -> Question:
    moves = refunds(state)
    coins = _("Every stake goes back:") if moves else _("It is a friendly table: no coins move.")
    return Question(
        title=title % {"table": state.name},
        says=[says, *_own_seat(state, desk), coins],
        button=button,
        moves=moves,
        grave=True,
    )


def _own_seat(state: TableState, desk: User) -> list[str]:
    """Whoever decides about a table of his own is reminded of it."""
    return [_("You sit at this table yourself.")] if state.seat_of(desk.pk) is not None else []


def _back(state: TableState) -> str:
    moves = refunds(state)
    if not moves:
        return _("No coins lay on it.")
    return _("%(coins)d coins went back: %(each)d each to %(names)s.") % {
        "coins": sum(amount for _name, amount in moves),
        "each": moves[0][1],
        "names": ", ".join(name for name, _amount in moves),
    }
