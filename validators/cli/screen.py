"""Lines on standard output: styled and paged on a terminal, plain text elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from validators.errors import printable
from validators.styled import Line, width_of

_READABLE = 100
"""Longer lines of prose are hard to read."""


def on_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout.isatty()


def terminal_width() -> int | None:
    """The columns of the terminal; None if standard output is none: a pipe has no width."""
    return _size()[0] if on_terminal() else None


def prose_width() -> int:
    """The most columns of a line of prose."""
    return min(terminal_width() or _READABLE, _READABLE)


def pager_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--no-pager`, passed on as `pager`."""
    said = "Show long output through $PAGER; on a terminal only."
    return click.option("--pager/--no-pager", default=True, help=said)(command)


def print_lines(lines: Sequence[Line], pager: bool = False) -> None:
    """Print `lines`; on a terminal styled and, with `pager`, paged where they are too many.

    What a page or a record holds reaches no terminal as an escape: it is made printable here.
    """
    clean = [[(printable(text), style) for text, style in line] for line in lines]
    if not on_terminal():
        plain = ("".join(text for text, _ in line).rstrip() for line in clean)
        click.echo("".join(f"{line}\n" for line in plain), nl=False)
    elif pager and _pages() and _too_many(clean):
        # As git does: keep colours, leave the text on the screen, and end if all of it fits.
        os.environ.setdefault("LESS", "-FRX")
        click.echo_via_pager(_painted(clean).rstrip("\n"))
    else:
        click.echo(_painted(clean), nl=False)


def _pages() -> bool:
    """Whether there is a person at the keyboard, who wants a pager."""
    return sys.stdin.isatty() and os.environ.get("PAGER", "less").strip() not in ("", "cat")


def _too_many(lines: Sequence[Line]) -> bool:
    """Whether the lines are more than the terminal shows beside its prompt."""
    columns, rows = _size()
    return sum(max(1, -(-width_of(line) // columns)) for line in lines) >= rows


def _size() -> tuple[int, int]:
    """The columns and rows of the terminal."""
    import shutil

    columns, rows = shutil.get_terminal_size()
    return max(columns, 1), rows


def _painted(lines: Sequence[Line]) -> str:
    """The lines with the escapes that this terminal knows; none for NO_COLOR's colours."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, highlight=False)
    with console.capture() as captured:
        for line in lines:
            console.print(Text.assemble(*line), soft_wrap=True)
    return captured.get()
