"""Deals played out by a rule of thumb, on integers alone: the engine of the stronger bots.

The functions here run as they stand, and `kernel` compiles the very same ones, so both ways decide alike. For
that they keep to 64-bit integers and flat lists of them, draw chance from a generator of their own, and never
add up fractions. What may be played is said by `games.rules`; `legal_cards` repeats it for speed and is held to
it by tests.

A trick is four numbers: the suit led (-1 before the lead), the highest card of that suit down, the highest spade
that cut it (-1: none), and who wins so far. A list called `rules` holds a ruleset as numbers, by the names below.
"""

PLAYERS, STEP, HEAD, CUT, OVERTRUMP, FORCED, SPADE_LEAD = 0, 1, 2, 3, 4, 5, 6
OVERTRICK, ALLOWED, BONUS_FROM, BONUS, SHORTFALL, TIE, LAST, EDGE = 7, 8, 9, 10, 11, 12, 13, 14
RULES = 15
NONE = 99
"""In `ALLOWED` and `BONUS_FROM`: there is no such limit."""
UNTIL_TRUMPED, ALWAYS = 1, 2
DRAW = 1

SEAT, LED, HIGH, TRUMP, WINNER, DOWN, LEFT, HAND, TURN, FIRST = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
POSITION = 10
"""The numbers of a position: what `choose` and `choose_call` are told of the moment."""

SUIT = 0x1FFF
SPADE_MASK = SUIT << 39
LOWEST_SPADE = 39
MASK32 = 0xFFFFFFFF

TOP = [number.bit_length() - 1 for number in range(1 << 13)]
"""By the 13 bits of a suit, its highest rank; -1 for none."""
LOW = [(number & -number).bit_length() - 1 for number in range(1 << 13)]
COUNT = [number.bit_count() for number in range(1 << 13)]

UNIT = 1024
"""A trick, in the measure that hands are valued in."""
HONOURS, LENGTHS, SIDES, CUTS = 0, 16, 30, 94
FEATURES = 112
"""Where the parts of a value table begin: the spade honours, the spades' number, a side suit's honours and length,
and a short side suit beside so many spades."""
FIT = 4096
"""The weight of a hand that fits its call as well as can be."""
MATCH = 500
"""What winning the match is worth in its last deal, in the measure of `utility`."""
STEPS, FRESH, WARM = 6, 100, 100
"""Steps of the walk from world to world; worlds until it starts afresh, and its steps then."""


def below(bound: int, chance: list[int]) -> int:
    """A number from 0 to below this small bound; `chance` holds the generator's state, which is never 0."""
    # Xorshift on 32 bits. A product that overflows 64 bits would be computed otherwise when compiled.
    state = chance[0]
    state ^= (state << 13) & MASK32
    state ^= state >> 17
    state ^= (state << 5) & MASK32
    chance[0] = state
    return (state * bound) >> 32


def lowest(cards: int) -> int:
    """The card with the lowest number; there is one."""
    for suit in range(4):
        bits = (cards >> (13 * suit)) & SUIT
        if bits:
            return 13 * suit + LOW[bits]
    return -1


def legal_cards(rules: list[int], hand: int, led: int, high: int, trump: int, first: int) -> int:
    """The legal cards of a hand; `first` is 1 for the lead to a deal's first trick."""
    if led < 0:
        if first and not rules[SPADE_LEAD] and hand & ~SPADE_MASK:
            return hand & ~SPADE_MASK
        return hand
    own = hand & (SUIT << (13 * led))
    if own:
        if rules[HEAD] == ALWAYS or (rules[HEAD] == UNTIL_TRUMPED and trump < 0):
            beaters = (own >> (high + 1)) << (high + 1)
            if beaters:
                return beaters
        return own
    spades = hand & SPADE_MASK
    if spades == 0:
        return hand
    winners = spades
    if trump >= 0:
        winners = (spades >> (trump + 1)) << (trump + 1)
    if not rules[CUT]:
        if rules[OVERTRUMP] and trump >= 0 and winners:
            return (hand & ~SPADE_MASK) | winners
        return hand
    if winners:
        return winners if rules[OVERTRUMP] else spades
    return spades if rules[FORCED] else hand


def excluded(rules: list[int], card: int, led: int, high: int, trump: int, first: int) -> int:
    """The cards that a seat cannot have held when it played this one: each would have forbidden it."""
    suit = card // 13
    if led < 0:
        if first and not rules[SPADE_LEAD] and suit == 3:
            return ~SPADE_MASK & ((1 << 52) - 1)
        return 0
    followed = SUIT << (13 * led)
    if suit == led:
        heads = rules[HEAD] == ALWAYS or (rules[HEAD] == UNTIL_TRUMPED and trump < 0)
        if heads and card < high:
            return (followed >> (high + 1)) << (high + 1)
        return 0
    if led == 3:
        return followed
    winners = SPADE_MASK
    if trump >= 0:
        winners = (SPADE_MASK >> (trump + 1) << (trump + 1)) & SPADE_MASK
    if suit == 3:
        if trump > card and rules[OVERTRUMP]:
            return followed | winners
        return followed
    if not rules[CUT]:
        return followed
    if rules[FORCED]:
        return followed | SPADE_MASK
    return followed | winners


def pick(
    rules: list[int],
    hand: int,
    legal: int,
    led: int,
    high: int,
    trump: int,
    others: int,
    wants: int,
    to_come: int,
    ruffs: int,
) -> int:
    """The rule of thumb: what to play, of at least two legal cards.

    `others` are the cards out in other hands, `wants` is 1 where another trick is welcome, `to_come` the number
    of seats still to play to the trick, `ruffs` the side suits (a bit each) one of those may cut.
    """
    if led < 0:
        return lead(hand, legal, others, wants, ruffs)
    own = (hand >> (13 * led)) & SUIT
    if own:
        suits = SUIT << (13 * led)
        winners = 0 if trump >= 0 else (legal >> (high + 1)) << (high + 1) & suits
    else:
        winners = legal & SPADE_MASK
        if trump >= 0:
            winners = (winners >> (trump + 1)) << (trump + 1)
    losers = legal & ~winners
    if wants:
        if winners:
            if to_come == 0:
                return lowest(winners)
            if own == 0:
                # A cut: cheap, unless a card that nobody can overtrump costs little more.
                return lowest(winners)
            over = TOP[(others >> (13 * led)) & SUIT] + 13 * led
            safe = (winners >> (over + 1)) << (over + 1)
            if safe and (led == 3 or losers == 0 or not (ruffs >> led) & 1):
                return lowest(safe)
            if losers == 0:
                return lowest(winners)
        return discard(hand, losers if losers else winners, others)
    if losers:
        if own:
            return 13 * led + TOP[(losers >> (13 * led)) & SUIT]
        return unload(losers, others)
    if to_come == 0 or own == 0:
        for suit in range(3, -1, -1):
            bits = (winners >> (13 * suit)) & SUIT
            if bits:
                return 13 * suit + TOP[bits] if to_come == 0 else 13 * suit + LOW[bits]
    return lowest(winners)


def lead(hand: int, legal: int, others: int, wants: int, ruffs: int) -> int:
    """The rule of thumb for a lead."""
    best, worth = -1, -1000
    spades, out = (hand >> 39) & SUIT, (others >> 39) & SUIT
    for suit in range(4):
        bits = (legal >> (13 * suit)) & SUIT
        if bits == 0:
            continue
        rest = (others >> (13 * suit)) & SUIT
        top, low, length = TOP[bits], LOW[bits], COUNT[bits]
        over = TOP[rest]
        if not wants:
            # Low, where others hold higher cards and will have to take it.
            card = low
            value = 40 * (1 if low < over else 0) + 2 * COUNT[rest >> (low + 1)] - low
        elif suit == 3:
            if top > over and out:
                # The best spade draws others'; with a long suit that is worth it.
                card, value = top, 30 if 2 * length > COUNT[out] else 6
            elif top > over:
                card, value = top, 25
            else:
                card, value = low, -30 - low
        elif top > over and (rest or out == 0):
            card = top
            value = 60 + 2 * COUNT[rest]
            if (ruffs >> suit) & 1 and out:
                value = -20
        else:
            # Towards a void that spades can use, not away from a card that may yet become the best.
            card = low
            value = 10 - low
            if length > 1 and COUNT[rest >> (top + 1)] == 1:
                value -= 8
            if spades == 0 or rest == 0:
                value -= 4
        if value > worth:
            best, worth = 13 * suit + card, value
    return best


def discard(hand: int, cards: int, others: int) -> int:
    """Of cards that will not win: the one of least use later."""
    best, least = -1, 1 << 30
    for suit in range(4):
        bits = (cards >> (13 * suit)) & SUIT
        if bits == 0:
            continue
        low = LOW[bits]
        held = (hand >> (13 * suit)) & SUIT
        rest = (others >> (13 * suit)) & SUIT
        cost = 4 * low + 2 * COUNT[held]
        if suit == 3:
            cost += 60
        elif low > TOP[rest]:
            cost += 30
        elif COUNT[held] == 2 and COUNT[rest >> (TOP[held] + 1)] == 1:
            cost += 14
        if cost < least:
            best, least = 13 * suit + low, cost
    return best


def unload(cards: int, others: int) -> int:
    """Of cards that will not win: the one that might win later, when that is not wanted."""
    best, most = -1, -1
    for suit in range(4):
        bits = (cards >> (13 * suit)) & SUIT
        if bits == 0:
            continue
        top = TOP[bits]
        rest = (others >> (13 * suit)) & SUIT
        danger = 4 * top + (40 if suit == 3 else 0) + 3 * COUNT[rest & ((1 << top) - 1)]
        if danger > most:
            best, most = 13 * suit + top, danger
    return best


def wanted(rules: list[int], call: int, took: int) -> int:
    """1 where a trick more is welcome: always, unless tricks above the call break it and it is made."""
    return 1 if rules[ALLOWED] == NONE or took < call else 0


def dangers(rules: list[int], voids: list[int], seat: int, to_come: int) -> int:
    """The side suits, a bit each, that one of the next seats is known to be out of while it may hold spades."""
    found = 0
    players, step = rules[PLAYERS], rules[STEP]
    for _ in range(to_come):
        seat += step
        if seat >= players:
            seat -= players
        if not voids[seat] & 8:
            found |= voids[seat]
    return found


def finish(
    rules: list[int],
    hands: list[int],
    voids: list[int],
    took: list[int],
    calls: list[int],
    left: int,
    turn: int,
    led: int,
    high: int,
    trump: int,
    winner: int,
    down: int,
    first: int,
) -> None:
    """Play a deal to its end by the rule of thumb; `hands`, `voids` and `took` become those of the end.

    `left` are all cards not yet played, `turn` the seat to play, `down` how many cards lie on the table.
    """
    players, step = rules[PLAYERS], rules[STEP]
    while down or hands[turn]:
        hand = hands[turn]
        legal = legal_cards(rules, hand, led, high, trump, first)
        if legal & (legal - 1):
            to_come = players - 1 - down
            ruffs = dangers(rules, voids, turn, to_come)
            wants = wanted(rules, calls[turn], took[turn])
            card = pick(rules, hand, legal, led, high, trump, left & ~hand, wants, to_come, ruffs)
        else:
            card = lowest(legal)
        first = 0
        hands[turn] = hand & ~(1 << card)
        left &= ~(1 << card)
        suit = card // 13
        if down == 0:
            led, high, winner = suit, card, turn
        elif suit == led:
            if card > high:
                high = card
                if trump < 0:
                    winner = turn
        else:
            voids[turn] |= 1 << led
            if suit == 3:
                if card > trump:
                    trump, winner = card, turn
            elif trump < 0 and rules[CUT]:
                voids[turn] |= 8
        down += 1
        if down == players:
            took[winner] += 1
            turn, down, led, high, trump = winner, 0, -1, -1, -1
        else:
            turn += step
            if turn >= players:
                turn -= players


def score(rules: list[int], call: int, took: int) -> int:
    """The tenths that a call scores with this many tricks."""
    over = took - call
    if over < 0:
        return 10 * over if rules[SHORTFALL] else -10 * call
    if over > rules[ALLOWED]:
        return -10 * call
    points = rules[BONUS] if call >= rules[BONUS_FROM] else call
    return 10 * points + rules[OVERTRICK] * over


def utility(rules: list[int], calls: list[int], took: list[int], totals: list[int], seat: int) -> int:
    """How good an end is for a seat: its score less half the mean of the others', times twice their number.

    In the last deal winning the match counts above all: `totals` are the tenths from before.
    """
    players = rules[PLAYERS]
    value, best, level = 0, -(1 << 40), 0
    mine = 0
    for other in range(players):
        tenths = score(rules, calls[other], took[other])
        value += 2 * (players - 1) * tenths if other == seat else -tenths
        total = totals[other] + tenths
        if other == seat:
            mine = total
        if total > best:
            best, level = total, 1
        elif total == best:
            level += 1
    if rules[LAST]:
        if level > 1 and rules[TIE] == DRAW:
            value += MATCH // players
        elif mine == best:
            value += MATCH // level
    return value


def value_of(table: list[int], hand: int) -> int:
    """What a dealt hand is worth by a value table, in units of `UNIT` a trick."""
    bits = (hand >> 39) & SUIT
    spades = COUNT[bits]
    value = table[HONOURS + (bits >> 9)] + table[LENGTHS + spades]
    few = spades if spades < 5 else 5
    for suit in range(3):
        bits = (hand >> (13 * suit)) & SUIT
        length = COUNT[bits]
        value += table[SIDES + 8 * (bits >> 10) + (length if length < 7 else 7)]
        if length < 3:
            value += table[CUTS + 6 * length + few]
    return value


def deal_out(
    rules: list[int],
    seat: int,
    tight: list[int],
    holders: list[int],
    needs: list[int],
    n_tight: int,
    loose: list[int],
    n_loose: int,
    counts: list[int],
    hands: list[int],
    room: list[int],
    rooms: list[int],
    chance: list[int],
) -> None:
    """Deal the cards this seat has not seen to the others, by what is known of them.

    `tight` are the cards that not everyone can hold, those with the fewest `holders` (a bit a seat) first;
    `needs[32 * i + seats]` says how many of the tight cards after the i-th only these seats can hold, so that no
    choice ever leaves a card without a place. `room` and `rooms` (by set of seats) are working space.
    """
    players = rules[PLAYERS]
    total = 0
    for other in range(players):
        if other != seat:
            hands[other] = 0
            room[other] = counts[other]
            total += counts[other]
        else:
            room[other] = 0
    if n_tight:
        for seats in range(1 << players):
            places = 0
            for other in range(players):
                if (seats >> other) & 1:
                    places += room[other]
            rooms[seats] = places
    for index in range(n_tight):
        who, fits = 0, 0
        for other in range(players):
            if not (holders[index] >> other) & 1 or room[other] == 0:
                continue
            possible = 1
            for seats in range(1 << players):
                if (seats >> other) & 1 and rooms[seats] - 1 < needs[32 * index + seats]:
                    possible = 0
                    break
            if possible:
                fits += room[other]
                if below(fits, chance) < room[other]:
                    who = other
        hands[who] |= 1 << tight[index]
        room[who] -= 1
        total -= 1
        for seats in range(1 << players):
            if (seats >> who) & 1:
                rooms[seats] -= 1
    for index in range(n_loose):
        drawn = below(total, chance)
        who = 0
        while drawn >= room[who]:
            drawn -= room[who]
            who += 1
        hands[who] |= 1 << loose[index]
        room[who] -= 1
        total -= 1


def fit(hand: int, call: int, table: list[int], centres: list[int], fits: list[int]) -> int:
    """How well a dealt hand fits its call, up to `FIT`; anything fits a call that is not made yet (0)."""
    if call == 0:
        return FIT
    off = value_of(table, hand) - centres[call]
    if off < 0:
        off = -off
    step = off >> 6
    return fits[step if step < 63 else 63]


def another(
    rules: list[int],
    seat: int,
    number: int,
    tight: list[int],
    holders: list[int],
    needs: list[int],
    n_tight: int,
    loose: list[int],
    n_loose: int,
    counts: list[int],
    allowed: list[int],
    played: list[int],
    calls: list[int],
    table: list[int],
    centres: list[int],
    fits: list[int],
    hands: list[int],
    room: list[int],
    rooms: list[int],
    chance: list[int],
) -> None:
    """Put another world into `hands`: the next step of a walk among those that are possible.

    Two hidden cards in two hands change places, where both can be there, with the chance that the world then fits
    the calls as well as before; so worlds come up as often as they fit. Now and then the walk starts afresh.
    """
    steps = STEPS
    if number % FRESH == 0:
        deal_out(
            rules, seat, tight, holders, needs, n_tight, loose, n_loose, counts, hands, room, rooms, chance
        )
        steps = WARM
    hidden = n_tight + n_loose
    if hidden == 0:
        return
    for other in range(rules[PLAYERS]):
        if other != seat:
            room[other] = fit(hands[other] | played[other], calls[other], table, centres, fits)
    for _ in range(steps):
        index = below(hidden, chance)
        one = 1 << (tight[index] if index < n_tight else loose[index - n_tight])
        index = below(hidden, chance)
        two = 1 << (tight[index] if index < n_tight else loose[index - n_tight])
        here, there = -1, -1
        for other in range(rules[PLAYERS]):
            if other != seat:
                if hands[other] & one:
                    here = other
                if hands[other] & two:
                    there = other
        if here == there or not allowed[here] & two or not allowed[there] & one:
            continue
        first = hands[here] ^ (one | two)
        second = hands[there] ^ (one | two)
        fit_first = fit(first | played[here], calls[here], table, centres, fits)
        fit_second = fit(second | played[there], calls[there], table, centres, fits)
        before, after = room[here] * room[there], fit_first * fit_second
        if after < before:
            # Only the ratio counts, brought to numbers that the generator can draw below.
            while before >= FIT:
                before >>= 1
                after >>= 1
            if below(before, chance) >= after:
                continue
        hands[here], hands[there] = first, second
        room[here], room[there] = fit_first, fit_second


def choose(
    rules: list[int],
    position: list[int],
    calls: list[int],
    took: list[int],
    totals: list[int],
    voids: list[int],
    played: list[int],
    counts: list[int],
    allowed: list[int],
    tight: list[int],
    holders: list[int],
    needs: list[int],
    n_tight: int,
    loose: list[int],
    n_loose: int,
    table: list[int],
    centres: list[int],
    fits: list[int],
    cards: list[int],
    n_cards: int,
    worlds: int,
    chance: list[int],
    sums: list[int],
    space: list[int],
    hands: list[int],
    room: list[int],
    rooms: list[int],
    ends: list[int],
    known: list[int],
) -> None:
    """Add up, by card, how well each ends over so many worlds.

    The last six lists are working space of `PLAYERS` numbers (`rooms`: 32).
    """
    players = rules[PLAYERS]
    seat = position[SEAT]
    for number in range(worlds):
        another(
            rules, seat, number, tight, holders, needs, n_tight, loose, n_loose, counts, allowed, played, calls,
            table, centres, fits, hands, room, rooms, chance,
        )  # fmt: skip
        for index in range(n_cards):
            card = cards[index]
            for other in range(players):
                space[other] = hands[other]
                ends[other] = took[other]
                known[other] = voids[other]
            hand = position[HAND] & ~(1 << card)
            space[seat] = hand
            led, high, trump = position[LED], position[HIGH], position[TRUMP]
            winner, down = position[WINNER], position[DOWN]
            suit = card // 13
            if down == 0:
                led, high, winner = suit, card, seat
            elif suit == led:
                if card > high:
                    high = card
                    if trump < 0:
                        winner = seat
            else:
                known[seat] |= 1 << led
                if suit == 3 and card > trump:
                    trump, winner = card, seat
            down += 1
            if down == players:
                ends[winner] += 1
                turn, down, led, high, trump = winner, 0, -1, -1, -1
            else:
                turn = seat + rules[STEP]
                if turn >= players:
                    turn -= players
            left = position[LEFT] & ~(1 << card)
            finish(rules, space, known, ends, calls, left, turn, led, high, trump, winner, down, 0)
            sums[index] += utility(rules, calls, ends, totals, seat)


def choose_call(
    rules: list[int],
    position: list[int],
    calls: list[int],
    totals: list[int],
    counts: list[int],
    allowed: list[int],
    loose: list[int],
    n_loose: int,
    table: list[int],
    centres: list[int],
    fits: list[int],
    by_value: list[int],
    options: list[int],
    n_options: int,
    worlds: int,
    chance: list[int],
    sums: list[int],
    space: list[int],
    hands: list[int],
    room: list[int],
    rooms: list[int],
    ends: list[int],
    known: list[int],
    played: list[int],
    said: list[int],
    tricks: list[int],
) -> None:
    """Add up, by call, how well each ends over so many worlds.

    Seats that have not called yet are taken to call what `by_value` says of their hand (an eighth of a trick a
    step). `tricks[n]` counts the worlds in which n tricks were taken with the first option.
    """
    players = rules[PLAYERS]
    seat = position[SEAT]
    for number in range(worlds):
        another(
            rules, seat, number, loose, loose, loose, 0, loose, n_loose, counts, allowed, played, calls,
            table, centres, fits, hands, room, rooms, chance,
        )  # fmt: skip
        for other in range(players):
            said[other] = calls[other]
            if other != seat and calls[other] == 0:
                step = value_of(table, hands[other]) >> 7
                said[other] = by_value[0 if step < 0 else step if step < 143 else 143]
        for index in range(n_options):
            said[seat] = options[index]
            # Where every trick is welcome all calls are played alike, so once is enough.
            if index == 0 or rules[ALLOWED] != NONE:
                for other in range(players):
                    space[other] = hands[other]
                    ends[other] = 0
                    known[other] = 0
                space[seat] = position[HAND]
                finish(rules, space, known, ends, said, position[LEFT], position[TURN], -1, -1, -1, 0, 0, 1)
                if index == 0:
                    tricks[ends[seat]] += 1
                # The seat will play better than the rule of thumb: now and then that is a trick more.
                if below(256, chance) < rules[EDGE]:
                    for other in range(players):
                        if other != seat and ends[other] > 0 and ends[other] > said[other]:
                            ends[other] -= 1
                            ends[seat] += 1
                            break
            sums[index] += utility(rules, said, ends, totals, seat)


def random_deals(rules: list[int], cards: list[int], n_cards: int, deals: int, chance: list[int]) -> int:
    """Play out so many random deals with random legal cards; for measuring speed. Returns a checksum."""
    players, step = rules[PLAYERS], rules[STEP]
    hands = [0, 0, 0, 0, 0]
    checksum = 0
    for _ in range(deals):
        for place in range(n_cards - 1, 0, -1):
            other = below(place + 1, chance)
            cards[place], cards[other] = cards[other], cards[place]
        for seat in range(players):
            hands[seat] = 0
        for place in range(n_cards):
            hands[place % players] |= 1 << cards[place]
        turn, led, high, trump, winner, down, first = 0, -1, -1, -1, 0, 0, 1
        while down or hands[turn]:
            legal = legal_cards(rules, hands[turn], led, high, trump, first)
            first = 0
            number = 0
            for suit in range(4):
                number += COUNT[(legal >> (13 * suit)) & SUIT]
            for _skip in range(below(number, chance)):
                legal &= legal - 1
            card = lowest(legal)
            hands[turn] &= ~(1 << card)
            suit = card // 13
            if down == 0:
                led, high, winner = suit, card, turn
            elif suit == led:
                if card > high:
                    high = card
                    if trump < 0:
                        winner = turn
            elif suit == 3 and card > trump:
                trump, winner = card, turn
            down += 1
            if down == players:
                checksum += winner
                turn, down, led, high, trump = winner, 0, -1, -1, -1
            else:
                turn += step
                if turn >= players:
                    turn -= players
    return checksum


def thumb_deals(
    rules: list[int],
    cards: list[int],
    n_cards: int,
    deals: int,
    calls: list[int],
    chance: list[int],
    dealt: list[int],
    tricks: list[int],
) -> int:
    """Play out so many random deals by the rule of thumb, all with the same calls; seat 0 leads.

    Where `dealt` is long enough it gets every hand, and `tricks` what it took: what value tables are fitted to.
    Returns a checksum.
    """
    players = rules[PLAYERS]
    hands = [0, 0, 0, 0, 0]
    voids = [0, 0, 0, 0, 0]
    took = [0, 0, 0, 0, 0]
    left = 0
    for place in range(n_cards):
        left |= 1 << cards[place]
    checksum = 0
    for number in range(deals):
        for place in range(n_cards - 1, 0, -1):
            other = below(place + 1, chance)
            cards[place], cards[other] = cards[other], cards[place]
        for seat in range(players):
            hands[seat], voids[seat], took[seat] = 0, 0, 0
        for place in range(n_cards):
            hands[place % players] |= 1 << cards[place]
        keep = players * (number + 1) <= len(dealt)
        if keep:
            for seat in range(players):
                dealt[players * number + seat] = hands[seat]
        finish(rules, hands, voids, took, calls, left, 0, -1, -1, -1, 0, 0, 1)
        if keep:
            for seat in range(players):
                tricks[players * number + seat] = took[seat]
        checksum += took[0]
    return checksum


FUNCTIONS = (
    "below",
    "lowest",
    "legal_cards",
    "excluded",
    "lead",
    "discard",
    "unload",
    "pick",
    "wanted",
    "dangers",
    "finish",
    "score",
    "utility",
    "value_of",
    "deal_out",
    "fit",
    "another",
    "choose",
    "choose_call",
    "random_deals",
    "thumb_deals",
)
"""What is compiled, each after those it calls."""
TABLES = ("TOP", "LOW", "COUNT")
