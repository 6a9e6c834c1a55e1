"""A text that the search is judged by, with its labels and the place where these stand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from validators.catalog.page import LOADER
from validators.errors import Problem
from validators.files import read_file

FOLDER = "judged"
"""Beside the catalog."""
UNRELATED = "unrelated"
"""The kind of a text about something else, which should get no answer."""


@dataclass(frozen=True)
class Text:
    """A log or a query, and the pages and families that a right answer names.

    `name` is the source of a log, or the query itself. `part` says whether the search may be tuned
    on it. `kind` is the area of a log or the kind of a query. A case goes by its name, another page
    as `area:numerics`.
    """

    path: Path
    line: int
    name: str
    part: str
    kind: str
    text: str
    pages: frozenset[str] = frozenset()
    families: frozenset[tuple[str, str]] = frozenset()

    def problem(self, message: str) -> Problem:
        """Return a problem with the text."""
        return Problem(self.path, self.line, f"{self.name[:60]}: {message}")


class Lines:
    """Knows on which line of a YAML file each value begins."""

    def __init__(self, path: Path) -> None:
        self._root = yaml.compose(read_file(path), Loader=LOADER) if path.exists() else None

    def at(self, *keys: str | int) -> int:
        """Return the line of what `keys` lead to, or of the last one that is there."""
        node, line = self._root, 1
        for key in keys:
            if isinstance(node, yaml.SequenceNode) and isinstance(key, int):
                node = node.value[key]
                line = node.start_mark.line + 1
            elif isinstance(node, yaml.MappingNode):
                pairs = (pair for pair in node.value if pair[0].value == key)
                if not (pair := next(pairs, None)):
                    break
                line, node = pair[0].start_mark.line + 1, pair[1]
        return line
