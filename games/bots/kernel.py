"""The functions of `playout`, compiled with numba where that is there and made ready; else as they stand.

Compiling takes half a minute and happens once: `prepare` writes the machine code into a folder, later processes
load it from there in half a second. A process computes with the plain functions until it calls `load`, and so
does one on a machine without numba: the decisions are the same, only later. Nothing of numba is imported before.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FunctionType
from typing import Any

from games.bots import playout

MODULE = "numba"
Numbers = Any
"""A list of ints for the plain functions, an array of 64-bit integers for the compiled ones."""


class Engine:
    """One way to compute: the functions of `playout` by name, and the lists they take."""

    def __init__(
        self, functions: dict[str, Callable[..., Any]], make: Callable[[list[int]], Numbers]
    ) -> None:
        self.functions = functions
        self.numbers = make
        self.compiled = functions["choose"] is not playout.choose

    def __getattr__(self, name: str) -> Callable[..., Any]:
        try:
            return self.functions[name]
        except KeyError:
            raise AttributeError(name) from None


PLAIN = Engine({name: getattr(playout, name) for name in playout.FUNCTIONS}, list)
_engine = PLAIN


def engine() -> Engine:
    """The way this process computes now."""
    return _engine


def use(chosen: Engine) -> Engine:
    """Compute this way from now on; returns the way of before."""
    global _engine
    before, _engine = _engine, chosen
    return before


def fingerprint() -> str:
    """A name for what would be compiled here. The compiler itself goes by the source's place and time too."""
    source = Path(playout.__file__).resolve()
    parts = (source, source.stat().st_mtime_ns, sys.version, os.uname().machine, compiler_version())
    return hashlib.sha256("\n".join(map(str, parts)).encode() + source.read_bytes()).hexdigest()[:16]


def compiler_version() -> str:
    """The version of numba, without importing it; empty where it is not installed."""
    try:
        return version(MODULE)
    except PackageNotFoundError:
        return ""


def stamp(folder: Path) -> Path:
    """The file that says the machine code in this folder is complete."""
    return folder / fingerprint() / "ready"


def ready(folder: Path) -> bool:
    """Whether `prepare` has been here."""
    return stamp(folder).exists()


def available() -> bool:
    """Whether numba can be imported, without importing it."""
    from importlib.util import find_spec

    return find_spec(MODULE) is not None


def build(folder: Path) -> Engine:
    """The compiled functions, loaded from this folder, or compiled into it function by function as they are used.

    Raises ImportError without numba. The folder must be named before numba is first imported in a process.
    """
    own = folder / fingerprint()
    own.mkdir(parents=True, exist_ok=True)
    os.environ["NUMBA_CACHE_DIR"] = str(own)
    import numba  # type: ignore[import-not-found,unused-ignore]
    import numpy

    vars(numba.config)["CACHE_DIR"] = str(own)  # where numba had been imported before
    names: dict[str, Any] = dict(vars(playout))
    for name in playout.TABLES:
        names[name] = numpy.array(getattr(playout, name), dtype=numpy.int8)
    functions: dict[str, Callable[..., Any]] = {}
    for name in playout.FUNCTIONS:
        plain = getattr(playout, name)
        copy = FunctionType(plain.__code__, names, name)
        copy.__module__ = plain.__module__
        functions[name] = names[name] = numba.njit(cache=True, nogil=True, error_model="numpy")(copy)
    return Engine(functions, lambda values: numpy.array(values, dtype=numpy.int64))


def load(folder: Path) -> bool:
    """Compute with the compiled functions from now on, if they are ready in this folder; whether they are."""
    if _engine.compiled:
        return True
    if not ready(folder) or not available():
        return False
    use(build(folder))
    return True
