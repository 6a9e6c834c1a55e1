"""A number read out of a tensor to index with stays a tensor of one element.

`x[:, t.item()]` becomes `x[:, t.reshape(1)].squeeze(1)`: a tensor without dims is read by Dynamo
when it indexes, one with a single element is not.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from validators.patch.editing.changes import Change, Left, NotMechanicalError, Replacement, Scene
from validators.patch.editing.source import Source, names
from validators.patch.editing.statements import changed_in_place, in_place, only_statement

CASE = "item_in_forward"
CACHE = "kv_cache_item_index"


def indices(scene: Scene) -> Iterator[Change | Left]:
    """A change for each number that a finding names and that only indexes."""
    done: set[cst.CSTNode] = set()
    for read in scene.source.all(cst.Call):
        if not scene.named(read) or _tensor(read) is None or _is_inner(scene.source, read):
            continue
        line = scene.source.line(read)
        try:
            replaced, case = _kept(scene.source, read)
        except NotMechanicalError as error:
            yield Left("indices", scene.source.file, line, str(error))
            continue
        if not done.isdisjoint(replaced):
            continue
        done.update(replaced)
        what = "index by a tensor of one element"
        yield Change("indices", case, scene.source, line, what, replaced)


def _tensor(read: cst.CSTNode) -> cst.BaseExpression | None:
    """The tensor whose value is read: of `t.item()`, `int(t)` or `int(t.item())`."""
    match read:
        case cst.Call(func=cst.Attribute(value=tensor, attr=cst.Name("item")), args=[]):
            return tensor
        case cst.Call(func=cst.Name("int"), args=[one]):
            return _tensor(one.value) or (None if _sized(one.value) else one.value)
    return None


def _sized(node: cst.CSTNode) -> bool:
    """Whether an expression is about sizes, which are Python numbers already."""
    return not {"shape", "size", "len", "numel"}.isdisjoint(names(node))


def _is_inner(source: Source, read: cst.Call) -> bool:
    """Whether a read stands in `int(...)`, which is a read as well."""
    return isinstance(source.parents[read], cst.Arg) and any(
        _tensor(it) is not None for it in list(source.above(read))[1:2]
    )


def _kept(source: Source, read: cst.Call) -> tuple[dict[cst.CSTNode, Replacement], str]:
    tensor = _tensor(read)
    assert tensor is not None
    element = f"{source.code(tensor)}.reshape(1)"
    replaced: dict[cst.CSTNode, Replacement] = {}
    texts: dict[cst.CSTNode, str] = {read: element}
    match source.parents[read]:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]):
            uses = _uses(source, read, name)
            # What the tensor holds later does not count.
            own = element if isinstance(tensor, cst.Call) else f"{element}.clone()"
            replaced = {read: cst.parse_expression(own)}
            texts = dict.fromkeys(uses, name.value)
    case, replaced_as = CASE, dict[cst.CSTNode, str]()
    for use, text in texts.items():
        node, made, stored = _indexed(source, use, text)
        if replaced_as.setdefault(node, made) != made:
            raise NotMechanicalError("it indexes twice at one place")
        if any(it in source.above(node) for it in replaced):
            raise NotMechanicalError("one index stands in another")
        statement = isinstance(node, cst.Assign)
        parsed = cst.parse_statement(made) if statement else cst.parse_expression(made)
        replaced[node] = parsed.body[0] if isinstance(parsed, cst.SimpleStatementLine) else parsed
        case = CACHE if stored else case
    return replaced, case


def _uses(source: Source, read: cst.Call, name: cst.Name) -> list[cst.Name]:
    """Where a name that holds the number is used."""
    function = source.enclosing(read, cst.FunctionDef)
    if function is None:
        raise NotMechanicalError("it does not stand in a function")
    places = [it for it in source.all(cst.Name, function) if it.value == name.value]
    targets = (cst.AssignTarget, cst.AugAssign, cst.Param, cst.For)
    held = [it for it in places if not _is_word(source, it)]
    if [it for it in held if it is not name and isinstance(source.parents[it], targets)]:
        raise NotMechanicalError(f"{name.value} gets another value as well")
    if len(held) < 2:
        raise NotMechanicalError(f"{name.value} is not used")
    return [it for it in held if it is not name]


def _is_word(source: Source, name: cst.Name) -> bool:
    """Whether a name is an attribute's or a keyword's."""
    parent = source.parents[name]
    attribute = isinstance(parent, cst.Attribute) and parent.attr is name
    return attribute or (isinstance(parent, cst.Arg) and parent.keyword is name)


def _indexed(source: Source, use: cst.CSTNode, text: str) -> tuple[cst.CSTNode, str, bool]:
    """What a use as an index becomes: the node, its new code, whether it writes several elements.

    `text` is the code of the tensor of one element.
    """
    expression: cst.CSTNode = use
    while isinstance(parent := source.parents[expression], cst.BinaryOperation):
        if not isinstance(parent.operator, (cst.Add, cst.Subtract)):
            break
        expression = parent
    at = source.parents[expression]
    element = source.parents.get(at)
    if not isinstance(at, (cst.Index, cst.Slice)) or not isinstance(element, cst.SubscriptElement):
        raise NotMechanicalError(f"{source.code(expression)} is used as a Python number")
    subscript = cst.ensure_type(source.parents[element], cst.Subscript)
    dim = _dim(subscript, element)
    parent = source.parents[subscript]
    if isinstance(parent, cst.Call) and parent.func is subscript:
        raise NotMechanicalError(f"{source.code(subscript)} is called, so it is not a tensor")
    if isinstance(parent, (cst.Del, cst.AugAssign)):
        raise NotMechanicalError("it changes an element in place")
    if isinstance(at, cst.Slice):
        return _sliced(source, subscript, at, dim, text, source.code(use))
    if _is_view_written(source, subscript):
        raise NotMechanicalError("other code writes into what it reads, which would be a copy")
    if isinstance(parent, cst.AssignTarget):
        raise NotMechanicalError("it writes an element, whose value may lack the dim")
    index = source.code(expression).replace(source.code(use), text, 1)
    return subscript, f"{_with(source, subscript, element, index)}.squeeze({dim})", False


def _sliced(
    source: Source, subscript: cst.Subscript, at: cst.Slice, dim: int, text: str, use: str
) -> tuple[cst.CSTNode, str, bool]:
    if at.lower is None or at.upper is None or at.step is not None or source.code(at.lower) != use:
        raise NotMechanicalError(f"the length of {source.code(subscript)} depends on the number")
    element = cst.ensure_type(source.parents[at], cst.SubscriptElement)
    length = source.code(at.upper).removeprefix(f"{use} + ")
    if length == "1" and _is_view_written(source, subscript):
        raise NotMechanicalError("other code writes into what it reads, which would be a copy")
    if length == "1":
        return subscript, _with(source, subscript, element, text), False
    target = source.parents[subscript]
    line = source.parents[target] if isinstance(target, cst.AssignTarget) else None
    if not isinstance(line, cst.Assign) or only_statement(source, line) is None:
        raise NotMechanicalError(f"it reads {length} elements")
    value = source.code(line.value)
    if length not in {f"{value}.shape[{dim}]", f"{value}.size({dim})"}:
        raise NotMechanicalError(f"{value} may have another length than {length}")
    if not source.imports_torch():
        raise NotMechanicalError("the file does not import torch under its own name")
    places = f"{text} + torch.arange({length}, device={value}.device)"
    return line, f"{source.code(subscript.value)}.index_copy_({dim}, {places}, {value})", True


def _is_view_written(source: Source, subscript: cst.Subscript) -> bool:
    """Whether code writes into what a subscript reads: an index by a tensor gives a copy."""
    match source.parents[subscript]:
        case cst.Attribute(attr=cst.Name(method)):
            return in_place(method)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))]):
            return changed_in_place(source, subscript, name)
    return False


def _with(source: Source, subscript: cst.Subscript, at: cst.SubscriptElement, index: str) -> str:
    """A subscript with another index at one place."""
    parts = [index if it is at else source.code(it.slice) for it in subscript.slice]
    return f"{source.code(subscript.value)}[{', '.join(parts)}]"


def _dim(subscript: cst.Subscript, element: cst.SubscriptElement) -> int:
    """The dim that an element of a subscript is about; negative after an ellipsis."""
    place = next(number for number, it in enumerate(subscript.slice) if it is element)
    from_end = False
    for number, it in enumerate(subscript.slice):
        match it.slice:
            case cst.Index(value=cst.Ellipsis()) if number < place:
                from_end = True
            case cst.Slice(lower=None, upper=None, step=None):
                continue
            case cst.Slice() if number > place:
                continue
            case _ if number != place:
                raise NotMechanicalError("it indexes other dims as well")
    return place - len(subscript.slice) if from_end else place
