"""The examples in the documentation of the rules are run."""

import doctest
import importlib
import pkgutil

import pytest

from games import rules

MODULES = [f"games.rules.{module.name}" for module in pkgutil.iter_modules(rules.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0
