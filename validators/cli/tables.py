"""Tables on standard output, complete even in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
    """Print a table; its cells wrap at a terminal's width, and nothing cuts them off."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(*columns, title=title or None, title_justify="left", box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*row)
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        # A pipe has no width, and rich would assume 80 columns.
        console.width = console.measure(table, options=console.options.update(width=10**6)).maximum
    console.print(table)
