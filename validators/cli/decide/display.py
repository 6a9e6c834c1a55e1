"""What a run shows while it runs: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TextIO

from rich.columns import Columns
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from validators.runner.estimate import TimeLeft, in_words
from validators.runner.run import Decided, Started
from validators.styled import STYLES
from validators.waiting import Waiting

_FIRST = "; the first run on a machine sets up its C++ compiler"
Listener = Callable[[Started | Decided], None]


@contextlib.contextmanager
def display(
    total: int,
    left: TimeLeft,
    stream: TextIO,
    quiet: bool,
    told: Callable[[Decided], str] | None = None,
) -> Iterator[Listener]:
    """A listener for a run of `total` jobs that shows its events and the time left.

    `told` says what to show of a decided case below its verdict. Without it, cases that are skipped
    get no line.
    """
    console = Console(file=stream, highlight=False)
    if quiet:
        yield lambda event: None
    elif not console.is_terminal:
        with _Lines(total, left, stream, told) as lines:
            yield lines.show
    else:
        with _Screen(console, total, left, told) as screen:
            yield screen.show


def verdict_line(event: Decided) -> Text:
    """One decided case: verdict, name, column, seconds, and the reason if there is one."""
    record = event.decision.record
    line = Text.assemble(
        (f"{record.verdict:<13}", STYLES[record.verdict]),
        f" {record.case}",
        (f"  {record.column}  {event.decision.seconds:.1f} s", "dim"),
    )
    return line.append(f"  {record.reason}") if record.reason else line


class _Lines:
    """Prints a line for each decided case, and how far the run is where none is for a while."""

    def __init__(
        self, total: int, left: TimeLeft, stream: TextIO, told: Callable[[Decided], str] | None
    ) -> None:
        self.total, self.left, self.stream, self.say = total, left, stream, told
        self.decided = 0
        self.running: dict[tuple[str, str], None] = {}
        self.waiting = Waiting(self._progress, stream)

    def __enter__(self) -> _Lines:
        self.waiting.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.waiting.__exit__(*error)

    def show(self, event: Started | Decided) -> None:
        """Take in one event."""
        if isinstance(event, Started):
            self.running[event.job.key] = None
            return
        self.running.pop(event.job.key, None)
        self.decided += 1
        self.left.note(event.job)
        if self.say is None and event.decision.record.verdict == "skipped":
            return
        self._print(verdict_line(event).plain)
        if self.say and (said := self.say(event)):
            self._print(f"  {said}")

    def _progress(self) -> str:
        names = ", ".join(case for case, _ in [*self.running]) or "starting"
        left = f"about {in_words(self.left.seconds())} left"
        return f"{self.decided} of {self.total} cases, {left}: {names}"

    def _print(self, line: str) -> None:
        print(line, file=self.stream, flush=True)
        self.waiting.printed()


class _Screen:
    """Shows a bar, the running cases and the verdict counts; decided cases scroll above."""

    def __init__(
        self, console: Console, total: int, left: TimeLeft, told: Callable[[Decided], str] | None
    ) -> None:
        self.console, self.left, self.say = console, left, told
        self.running: dict[tuple[str, str], None] = {}
        self.counts: Counter[str] = Counter()
        self.progress = Progress(
            TextColumn("deciding"),
            BarColumn(),
            MofNCompleteColumn(),
            console=console,
        )
        self.bar = self.progress.add_task("", total=total)
        self.live = Live(
            get_renderable=self._render, console=console, refresh_per_second=4, transient=True
        )

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
        self.left.note(event.job)
        if self.say is None and event.decision.record.verdict == "skipped":
            return
        self.console.print(verdict_line(event), overflow="ellipsis", no_wrap=True)
        if self.say and (said := self.say(event)):
            self.console.print(Text(f"  {said}"))

    def _render(self) -> Group:
        names = ", ".join(f"{case} ({column})" for case, column in self.running)
        running = Text(f"running: {names}", style="dim", overflow="ellipsis", no_wrap=True)
        left = Text(f"about {in_words(self.left.seconds())} left")
        if not self.left.begun:
            left.append(_FIRST, style="dim")
        return Group(running, totals_line(self.counts), Columns([self.progress, left]))


def totals_line(counts: dict[str, int]) -> Text:
    """The verdict counts in one line, good verdicts first."""
    line = Text()
    for verdict, style in STYLES.items():
        if counts.get(verdict):
            line.append(f"{counts[verdict]} {verdict}  ", style=style)
    return line
