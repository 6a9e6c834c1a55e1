"""Entry point of `python -m validators`."""

import sys
from typing import NoReturn


def _begin() -> None:
    """Start the command line, or say in one sentence what this interpreter lacks."""
    if sys.version_info < (3, 11):  # noqa: UP036, whoever has an older one is who needs this
        _refuse("is older than Python 3.11; run with a newer one")
    try:
        # Commands bring their packages when they are called, so the call belongs here, too.
        from validators.cli import main

        main()
    except ModuleNotFoundError as error:
        _refuse(
            f"lacks the package {error.name}; run `make run`, "
            "or `python -m pip install .` in the repository"
        )


def _refuse(problem: str) -> NoReturn:
    print(f"Error: {sys.executable}: {problem}", file=sys.stderr)
    sys.exit(2)


_begin()
