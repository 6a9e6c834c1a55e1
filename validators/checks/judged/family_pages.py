"""Checks of families: each has a page or a reason why not, and is found by what it prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from validators.catalog.patterns import defect_of
from validators.errors import Problem
from validators.families import Family, FamilyLines, Kind, Vocabulary
from validators.families.illustrations import FOLDER, UNREACHABLE
from validators.families.stored import kind_path
from validators.families.torch_source.formats import filled
from validators.files import read_file

_COVERED: tuple[Kind, ...] = ("cudagraph_skip", "guard", "exception")
_MOST_OPEN = 6
"""Of the graph breaks; lower it when you add a page or a reason."""
_BEFORE: dict[Kind, str] = {"cudagraph_skip": "skipping cudagraphs due to ", "guard": "0/0: "}
_SPECIAL = ("constant-subclass-match", "equals-match", "partition-ops")
"""Families whose holes hold a value that is not `True`, a number's class, and a device."""
_MOST_BYTES = 1_000_000
"""Of the files of all releases."""
_READ = "correct how validators/families reads it"


def check_families_covered(vocabulary: Vocabulary, playbooks: Path) -> Iterator[Problem]:
    """Find families that no page of ours explains, without a reason for that."""
    for kind in _COVERED:
        for family in _open(vocabulary, kind):
            message = "has no page and no reason; illustrate it, or say why not in"
            yield family_problem(playbooks, family, f"{message} {FOLDER}/{UNREACHABLE}")
    if len(keys := [it.key for it in _open(vocabulary, "graph_break")]) > _MOST_OPEN:
        message = f"no page and no reason for {', '.join(keys)}, more than {_MOST_OPEN};"
        path = kind_path(playbooks, "graph_break")
        yield Problem(path, 0, f"{message} illustrate some, or say why not in {UNREACHABLE}")


def _open(vocabulary: Vocabulary, kind: Kind) -> list[Family]:
    return [
        it
        for it in vocabulary.families
        if it.kind == kind and not vocabulary.causes_of(it) and it.key not in vocabulary.unreachable
    ]


def check_family_patterns(families: Sequence[Family], playbooks: Path) -> Iterator[Problem]:
    """Find families whose patterns a browser cannot read, or which do not fit what they print."""
    lines = FamilyLines(families)
    for family in families:
        for pattern in family.patterns:
            if defect := defect_of(pattern):
                message = f"the pattern `{pattern}`: {defect}; correct families/patterns.py"
                yield family_problem(playbooks, family, message)
        if not family.patterns:
            yield family_problem(playbooks, family, f"has no pattern; {_READ}")
        printed = _printed(family).split("\n")
        if family.key not in _SPECIAL and not any(family in lines.of(line) for line in printed):
            yield family_problem(playbooks, family, f"is not found by what it prints; {_READ}")
    sizes = [path.stat().st_size for path in (playbooks / "families").glob("*")]
    if sum(sizes) >= _MOST_BYTES:
        message = f"the files have {sum(sizes)} bytes, not less than {_MOST_BYTES}; record less"
        yield Problem(playbooks / "families", 0, message)


def _printed(family: Family) -> str:
    if family.kind == "exception":
        return f"torch._dynamo.exc.{family.key}: boom"
    return _BEFORE.get(family.kind, "") + filled(family.newest.format, lambda name: "True")


def family_problem(playbooks: Path, family: Family, message: str) -> Problem:
    """Return a problem with a family, at its line in the file of its kind."""
    path = kind_path(playbooks, family.kind)
    rows = read_file(path).decode("utf-8").split("\n")
    begins = f'"{family.key}": '
    line = next((n for n, row in enumerate(rows, 1) if row.strip().startswith(begins)), 0)
    return Problem(path, line, f"{family.key}: {message}")
