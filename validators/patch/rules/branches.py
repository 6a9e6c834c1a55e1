"""`if` on a tensor becomes `torch.where`, where both sides only compute.

A side may assign names or return a value, by arithmetic and functions that keep a tensor's shape.
What calls a module or writes in place stays: `torch.where` computes both sides.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import libcst as cst

from validators.patch.editing.changes import Change, Left, NotMechanicalError, Replacement, Scene
from validators.patch.editing.purity import REDUCTIONS, function_of, impure, shaped_like, steep
from validators.patch.editing.source import Source, names, walk
from validators.patch.editing.statements import (
    bound_before,
    changed_in_place,
    comments,
    following,
    lines_of,
)
from validators.patch.rules.messages import only_messages

CASE = "tensor_dependent_if_in_rotary"
Sides = list[tuple[str, cst.BaseExpression, cst.BaseExpression]]


def branches(scene: Scene) -> Iterator[Change | Left]:
    """A change for each `if` on a tensor that a finding names."""
    for node in scene.source.all(cst.If):
        if not scene.named(node.test) or only_messages(node) or not _asks_tensor(node.test):
            continue
        line = scene.source.line(node)
        try:
            replaced = _rewritten(scene, node)
        except NotMechanicalError as error:
            yield Left("branches", scene.source.file, line, str(error))
            continue
        what = "compute both sides and choose with torch.where"
        yield Change("branches", CASE, scene.source, line, what, replaced)


def _asks_tensor(test: cst.BaseExpression) -> bool:
    calls = [it for it in walk(test) if isinstance(it, cst.Call)]
    asked = {function_of(it)[0] for it in calls} & (REDUCTIONS | {"item"})
    return bool(asked) or isinstance(test, (cst.Comparison, cst.UnaryOperation))


def _rewritten(scene: Scene, node: cst.If) -> dict[cst.CSTNode, Replacement]:
    source = scene.source
    if not source.imports_torch():
        raise NotMechanicalError("the file does not import torch under its own name")
    if isinstance(source.parents[node], cst.If) or isinstance(node.orelse, cst.If):
        raise NotMechanicalError("it has an elif")
    test = condition(source, node.test)
    returned = _returned(source, node)
    sides = [("", *returned[:2])] if returned else _assigned(source, node)
    for name, one, other in sides:
        _check(scene, name, one, other)
    kept = [*node.leading_lines, *comments(node, but=node.leading_lines)]
    if returned:
        line = _line(f"return torch.where({test}, {_told(source, sides)})", kept)
        after = {returned[2]: cst.RemoveFromParent()} if returned[2] is not None else {}
        return {node: line, **after}
    lines = []
    if len(sides) > 1:
        taken = _fresh(source, node)
        lines.append(f"{taken} = {test}")
        test = taken
    lines += [f"{it[0]} = torch.where({test}, {_told(source, [it])})" for it in sides]
    made = [_line(text, kept if not number else []) for number, text in enumerate(lines)]
    return {node: cst.FlattenSentinel(made)}


def condition(source: Source, test: cst.BaseExpression) -> str:
    """The code of a test as a tensor of bools.

    Raises:
        NotMechanicalError: the test may be something else, or do more than compute.
    """
    match test:
        case cst.UnaryOperation(operator=cst.Not()):
            return f"~({condition(source, test.expression)})"
        case cst.Call(func=cst.Name("bool"), args=[one]):
            return condition(source, one.value)
        case cst.Comparison(left=left, comparisons=[one]):
            found: cst.BaseExpression = test.with_changes(
                left=_unread(left, one.comparator),
                comparisons=[one.with_changes(comparator=_unread(one.comparator, left))],
            )
        case cst.Call() if function_of(test)[0] in {"any", "all"}:
            found = test
        case _:
            raise NotMechanicalError(f"{source.code(test)} is not known to be a tensor of bools")
    if part := impure(found):
        raise NotMechanicalError(f"the test does more than compute: {part}")
    return source.code(found.with_changes(lpar=[], rpar=[]))


def _unread(node: cst.BaseExpression, other: cst.BaseExpression) -> cst.BaseExpression:
    """The tensor that `.item()` reads, where comparing it with `other` gives the same."""
    match node:
        case cst.Call(func=cst.Attribute(value=tensor, attr=cst.Name("item")), args=[]):
            if not isinstance(other, (cst.Integer, cst.Float)):
                raise NotMechanicalError("it compares what .item() reads with something unknown")
            number = float(other.evaluated_value)
            if struct.unpack("f", struct.pack("f", number))[0] != number:
                raise NotMechanicalError("float32 rounds the number that .item() is compared with")
            return tensor
    return node


def _returned(
    source: Source, node: cst.If
) -> tuple[cst.BaseExpression, cst.BaseExpression, cst.CSTNode | None] | None:
    """What both sides return, and the statement after the `if` where that is the other side."""
    one = _value(lines_of(node.body))
    if one is None:
        return None
    if isinstance(node.orelse, cst.Else):
        other, after = _value(lines_of(node.orelse.body)), None
    else:
        after = following(source, node)
        alone = isinstance(after, cst.SimpleStatementLine) and len(after.body) == 1
        other = _value(after.body) if alone and isinstance(after, cst.SimpleStatementLine) else None
    if other is None:
        raise NotMechanicalError("only one side returns a value")
    return one, other, after


def _value(lines: Sequence[cst.CSTNode]) -> cst.BaseExpression | None:
    match lines:
        case [cst.Return(value=cst.BaseExpression() as value)]:
            return value
    return None


def _assigned(source: Source, node: cst.If) -> Sides:
    """The names that the sides assign, with both values; a missing side keeps what was there."""
    one = _assigns(source, node.body)
    if not isinstance(node.orelse, cst.Else):
        for name in one:
            if not bound_before(source, node, name):
                raise NotMechanicalError(f"{name} may have no value before the if")
            if changed_in_place(source, node, name):
                raise NotMechanicalError(f"other code writes into {name}, which would be a copy")
        return [(name, value, cst.Name(name)) for name, value in one.items()]
    other = _assigns(source, node.orelse.body)
    if list(one) != list(other):
        raise NotMechanicalError("its sides assign different names")
    return [(name, value, other[name]) for name, value in one.items()]


def _assigns(source: Source, body: cst.BaseSuite) -> dict[str, cst.BaseExpression]:
    found: dict[str, cst.BaseExpression] = {}
    for it in lines_of(body):
        match it:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))]) if name not in found:
                found[name] = it.value
            case _:
                first = source.code(it).splitlines()[0]
                raise NotMechanicalError(f"a side does more than assign or return: {first}")
    return found


def _check(scene: Scene, name: str, one: cst.BaseExpression, other: cst.BaseExpression) -> None:
    """Raise where the sides may differ in shape, or do more than compute."""
    for side in (one, other):
        if part := impure(side):
            raise NotMechanicalError(f"a side does more than compute: {part}")
        if scene.trains and (part := steep(side)):
            raise NotMechanicalError(f"the gradient of a side that is not taken may be NaN: {part}")
    if not shaped_like(one) & shaped_like(other):
        raise NotMechanicalError("its sides may have different shapes")


def _told(source: Source, sides: Sides) -> str:
    ((_, one, other),) = sides
    return f"{source.code(one)}, {source.code(other)}"


def _line(text: str, leading: Sequence[cst.EmptyLine]) -> cst.SimpleStatementLine:
    line = cst.ensure_type(cst.parse_statement(text), cst.SimpleStatementLine)
    return line.with_changes(leading_lines=leading)


def _fresh(source: Source, node: cst.If) -> str:
    """A name that the function does not use."""
    function = source.enclosing(node, cst.FunctionDef)
    known = names(function or source.module)
    return next(it for it in ("taken", "taken_", "taken__") if it not in known)
