"""Options of the whole test run."""

import pytest

pytest_plugins = ["tests.services", "tests.flush"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--cases", metavar="DIR", help="read the rules' cases from DIR instead of tests/rules/cases"
    )
