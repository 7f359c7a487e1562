"""The pages: lobby, opening a table, the table; and the requests by which people act."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import coins
from accounts.models import User
from games import actions, coach, rules, words
from games import board as boards
from games import lobby as lobbies
from games.errors import Refusal
from games.forms import OpenTableForm
from games.models import Ruleset, Table
from games.stakes import pot
from games.state import TableState, store
from games.view import may_watch, view_of

logger = logging.getLogger(__name__)


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """The front page: play now, the open tables (``?stake=50``: those of one stake), those to watch."""
    if request.user.is_authenticated:
        actions.touch_waiting(request.user.pk)
    amounts = lobbies.amounts()
    stake = lobbies.wanted(request.GET.get("stake", ""), amounts)
    context = {
        "amounts": amounts,
        "stake": stake,
        "tables_html": lobbies.tables_html(lobbies.open_tables(stake), stake is not None),
        "running_html": lobbies.running_html(lobbies.running_tables()),
        "presets": Ruleset.objects.filter(retired=False),
    }
    return render(request, "games/lobby.html", context)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def open_table(request: HttpRequest) -> HttpResponse:
    """Open a table: the form (its choices follow from the query string), and the table it makes."""
    user = _person(request)
    if request.method != "POST":
        return render(
            request, "games/open_table.html", {"form": OpenTableForm(user=user, initial=request.GET)}
        )
    form = OpenTableForm(request.POST, user=user)
    if form.is_valid():
        try:
            arguments = form.table_arguments()
            made = _sent_before(user, arguments["name"]) or actions.open_table(user, **arguments)
        except Refusal as refusal:
            form.add_error(None, str(refusal.sentence))
        else:
            if made.stake and arguments["seat"] is not None:
                return redirect(f"{reverse('contract', args=[made.code])}?seat={arguments['seat']}")
            return redirect("table", made.code)
    return render(request, "games/open_table.html", {"form": form}, status=422)


def _sent_before(user: User, name: str) -> Table | None:
    """The table that the first half of a double click has just opened."""
    just_now = timezone.now() - timedelta(seconds=3)
    running = [Table.OPEN, Table.PLAYING]
    return Table.objects.filter(host=user, name=name, status__in=running, opened_at__gte=just_now).first()


@login_required
@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Seat this person at once."""
    try:
        return redirect("table", actions.play_now(_person(request)).code)
    except Refusal as refusal:
        messages.error(request, str(refusal.sentence))
        return redirect("lobby")


@require_safe
@never_cache
def table(request: HttpRequest, code: str) -> HttpResponse:
    """A table, whole."""
    state = _watched(request, code)
    if state is None:
        return render(request, "games/no_watchers.html", status=403)
    return _page(request, state)


@require_safe
@never_cache
def board(request: HttpRequest, code: str) -> HttpResponse:
    """What a page that heard nothing for a while asks: 204, or the whole board where its version is old."""
    state = _watched(request, code)
    if state is None:
        return HttpResponse(status=403)
    if request.GET.get("v") == str(state.version):
        return HttpResponse(status=204)
    return _pieces(request, state, None)


@login_required
@require_safe
@never_cache
def contract(request: HttpRequest, code: str) -> HttpResponse:
    """What sitting down at a table with a stake means, and the button that agrees to it."""
    state, user = _found(code), _person(request)
    free = [str(index) for index in state.free]
    if not state.stake or state.status != Table.OPEN or not free or state.seat_of(user.pk) is not None:
        return redirect("table", code)
    asked = request.GET.get("seat", "")
    context = {
        "state": state,
        "seat": asked if asked in free else free[0],
        "pot": pot(state),
        "clauses": words.contract(state.rules, state.stake, state.asks_for, state.players, state.has_clock),
        "balance": coins.balance(user),
        "short": "",
    }
    try:
        actions.may_cover(user, state.asks_for)
    except Refusal as refusal:
        context["short"] = refusal.sentence
    return render(request, "games/contract.html", context)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def hint(request: HttpRequest, code: str) -> HttpResponse:
    """What an expert would do in this person's place, where only bots play against him: asked for, awaited, shown."""
    user = _person(request)
    state = _found(code)
    actions.touch(state.id, user.pk)
    state = _found(code)
    if not coach.may_ask(state, user.pk):
        if not may_watch(state, user.pk):
            return redirect("lobby")
        told = _("Hints are for matches in which only bots play against you.")
        return _answer(request, state, None, told, 403)
    seat = coach.due(state, user.pk)
    if request.method == "POST":
        if seat is not None:
            coach.ask(state, seat)
        return redirect(f"{reverse('hint', args=[code])}?asked={state.moment}")
    found = coach.read(state, seat) if seat is not None else None
    context: dict[str, Any] = {"code": code, "moment": state.moment, "due": seat is not None}
    if found is not None:
        calling = state.phase == "calling"
        name = str if calling else rules.card_text
        context |= {
            "calling": calling,
            "best": name(found.best),
            "rows": [
                {"choice": name(choice), "worth": rules.tenths_text(worth)} for choice, worth in found.worth
            ],
        }
    else:
        context["waiting"] = seat is not None and request.GET.get("asked") == str(state.moment)
    return render(request, "games/hint.html", context)


@require_http_methods(["GET", "POST"])
@never_cache
def act(request: HttpRequest, code: str, verb: str) -> HttpResponse:
    """Everything people do at a table. A refusal answers with the fresh board and one sentence, and changes nothing.

    Looking once more at the address of an answer (reload, Enter) leads to the table.
    """
    if request.method == "GET":
        return redirect("table", code)
    if not request.user.is_authenticated:
        return _go(request, redirect_to_login(reverse("table", args=[code])))
    state = _found(code, store.known_by_code)
    user = _person(request)
    actions.touch(state.id, user.pk)
    before = store.peek(state.id)
    try:
        after = VERBS[verb](state.id, user, request.POST)
    except Refusal as refusal:
        fresh = _found(code)
        if not may_watch(fresh, user.pk):
            return _go(request, redirect("lobby"))
        return _answer(request, fresh, None, str(refusal.sentence), refusal.status)
    if isinstance(after, Table):
        return _go(request, redirect("table", after.code))
    return _answer(request, after, before)


# ---------------------------------------------------------------- the verbs


def _whole(fields: QueryDict, name: str) -> int:
    """A whole number from a form; anything else was not made by a page of ours."""
    text = fields.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise Refusal("malformed", _("That was not understood; nothing was changed."))
    return int(text)


def _agreed(fields: QueryDict) -> int:
    """The stake agreed to; none at a friendly table."""
    return _whole(fields, "agreed") if "agreed" in fields else 0


def _card(fields: QueryDict) -> rules.Card:
    try:
        return rules.parse_card(fields.get("card", ""))
    except (rules.RulesError, ValueError) as error:
        raise Refusal("malformed", _("That was not understood; nothing was changed.")) from error


def _call(table_id: int, user: User, fields: QueryDict) -> TableState:
    deal, number = _whole(fields, "deal"), _whole(fields, "number")
    return actions.call(table_id, user.pk, _whole(fields, "call"), deal=deal, number=number)


def _play(table_id: int, user: User, fields: QueryDict) -> TableState:
    deal, number = _whole(fields, "deal"), _whole(fields, "number")
    return actions.play(table_id, user.pk, _card(fields), deal=deal, number=number)


def _add_bot(table_id: int, user: User, fields: QueryDict) -> TableState:
    return actions.add_bot(table_id, user, _whole(fields, "seat"), fields.get("level", ""))


VERBS: dict[str, Callable[[int, User, QueryDict], TableState | Table]] = {
    "sit": lambda table_id, user, fields: actions.take_seat(
        table_id, user, _whole(fields, "seat"), agreed=_agreed(fields)
    ),
    "leave": lambda table_id, user, fields: actions.leave(table_id, user),
    "back": lambda table_id, user, fields: actions.back(table_id, user),
    "bot": _add_bot,
    "unseat": lambda table_id, user, fields: actions.unseat(table_id, user, _whole(fields, "seat")),
    "call": _call,
    "play": _play,
    "next_deal": lambda table_id, user, fields: actions.next_deal(table_id, user, _whole(fields, "deal")),
    "cancel": lambda table_id, user, fields: actions.cancel(table_id, user, fields.get("agree") == "1"),
    "nudge": lambda table_id, user, fields: actions.nudge(table_id, user, _whole(fields, "moment")),
    "rematch": lambda table_id, user, fields: actions.rematch(table_id, user, agreed=_agreed(fields)),
}


# ---------------------------------------------------------------- answers


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _found(code: str, look: Callable[[str], TableState] = store.by_code) -> TableState:
    try:
        return look(code)
    except Table.DoesNotExist as error:
        raise Http404 from error


def _watched(request: HttpRequest, code: str) -> TableState | None:
    """The table, if this viewer may look at it; his look is a sign of life."""
    state = _found(code)
    if request.user.is_authenticated:
        actions.touch(state.id, request.user.pk)
        state = _found(code)
    return state if may_watch(state, request.user.pk) else None


def _answer(
    request: HttpRequest, state: TableState, before: TableState | None, notice: str = "", status: int = 200
) -> HttpResponse:
    """What a request that acts is answered with: pieces for htmx; else the page, or the way to it."""
    if getattr(request, "htmx", False):
        return _pieces(request, state, before, notice, status)
    if notice:
        return _page(request, state, notice, status)
    return redirect("table", state.code)


def _pieces(
    request: HttpRequest, state: TableState, before: TableState | None, notice: str = "", status: int = 200
) -> HttpResponse:
    """Out-of-band pieces: what differs from ``before`` where the page shows exactly that, else the whole board."""
    user_id = request.user.pk
    known = None
    if before is not None and request.POST.get("v") == str(before.version):
        known = boards.regions(view_of(before, user_id))
    html = boards.pieces(known, boards.regions(view_of(state, user_id), notice))
    return HttpResponse(html, status=status, headers={"X-Table-Version": str(state.version)})


def _page(request: HttpRequest, state: TableState, notice: str = "", status: int = 200) -> HttpResponse:
    view = view_of(state, request.user.pk)
    regions = boards.regions(view, notice)
    drawn = boards.draw(view, regions, get_token(request))
    context: dict[str, Any] = {"view": view, "board": drawn}
    return render(request, "games/table.html", context, status=status)


def _go(request: HttpRequest, where: HttpResponse) -> HttpResponse:
    """To another page, also from a request of htmx."""
    if getattr(request, "htmx", False):
        return HttpResponse(headers={"HX-Redirect": where["Location"]})
    return where
