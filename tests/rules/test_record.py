"""The text record of a deal: there and back, and nothing accepted that is not exactly true."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import (
    PRESETS,
    DealState,
    IllegalAction,
    RecordError,
    Ruleset,
    cards_of,
    deal_record,
    new_seed,
    parse_record,
    shuffle,
)
from tests.rules.strategies import SEEDS, examples, rulesets

SEED = bytes(range(32))


def played(ruleset: Ruleset, seed: bytes, luck: random.Random) -> DealState:
    players = luck.choice(ruleset.players)
    deal = DealState.start(ruleset, luck.randrange(players), shuffle(seed, players))
    for seat in deal.order():
        deal = deal.call(seat, luck.choice(ruleset.call_range(players)))
    while deal.turn is not None:
        deal = deal.play(deal.turn, luck.choice(cards_of(deal.legal().cards)))
    return deal


@examples(60)
@given(ruleset=rulesets(), number=SEEDS, told=st.booleans())
def test_a_record_comes_back(ruleset: Ruleset, number: int, told: bool) -> None:
    seed = number.to_bytes(32, "big")
    deal = played(ruleset, seed, random.Random(number))
    line = deal_record(deal, seed=seed if told else None)
    assert "\n" not in line
    assert line.isascii()
    record = parse_record(line)
    assert (record.deal, record.seed) == (deal, seed if told else None)
    assert deal_record(record.deal, seed=record.seed) == line


@pytest.fixture(scope="module")
def line() -> str:
    return deal_record(played(PRESETS["strict"], SEED, random.Random(1)), seed=SEED)


def test_any_change_to_a_record_is_found(line: str) -> None:
    luck = random.Random(2)
    for place in range(len(line)):
        for changed in (
            line[:place] + line[place + 1 :],
            line[:place] + luck.choice("0123456789ACDHSJQKT -/|x") + line[place:],
            line[:place] + luck.choice("0123456789ACDHSJQKT -/|x") + line[place + 1 :],
        ):
            # A changed clock or number of deals in the rules is another deal's true record.
            if changed != line and place < line.index(" | rules "):
                with pytest.raises(RecordError):
                    parse_record(changed)


def with_part(line: str, name: str, value: str) -> str:
    parts = dict(part.split(" ", 1) for part in line.split(" | "))
    assert parts[name] != value
    return " | ".join(f"{key} {value if key == name else old}" for key, old in parts.items())


def without_part(line: str, name: str) -> str:
    return " | ".join(part for part in line.split(" | ") if not part.startswith(name))


def part(line: str, name: str) -> str:
    return next(part for part in line.split(" | ") if part.startswith(name)).partition(" ")[2]


def test_what_is_no_record(line: str) -> None:
    texts = [
        "",
        "callbreak 1",
        "x",
        line[:-1],
        with_part(line, "rules", "[" * 100_000),
        with_part(line, "rules", "7"),
    ]
    texts += [without_part(line, name) for name in ("dealer", "hands", "calls", "plays", "rules")]
    texts += [with_part(line, "rules", value) for value in ("[]", "{}", "null", '"kal"')]
    texts += [with_part(line, "dealer", value) for value in ("4", "-1", "x", "")]
    texts += [with_part(line, "hands", value) for value in ("", "2C / 3C / 4C / 5C", "2C / 2X")]
    texts += [with_part(line, "calls", value) for value in ("", "1 1 1", "1 1 1 x")]
    texts += [
        with_part(line, "shuffle", value) for value in ("", "1", "1 00", "2 " + SEED.hex(), "x " + SEED.hex())
    ]
    for text in texts:
        with pytest.raises(RecordError) as refusal:
            parse_record(text)
        assert refusal.value.code == "not_a_record", text[:200]


def test_a_record_that_breaks_its_rules(line: str) -> None:
    plays = part(line, "plays")
    first, rest = plays.split(" / ", 1)
    leader, cards = first.split(":")
    for text in (
        with_part(line, "plays", rest),
        with_part(line, "plays", plays.rpartition(" / ")[0]),
        with_part(line, "plays", plays[:-3]),
        with_part(line, "plays", f"{leader}:{' '.join(reversed(cards.split()))} / {rest}"),
        with_part(line, "calls", "1 1 1 14"),
        with_part(line, "calls", "0 1 1 1"),
    ):
        with pytest.raises(RecordError) as refusal:
            parse_record(text)
        assert refusal.value.code == "not_the_rules", text


def test_a_record_with_another_seed(line: str) -> None:
    with pytest.raises(RecordError) as refusal:
        parse_record(with_part(line, "shuffle", f"1 {bytes(32).hex()}"))
    assert refusal.value.code == "not_the_shuffle"
    with pytest.raises(RecordError):
        deal_record(parse_record(line).deal, seed=new_seed())
    assert parse_record(without_part(line, "shuffle")).seed is None


def test_a_record_that_is_not_exact(line: str) -> None:
    parts = line.split(" | ")
    texts = [line + "\n", " " + line, line + " | note x", " | ".join([*parts[:2], *parts[3:], parts[2]])]
    texts += [
        with_part(line, "callbreak", "2"),
        with_part(line, "players", "5"),
        without_part(line, "players"),
    ]
    texts += [without_part(line, name) for name in ("took", "scores", "callbreak")]
    texts += [with_part(line, name, part(line, name)[:-1] + "7") for name in ("took", "scores")]
    texts += [
        with_part(line, "calls", part(line, "calls") + " 1"),
        with_part(line, "calls", " ".join("٣" * 4)),
    ]
    texts += [with_part(line, "shuffle", part(line, "shuffle").upper())]
    texts += [with_part(line, "plays", part(line, "plays") + " / 0:2C 3C 4C 5C")]
    leader = int(part(line, "plays")[0])
    texts += [with_part(line, "plays", str((leader + 1) % 4) + part(line, "plays")[1:])]
    texts += [with_part(line, "rules", part(line, "rules").replace(",", ", "))]
    for text in texts:
        with pytest.raises(RecordError) as refusal:
            parse_record(text)
        assert refusal.value.code == "not_exact", text


def test_only_a_finished_deal_is_recorded(line: str) -> None:
    deal = parse_record(line).deal
    with pytest.raises(IllegalAction):
        deal_record(DealState.start(deal.ruleset, deal.dealer, deal.dealt))
