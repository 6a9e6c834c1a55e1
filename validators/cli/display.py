"""What a run shows while it runs: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from validators.runner.run import Decided, Started

STYLES = {
    "confirmed": "green",
    "refuted": "red",
    "remedy-failed": "red",
    "unstable": "yellow",
    "skipped": "dim",
    "error": "bold red",
}
Listener = Callable[[Started | Decided], None]


@contextlib.contextmanager
def display(total: int, stream: TextIO, quiet: bool) -> Iterator[Listener]:
    """A listener for a run of `total` jobs that shows its events on `stream`."""
    console = Console(file=stream, highlight=False)
    if quiet:
        yield lambda event: None
    elif not console.is_terminal:
        yield lambda event: _plain(stream, event)
    else:
        with _Screen(console, total) as screen:
            yield screen.show


def verdict_line(event: Decided) -> Text:
    """One decided case: verdict, name, column, seconds, and the reason where there is one."""
    record = event.decision.record
    line = Text.assemble(
        (f"{record.verdict:<13}", STYLES[record.verdict]),
        f" {record.case}",
        (f"  {record.column}  {event.decision.seconds:.1f} s", "dim"),
    )
    return line.append(f"  {record.reason}") if record.reason else line


def _plain(stream: TextIO, event: Started | Decided) -> None:
    if isinstance(event, Decided):
        print(verdict_line(event).plain, file=stream, flush=True)


class _Screen:
    """A bar, the running cases and the verdict counts; decided cases scroll above."""

    def __init__(self, console: Console, total: int) -> None:
        self.console = console
        self.running: dict[tuple[str, str], None] = {}
        self.counts: Counter[str] = Counter()
        self.progress = Progress(
            TextColumn("deciding"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
        )
        self.bar = self.progress.add_task("", total=total)
        self.live = Live(get_renderable=self._render, console=console, refresh_per_second=4)

    def __enter__(self) -> _Screen:
        self.live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.live.__exit__(None, None, None)

    def show(self, event: Started | Decided) -> None:
        """Take in one event."""
        if isinstance(event, Started):
            self.running[event.job.key] = None
            return
        self.running.pop(event.job.key, None)
        self.counts[event.decision.record.verdict] += 1
        self.progress.advance(self.bar)
        self.console.print(verdict_line(event), overflow="ellipsis", no_wrap=True)

    def _render(self) -> Group:
        names = ", ".join(f"{case} ({column})" for case, column in self.running)
        running = Text(f"running: {names}", style="dim", overflow="ellipsis", no_wrap=True)
        return Group(running, totals_line(self.counts), self.progress)


def totals_line(counts: dict[str, int]) -> Text:
    """The verdict counts in one line, the good ones first."""
    line = Text()
    for verdict, style in STYLES.items():
        if counts.get(verdict):
            line.append(f"{counts[verdict]} {verdict}  ", style=style)
    return line
