"""The arrows between the project's modules point one way: every import is read, a wrong one fails."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent

# From the ground up. A unit is a module, or a package with all in it; the longest name that fits decides.
# A unit may import itself and what stands in the rows before its own, but no other unit of its own row.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("callbreak_site", "games", "games.rules", "accounts"),
    ("games.bots", "games.errors", "games.fields", "games.words"),
    ("games.house_sets",),
    ("games.models",),
    ("games.state", "games.converters"),
    ("games.clockwork", "games.stakes"),
    ("games.view", "games.books"),
    ("games.board", "games.announce", "games.coach"),
    ("games.lobby",),
    ("games.hub",),
    ("games.sockets", "games.consumers"),
    ("games.actions",),
    (
        *("games.admin", "games.context", "games.forms", "games.management", "games.migrations"),
        *("games.permissions", "games.pulse"),
    ),
    ("games.templatetags",),
    ("games.tasks", "games.views"),
    ("games.urls",),
    ("callbreak_site.asgi", "callbreak_site.urls", "games.apps"),
)

# The only things these may import beside the standard library and themselves.
PURE: dict[str, tuple[str, ...]] = {"games.rules": (), "games.bots": ("games.rules",)}
# Beside those, one module alone: the compiler, which the web process must never load.
ALONE: dict[str, tuple[str, ...]] = {"games.bots.kernel": ("numba", "numpy")}

ROW = {unit: row for row, units in enumerate(LAYERS) for unit in units}
PACKAGES = ("accounts", "callbreak_site", "games")


def within(module: str, unit: str) -> bool:
    """Whether the module is the unit or lies in it."""
    return module == unit or module.startswith(f"{unit}.")


def unit_of(module: str) -> str:
    """The unit of the table a module belongs to. Raises KeyError when the table has no place for it."""
    fitting = [unit for unit in ROW if within(module, unit)]
    unit = max(fitting, key=len)
    if unit == "games" and module != "games":  # a new module of games says where it stands
        raise KeyError(module)
    return unit


def imports(module: str, source: str, modules: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Line and name of all a module imports, anywhere; `from a import b` is a.b where that is a module."""
    is_package = any(other.startswith(f"{module}.") for other in modules)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                steps = node.level - 1 if is_package else node.level
                parent = module.split(".")[: len(module.split(".")) - steps]
                base = ".".join([*parent, *base.split(".")] if base else parent)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield node.lineno, inner if inner in modules else base


def faults(modules: Mapping[str, str]) -> list[str]:
    """What is wrong with these modules (name to source), one sentence each."""
    found = []
    for module, source in modules.items():
        try:
            unit = unit_of(module)
        except KeyError:
            found.append(f"{module} has no place in the table of layers")
            continue
        for line, name in imports(module, source, modules):
            where = f"{module}:{line} imports {name}"
            top = name.split(".")[0]
            if unit in PURE:
                may = (unit, *PURE[unit], *ALONE.get(module, ()))
                allowed = any(within(name, other) for other in may)
                if not allowed and top not in sys.stdlib_module_names:
                    found.append(f"{where}, but {unit} is pure")
                    continue
            if top not in PACKAGES:
                continue
            try:
                other = unit_of(name)
            except KeyError:
                continue  # said of the module itself
            if other != unit and ROW[other] >= ROW[unit]:
                found.append(f"{where}, which is not below {unit}")
    return found


def project_modules() -> dict[str, str]:
    """Every module of the project by name."""
    modules = {}
    for package in PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            parts = path.relative_to(PROJECT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            modules[name] = path.read_text()
    return modules


def test_the_project_keeps_its_layers():
    modules = project_modules()
    assert "games.rules" in modules
    assert "callbreak_site.settings" in modules
    found = faults(modules)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("games.rules.legal", "import django", "games.rules is pure"),
        ("games.rules.legal", "from games.bots import thumb", "games.rules is pure"),
        ("games.bots.thumb", "from games.models import Table", "games.bots is pure"),
        ("games.bots.thumb", "import numpy", "games.bots is pure"),
        ("games.models", "from games import state", "not below games.models"),
        ("games.models", "from . import state", "not below games.models"),
        ("games.models", "def late():\n    from games.state import store", "not below games.models"),
        ("games.view", "from games.board import hand", "not below games.view"),
        ("games.board.hand", "from ..consumers import Board", "not below games.board"),
        ("games.consumers", "from games import actions", "not below games.consumers"),
        ("games.actions.play", "from games.tasks import tick", "not below games.actions"),
        ("games.tasks", "from games import views", "not below games.tasks"),
        ("accounts.views", "from games.models import Table", "not below accounts"),
        ("accounts.views", "import games", "not below accounts"),
        ("callbreak_site.settings", "import accounts.names", "not below callbreak_site"),
        ("callbreak_site.settings", "from games.rules import PRESETS", "not below callbreak_site"),
        ("games.novelty", "", "no place in the table"),
    ],
)
def test_a_wrong_arrow_is_found(module: str, source: str, fault: str):
    others = dict.fromkeys(("games.state", "games.board.hand", "games.views", "games.actions"), "")
    (said,) = faults({"games": "", "games.rules": "", **others, module: source})
    assert said.startswith(module)
    assert fault in said


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("games.rules.legal", "import enum\nfrom games.rules import cards\nfrom .cards import rank"),
        ("games.bots.thumb", "from games import rules\nfrom . import thumb"),
        (
            "games.models",
            "from django.db import models\nfrom accounts.models import User\nfrom games import rules",
        ),
        ("games.actions.play", "from games import announce, bots\nfrom games.actions.change import locked"),
        (
            "callbreak_site.asgi",
            "from games.consumers import socket_urls\nfrom callbreak_site import handler",
        ),
        ("games.management.commands.house", "from callbreak_site.supervisor import Supervisor"),
    ],
)
def test_a_right_arrow_passes(module: str, source: str):
    below = (
        "games",
        "games.rules",
        "games.bots",
        "games.announce",
        "games.rules.cards",
        "callbreak_site.handler",
    )
    assert faults({**dict.fromkeys(below, ""), module: source}) == []
