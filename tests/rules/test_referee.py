"""The engine against the slow referee: whole random deals and matches, and positions made up at random."""

import random
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import (
    PRESETS,
    DealState,
    Duty,
    Hand,
    IllegalAction,
    LegalPlays,
    Ruleset,
    best_card,
    card_text,
    clock_call,
    deal_score,
    deck,
    hand_of,
    hand_text,
    legal_plays,
    lowest_card,
    match_over,
    next_dealer,
    outcome,
    parse_card,
    redeal_reason,
    tenths_text,
    tricks_in_deal,
    winning_index,
)
from tests.rules import referee
from tests.rules.strategies import SEEDS, examples, rulesets


def texts(hand: Hand) -> set[str]:
    return set(hand_text(hand).split())


def to_hand(cards: list[str]) -> Hand:
    return hand_of(parse_card(card) for card in cards)


def allowed_by(plays: LegalPlays, hand: list[str]) -> set[str]:
    """The cards of a hand that the obligation, read as a sentence, allows."""
    asked = plays.obligation
    beat = None if asked.beat is None else card_text(asked.beat)
    suit = None if asked.suit is None else "CDHS"[asked.suit]
    if asked.duty is Duty.FREE:
        return {card for card in hand if beat is None or card[1] != "S" or referee.higher(card, beat)}
    if asked.duty is Duty.NO_SPADE_LEAD:
        return {card for card in hand if card[1] != "S"}
    return {card for card in hand if card[1] == suit and (beat is None or referee.higher(card, beat))}


def compare_position(
    ruleset: Ruleset, rules: referee.Rules, hand: list[str], trick: list[str], first_lead: bool
) -> list[str]:
    """Both on one position; gives the legal cards."""
    position = f"{rules} hand={hand} trick={trick} first_lead={first_lead}"
    plays = legal_plays(ruleset, to_hand(hand), [parse_card(card) for card in trick], first_lead=first_lead)
    legal = referee.legal_cards(rules, hand, trick, first_lead)
    assert legal, position
    assert texts(plays.cards) == set(legal), position
    duty, beat = referee.duty(rules, hand, trick, first_lead)
    asked = plays.obligation
    assert (asked.duty, asked.beat) == (duty, beat and parse_card(beat)), position
    assert allowed_by(plays, hand) == set(legal), position
    led = trick[0][1] if trick else None
    void = led if led is not None and not referee.of_suit(hand, led) else None
    assert asked.void == (None if void is None else "CDHS".index(void)), position
    assert card_text(lowest_card(plays.cards)) == referee.clock_card(legal), position
    return legal


def play_deal(ruleset: Ruleset, players: int, dealer: int, luck: random.Random) -> tuple[int, ...]:
    """A random deal in which both agree on everything; gives its scores in tenths."""
    rules = ruleset.to_dict()
    pack = referee.pack(players)
    luck.shuffle(pack)
    hands = [pack[seat::players] for seat in range(players)]
    assert (redeal_reason(ruleset, [to_hand(hand) for hand in hands]) is None) != referee.redeal(rules, hands)

    deal = DealState.start(ruleset, dealer, tuple(to_hand(hand) for hand in hands))
    seat = first = referee.next_to_act(rules, dealer, players)
    calls = {}
    for _ in range(players):
        assert (deal.phase, deal.turn) == ("calling", seat)
        allowed = referee.calls_allowed(rules, players)
        assert list(ruleset.call_range(players)) == allowed
        assert clock_call(ruleset, deal.hands[seat], players) == referee.clock_call(
            rules, hands[seat], players
        )
        calls[seat] = luck.choice(allowed)
        deal = deal.call(seat, calls[seat])
        seat = referee.next_to_act(rules, seat, players)
    assert deal.order()[0] == first
    assert deal.order()[-1] == dealer
    assert list(deal.order()) == list(calls)

    seat = first
    took = [0] * players
    for number in range(tricks_in_deal(players)):
        trick: list[str] = []
        seats: list[int] = []
        for place in range(players):
            assert (deal.phase, deal.turn) == ("playing", seat)
            assert [card_text(card) for _, card in deal.trick] == trick
            legal = compare_position(ruleset, rules, hands[seat], trick, number == 0 and place == 0)
            assert texts(deal.legal().cards) == set(legal)
            for card in luck.sample(hands[seat], 1):
                if card not in legal:
                    with pytest.raises(IllegalAction) as refusal:
                        deal.play(seat, parse_card(card))
                    assert refusal.value.code == "not_legal"
            card = luck.choice(legal)
            deal = deal.play(seat, parse_card(card))
            hands[seat].remove(card)
            trick.append(card)
            seats.append(seat)
            assert [texts(hand) for hand in deal.hands] == [set(hand) for hand in hands]
            seat = referee.next_to_act(rules, seat, players)
        seat = seats[referee.winner(trick)]
        took[seat] += 1
        assert list(deal.took) == took
        assert deal.last_winner == seat
        assert [(who, card_text(card)) for who, card in deal.last_trick] == list(
            zip(seats, trick, strict=True)
        )
    assert (deal.phase, deal.turn) == ("over", None)
    points = [referee.score(rules, calls[seat], took[seat]) for seat in range(players)]
    assert [Decimal(score) / 10 for score in deal.scores()] == points
    return deal.scores()


@pytest.mark.parametrize("name", PRESETS)
@examples(30)
@given(seed=SEEDS)
def test_whole_deals_of_every_preset(name: str, seed: int) -> None:
    luck = random.Random(seed)
    for players in PRESETS[name].players:
        for _ in range(4 // len(PRESETS[name].players) + 1):
            play_deal(PRESETS[name], players, luck.randrange(players), luck)


@examples(200)
@given(ruleset=rulesets(), seed=SEEDS)
def test_whole_deals_of_house_rulesets(ruleset: Ruleset, seed: int) -> None:
    luck = random.Random(seed)
    players = luck.choice(ruleset.players)
    play_deal(ruleset, players, luck.randrange(players), luck)


def made_up(players: int, luck: random.Random) -> tuple[list[str], list[str]]:
    """A hand and a trick with many voids, cuts and spades in them."""
    pack = referee.pack(players)
    luck.shuffle(pack)
    led, other = luck.sample("CDHS", 2)
    likely = [card for card in pack if card[1] in (led, other, "S")]
    trick = [next(card for card in likely if card[1] == led)]
    trick += luck.sample([card for card in likely if card not in trick], luck.randrange(players - 1))
    held = [card for card in pack if card not in trick and (card[1] != led or luck.random() < 0.2)]
    hand = luck.sample(held, luck.randint(1, tricks_in_deal(players)))
    return hand, ([] if luck.random() < 0.05 else trick)


@examples(200)
@given(ruleset=rulesets() | st.sampled_from(list(PRESETS.values())), seed=SEEDS)
def test_positions_made_up_at_random(ruleset: Ruleset, seed: int) -> None:
    luck = random.Random(seed)
    rules = ruleset.to_dict()
    players = luck.choice(ruleset.players)
    for _ in range(150):
        hand, trick = made_up(players, luck)
        compare_position(ruleset, rules, hand, trick, first_lead=not trick and luck.random() < 0.5)
        if trick:
            cards = [parse_card(card) for card in trick]
            assert winning_index(cards) == referee.winner(trick)
            assert best_card(cards) == cards[referee.winner(trick)]


@examples(100)
@given(ruleset=rulesets() | st.sampled_from(list(PRESETS.values())))
def test_every_score(ruleset: Ruleset) -> None:
    rules = ruleset.to_dict()
    for players in ruleset.players:
        for call in referee.calls_allowed(rules, players):
            for took in range(tricks_in_deal(players) + 1):
                tenths = deal_score(ruleset, call, took)
                points = referee.score(rules, call, took)
                assert tenths == points * 10
                assert tenths_text(tenths) == f"{points:.1f}"


def play_match(ruleset: Ruleset, players: int, length: int, luck: random.Random) -> None:
    rules = ruleset.to_dict()
    dealer = luck.randrange(players)
    scores: list[tuple[int, ...]] = []
    sheet: list[list[Decimal]] = []
    # Some rulesets, such as one with a single call allowed that nobody can make, leave all level for ever.
    while not referee.is_over(rules, length, sheet) and len(sheet) < length + 5:
        assert not match_over(ruleset, length, scores)
        scores.append(play_deal(ruleset, players, dealer, luck))
        sheet.append([Decimal(score) / 10 for score in scores[-1]])
        following = referee.next_to_deal(rules, dealer, players)
        assert next_dealer(ruleset, players, dealer) == following
        dealer = following
    assert match_over(ruleset, length, scores) == referee.is_over(rules, length, sheet)
    if referee.is_over(rules, length, sheet):
        end = outcome(ruleset, [sum(column) for column in zip(*scores, strict=True)])
        assert (end.kind, list(end.best)) == referee.ending(rules, referee.add_up(sheet))


@pytest.mark.parametrize("name", PRESETS)
@examples(3)
@given(seed=SEEDS)
def test_whole_matches_of_every_preset(name: str, seed: int) -> None:
    luck = random.Random(seed)
    ruleset = PRESETS[name]
    play_match(ruleset, luck.choice(ruleset.players), luck.choice(ruleset.deals), luck)


@examples(15)
@given(ruleset=rulesets(), seed=SEEDS)
def test_whole_matches_of_house_rulesets(ruleset: Ruleset, seed: int) -> None:
    luck = random.Random(seed)
    play_match(ruleset, luck.choice(ruleset.players), luck.randint(1, 4), luck)


@examples(300)
@given(
    ruleset=rulesets(),
    length=st.integers(1, 4),
    scores=st.integers(3, 5).flatmap(
        lambda players: st.lists(st.tuples(*[st.integers(-1, 2)] * players), max_size=6)
    ),
)
def test_score_sheets_full_of_ties(ruleset: Ruleset, length: int, scores: list[tuple[int, ...]]) -> None:
    rules = ruleset.to_dict()
    sheet = [[Decimal(score) / 10 for score in row] for row in scores]
    over = referee.is_over(rules, length, sheet)
    assert match_over(ruleset, length, scores) == over
    if over:
        end = outcome(ruleset, [sum(column) for column in zip(*scores, strict=True)])
        assert (end.kind, list(end.best)) == referee.ending(rules, referee.add_up(sheet))


@examples(100)
@given(ruleset=rulesets(), seed=SEEDS)
def test_redeals(ruleset: Ruleset, seed: int) -> None:
    luck = random.Random(seed)
    rules: referee.Rules = ruleset.to_dict()
    for players in (3, 4, 5):
        pack = referee.pack(players)
        luck.shuffle(pack)
        # Half in order, so that hands lack spades or hold all aces often enough.
        if luck.random() < 0.5:
            key = luck.choice(
                [lambda card: card[1] == "S", lambda card: card[0] in "AKQ", lambda card: card[0] == "A"]
            )
            half = len(pack) // 2
            pack[:half] = sorted(pack[:half], key=key)
        size = tricks_in_deal(players)
        hands = [pack[start : start + size] for start in range(0, len(pack), size)]
        reasons = [
            reason for reason in rules["redeal"] if any(referee.has_reason(reason, hand) for hand in hands)
        ]
        assert redeal_reason(ruleset, [to_hand(hand) for hand in hands]) == (reasons[0] if reasons else None)
        assert referee.redeal(rules, hands) == bool(reasons)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_deck(players: int) -> None:
    assert [card_text(card) for card in deck(players)] == referee.pack(players)
