"""Somebody with a browser: what he can do at a table by looking and clicking, and what his browser complains of."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import (
    APIResponse,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Response,
    WebError,
    expect,
)

from tests.browser.house import House
from tests.browser.stored import MINUS

# A policy's violation as a line of the console, whatever the browser itself says of it.
TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
});
"""

# Functions of the page. ``moment`` is what the table asks of the viewer now, and how to tell this moment from the
# next; ``reach`` is a point of an element that a pointer can reach (cards overlap), tried from its left edge on.
LOOK = """
  const at = (id) => document.getElementById(id);
  const find = (selector) => document.querySelector(selector);
  const CARD = "#hand button:not([type=button]):not([aria-disabled])";

  function moment() {
    const stage = at("stage");
    const ask =
      stage.classList.contains("scored") ? (find("#stage form[action$='/next_deal/']") ? "next" : "wait") :
      stage.classList.contains("finished") ? "finished" :
      find("#duty .calls button") ? "call" : find(CARD) ? "play" : "wait";
    const number = find("#duty [name=number], #hand [name=number]");
    const deal = find("#duty [name=deal], #hand [name=deal], #stage [name=deal]");
    return `${ask} ${at("turn").className.replace("turn-", "")} ${deal?.value} ${number?.value}`;
  }

  function reach(element) {
    const box = element.getBoundingClientRect();
    for (const down of [0.3, 0.5, 0.15, 0.7, 0.9]) {
      for (let across = 0.06; across < 1; across += 0.06) {
        const [x, y] = [box.left + across * box.width, box.top + down * box.height];
        if (document.elementFromPoint(x, y)?.closest("button") === element) return {x, y};
      }
    }
    return null;
  }
"""
# Waits in the page, which costs one call: until it asks for one of these in another moment than the one given, and
# until what is to be clicked then rests where a pointer can reach it.
WAIT = (
    "([asks, but, call, patience]) => {"
    + LOOK
    + """
  const clickable = { call: `#duty .calls button[value="${call}"]`, play: CARD };
  return new Promise((found, failed) => {
    const end = Date.now() + patience;
    let before = null;
    function look() {
      const now = moment();
      const ask = now.split(" ")[0];
      if (asks.includes(ask) && now !== but) {
        const target = clickable[ask] && find(clickable[ask]);
        const point = target ? reach(target) : {x: 0, y: 0};
        if (point && before && point.x === before.x && point.y === before.y) return found({now, ...point});
        before = point;
      } else {
        before = null;
      }
      if (Date.now() > end) return failed(new Error(`waited for ${asks} in vain; the page says: ${now}`));
      setTimeout(look, 20);
    }
    look();
  });
}"""
)


@dataclass(frozen=True)
class Moment:
    """What a page asks for ("call", "play", "next", "finished" or "wait"), whose turn it is ("me", "p1" ..., "none"),
    and where to click for it."""

    text: str
    x: float
    y: float

    @property
    def ask(self) -> str:
        """What is asked."""
        return self.text.split()[0]

    @property
    def place(self) -> str:
        """Whose turn it is, as seen from here."""
        return self.text.split()[1]

    @property
    def deal(self) -> int:
        """The deal's number, where something is asked."""
        return int(self.text.split()[2])


class Guest:
    """A person, or a stranger without a name, in a browser of his own."""

    def __init__(self, house: House, context: BrowserContext, name: str, key: str) -> None:
        self.house = house
        self.context = context
        self.name = name
        self.key = key
        self.complaints: list[str] = []
        self.forgiven: list[str] = []
        self.tables: set[str] = set()
        if key:
            cookie: Any = {"name": "sessionid", "value": key, "url": house.address(), "httpOnly": True}
            context.add_cookies([cookie])
        context.add_init_script(TELL_VIOLATIONS)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)
        context.on("response", self._response)
        self.page = context.new_page()

    # ------------------------------------------------------------ complaints

    def forgive(self, *patterns: str) -> None:
        """From now on expect complaints with one of these patterns."""
        self.forgiven += patterns

    def _complain(self, what: str) -> None:
        if not any(re.search(pattern, what) for pattern in self.forgiven):
            self.complaints.append(f"{self.name or 'a stranger'}: {what}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complain(f"console: {message.text} {message.location.get('url', '')}")

    def _error(self, error: WebError) -> None:
        self._complain(f"script: {error.error}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.house.address() + "/", "data:")):
            self._complain(f"asks elsewhere: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 500:
            self._complain(f"{response.status} for {response.url}")

    def go(self) -> None:
        """Close the browser."""
        self.context.close()

    def send(self, code: str, verb: str, **fields: str) -> APIResponse:
        """Post a form to a table beside its page, as a page of this browser might have."""
        cookies = {cookie.get("name"): cookie.get("value", "") for cookie in self.context.cookies()}
        token = {"X-CSRFToken": cookies.get("csrftoken", "")}
        return self.context.request.post(
            f"/t/{code}/{verb}/", form=dict(fields), headers=token, max_redirects=0
        )

    def take_leave(self) -> None:
        """Stop matches and free seats, so that no other test meets what this one leaves behind."""
        for code in self.tables if self.key else ():
            self.send(code, "cancel", agree="1")
            self.send(code, "leave")

    # ------------------------------------------------------------ tables

    def open_table(self, **choices: str) -> str:
        """Open a table by the form, filled in from the address as a link may do; its code."""
        self.page.goto(f"/tables/new/?{urlencode({'pace': 'fast', **choices})}")
        self.page.get_by_role("button", name="Open the table").click()
        self.page.wait_for_url(re.compile(r"/t/\w+/$"))
        code = self.page.url.rstrip("/").rpartition("/")[2]
        self.tables.add(code)
        return code

    def visit(self, code: str) -> Page:
        """Come to a table."""
        self.tables.add(code)
        self.page.goto(f"/t/{code}/")
        return self.page

    def sit(self, number: int) -> None:
        """Sit down at an open table on this seat, counted from 1 as people do."""
        self.page.get_by_role("button", name=f"Sit here on seat {number}").click()
        expect(self.page.locator("#mine .name").first).to_contain_text("You")

    # ------------------------------------------------------------ play

    def wait_until(
        self, *asks: str, but: Moment | None = None, call: int = 2, page: Page | None = None
    ) -> Moment:
        """Wait until the page asks for one of these, in another moment than ``but``."""
        told = [list(asks), but.text if but else None, call, 30_000]
        found = (page or self.page).evaluate(WAIT, told)
        return Moment(found["now"], found["x"], found["y"])

    def calls(self, page: Page | None = None) -> Locator:
        """The buttons to call with."""
        return (page or self.page).locator("#duty .calls button")

    def cards(self, page: Page | None = None) -> Locator:
        """The cards that may be played now."""
        return (page or self.page).locator("#hand button:not([type=button]):not([aria-disabled])")

    def press(self, card: Locator, **how: Any) -> None:
        """Click a card where it can be reached."""
        point = card.evaluate(
            f"(card) => {{ {LOOK} const box = card.getBoundingClientRect(); const point = reach(card);"
            "return point && {x: point.x - box.left, y: point.y - box.top}; }"
        )
        assert point is not None, f"{card.get_attribute('id')} cannot be reached by a pointer"
        card.click(position=point, **how)

    def act(self, now: Moment, page: Page | None = None) -> None:
        """Do what is asked: make the call that was looked for, play the first card allowed, or press Next."""
        page = page or self.page
        if now.ask in ("call", "play"):
            page.mouse.click(now.x, now.y)
        else:
            page.get_by_role("button", name="Next deal").click()

    def play_on(self, until: Callable[[Moment], bool] | None = None, call: int = 2) -> Moment:
        """Act whenever asked, to the end of the match or until a moment of this kind; that moment."""
        now: Moment | None = None
        while True:
            now = self.wait_until("call", "play", "next", "finished", but=now, call=call)
            if now.ask == "finished" or (until is not None and until(now)):
                return now
            self.act(now)

    # ------------------------------------------------------------ sheets

    def sheet(self) -> dict[str, str]:
        """The totals by name on the whole sheet at the end."""
        table = self.page.locator("#stage .sheet-table:not(.deal-table)")
        names = table.locator("thead th").all_inner_texts()[1:]
        totals = [
            re.sub(rf"[^{MINUS}0-9.]", "", text) for text in table.locator("tfoot td").all_inner_texts()
        ]
        return {
            self.name if name == "You" else name: total for name, total in zip(names, totals, strict=True)
        }

    def log(self, page: Page | None = None) -> list[str]:
        """The last six lines."""
        texts = (page or self.page).locator("#lines li").all_text_contents()
        return [" ".join(text.split()) for text in texts]


def take_turns(guests: Sequence[Guest], calls: Sequence[int] = (2, 3, 3, 2)) -> None:
    """Let people who fill a table (by seat) play a whole match: each in turn, as their own pages tell them."""
    everything = ("call", "play", "wait", "next", "finished")
    seat = 0
    now = guests[0].wait_until(*everything)
    while now.ask != "finished":
        if now.ask == "next":
            for each in guests:
                each.act(each.wait_until("next"))
            now = guests[0].wait_until("call", "wait", but=Moment("wait none undefined undefined", 0, 0))
            seat = 0
            continue
        steps = 0 if now.place == "me" else int(now.place[1:])
        seat = (seat + steps) % len(guests)
        asked = guests[seat].wait_until("call", "play", call=calls[seat])
        guests[seat].act(asked)
        now = guests[seat].wait_until(*everything, but=asked)


def play_together(guests: Sequence[Guest], until: Callable[[], bool]) -> None:
    """Let people at a table with bots act whenever asked, until this holds while one of them is to act."""
    done = dict.fromkeys(guests, "")
    while True:
        for each in guests:
            now = each.wait_until("call", "play", "next", "wait")
            if now.ask != "wait" and now.text != done[each]:
                if until():
                    return
                done[each] = now.text
                each.act(now)
