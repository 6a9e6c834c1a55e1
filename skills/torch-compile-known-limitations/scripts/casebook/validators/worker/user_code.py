"""What running somebody's code takes: seeds, a module from its file, an exception in one line."""

from __future__ import annotations

import importlib
import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

_MOST_LINES = 3
"""How many lines of a message are told."""
_ENDS = (".", ":", ";", ",", "!", "?")


def seed(number: int) -> None:
    """Seed every source of random numbers that the process has loaded, and torch's."""
    random.seed(number)
    importlib.import_module("torch").manual_seed(number)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(number)


def module_of(path: Path) -> ModuleType:
    """The module in the file `path`; code in this process can then import it by its stem."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def sentence(error: BaseException) -> str:
    """An exception in one line: its type, and the first lines of its message up to an empty one.

    A line that ends with a colon only announces the next one.
    """
    text = _told([it.strip() for it in str(error).strip().splitlines()])
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _told(lines: list[str]) -> str:
    """The first lines of a message as one."""
    told, count = "", 0
    for line in lines:
        if count == _MOST_LINES or not (line or told.endswith(":")):
            break
        if line:
            told += (" " if told.endswith(_ENDS) else "; ") * bool(told) + line
            count += 1
    return told


def with_remedy(error: BaseException) -> str:
    """An exception of somebody's code in one line that ends with what to do about it."""
    # Packages raise it in words of their own, too, and then it has no name.
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"there is no module {error.name!r}; install it, or give another --python"
    if isinstance(error, SystemExit):
        parser = ", as argparse does with words that it does not know" if error.code == 2 else ""
        return f"it exits (status {error.code}{parser}); let it return"
    return f"{sentence(error)}; fix that first"
