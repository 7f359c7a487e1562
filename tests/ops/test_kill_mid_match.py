"""Each process of a running house killed in the middle of a match: nothing is lost, doubled or scored wrong."""

from __future__ import annotations

import html
import re
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.house import ROLES, House
from tests.browser.stored import MINUS
from tests.ops.running import wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
SOME = 12  # actions between a kill and the next


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house that moves fast, though not so fast that a match is over before all kills are done."""
    running = House(tmp_path / "data", PACE="0.06")
    try:
        running.address()
        yield running
        running.close()
    finally:
        running.kill()


def sheet(house: House, code: str) -> dict[str, str]:
    """The totals by name on the table's page, as anybody sees it."""

    def look() -> str | None:
        try:
            with urllib.request.urlopen(f"{house.address()}/t/{code}/", timeout=20) as answer:
                return str(answer.read().decode())
        except OSError:
            return None

    page = wait_for(look, "the table's page")
    table = re.findall(r'<table class="sheet-table">.*?</table>', page, re.S)[0]
    names = re.findall(r'<th scope="col">(.*?)</th>', table)[1:]
    foot = re.findall(r"<tfoot>.*?</tfoot>", table, re.S)[0]
    totals = re.findall(rf"<td[^>]*>([{MINUS}0-9.]+)", foot)
    return {html.unescape(name): total for name, total in zip(names, totals, strict=True)}


def test_a_match_survives_the_death_of_every_process(house: House) -> None:
    code = house.desk("bots_only", "kal", "fast")

    def further(than: int) -> bool:
        return len(house.match(code).actions) >= than

    for role in ROLES:
        done = len(house.match(code).actions)
        wait_for(lambda done=done: further(done + SOME), f"play before {role} is killed")
        house.kill_one(role)
        match = house.match(code)
        assert match.status == "playing", "the match was over too soon for this test"
        assert match.folded
        done = len(match.actions)
        wait_for(lambda done=done: further(done + SOME), f"play after {role} was killed\n{house.told()}")
    wait_for(lambda: house.match(code).status == "finished", "the end of the match")
    match = house.match(code)
    match.check_finished()
    assert len(match.actions) == 5 * (4 + 52)
    assert sheet(house, code) == match.totals
