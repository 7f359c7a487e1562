"""What moves on the table, as a real browser reads the styles."""

from __future__ import annotations

from pathlib import Path

import pytest

STYLES = Path(__file__).resolve().parents[2] / "static" / "css"


@pytest.mark.browser
def test_every_card_of_a_taken_trick_leaves(chromium: str) -> None:
    """The card played last too: it arrives, and then goes with the others to the winner."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.set_content(
            '<main class="board"><section class="arena of4"><div class="trick to-p1">'
            '<span class="card s full f-p1 z1"></span><span class="card s full f-me z4 fresh"></span>'
            "</div></section></main>"
        )
        for name in ("tokens", "components", "table"):
            page.add_style_tag(path=STYLES / f"{name}.css")
        moves = page.eval_on_selector_all(
            ".trick .card", "cards => cards.map(card => getComputedStyle(card).animationName)"
        )
        page.wait_for_function(
            "[...document.querySelectorAll('.trick .card')].every(c => getComputedStyle(c).opacity === '0')"
        )
        browser.close()
    assert moves == ["gather", "arrive, gather"]
