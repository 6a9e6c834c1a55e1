"""Which slow tests a run takes that lacks the time for all: those about what changed, and a few.

The sample rotates with the seed, so that runs of successive commits take all of them in turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from pathlib import PurePosixPath

from validators.runner.sampling import sampled


def rooms(changed: Iterable[str]) -> set[PurePosixPath]:
    """The folders and files of tests that are about changed files."""
    return {_room(PurePosixPath(it).parts) for it in changed}


def taken(files: Collection[str], touched: Set[PurePosixPath], most: int, seed: str) -> set[str]:
    """Of files with slow tests, those about what changed and `most` others, by the seed."""
    ours = {it for it in files if touched & {(path := PurePosixPath(it)), *path.parents}}
    return ours | sampled({*files} - ours, most, seed)


def _room(parts: tuple[str, ...]) -> PurePosixPath:
    """`validators/runner/plan.py` has `tests/validators/runner`; a file of tests has itself."""
    if parts[0] == "tests":
        return PurePosixPath(*parts)
    inside = parts[1:] if parts[0] == "site" else parts
    return PurePosixPath("tests", *inside[: 2 if inside[0] == "validators" else 1])
