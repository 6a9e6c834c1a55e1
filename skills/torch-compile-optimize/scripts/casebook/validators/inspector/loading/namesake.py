"""The distribution `validators` of PyPI, which a user's model may import.

Our package has its name and is imported first. So the user's code must find its names in ours.
Where both have a module or a name, ours stays: our code runs in the same process.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path

_OURS = sys.modules["validators"]


@cache
def lend_name() -> None:
    """Give our package the names of that distribution, once, if this interpreter has it."""
    root = Path(__file__).resolve().parents[3]
    elsewhere = [folder for folder in sys.path if Path(folder).resolve() != root]
    spec = PathFinder.find_spec("validators", elsewhere)
    if spec is None or spec.loader is None:
        return
    folders = spec.submodule_search_locations or []
    if any(Path(folder, "probes").is_dir() for folder in folders):
        return  # another copy of ours
    own = {*vars(_OURS)}
    _OURS.__path__.extend(folders)
    theirs = importlib.util.module_from_spec(spec)
    with contextlib.suppress(Exception):  # the user's code may not need it
        spec.loader.exec_module(theirs)
    # Loading made its modules attributes of ours, and its functions have the same names.
    vars(_OURS).update((name, it) for name, it in vars(theirs).items() if name not in own)
