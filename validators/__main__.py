"""Entry point of `python -m validators`, and of `python PATH/validators` from any folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

if not __package__:
    # Python puts this folder first, whose module names could hide others.
    sys.path[0] = str(Path(__file__).resolve().parents[1])


def begin() -> None:
    """Start the command line, or say in one sentence what this interpreter lacks."""
    if sys.version_info < (3, 11):  # noqa: UP036, users of older ones need this message
        _refuse("is older than Python 3.11; run with a newer one")
    try:
        # Commands import their packages when they are called, so the call is in the `try`, too.
        from validators.cli import main

        main()
    except ModuleNotFoundError as error:
        _refuse(f"lacks the package {error.name}; {_remedy()}")


def _remedy() -> str:
    from validators.files import CHECKOUT

    if CHECKOUT:
        return "run `make run`, or `python -m pip install .` in the repository"
    return "install torch-compile-casebook again"


def _refuse(problem: str) -> NoReturn:
    print(f"Error: {sys.executable}: {problem}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    begin()
