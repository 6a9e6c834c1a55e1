"""Changes of files: what a rule proposes, and what the files then hold."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import libcst as cst

from validators.patch.editing.source import Source

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
"""Lines as `patch` and `git apply` know them: a form feed ends none."""
Replacement = cst.CSTNode | cst.FlattenSentinel[cst.CSTNode] | cst.RemovalSentinel


@dataclass(frozen=True, eq=False)
class Change:
    """One fix at one place: nodes of a file, and what takes their place.

    `case` is the case that the fix follows, `what` says in words what the change does. `proof` says
    how it is verified: by `verify-fix`, or by what it is about, the calls or how blocks compile.
    """

    rule: str
    case: str
    source: Source
    line: int
    what: str
    replaced: dict[cst.CSTNode, Replacement]
    proof: Literal["fix", "calls", "regions"] = "fix"

    def overlaps(self, other: Change) -> bool:
        """Whether one change replaces something inside of what the other replaces."""
        return self.source is other.source and any(
            one is two or one in self.source.above(two) or two in self.source.above(one)
            for one in self.replaced
            for two in other.replaced
        )


@dataclass(frozen=True)
class Left:
    """A place that a rule leaves as it is, since a fix there is not mechanical."""

    rule: str
    file: Path
    line: int
    reason: str


@dataclass(frozen=True)
class Scene:
    """What a rule sees: a file, the lines of it that findings name, and all files of the target.

    `trains` says that gradients matter. `factory` is the target's if this is its file, and `shapes`
    what the part of that name measured.
    """

    source: Source
    lines: frozenset[int]
    sources: tuple[Source, ...]
    trains: bool
    factory: str = ""
    shapes: dict[str, Any] = field(default_factory=dict)

    def named(self, node: cst.CSTNode) -> bool:
        """Whether a finding names a line of this node."""
        place = self.source.positions[node]
        return any(line in self.lines for line in range(place.start.line, place.end.line + 1))


class NotMechanicalError(Exception):
    """A rule leaves a place as it is; the message says why."""


Rule = Callable[[Scene], Iterator[Change | Left]]


def texts(changes: Sequence[Change]) -> dict[Path, bytes]:
    """The changed files, by path."""
    found: dict[Source, dict[cst.CSTNode, Replacement]] = {}
    for it in changes:
        found.setdefault(it.source, {}).update(it.replaced)
    made = {it.file: it.module.visit(_Replace(nodes)) for it, nodes in found.items()}
    return {file: module.bytes for file, module in made.items()}


def diff(changes: Sequence[Change], folder: Path) -> str:
    """A unified diff of the changed files; their names are relative to `folder`."""
    sources = {it.source.file: it.source for it in changes}
    parts: list[str] = []
    for file, after in sorted(texts(changes).items()):
        name = str(file.relative_to(folder))
        encoding = sources[file].module.encoding
        before = _LINES.findall(sources[file].module.code)
        now = _LINES.findall(after.decode(encoding))
        parts += difflib.unified_diff(before, now, f"a/{name}", f"b/{name}")
    ended = [it if it.endswith("\n") else f"{it}\n\\ No newline at end of file\n" for it in parts]
    return "".join(ended)


class _Replace(cst.CSTTransformer):
    def __init__(self, replaced: dict[cst.CSTNode, Replacement]) -> None:
        super().__init__()
        self.replaced = replaced

    def on_leave(self, original_node, updated_node):  # type: ignore[no-untyped-def]
        return self.replaced.get(original_node, updated_node)
