"""Every write to a table, one plain verb each. Each is one transaction; on commit the change is announced."""

from games.actions.desk import act_for_stuck, cancel_by_house, declare_draw, departed
from games.actions.house import notice_away, renew_clocks, show_alive, sweep, tick, tidy
from games.actions.match import cancel, next_deal, nudge, rematch
from games.actions.play import call, play
from games.actions.presence import touch, touch_waiting
from games.actions.seats import add_bot, back, leave, may_cover, open_table, play_now, take_seat, unseat

__all__ = [
    "act_for_stuck",
    "add_bot",
    "back",
    "call",
    "cancel",
    "cancel_by_house",
    "declare_draw",
    "departed",
    "leave",
    "may_cover",
    "next_deal",
    "notice_away",
    "nudge",
    "open_table",
    "play",
    "play_now",
    "rematch",
    "renew_clocks",
    "show_alive",
    "sweep",
    "take_seat",
    "tick",
    "tidy",
    "touch",
    "touch_waiting",
    "unseat",
]
