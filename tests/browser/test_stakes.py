"""Four people and their coins: one wins the pot, a draw and the house's cancelling give every stake back."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

from playwright.sync_api import expect

from games import rules
from games.view import sorted_hand
from tests.browser.guest import Guest, take_turns
from tests.browser.house import House
from tests.browser.stored import MINUS

CALLS = (2, 3, 3, 2)  # by seat, as take_turns has people call
KAL = rules.PRESETS["kal"]


def outcome_of(seed: bytes, dealer: int) -> rules.Outcome:
    """How a match of one deal ends when everybody plays the first card in his hand that is allowed."""
    deal = rules.DealState.start(KAL, dealer, rules.shuffle(seed, 4))
    while deal.phase == "calling":
        assert deal.turn is not None
        deal = deal.call(deal.turn, CALLS[deal.turn])
    while deal.phase == "playing":
        assert deal.turn is not None
        legal = rules.cards_of(deal.legal().cards)
        deal = deal.play(
            deal.turn, next(card for card in sorted_hand(deal.hands[deal.turn]) if card in legal)
        )
    return rules.outcome(KAL, deal.scores())


def seed_for(kind: str, best: tuple[int, ...] | None = None) -> bytes:
    """The first seed from which the match ends in this way, and (if given) for these seats."""
    for number in count():
        seed = number.to_bytes(32, "big")
        found = outcome_of(seed, 0)
        if found.kind == kind and best in (None, found.best):
            return seed
    raise AssertionError


def code_of(guest: Guest) -> str:
    """The table whose page this is."""
    found = re.search(r"/t/(\w+)/", guest.page.url)
    assert found is not None
    return found[1]


def agree(guest: Guest) -> None:
    """Read the contract that is shown, and sit down."""
    expect(guest.page.get_by_role("heading", name="What is at stake")).to_be_visible()
    expect(guest.page.locator("main")).to_contain_text("every stake goes back")
    guest.page.get_by_role("button", name="Agree and sit down").click()
    guest.page.wait_for_url(re.compile(r"/t/\w+/$"))


def begun(four: list[Guest], house: House, seed: bytes) -> str:
    """All have sat down: deal from this seed, and let them see it; the table's code."""
    code = code_of(four[0])
    for each in four:
        expect(each.page.locator("#hand button")).to_have_count(13)
    house.desk("deal_from", code, seed.hex(), "0")
    for each in four:
        each.page.goto(f"/t/{code}/")
        expect(each.page.locator("#title")).to_contain_text("200 coins in the pot")
    return code


def rematch(four: list[Guest]) -> None:
    """The first asks for another match, the others join it, each by agreeing to its stake."""
    four[0].page.get_by_role("button", name="Play them again 50 coins each").click()
    expect(four[0].page.locator("#sum")).to_contain_text("1 of 4")
    for each in four[1:]:
        each.page.get_by_role("link", name="Join the rematch 50 coins each").click()
        agree(each)


def receipt(guest: Guest) -> dict[str, str]:
    """Who is left with how many coins, as the last page of the match says."""
    lines = guest.page.locator("#stage .receipt .gains > div")
    expect(lines).to_have_count(4)
    names, amounts = lines.locator("dt").all_inner_texts(), lines.locator("dd").all_inner_texts()
    told = zip(names, amounts, strict=True)
    return {guest.name if name == "You" else name: text.split()[0] for name, text in told}


def statement(guest: Guest) -> list[tuple[str, str]]:
    """What moved in and out of the wallet, the newest first."""
    guest.page.goto("/people/me/coins/")
    rows = guest.page.locator(".ledger tbody tr")
    kinds, moved = rows.locator("strong").all_inner_texts(), rows.locator("td.n:not(.left)").all_inner_texts()
    return list(zip(kinds, moved, strict=True))


def cancel_at_the_desk(owner: Guest, code: str) -> None:
    """Find the table at the desk, see what would move, and cancel its match."""
    page = owner.page
    page.goto(f"/desk/games/table/?q={code}")
    page.locator("#result_list tbody a").first.click()
    page.get_by_role("link", name="Cancel and refund").click()
    moves = page.locator(".moves")
    expect(moves.locator("tbody tr")).to_have_count(4)
    expect(moves.locator("tfoot")).to_contain_text("200")
    page.get_by_label("Reason").fill("The lights went out")
    page.get_by_role("button", name="Cancel the match").click()
    expect(page.locator(".messagelist")).to_contain_text("200 coins went back")


def test_four_people_stake_coins_on_three_matches(
    people: Callable[..., list[Guest]], guest: Callable[..., Guest], house: House
) -> None:
    four = people(4, reduced_motion="reduce")
    host = four[0]
    names = [each.name for each in four]

    # One opens a table for 50; the others find it in the lobby among those for 50, and agree to the contract.
    host.page.goto("/tables/new/?rules=kal&deals=1&pace=fast&name=For+fifty")
    host.page.get_by_text("Evening", exact=True).click()
    expect(host.page.locator("#c-seat_1 input:disabled")).not_to_have_count(0)
    expect(host.page.locator("#c-seat_1 input:enabled")).to_have_count(1)
    host.page.get_by_role("button", name="Open the table").click()
    agree(host)
    code = code_of(host)
    for number, each in enumerate(four[1:], start=2):
        each.page.goto("/")
        tables = each.page.get_by_role("navigation", name="Open tables by stake")
        tables.get_by_role("link", name="Friendly").click()
        expect(each.page.locator(f"#table-{code}")).to_have_count(0)
        tables.get_by_role("link", name="50 coins each").click()
        row = each.page.locator(f"#table-{code}")
        expect(row).to_contain_text("50 coins each")
        row.get_by_role("link", name="Sit down").click()
        each.page.get_by_role("link", name=f"Sit here on seat {number}").click()
        agree(each)

    # The second wins: he gets 200, and each has staked 50.
    assert begun(four, house, seed_for("won", (1,))) == code
    take_turns(four, CALLS)
    won = {name: "+150" if name == names[1] else f"{MINUS}50" for name in names}
    for each in four:
        expect(each.page.locator("#stage .receipt")).to_contain_text("The pot of 200 goes to")
        assert receipt(each) == won

    # Level at the top is a draw under Kal: all four get their 50 back.
    rematch(four)
    begun(four, house, seed_for("draw"))
    take_turns(four, CALLS)
    for each in four:
        expect(each.page.locator("#stage .receipt")).to_contain_text("every stake of 50 goes back")
        assert receipt(each) == dict.fromkeys(names, "0")

    # The house cancels a third one in the middle of a deal.
    rematch(four)
    code = begun(four, house, seed_for("draw"))
    for seat in (1, 2, 3, 0):  # clockwise from the dealer, who is seat 0
        four[seat].act(four[seat].wait_until("call", call=2))
    four[1].act(four[1].wait_until("play"))
    cancel_at_the_desk(guest("Maya", house.desk("owner", "Maya")), code)
    for each in four:
        expect(each.page.get_by_role("heading", name="The match was cancelled")).to_be_visible()
        expect(each.page.locator("#stage .receipt")).to_contain_text("The house cancelled the match")
        assert receipt(each) == dict.fromkeys(names, "0")

    # The statements show all of it, and the books are right.
    back = [("Stake given back", "+50"), ("Stake for a match", f"{MINUS}50")]
    for each in four:
        first = [("Won the pot", "+200")] if each is four[1] else []
        assert statement(each)[:-1] == [*back, *back, *first, ("Stake for a match", f"{MINUS}50")]
        expect(each.page.locator(".wallet")).to_contain_text("1,150" if each is four[1] else "950")
    expect(four[2].page.locator(".ledger")).to_contain_text("For fifty")
    house.desk("check_ledger")
