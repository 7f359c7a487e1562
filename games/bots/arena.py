"""Matches among bots on the same deals with the seats rotated, and what they come to.

Every deal is played once in each seating, so that cards and seats favour nobody; bots that are alike come out
exactly level. What is uncertain is taken over deals, each the mean of its seatings.
"""

import hashlib
import math
import multiprocessing
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from games import bots
from games.bots import kernel
from games.bots.contest import Outside
from games.rules import (
    DealState,
    Hand,
    Ruleset,
    Sight,
    match_over,
    next_dealer,
    outcome,
    redeal_reason,
    shuffle,
    sight_of,
)

Player: TypeAlias = Callable[[Sight, int], int]
"""From a sight and a seed to a decision."""


@dataclass(frozen=True)
class Contest:
    """What is played: `entrants` are levels or addresses of outside bots, one a seat; `length` deals a match."""

    entrants: tuple[str, ...]
    ruleset: Ruleset
    length: int
    seed: int
    limit: float = 2.0
    """Seconds that an outside bot has for an answer."""
    kernel: str = ""
    """The folder with the machine code of the kernel; none: plain Python."""

    @property
    def names(self) -> tuple[str, ...]:
        """By entrant, what it is counted as: bots of one name together, unless all have the same."""
        if len(set(self.entrants)) > 1:
            return self.entrants
        return tuple(f"{name} {number}" for number, name in enumerate(self.entrants, 1))

    def seatings(self) -> list[tuple[int, ...]]:
        """Which entrant sits on each seat, in every rotation that is another one."""
        players = len(self.entrants)
        found: dict[tuple[str, ...], tuple[int, ...]] = {}
        for turn in range(players):
            seats = tuple((seat + turn) % players for seat in range(players))
            found.setdefault(tuple(self.names[entrant] for entrant in seats), seats)
        return list(found.values())


@dataclass
class Result:
    """One match number in all its seatings. Lists by name hold a number a deal, means over seats and seatings."""

    scores: dict[str, list[float]]
    made: dict[str, list[float]]
    calls: dict[str, list[float]]
    points: dict[str, float]
    won: dict[str, float]
    times: dict[str, list[float]] = field(default_factory=dict)
    forfeits: dict[str, Counter[str]] = field(default_factory=dict)


def player(name: str, limit: float) -> Player:
    """The bot of a level, or the outside bot at an address. Raises ValueError for neither."""
    if name.startswith("http://"):
        return Outside(name, limit)
    if name not in bots.LEVELS:
        raise ValueError(f"{name!r} is neither a level ({', '.join(bots.LEVELS)}) nor http://HOST:PORT")
    return lambda sight, seed: bots.decide(sight, name, seed)


def dealt(ruleset: Ruleset, players: int, seed: int, match: int, number: int) -> tuple[Hand, ...]:
    """The hands of a deal, the same for every seating."""
    attempt = 0
    while True:
        digest = hashlib.sha256(f"{seed}/{match}/{number}/{attempt}".encode()).digest()
        hands = shuffle(digest, players)
        if redeal_reason(ruleset, hands) is None:
            return hands
        attempt += 1


def play_match(contest: Contest, players: Sequence[Player], match: int) -> Result:
    """Play one match in every seating. Raises RulesError where a bot of ours does what is not allowed."""
    ruleset, names, size = contest.ruleset, contest.names, len(contest.entrants)
    scores: dict[str, list[list[float]]] = {name: [] for name in names}
    made: dict[str, list[list[float]]] = {name: [] for name in names}
    calls: dict[str, list[list[float]]] = {name: [] for name in names}
    points: dict[str, list[float]] = {name: [] for name in names}
    won: dict[str, list[float]] = {name: [] for name in names}
    times: dict[str, list[float]] = {name: [] for name in names}
    for turn, seats in enumerate(contest.seatings()):
        dealer = match % size
        by_deal: list[tuple[int, ...]] = []
        while not match_over(ruleset, contest.length, by_deal):
            totals = tuple(sum(each[seat] for each in by_deal) for seat in range(size))
            number = len(by_deal) + 1
            deal = DealState.start(ruleset, dealer, dealt(ruleset, size, contest.seed, match, number))
            while deal.turn is not None:
                seat = deal.turn
                sight = sight_of(deal, seat, totals=totals, deal_number=number, length=contest.length)
                seed = bots.seed(f"arena/{contest.seed}/{match}/{turn}", 100 * number + deal.number, seat)
                start = time.perf_counter()
                choice = players[seats[seat]](sight, seed)
                times[names[seats[seat]]].append(time.perf_counter() - start)
                deal = deal.call(seat, choice) if sight.legal is None else deal.play(seat, choice)
            by_deal.append(deal.scores())
            for name in scores:
                while len(scores[name]) < number:
                    for lists in (scores, made, calls):
                        lists[name].append([])
            for seat, entrant in enumerate(seats):
                name, tenths, call = names[entrant], by_deal[-1][seat], deal.calls[seat]
                scores[name][number - 1].append(tenths / 10)
                made[name][number - 1].append(float(tenths > 0))
                calls[name][number - 1].append(float(call or 0))
            dealer = next_dealer(ruleset, size, dealer)
        totals = tuple(sum(each[seat] for each in by_deal) for seat in range(size))
        end = outcome(ruleset, totals)
        for seat, entrant in enumerate(seats):
            points[names[entrant]].append(totals[seat] / 10)
            share = 1 / len(end.best) if seat in end.best and end.kind != "draw" else 0.0
            won[names[entrant]].append(share)
    forfeits: dict[str, Counter[str]] = {}
    for entrant, bot in enumerate(players):
        if isinstance(bot, Outside):
            forfeits.setdefault(names[entrant], Counter()).update(bot.forfeits)
            bot.forfeits.clear()
    mean = statistics.fmean
    return Result(
        scores={name: [mean(each) for each in lists] for name, lists in scores.items()},
        made={name: [mean(each) for each in lists] for name, lists in made.items()},
        calls={name: [mean(each) for each in lists] for name, lists in calls.items()},
        points={name: mean(each) for name, each in points.items()},
        won={name: mean(each) for name, each in won.items()},
        times=times,
        forfeits=forfeits,
    )


def _work(contest: Contest, match: int) -> Result:
    """Play one match in a process of the pool; each keeps its bots."""
    if contest not in _bots:
        if contest.kernel:
            kernel.load(Path(contest.kernel))
        _bots[contest] = [player(name, contest.limit) for name in contest.entrants]
    return play_match(contest, _bots[contest], match)


_bots: dict[Contest, list[Player]] = {}


def play(contest: Contest, matches: int, processes: int) -> Iterator[Result]:
    """The results of so many matches as they come, played by so many processes."""
    for name in contest.entrants:
        player(name, contest.limit)
    work = partial(_work, contest)
    if processes == 1:
        yield from map(work, range(matches))
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(work, range(matches))


# ---------------------------------------------------------------- what it comes to


def interval(values: Sequence[float]) -> dict[str, float]:
    """The mean and the ends of its 95 % confidence interval.

    >>> interval([1.0, 2.0, 3.0])["mean"]
    2.0
    """
    middle = statistics.fmean(values)
    half = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return {"mean": middle, "low": middle - half, "high": middle + half}


def quantile(ordered: Sequence[float], share: float) -> dict[str, float]:
    """A quantile of ascending values with the order statistics that bracket it at 95 %.

    >>> quantile(list(range(101)), 0.5)["mean"]
    50
    """
    count = len(ordered)
    half = 1.96 * math.sqrt(count * share * (1 - share))

    def at(rank: float) -> float:
        return ordered[max(0, min(count - 1, round(rank)))]

    middle = share * (count - 1)
    return {"mean": at(middle), "low": at(middle - half), "high": at(middle + half)}


def report(contest: Contest, results: Sequence[Result]) -> dict[str, Any]:
    """The figures by name, and of the first entrant how much more it scores a deal than the others do."""
    names = list(dict.fromkeys(contest.names))
    every: dict[str, Any] = {}
    for name in names:
        times = sorted(1000 * seconds for result in results for seconds in result.times[name])
        forfeits: Counter[str] = Counter()
        for result in results:
            forfeits.update(result.forfeits.get(name, {}))
        every[name] = {
            "score": interval([score for result in results for score in result.scores[name]]),
            "points": interval([result.points[name] for result in results]),
            "won": interval([result.won[name] for result in results]),
            "call": interval([call for result in results for call in result.calls[name]]),
            "made": interval([made for result in results for made in result.made[name]]),
            "median_ms": quantile(times, 0.5),
            "p99_ms": quantile(times, 0.99),
            "forfeits": dict(forfeits),
        }
    share = Counter(contest.names)
    first = contest.names[0]
    rest = len(contest.names) - 1
    margins = []
    for result in results:
        for number, score in enumerate(result.scores[first]):
            # The first entrant alone against all the others, those of its own name among them.
            others = sum((share[name] - (name == first)) * result.scores[name][number] for name in names)
            margins.append(score - others / rest)
    deals = sum(len(result.scores[first]) for result in results)
    return {
        "entrants": list(contest.entrants),
        "deals": deals,
        "matches": len(results),
        "seatings": len(contest.seatings()),
        "seed": contest.seed,
        "version": bots.VERSION,
        "margin": interval(margins),
        "by": every,
    }


def text_of(figures: Mapping[str, Any]) -> str:
    """The report as lines for a terminal."""

    def plus(value: Mapping[str, float], digits: int = 3) -> str:
        return f"{value['mean']:.{digits}f} ±{value['high'] - value['mean']:.{digits}f}"

    lines = [
        f"{figures['deals']} deals ({figures['matches']} matches) in {figures['seatings']} seatings,"
        f" seed {figures['seed']}, bots version {figures['version']}; ± is a 95 % interval",
        f"{figures['entrants'][0]} scores {plus(figures['margin'])} a deal more than the others",
    ]
    lines.append(
        f"{'':24}{'a deal':>16}{'a match':>16}{'won':>16}{'call':>15}{'made':>15}{'ms median':>11}{'p99':>8}"
    )
    for name, row in figures["by"].items():
        lines.append(
            f"{name:24}{plus(row['score']):>16}{plus(row['points'], 2):>16}{plus(row['won']):>16}"
            f"{plus(row['call'], 2):>15}{plus(row['made']):>15}"
            f"{row['median_ms']['mean']:>11.2f}{row['p99_ms']['mean']:>8.2f}"
        )
        if row["forfeits"]:
            lines.append(f"{'':24}forfeits: " + ", ".join(f"{why} {n}" for why, n in row["forfeits"].items()))
    return "\n".join(lines)
