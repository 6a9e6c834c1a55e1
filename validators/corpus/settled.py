"""What people found out about findings that `diagnose` does not explain: `PACKAGE.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from validators.catalog.page import InvalidPage, parse_fields, read_list
from validators.corpus.models import FOLDER
from validators.diagnose.findings.finding import Finding, Kind, Place
from validators.errors import Problem

_MAX_LIST = 128 * 1024
_Text = Annotated[str, Meta(min_length=1)]


class Settlement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The case that causes the findings at a line, and why.

    `file` ends the path, "" for a finding without a place. `code` is a part of the line, and `says`
    of what torch printed.
    """

    file: str
    code: str
    kind: Kind
    says: str = ""
    case: _Text
    because: _Text

    def covers(self, finding: Finding) -> bool:
        """Whether it is about this finding; of a recompilation, at its guard's line or function."""
        place = finding.place or Place("", 0)
        inside = finding.kind == "recompile" and not place.code.startswith(("def ", "@"))
        places = [place, *(finding.stack[:1] if inside else [])]
        return (
            finding.kind == self.kind
            and any(map(self._holds, places))
            and self.says in f"{finding.what}\n{finding.explanation.family}\n{finding.text}"
        )

    def _holds(self, place: Place) -> bool:
        named = place.file.endswith(self.file) and self.code in place.code
        return named and bool(place.file) == bool(self.file)


class _Fields(Struct, frozen=True, forbid_unknown_fields=True):
    settled: list[Settlement]


Settled = dict[Path, list[Settlement]]
"""The settlements by the file that holds them."""


def load_settled(root: Path) -> tuple[Settled, list[Problem]]:
    """The settlements of the repository `root`, and the defects of unreadable files."""
    found: Settled = {}
    problems: list[Problem] = []
    for file in sorted((root / FOLDER).glob("*.yaml")):
        try:
            found[file] = parse_fields(file, read_list(file), _Fields, _MAX_LIST).settled
        except InvalidPage as error:
            problems += error.problems
    return found, problems
