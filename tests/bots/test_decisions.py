"""What bots decide: legally, repeatably, by what their seat sees alone, and the same whichever way it is computed."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from games import bots, rules
from games.bots import kernel, mind, playout
from games.rules import PRESETS
from tests.bots.conftest import redealt, sight, some_deal

TABLES = [(name, players) for name, preset in PRESETS.items() for players in preset.players]


@pytest.fixture
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer worlds, where only the way to a decision is looked at."""
    monkeypatch.setattr(bots, "WORLDS", {"hard": 3, "expert": 8})
    monkeypatch.setattr(bots, "CALL_WORLDS", {"hard": 3, "expert": 8})


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_level_plays_whole_deals_by_the_rules(few_worlds, name: str, players: int):
    deal = some_deal(PRESETS[name], players, 7, 0)
    while deal.turn is not None:
        level = bots.LEVELS[deal.turn % len(bots.LEVELS)]
        choice = bots.decide(sight(deal), level, 11)
        deal = deal.call(deal.turn, choice) if deal.phase == "calling" else deal.play(deal.turn, choice)
    assert sum(deal.took) == rules.tricks_in_deal(players)


@pytest.mark.parametrize("level", bots.LEVELS)
def test_a_decision_hangs_on_nothing_hidden(few_worlds, level: str):
    chance = random.Random(5)
    looked = 0
    for number in range(12):
        name, players = TABLES[number % len(TABLES)]
        deal = some_deal(PRESETS[name], players, number, chance.randint(0, players * 3))
        other = redealt(deal, chance)
        if other is None:
            continue
        looked += 1
        assert sight(deal) == sight(other)
        assert bots.decide(sight(deal), level, 3) == bots.decide(sight(other), level, 3)
    assert looked >= 6


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_both_ways_of_computing_decide_alike(compiled, few_worlds, name: str, players: int):
    chance = random.Random(players)
    for number in range(6):
        deal = some_deal(PRESETS[name], players, number, chance.randint(0, 10 * players))
        if deal.turn is None:
            continue
        view = sight(deal, deal_number=1 + 4 * (number % 2))
        fast = bots.estimate(view, "expert", number)
        kernel.use(kernel.PLAIN)
        assert bots.estimate(view, "expert", number) == fast
        kernel.use(compiled)


def test_compiled_legal_cards_and_tellings_are_those_of_the_rules(compiled):
    from tests.bots.test_playout import position, rulesets, trick_of

    chance = random.Random(4)
    every = [(ruleset, players) for ruleset in rulesets() for players in ruleset.players]
    numbers = {
        (ruleset, players): compiled.numbers(mind.numbers_of(ruleset, players, last=False))
        for ruleset, players in every
    }
    for _ in range(30_000):
        ruleset, players = chance.choice(every)
        hand, cards, first = position(chance, ruleset, players)
        own = compiled.legal_cards(numbers[ruleset, players], hand, *trick_of(cards), int(first))
        assert own == rules.legal_plays(ruleset, hand, cards, first_lead=first).cards


def test_worlds_keep_to_what_is_known():
    """Every world gives each seat the right number of cards, all of them cards it can have."""
    chance = random.Random(6)
    for number in range(60):
        name, players = TABLES[number % len(TABLES)]
        deal = some_deal(PRESETS[name], players, number, chance.randint(players, 8 * players))
        if deal.turn is None:
            continue
        known = mind.know(sight(deal))
        for seat, hand in enumerate(deal.hands):
            assert hand & ~known.allowed[seat] == 0, "the true cards are among the possible ones"
        tight, holders, needs, loose = mind._tight(known)
        hands, room, rooms, state = [0] * players, [0] * players, [0] * 32, [number + 1]
        for _ in range(20):
            hands = [0] * players
            playout.deal_out(
                known.rules, deal.turn, tight, holders, needs, len(tight), loose, len(loose), known.counts,
                hands, room, rooms, state,
            )  # fmt: skip
            together = 0
            for seat in range(players):
                if seat != deal.turn:
                    assert hands[seat].bit_count() == known.counts[seat]
                    assert hands[seat] & ~known.allowed[seat] == 0
                    together |= hands[seat]
            assert together == known.unseen


def test_the_last_to_play_takes_a_wanted_trick_with_the_cheapest_winner():
    ruleset = PRESETS["relaxed"]
    hands = [rules.hand_of(card for card in rules.deck(4) if card % 4 == seat) for seat in range(4)]
    deal = rules.DealState.start(ruleset, 0, tuple(hands))
    for seat in deal.order():
        deal = deal.call(seat, 3)
    for _ in range(3):
        assert deal.turn is not None
        deal = deal.play(deal.turn, rules.lowest_card(deal.legal().cards))
    trick = [card for _seat, card in deal.trick]
    winners = [card for card in rules.cards_of(deal.legal().cards) if rules.best_card([*trick, card]) == card]
    assert len(winners) > 1
    assert bots.decide(sight(deal), "normal", 1) == min(winners)


def test_who_may_not_act_is_told_so():
    deal = some_deal(PRESETS["kal"], 4, 1, 2)
    watching = rules.sight_of(deal, None, totals=(0,) * 4, deal_number=1, length=5)
    with pytest.raises(ValueError, match="not to act"):
        bots.decide(watching, "normal", 1)
    with pytest.raises(ValueError, match="no bot plays"):
        bots.decide(sight(deal), "godlike", 1)


def test_the_web_process_does_not_load_the_compiler(tmp_path: Path):
    program = (
        "import django, sys; django.setup(); import callbreak_site.asgi; "
        "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_a_second_process_plays_at_once_from_the_cache(folder: Path):
    program = (
        "import sys, time; from pathlib import Path; from games.bots import kernel, rehearsal; "
        "assert kernel.load(Path(sys.argv[1])); rehearsal.rehearse(); "
        "engine = kernel.engine(); stats = engine.choose.stats; "
        "sys.exit(bool(stats.cache_misses) or not stats.cache_hits)"
    )
    subprocess.run([sys.executable, "-c", program, str(folder)], check=True, timeout=60)


def test_without_the_kernel_the_plain_way_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel, "_engine", kernel.PLAIN)
    assert not kernel.load(tmp_path)
    monkeypatch.setattr(kernel, "MODULE", "no_such_compiler")
    kernel.stamp(tmp_path).parent.mkdir()
    kernel.stamp(tmp_path).touch()
    assert not kernel.load(tmp_path)
    assert kernel.engine() is kernel.PLAIN
