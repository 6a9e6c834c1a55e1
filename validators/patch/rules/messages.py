"""Prints, logging and warnings in compiled code are left out while torch compiles.

Eager mode still shows them.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from validators.diagnose.static.rules import LOGGERS
from validators.patch.editing.changes import Change, Left, NotMechanicalError, Replacement, Scene
from validators.patch.editing.purity import impure
from validators.patch.editing.source import Source, walk
from validators.patch.editing.statements import lines_of, only_statement

_GUARD = "not torch.compiler.is_compiling()"
_CASES = {
    "print": "print_in_forward",
    "log": "logging_in_forward",
    "warn": "warning_in_forward",
}
_TELLS = {
    *("critical", "debug", "error", "exception", "fatal", "info", "log", "warn", "warning"),
    *("debug_once", "info_once", "warning_advice", "warning_once"),
}
"""Methods of loggers, and functions of `warnings`, that say something and change nothing."""
_READS = {"format", "item", "join", "len", "list", "repr", "str", "tolist", "tuple", "type"}


def messages(scene: Scene) -> Iterator[Change | Left]:
    """A change for each print, logged line and warning that a finding names."""
    done: set[cst.CSTNode] = set()
    for node in scene.source.all(cst.Expr):
        kind = _kind(node)
        if not kind or _is_guarded(scene.source, node):
            continue
        whole = _if_around(scene.source, node)
        if not scene.named(node) and not (whole and scene.named(whole.test)):
            continue
        if whole in done:
            continue
        line = scene.source.line(whole or node)
        try:
            replaced = _guarded(scene.source, node, whole)
        except NotMechanicalError as error:
            yield Left("messages", scene.source.file, line, str(error))
            continue
        if whole:
            done.add(whole)
        what = "leave the message out of compiled code"
        yield Change("messages", _CASES[kind], scene.source, line, what, replaced)


def only_messages(node: cst.If) -> bool:
    """Whether an `if` does nothing but say something."""
    return node.orelse is None and all(_kind(it) for it in lines_of(node.body))


def _kind(node: cst.CSTNode) -> str:
    match node:
        case cst.Expr(value=cst.Call(func=cst.Name("print"))):
            return "print"
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name)))):
            if name not in _TELLS:
                return ""
            if isinstance(owner, cst.Name) and owner.value == "warnings":
                return "warn"
            last = owner.attr if isinstance(owner, cst.Attribute) else owner
            return "log" if isinstance(last, cst.Name) and last.value in LOGGERS else ""
    return ""


def _if_around(source: Source, node: cst.Expr) -> cst.If | None:
    """The `if` that does nothing but say this, and whose test only computes."""
    around = source.enclosing(node, cst.If)
    if around is None:
        return None
    is_elif = isinstance(source.parents[around], cst.If)
    inside = node in lines_of(around.body)
    tells = inside and only_messages(around) and not is_elif and not _acts(around.test)
    return around if tells else None


def _is_guarded(source: Source, node: cst.Expr) -> bool:
    """Whether compiled code leaves this out already."""
    tests = (it.test for it in source.above(node) if isinstance(it, cst.If))
    return any("is_compiling()" in source.code(it) for it in tests)


def _guarded(
    source: Source, node: cst.Expr, whole: cst.If | None
) -> dict[cst.CSTNode, Replacement]:
    if not source.imports_torch():
        raise NotMechanicalError("the file does not import torch under its own name")
    call = cst.ensure_type(node.value, cst.Call)
    acting = [part for it in call.args if (part := _acts(it.value))]
    if acting:
        raise NotMechanicalError(f"the message does more than tell: {acting[0]}")
    if whole:
        test = source.code(whole.test)
        loose = isinstance(whole.test, (cst.BooleanOperation, cst.IfExp)) and not whole.test.lpar
        told = f"({test})" if loose else test
        return {whole.test: cst.parse_expression(f"{_GUARD} and {told}")}
    line = only_statement(source, node)
    if line is None:
        raise NotMechanicalError("it shares its line with other statements")
    bare = line.with_changes(leading_lines=[])
    guard = cst.If(
        test=cst.parse_expression(_GUARD),
        body=cst.IndentedBlock([bare]),
        leading_lines=line.leading_lines,
    )
    return {line: guard}


def _acts(node: cst.CSTNode) -> str:
    """The code of a part that may change something, or ""."""
    for it in walk(node):
        if isinstance(it, (cst.NamedExpr, cst.Await, cst.Yield)):
            return cst.Module([]).code_for_node(it)
        if isinstance(it, cst.Call):
            name = it.func.attr if isinstance(it.func, cst.Attribute) else it.func
            reads = isinstance(name, cst.Name) and name.value in _READS | {"isEnabledFor"}
            if not reads and _impure_alone(it):
                return cst.Module([]).code_for_node(it)
    return ""


def _impure_alone(call: cst.Call) -> bool:
    """Whether a call itself, whatever its arguments are, may change something."""
    stand_in = cst.Name("x")
    bare = call.with_changes(args=[it.with_changes(value=stand_in) for it in call.args])
    if isinstance(bare.func, cst.Attribute) and isinstance(bare.func.value, cst.Call):
        bare = bare.with_changes(func=bare.func.with_changes(value=stand_in))
    return bool(impure(bare))
