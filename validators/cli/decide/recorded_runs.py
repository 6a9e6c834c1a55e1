"""What `plain`, `models` and `silent` share: their options, and which programs they run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from validators.errors import CasebookError


class Named(Protocol):
    """A program of the repository; its file's name is its own."""

    @property
    def name(self) -> str:
        """The name by which it is run."""


Program = TypeVar("Program", bound=Named)
Command = Callable[..., Any]


def recorded_options(timeout: float, each: str, shown: str) -> Callable[[Command], Command]:
    """Add names, and the options from `--python` to `--summary`.

    `timeout` is the default limit, in seconds, for `each`; `shown` is what `--summary` shows.
    """
    options = (
        click.argument("names", nargs=-1, metavar="[NAME]..."),
        click.option(
            "--python", default=sys.executable, metavar="P", help="An interpreter with torch."
        ),
        click.option(
            "--timeout", default=timeout, show_default=True, metavar="S", help=f"For each {each}."
        ),
        click.option("--record", is_flag=True, help="Keep the results in playbooks/evidence."),
        click.option("--summary", is_flag=True, help=f"Run nothing; show {shown}."),
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def chosen(
    known: list[Program], names: Sequence[str], folder: Path, kind: str, unknown: str
) -> list[Program]:
    """The programs of these names, or all.

    Raises:
        CasebookError: `folder` holds none of this `kind`, or none of a name, of which `unknown`
            says what is wrong, and the remedy.
    """
    if not known:
        raise CasebookError(f"{folder}: holds no {kind}; add one")
    by_name = {it.name: it for it in known}
    for name in names:
        if name not in by_name:
            raise CasebookError(f"{name}: {unknown}")
    return [by_name[it] for it in names] or known
