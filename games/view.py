"""What one viewer may see of a table: the only way from the state to a page, a pushed fragment or a bot.

A ``TableView`` is frozen and holds nothing its viewer may not know: his own hand, what lies open, and counts. The
hands of others enter only when their deal is scored. It does not depend on the time of day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings

from games import rules
from games.models import Action, Table
from games.rules import Card, Hand, Obligation, Outcome, Sight
from games.stakes import Payout, payouts, pot
from games.state import Scored, SeatState, TableState


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as everybody sees it.

    ``place`` is where it is drawn: "me" for the bottom (the viewer's own seat, or seat 0 for a watcher), "p1" for the
    next seat clockwise, and so on. ``kind`` is "person", "bot" or "free". ``call`` is None until it is made.
    """

    index: int
    place: str
    kind: str
    name: str
    level: str
    mine: bool
    host: bool
    left: bool
    away: bool
    dealer: bool
    turn: bool
    call: int | None
    took: int
    cards: int
    total: int
    ready: bool
    wants_cancel: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log: ``kind`` is "deal", "call", "lead", "play" or "won".

    ``by`` is "player" where nothing needs saying about who acted.
    """

    kind: str
    seat: int
    value: int
    by: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A seat's part in a scored deal; score in tenths; over counts tricks above the call."""

    call: int
    took: int
    over: int
    score: int
    made: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A scored deal on the sheet, by seat."""

    number: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything one viewer's board is drawn from. Tuples are by seat index unless said otherwise."""

    code: str
    name: str
    version: int
    phase: str
    rules_name: str
    rules: rules.Ruleset
    players: int
    length: int
    call_clock: int | None
    card_clock: int | None
    pace: str
    public: bool
    watchable: bool
    rematch: str
    ending: str  # how an ended match ended: see ``Table.ENDINGS``
    stake: int  # coins each player stakes; 0 at a friendly table
    asks_for: int  # coins a person must have to sit down
    pot: int
    payouts: tuple[Payout, ...]  # at the end, who got what of the pot, and by which clause

    me: int | None  # the viewer's seat; None for a watcher
    host: bool  # the viewer is the host
    i_left: bool  # the viewer left this running match and may come back
    seats: tuple[SeatView, ...]

    deal_number: int
    redealt: tuple[str, ...]  # why earlier distributions of this deal were dealt again
    tricks: int  # tricks in a deal
    dealer: int | None
    turn: int | None
    moment: int
    action: int  # the number the next action carries

    my_turn: bool
    hand: tuple[Card, ...]  # own cards, sorted as they are shown
    legal: frozenset[Card]  # of those, what may be played now (empty when it is not the viewer's turn)
    obligation: Obligation | None
    single: bool  # only one card is legal and the ruleset plays it by itself
    calls: tuple[int, ...]  # what may be called now (empty when it is not the viewer's turn)

    called: int
    to_call: int
    trick: tuple[tuple[int, Card], ...]  # (seat, card) in the order played
    trick_best: int | None  # index into trick
    trick_number: int  # 1-based, of the trick on the table
    done: tuple[tuple[int, Card], ...]  # the trick just finished, until the second card of the next lies
    done_best: int | None
    done_winner: int | None

    clock_until: int | None  # milliseconds since 1970 when the running clock ends
    clock_seconds: int | None
    log: tuple[Line, ...]
    sheet: tuple[Row, ...]
    totals: tuple[int, ...]

    open_hands: tuple[tuple[Card, ...], ...]  # all hands of the deal just scored, else empty
    ready: bool  # the viewer has pressed Next
    waiting: tuple[int, ...]  # seats whose Next is waited for
    next_until: int | None  # milliseconds since 1970 when the next deal starts anyway
    late: int | None  # the seat that may be nudged
    nudged: bool  # the viewer asked for it already
    cancel: bool  # the viewer agrees to cancel
    cancels: tuple[int, ...]  # seats that agree
    voters: tuple[
        int, ...
    ]  # seats whose agreement it takes: who is here, or where coins lie everybody who staked

    outcome: Outcome | None
    places: tuple[tuple[int, int], ...]  # (place, seat), best first, at the end


def view_of(state: TableState, user_id: int | None) -> TableView:
    """What this person (None: nobody signed in) may see of the table."""
    mine = state.seat_of(user_id)
    me = mine.index if mine is not None else None
    base = me or 0
    deal = state.deal
    sight = state.sight(me) if deal is not None else None
    over = deal is not None and deal.phase == "over"
    running = state.phase in ("calling", "playing")
    my_turn = running and mine is not None and not mine.left and state.turn == me
    legal = sight.legal if sight is not None and my_turn else None
    late = _late(state)
    scored = state.phase == "scored"
    done = deal.last_trick if deal is not None and running and len(deal.trick) <= 1 else ()
    clock = {"calling": state.call_clock, "playing": state.card_clock}.get(state.phase)
    finished = state.phase == "finished"
    tricks = rules.tricks_in_deal(state.players)
    return TableView(
        code=state.code,
        name=state.name,
        version=state.version,
        phase=state.phase,
        rules_name=state.rules_name,
        rules=state.rules,
        players=state.players,
        length=state.length,
        call_clock=state.call_clock,
        card_clock=state.card_clock,
        pace=state.pace,
        public=state.public,
        watchable=state.watchable,
        rematch=state.rematch,
        ending=state.ending,
        stake=state.stake,
        asks_for=state.asks_for,
        pot=pot(state),
        payouts=payouts(state),
        me=me,
        host=user_id is not None and user_id == state.host_id,
        i_left=mine is not None and mine.left,
        seats=tuple(_seat(state, index, base, me, sight) for index in range(state.players)),
        deal_number=state.deal_number,
        redealt=state.redealt,
        tricks=tricks,
        dealer=deal.dealer if deal is not None else None,
        turn=state.turn if running else None,
        moment=state.moment,
        action=deal.number if deal is not None else 0,
        my_turn=my_turn,
        hand=sorted_hand(sight.hand) if sight is not None and running else (),
        legal=frozenset(rules.cards_of(legal.cards)) if legal is not None else frozenset(),
        obligation=legal.obligation if legal is not None else None,
        single=legal is not None and state.rules.forced_card_plays and legal.cards.bit_count() == 1,
        calls=tuple(state.rules.call_range(state.players)) if my_turn and state.phase == "calling" else (),
        called=sum(call for call in deal.calls if call is not None) if deal is not None else 0,
        to_call=sum(1 for call in deal.calls if call is None) if deal is not None else 0,
        trick=deal.trick if deal is not None and running else (),
        trick_best=_best(deal.trick) if deal is not None and running else None,
        trick_number=min(sum(deal.took) + 1, tricks) if deal is not None else 0,
        done=done,
        done_best=_best(done),
        done_winner=deal.last_winner if deal is not None and done else None,
        clock_until=_millis(state, clock) if clock is not None else None,
        clock_seconds=clock,
        log=_log(state, me)[-6:] if deal is not None else (),
        sheet=tuple(_row(each) for each in state.scored),
        totals=state.totals,
        open_hands=tuple(sorted_hand(hand) for hand in deal.dealt) if deal is not None and over else (),
        ready=mine is not None and mine.ready_for == state.deal_number,
        waiting=tuple(s.index for s in state.here if s.ready_for != state.deal_number) if scored else (),
        next_until=_millis(state, settings.NEXT_AFTER) if scored and state.has_clock and state.here else None,
        late=late,
        nudged=late is not None and mine is not None and mine.nudges == state.moment,
        cancel=mine is not None and mine.wants_cancel,
        cancels=tuple(s.index for s in state.taken if s.wants_cancel),
        voters=tuple(s.index for s in state.taken if s.user_id is not None and (state.stake or s.here)),
        outcome=rules.outcome(state.rules, state.totals) if finished else None,
        places=rules.standings(state.totals) if finished else (),
    )


def sorted_hand(hand: Hand) -> tuple[Card, ...]:
    """Cards as a hand is held: spades, hearts, clubs, diamonds (colours alternate), each from the ace down."""
    order = (rules.SPADES, rules.HEARTS, rules.CLUBS, rules.DIAMONDS)
    return tuple(
        sorted(
            rules.cards_of(hand), key=lambda card: (order.index(rules.suit_of(card)), -rules.rank_of(card))
        )
    )


def _seat(state: TableState, index: int, base: int, me: int | None, sight: Sight | None) -> SeatView:
    seat: SeatState | None = state.seats[index]
    steps = (index - base) % state.players
    deal = state.deal
    return SeatView(
        index=index,
        place=f"p{steps}" if steps else "me",
        kind="free" if seat is None else "bot" if seat.bot else "person",
        name=seat.name if seat is not None else "",
        level=seat.bot if seat is not None else "",
        mine=index == me,
        host=seat is not None and seat.user_id is not None and seat.user_id == state.host_id,
        left=seat is not None and seat.left,
        away=seat is not None and seat.away,
        dealer=deal is not None and deal.dealer == index,
        turn=state.turn == index and state.phase in ("calling", "playing"),
        call=deal.calls[index] if deal is not None else None,
        took=deal.took[index] if deal is not None else 0,
        cards=sight.counts[index] if sight is not None else 0,
        total=state.totals[index],
        ready=seat is not None and state.phase == "scored" and seat.ready_for == state.deal_number,
        wants_cancel=seat is not None and seat.wants_cancel,
    )


def _best(trick: tuple[tuple[int, Card], ...]) -> int | None:
    return rules.winning_index([card for _, card in trick]) if trick else None


def _late(state: TableState) -> int | None:
    """The seat the others may hurry: the player to act, or the first whose Next is missing."""
    if not state.late:
        return None
    if state.phase == "scored":
        return next((seat.index for seat in state.here if seat.ready_for != state.deal_number), None)
    return state.turn


def _log(state: TableState, me: int | None) -> tuple[Line, ...]:
    """The lines of the current deal. That a card was the only legal one is told to its owner alone until the end."""
    deal = state.deal
    assert deal is not None
    lines = [Line("deal", deal.dealer, state.deal_number, Action.PLAYER)]
    in_trick: list[tuple[int, int]] = []
    for act in state.acts:
        hidden = act.by == Action.SINGLE and act.seat != me and deal.phase != "over"
        by = Action.PLAYER if hidden or act.by == Action.BOT else act.by
        if act.kind == Action.CALL:
            lines.append(Line("call", act.seat, act.value, by))
            continue
        lines.append(Line("play" if in_trick else "lead", act.seat, act.value, by))
        in_trick.append((act.seat, act.value))
        if len(in_trick) == state.players:
            winner = in_trick[rules.winning_index([card for _, card in in_trick])][0]
            lines.append(Line("won", winner, 0, Action.PLAYER))
            in_trick = []
    return tuple(lines)


def _row(deal: Scored) -> Row:
    cells = tuple(
        Cell(call, took, max(0, took - call), score, score > 0)
        for call, took, score in zip(deal.calls, deal.took, deal.scores, strict=True)
    )
    return Row(deal.number, cells)


def _millis(state: TableState, seconds: float | None) -> int | None:
    if state.turn_at is None or seconds is None:
        return None
    return int((state.turn_at + timedelta(seconds=seconds)).timestamp() * 1000)


def may_watch(state: TableState, user_id: int | None) -> bool:
    """Whether this person may look at the table: it is open or watchable, or he sits at it."""
    return state.watchable or state.status == Table.OPEN or state.seat_of(user_id) is not None
