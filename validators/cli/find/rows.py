"""Rows of cells, each with a title after it or, where that has no room, below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from validators.styled import DIM, HEADING, Line, Span, columns_of, width_of, wrapped

_GAP = 2
_INDENT: Span = ("    ", "")
_MOST = 40
"""A cell that is longer, as a reason may be, does not widen its column."""


def with_titles(rows: Sequence[Line], titles: Sequence[Line], width: int | None) -> list[Line]:
    """The rows in columns, as lines of at most `width` if that can be; None is without limit.

    An empty title takes no line.
    """
    widths = _widths(rows)
    padded = [_padded(row, widths) for row in rows]
    whole = [[*row, *title] for row, title in zip(padded, titles, strict=True)]
    if width is None or all(width_of(line) <= width for line in whole):
        return whole
    lines: list[Line] = []
    for row, title in zip(padded, titles, strict=True):
        dim = [(text, style or DIM) for text, style in title]
        lines += [row, *([_INDENT, *line] for line in wrapped(dim, width - len(_INDENT[0])))]
    return lines


def matrix(
    columns: Sequence[str],
    rows: Sequence[Line],
    short: Sequence[Line],
    titles: Sequence[Line],
    legend: str,
    width: int | None,
) -> list[Line]:
    """Rows of a name and words in each column; `short` ones and their `legend` without room."""
    names: Line = [("case", HEADING), *((it, HEADING) for it in columns)]
    heads: list[Line] = [[("title", HEADING)] if width is None else [], *titles]
    if width is None or sum(_widths([names, *rows])) <= width:
        return with_titles([names, *rows], heads, width)
    lines = with_titles([[names[0], *_releases(columns)], *short], heads, width)
    return [*lines, [], [(legend, DIM)]]


def _releases(columns: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The columns' names as short as they tell the columns apart."""
    devices = {column.split("-", 2)[2] for column in columns}
    for column in columns:
        _, release, device = column.split("-", 2)
        yield release if len(devices) == 1 else f"{release} {device}", HEADING


def _widths(rows: Sequence[Line]) -> list[int]:
    """What each column takes, with the gap after it."""
    cells = ([columns_of(text) for text, _ in row] for row in rows)
    return [_GAP + max(min(it, _MOST) for it in column) for column in zip(*cells, strict=True)]


def _padded(row: Line, widths: Sequence[int]) -> Line:
    return [
        (text + " " * max(width - columns_of(text), _GAP), style)
        for (text, style), width in zip(row, widths, strict=True)
    ]
