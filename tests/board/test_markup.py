"""What holds for all HTML of the board, in every phase and for every viewer."""

from __future__ import annotations

import re

import pytest

from games import board
from games.state import TableState
from games.view import view_of
from tests.board.made import all_html, every_phase, read, regions, run, seat, table, waiting
from tests.board.made import dealt as deal

STATES = every_phase()
VIEWERS = (0, 1, 2, 3, None)
NASTY = """<b>&"'"""


@pytest.mark.parametrize("number", range(len(STATES)))
def test_every_region_is_one_element_with_its_id(number: int) -> None:
    for viewer in VIEWERS:
        for name, html in regions(STATES[number], viewer).items():
            [root] = read(html).children
            assert not isinstance(root, str)
            assert root.attributes["id"] == name


@pytest.mark.parametrize("number", range(len(STATES)))
def test_every_region_keeps_its_tag_in_all_phases(number: int) -> None:
    """What is morphed must stay the same kind of element."""
    usual = {name: html.split(" ", 1)[0] for name, html in regions(STATES[5]).items()}
    for viewer in VIEWERS:
        for name, html in regions(STATES[number], viewer).items():
            assert html.split(" ", 1)[0] == usual.get(name, "<li")


@pytest.mark.parametrize("number", range(len(STATES)))
def test_nothing_breaks_the_content_security_policy(number: int) -> None:
    for viewer in VIEWERS:
        for node in read(all_html(STATES[number], viewer)).all():
            assert node.tag not in ("script", "style")
            for name, value in node.attributes.items():
                assert name != "style"
                assert not name.startswith(("on", "hx-on"))
                assert not value.startswith(("js:", "javascript:"))


@pytest.mark.parametrize("number", range(len(STATES)))
def test_ids_are_there_once_and_what_refers_to_them_finds_them(number: int) -> None:
    for viewer in VIEWERS:
        view = view_of(STATES[number], None if viewer is None else 100 + viewer)
        page = read(str(board.page(view, "TOKEN"))).all()
        ids = [node.attributes["id"] for node in page if "id" in node.attributes]
        assert len(ids) == len(set(ids))
        for node in page:
            for name in ("aria-labelledby", "for"):
                assert name not in node.attributes or node.attributes[name] in ids
            if node.tag == "a" and node.attributes.get("href", "").startswith("#"):
                assert node.attributes["href"][1:] in ids


@pytest.mark.parametrize("number", range(len(STATES)))
def test_whatever_can_be_pressed_or_filled_in_has_a_name(number: int) -> None:
    for viewer in VIEWERS:
        view = view_of(STATES[number], None if viewer is None else 100 + viewer)
        page = read(str(board.page(view, "TOKEN"))).all()
        labels = {node.attributes["for"]: node.text() for node in page if node.tag == "label"}
        for node in page:
            if node.tag in ("button", "summary") or (node.tag == "a" and "href" in node.attributes):
                assert node.text().strip(), node.attributes
            if node.tag == "input" and node.attributes["type"] != "hidden":
                assert labels[node.attributes["id"]]
            if node.attributes.get("role") == "img":
                assert node.attributes["aria-label"]


@pytest.mark.parametrize("number", range(len(STATES)))
def test_pictures_are_silent_unless_they_have_a_name(number: int) -> None:
    def heard(node: object) -> bool:
        while getattr(node, "parent", None) is not None:
            attributes = node.attributes  # type: ignore[attr-defined]
            if attributes.get("aria-hidden") == "true" or "aria-label" in attributes:
                return False
            node = node.parent  # type: ignore[attr-defined]
        return True

    for node in read(all_html(STATES[number])).all():
        assert node.tag != "svg" or not heard(node)


@pytest.mark.parametrize(
    "state",
    [
        waiting(seat(0, name=NASTY), None, seat(2, name=NASTY), None, name=NASTY, rules_name=NASTY),
        *(
            run(deal(table(seats=[seat(i, name=NASTY) for i in range(4)], name=NASTY)), n)
            for n in (1, 9, 55, 56)
        ),
    ],
)
def test_what_people_typed_is_escaped(state: TableState) -> None:
    for viewer in (*VIEWERS, 9):
        html = all_html(state, viewer)
        assert NASTY not in html
        assert "<b>&amp;" not in html
        assert "&lt;b&gt;&amp;&#34;&#39;" in html or "&lt;b&gt;&amp;&quot;&#x27;" in html
        read(html)


def test_a_notice_is_escaped() -> None:
    assert read(regions(STATES[5], notice=NASTY)["notice"]).text() == NASTY


def test_forms_carry_the_token_on_the_page_and_none_when_pushed() -> None:
    for state in STATES:
        view = view_of(state, 100)
        for form in [node for node in read(str(board.page(view, "TO<KEN"))).all() if node.tag == "form"]:
            fields = [node.attributes for node in form.all() if node.tag == "input"]
            tokens = [field["value"] for field in fields if field["name"] == "csrfmiddlewaretoken"]
            sends = "action" in form.attributes and any(
                node.tag == "button" and node.attributes.get("type") != "button" for node in form.all()
            )
            assert tokens == (["TO<KEN"] if sends else [])
        pushed = board.pieces(None, board.regions(view))
        assert "csrf" not in pushed
        assert "<!--" not in pushed


def test_forms_are_sent_by_htmx_to_where_they_go_without_it() -> None:
    for state in STATES:
        for node in read(all_html(state)).all():
            if node.tag == "form" and "action" in node.attributes:
                assert node.attributes["method"] == "post"
                assert node.attributes["hx-post"] == node.attributes["action"]
                assert re.fullmatch(r"/t/abcdefghjk/\w+/", node.attributes["action"])
