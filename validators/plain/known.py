"""The cases that explain what plain programs show: `known.yaml` beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from validators.catalog.page import InvalidPage, parse_fields, read_list
from validators.errors import Problem
from validators.plain.programs import FOLDER
from validators.plain.record import Finding, Kind

_MAX_LIST = 32 * 1024
_Text = Annotated[str, Meta(min_length=1)]


class Known(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The case that causes a finding of a program, and why; `says` is a part of what it says."""

    program: _Text
    kind: Kind
    says: str = ""
    case: _Text
    because: _Text

    def covers(self, program: str, finding: Finding) -> bool:
        """Whether it is about this finding of a program."""
        mine = program == self.program and finding.kind == self.kind
        return mine and self.says in finding.says


class _Fields(Struct, frozen=True, forbid_unknown_fields=True):
    known: list[Known]


def known_file(root: Path) -> Path:
    """The file of the repository `root`."""
    return root / FOLDER / "known.yaml"


def load_known(root: Path) -> tuple[list[Known], list[Problem]]:
    """What the repository `root` knows, and the defects of the file."""
    file = known_file(root)
    if not file.is_file():
        return [], []
    try:
        return parse_fields(file, read_list(file), _Fields, _MAX_LIST).known, []
    except InvalidPage as error:
        return [], list(error.problems)
