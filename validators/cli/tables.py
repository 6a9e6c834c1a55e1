"""Tables on standard output, whole also where they go into a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
    """Print a table; a terminal's width breaks its cells, and nothing else cuts them."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(*columns, title=title or None, title_justify="left", box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*row)
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        # A pipe has no width, and rich would take it for one of 80 columns.
        console.width = console.measure(table, options=console.options.update(width=10**6)).maximum
    console.print(table)
