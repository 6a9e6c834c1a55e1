"""Marks inside of compiled code go: they raise there, and belong to the caller."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from validators.patch.editing.changes import Change, Left, Replacement, Scene
from validators.patch.editing.statements import only_statement

CASE = "mark_inside_compiled_region"
_MARKS = {"mark_dynamic", "maybe_mark_dynamic", "mark_unbacked"}


def marks(scene: Scene) -> Iterator[Change | Left]:
    """A change for each mark that a finding names."""
    for node in scene.source.all(cst.Expr):
        if not scene.named(node) or _called(node) not in _MARKS:
            continue
        line, place = only_statement(scene.source, node), scene.source.line(node)
        if line is None:
            reason = "it shares its line with other statements"
            yield Left("marks", scene.source.file, place, reason)
            continue
        empty = line.with_changes(body=[cst.Pass()])
        alone = len(getattr(scene.source.parents[line], "body", ())) == 1
        what = "take the mark out of compiled code; mark before the call instead"
        replaced: dict[cst.CSTNode, Replacement]
        replaced = {line: empty if alone else cst.RemoveFromParent()}
        yield Change("marks", CASE, scene.source, place, what, replaced)


def _called(node: cst.Expr) -> str:
    match node.value:
        case cst.Call(func=cst.Attribute(attr=cst.Name(name)) | cst.Name(name)):
            return name
    return ""
