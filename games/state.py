"""The folded state of a table, and the process's memory of it.

A ``TableState`` is a value: the table's row, its seats, the scored deals and the deal being played, folded from the
actions. ``after`` gives the next one. Each process keeps the newest it knows of each table (``store``); what it does
not know it reads. Nothing here writes to the database.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from games import rules
from games.models import Action, Deal, Seat, Table
from games.rules import DealState, Hand, Sight


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat as the table's version has it: a person's (``user_id``) or a bot's (``bot``, its level)."""

    index: int
    user_id: int | None
    name: str
    bot: str
    left: bool
    away: bool
    ready_for: int
    nudges: int | None
    wants_cancel: bool

    @property
    def here(self) -> bool:
        """A person sits here who has neither left nor gone away."""
        return self.user_id is not None and not self.left and not self.away

    @classmethod
    def of(cls, seat: Seat) -> SeatState:
        """The state of a stored seat."""
        return cls(
            seat.index,
            seat.user_id,
            seat.name,
            seat.bot,
            seat.left,
            seat.away,
            seat.ready_for,
            seat.nudges,
            seat.wants_cancel,
        )


@dataclass(frozen=True, slots=True)
class Act:
    """One action of the deal being played. ``by`` is an actor of ``Action``."""

    kind: str
    seat: int
    value: int
    by: str


@dataclass(frozen=True, slots=True)
class Scored:
    """A scored deal, by seat; scores in tenths."""

    number: int
    dealer: int
    dealt: tuple[Hand, ...]
    calls: tuple[int, ...]
    took: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True)
class TableState:
    """A table at one version. ``seats`` is by index, None where nobody sits; ``deal`` is None until the start."""

    id: int
    code: str
    name: str
    status: str
    version: int
    rules: rules.Ruleset
    rules_name: str
    players: int
    length: int
    call_clock: int | None
    card_clock: int | None
    pace: str
    public: bool
    watchable: bool
    ending: str
    stake: int
    asks_for: int
    host_id: int | None
    rematch: str
    turn_at: datetime | None
    late: bool
    seats: tuple[SeatState | None, ...]
    deal_id: int | None
    deal_number: int
    redealt: tuple[str, ...]
    deal: DealState | None
    acts: tuple[Act, ...]
    scored: tuple[Scored, ...]

    @cached_property
    def phase(self) -> str:
        """One of "open", "calling", "playing", "scored", "finished", "cancelled" or "closed"."""
        if self.status != Table.PLAYING:
            return self.status
        assert self.deal is not None
        return "scored" if self.deal.phase == "over" else self.deal.phase

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """Tenths by seat over the scored deals."""
        return tuple(sum(deal.scores[seat] for deal in self.scored) for seat in range(self.players))

    @property
    def moment(self) -> int:
        """A number for what is waited for now (deal and action), so that a nudge dies with its moment."""
        return self.deal_number * 100 + (self.deal.number if self.deal else 0)

    @property
    def turn(self) -> int | None:
        """The seat to act, in a deal being called or played."""
        return self.deal.turn if self.deal is not None and self.status == Table.PLAYING else None

    def seat_of(self, user_id: int | None) -> SeatState | None:
        """The seat this person has, if any."""
        if user_id is None:
            return None
        return next((seat for seat in self.seats if seat is not None and seat.user_id == user_id), None)

    @property
    def taken(self) -> tuple[SeatState, ...]:
        """The seats somebody has, in order of their index."""
        return tuple(seat for seat in self.seats if seat is not None)

    @property
    def free(self) -> tuple[int, ...]:
        """Indexes of free seats."""
        return tuple(index for index, seat in enumerate(self.seats) if seat is None)

    @property
    def here(self) -> tuple[SeatState, ...]:
        """The people who are here."""
        return tuple(seat for seat in self.taken if seat.here)

    @property
    def has_clock(self) -> bool:
        """Whether calls or cards run against a clock."""
        return self.call_clock is not None or self.card_clock is not None

    def sight(self, seat: int | None) -> Sight:
        """What a seat (or a watcher, None) may know of the current deal."""
        assert self.deal is not None
        before = self.scored[:-1] if self.deal.phase == "over" else self.scored
        totals = tuple(sum(deal.scores[index] for deal in before) for index in range(self.players))
        return rules.sight_of(
            self.deal, seat, totals=totals, deal_number=self.deal_number, length=self.length
        )

    def after(self, act: Act, at: datetime) -> TableState:
        """The state after one more call or play.

        Raises rules.IllegalAction or rules.MalformedAction; the state itself never changes.
        """
        if self.deal is None or self.status != Table.PLAYING:
            raise rules.IllegalAction("wrong_phase")
        deal = (
            self.deal.call(act.seat, act.value)
            if act.kind == Action.CALL
            else self.deal.play(act.seat, act.value)
        )
        scored, status, ending = self.scored, self.status, self.ending
        if deal.phase == "over":
            scored = (*scored, scored_deal(self.deal_number, deal))
            if rules.match_over(self.rules, self.length, [each.scores for each in scored]):
                status, ending = Table.FINISHED, Table.PLAYED
        return replace(
            self,
            version=self.version + 1,
            deal=deal,
            acts=(*self.acts, act),
            scored=scored,
            status=status,
            ending=ending,
            turn_at=at,
            late=False,
        )


def scored_deal(number: int, deal: DealState) -> Scored:
    """What a finished deal comes to."""
    calls = tuple(call for call in deal.calls if call is not None)
    return Scored(number, deal.dealer, deal.dealt, calls, deal.took, deal.scores())


# ---------------------------------------------------------------- reading


def fold(ruleset: rules.Ruleset, deal: Deal, actions: Iterable[Action]) -> DealState:
    """A stored deal folded by the rules from its actions, in their order."""
    hands = tuple(rules.parse_hand(text) for text in deal.hands)
    return rules.fold(ruleset, deal.dealer, hands, [(a.kind, a.seat, a.value) for a in actions])


def read(table: Table) -> TableState:
    """Fold a table from the database, whose row was just read: three queries, one more where it has a rematch."""
    ruleset = rules.Ruleset.from_dict(table.fields)
    seats: list[SeatState | None] = [None] * table.players
    for seat in table.seats.all():
        seats[seat.index] = SeatState.of(seat)
    deals = list(table.deals.all())
    played = [deal for deal in deals if not deal.redealt]
    last = played[-1] if played else None
    unknown = [deal.pk for deal in played if deal is last or deal.pk not in _scored]
    actions: dict[int, list[Action]] = {pk: [] for pk in unknown}
    if unknown:
        for action in Action.objects.filter(deal__in=unknown).order_by("deal", "number"):
            actions[action.deal_id].append(action)
    scored: list[Scored] = []
    current = None
    for deal in played:
        known = None if deal is last else _scored.get(deal.pk)
        if known is None:
            current = fold(ruleset, deal, actions[deal.pk])
            if current.phase != "over":
                break
            known = scored_deal(deal.number, current)
            _scored.put(deal.pk, known)
        scored.append(known)
    rematch = table.rematch.code if table.rematch is not None else ""
    return TableState(
        id=table.pk,
        code=table.code,
        name=table.name,
        status=table.status,
        version=table.version,
        rules=ruleset,
        rules_name=table.rules_name,
        players=table.players,
        length=table.length,
        call_clock=table.call_clock,
        card_clock=table.card_clock,
        pace=table.pace,
        public=table.public,
        watchable=table.watchable,
        ending=table.ending,
        stake=table.stake,
        asks_for=table.asks_for,
        host_id=table.host_id,
        rematch=rematch,
        turn_at=table.turn_at,
        late=table.late,
        seats=tuple(seats),
        deal_id=last.pk if last else None,
        deal_number=last.number if last else 0,
        redealt=tuple(deal.redealt for deal in deals if last and deal.redealt and deal.number == last.number),
        deal=current,
        acts=tuple(Act(a.kind, a.seat, a.value, a.by) for a in actions[last.pk]) if last else (),
        scored=tuple(scored),
    )


class _Scored:
    """Scored deals of this process, by the deal's key: they never change, so they are folded once."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.deals: OrderedDict[int, Scored] = OrderedDict()
        self.lock = threading.Lock()

    def __contains__(self, key: int) -> bool:
        return key in self.deals

    def get(self, key: int) -> Scored | None:
        """A scored deal, if it is remembered."""
        return self.deals.get(key)

    def put(self, key: int, deal: Scored) -> None:
        """Remember a scored deal, forgetting the oldest."""
        with self.lock:
            self.deals[key] = deal
            while len(self.deals) > self.most:
                self.deals.popitem(last=False)


class Store:
    """The newest state this process knows of each table. Safe between threads; never goes back to an older one."""

    def __init__(self, most: int = 2000) -> None:
        self.most = most
        self.states: OrderedDict[int, TableState] = OrderedDict()
        self.ids: dict[str, int] = {}
        self.lock = threading.Lock()

    def peek(self, table_id: int) -> TableState | None:
        """What is remembered, without asking the database."""
        return self.states.get(table_id)

    def put(self, state: TableState) -> TableState:
        """Remember a state unless a newer one is known; returns the newest known."""
        with self.lock:
            known = self.states.get(state.id)
            if known is not None and known.version >= state.version:
                return known
            self.states[state.id] = state
            self.states.move_to_end(state.id)
            self.ids[state.code] = state.id
            while len(self.states) > self.most:
                gone = self.states.popitem(last=False)[1]
                self.ids.pop(gone.code, None)
            return state

    def forget(self, table_id: int) -> None:
        """Drop a table, so that the next look reads it."""
        with self.lock:
            gone = self.states.pop(table_id, None)
            if gone is not None:
                self.ids.pop(gone.code, None)

    def clear(self) -> None:
        """Drop everything (the database was exchanged, as between tests)."""
        with self.lock:
            self.states.clear()
            self.ids.clear()
            _scored.deals.clear()

    def known(self, table_id: int) -> TableState:
        """The remembered state, possibly old, else the stored one. Raises Table.DoesNotExist."""
        return self.peek(table_id) or self.fresh(table_id)

    def fresh(self, table_id: int) -> TableState:
        """The state as stored now: one query where nothing has changed. Raises Table.DoesNotExist."""
        known = self.peek(table_id)
        if known is not None:
            version = Table.objects.filter(pk=table_id).values_list("version", flat=True).first()
            if version is not None and version <= known.version:
                return known
        return self.put(self._read(table_id))

    def by_code(self, code: str) -> TableState:
        """The state of the table with this code as stored now. Raises Table.DoesNotExist."""
        return self.fresh(self._id(code))

    def known_by_code(self, code: str) -> TableState:
        """The remembered state of the table with this code, possibly old. Raises Table.DoesNotExist."""
        return self.known(self._id(code))

    def _id(self, code: str) -> int:
        known = self.ids.get(code)
        return Table.objects.values_list("pk", flat=True).get(code=code) if known is None else known

    @staticmethod
    def _read(table_id: int) -> TableState:
        """Read without a lock: again, when the version moved meanwhile, so that the parts belong together."""
        table = Table.objects.get(pk=table_id)
        while True:
            state = read(table)
            table = Table.objects.get(pk=table_id)
            if table.version == state.version:
                return state


_scored = _Scored(most=20_000)
store = Store()
