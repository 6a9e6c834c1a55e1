"""Which parts run and for how long, on standard error while they do."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import Progress as Bars
from rich.progress import TaskID, TextColumn, TimeElapsedColumn

from validators.diagnose.findings.finding import Part
from validators.errors import printable
from validators.waiting import Waiting

if TYPE_CHECKING:
    from validators.waiting import T, Track


class Progress:
    """Shows the parts that run if standard error is a terminal, and prints how each one ended.

    Use as a context manager.
    """

    def __init__(self, timeout: float) -> None:
        """`timeout` is the time limit of a part, in seconds."""
        console = Console(stderr=True)
        limit = TextColumn(f"of at most {timeout:g} s")
        columns = (TextColumn("{task.description}"), TimeElapsedColumn(), limit)
        quiet = not console.is_terminal
        self._bars = Bars(*columns, console=console, transient=True, disable=quiet)
        self._running: dict[str, TaskID] = {}

    def __enter__(self) -> Progress:
        """Begin to show."""
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove what is shown."""
        self._bars.stop()

    def begun(self, name: str) -> None:
        """A part has begun."""
        self._running[name] = self._bars.add_task(name, total=None)

    def ended(self, part: Part) -> None:
        """A part has ended."""
        if part.name in self._running:
            self._bars.remove_task(self._running.pop(part.name))
        said = f"failed: {part.failure}" if part.failure else f"{part.seconds:.1f} s"
        line = printable(f"{part.name}: {said}")
        if self._bars.disable:
            click.echo(line, err=True)
        else:
            self._bars.console.print(line, markup=False, highlight=False)


@contextmanager
def track(before: str, quiet: bool) -> Iterator[Track]:
    """Show a bar for each kind of work, or lines where standard error is no terminal.

    `before` describes what is done before the items of the first kind are taken. Nothing is shown
    if it is `quiet`.
    """
    console = Console(stderr=True)
    with contextlib.ExitStack() as stack:
        if quiet:
            yield lambda items, what, /: items
        elif console.is_terminal:
            bars = stack.enter_context(Bars(console=console, transient=True))
            first = bars.add_task(before, total=None)

            def taken(items: Sequence[T], what: str, /) -> Iterable[T]:
                bars.update(first, visible=False)
                return bars.track(items, description=what)

            yield taken
        else:
            waiting = stack.enter_context(Waiting(before))

            def named(items: Sequence[T], what: str, /) -> Iterable[T]:
                waiting.doing = what
                return items

            yield named
