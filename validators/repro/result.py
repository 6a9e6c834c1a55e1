"""What `repro` found and wrote, as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from validators.diagnose.findings.finding import Finding


@dataclass(frozen=True)
class Trial:
    """Part of a target: calls by number, the path of a submodule, and its own calls (None: all).

    `loss` is "own" for the target's loss, "total" for one made up, "none" for no backward pass.
    """

    backend: str
    calls: list[int]
    path: str = ""
    inner: list[int] | None = None
    loss: str = "none"


@dataclass(frozen=True)
class Tried:
    """One try: what it was, whether the failure showed, and if not, what happened instead."""

    what: str
    shows: bool
    said: str


@dataclass(kw_only=True)
class Reproduction:
    """`repro --json`: the failure, its smallest part that still fails, and the script for it.

    `finding` is null if nothing fails. `part` is null if not even the whole target fails outside
    of the diagnosis. `checked` says that the script fails in the same way in a clean folder.
    `form` says where the script gets model and inputs from. `files` are what `folder` holds.
    `left_out` says of files that the target read, and that are not copied, why.
    """

    target: str
    torch: str
    python: str
    finding: Finding | None
    folder: str
    part: Trial | None = None
    type: str = ""
    tried: list[Tried] = field(default_factory=list)
    checked: bool = False
    form: str = ""
    files: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
