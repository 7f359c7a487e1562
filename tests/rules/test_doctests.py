"""The examples in the documentation of the rules are run."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

from games import rules

MODULES = [f"games.rules.{module.name}" for module in pkgutil.iter_modules(rules.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_most_modules_have_examples() -> None:
    sources = [path.read_text("utf-8") for path in Path(rules.__path__[0]).glob("*.py")]
    assert sum(">>>" in source for source in sources) >= 10
