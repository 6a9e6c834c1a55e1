"""Int attributes that forward counts up become buffers, outside of the state dict."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from validators.patch.editing.changes import Change, Left, NotMechanicalError, Replacement, Scene
from validators.patch.editing.source import Source
from validators.patch.editing.statements import only_statement

CASE = "integer_module_attribute"


def counters(scene: Scene) -> Iterator[Change | Left]:
    """A change for each counter that a finding names."""
    known: set[tuple[cst.ClassDef, str]] = set()
    for node in scene.source.all(cst.AugAssign):
        owner, name = scene.source.enclosing(node, cst.ClassDef), _own(node.target)
        if owner is None or not name or (owner, name) in known or not scene.named(node):
            continue
        if not isinstance(node.value, cst.Integer):
            continue
        known.add((owner, name))
        line = scene.source.line(node)
        try:
            replaced = _buffered(scene, owner, name)
        except NotMechanicalError as error:
            yield Left("counters", scene.source.file, line, str(error))
            continue
        what = f"keep self.{name} in a buffer"
        yield Change("counters", CASE, scene.source, line, what, replaced)


def _buffered(scene: Scene, owner: cst.ClassDef, name: str) -> dict[cst.CSTNode, Replacement]:
    source = scene.source
    if not source.imports_torch():
        raise NotMechanicalError("the file does not import torch under its own name")
    _check_outside(scene, owner, name)
    started = [it for it in source.all(cst.Assign, owner) if _own(it.targets[0].target) == name]
    if len(started) != 1 or not isinstance(started[0].value, cst.Integer):
        raise NotMechanicalError(f"self.{name} does not start as one int in __init__")
    line = only_statement(source, started[0])
    if line is None or len(started[0].targets) != 1 or not _after_super(source, line):
        raise NotMechanicalError(f"self.{name} does not start in __init__ after super().__init__()")
    for it in source.all(cst.Attribute, owner):
        if _own(it) == name and not _arithmetic(source, it):
            raise NotMechanicalError(f"line {source.line(it)} needs self.{name} as a Python number")
    start = source.code(started[0].value)
    text = f'self.register_buffer("{name}", torch.tensor({start}), persistent=False)'
    made = cst.ensure_type(cst.parse_statement(text), cst.SimpleStatementLine)
    counts: dict[cst.CSTNode, Replacement] = {
        it: _assigned(source, it)
        for it in source.all(cst.AugAssign, owner)
        if _own(it.target) == name
    }
    return {line: line.with_changes(body=made.body), **counts}


def _assigned(source: Source, node: cst.AugAssign) -> cst.BaseSmallStatement:
    """The same count out of place: a buffer written in place gives wrong gradients."""
    target, value = source.code(node.target), source.code(node.value)
    if isinstance(node.value, cst.BinaryOperation | cst.IfExp) and not node.value.lpar:
        value = f"({value})"
    operator = source.code(node.operator).removesuffix("=")
    line = cst.parse_statement(f"{target} = {target} {operator} {value}")
    small = cst.ensure_type(line, cst.SimpleStatementLine).body[0]
    return small.with_changes(semicolon=node.semicolon)


def _check_outside(scene: Scene, owner: cst.ClassDef, name: str) -> None:
    """Raise if other code may read the counter."""
    above = _bases(scene)
    for source in scene.sources:
        for it in source.all(cst.Attribute):
            around = source.enclosing(it, cst.ClassDef)
            if it.attr.value != name or (around is owner and _own(it)):
                continue
            if not (around and _own(it) and not _related(owner, around, above)):
                place = f"{source.file.name}:{source.line(it)}"
                raise NotMechanicalError(f"{place} uses .{name} from outside")


def _bases(scene: Scene) -> dict[str, set[str]]:
    """The names of each class's bases, as far as these files tell, by its name."""
    found: dict[str, set[str]] = {}
    for source in scene.sources:
        for it in source.all(cst.ClassDef):
            names = {source.code(base.value).rpartition(".")[2] for base in it.bases}
            found.setdefault(it.name.value, set()).update(names)
    return found


def _related(one: cst.ClassDef, other: cst.ClassDef, above: dict[str, set[str]]) -> bool:
    """Whether objects of one class may be objects of the other."""

    def derives(name: str, base: str, known: frozenset[str] = frozenset()) -> bool:
        bases = above.get(name, set()) - known
        return base in bases or any(derives(it, base, known | bases) for it in bases)

    names = one.name.value, other.name.value
    return names[0] == names[1] or derives(*names) or derives(*names[::-1])


def _own(node: cst.CSTNode) -> str:
    match node:
        case cst.Attribute(value=cst.Name("self"), attr=cst.Name(name)):
            return name
    return ""


def _after_super(source: Source, line: cst.SimpleStatementLine) -> bool:
    """Whether a line is one of `__init__`'s own, after the call of `super().__init__`."""
    function = source.enclosing(line, cst.FunctionDef)
    if function is None or function.name.value != "__init__":
        return False
    body = list(function.body.body)
    if line not in body:
        return False
    before = body[: body.index(line)]
    return any("super(" in source.code(it) and ".__init__(" in source.code(it) for it in before)


def _arithmetic(source: Source, node: cst.Attribute) -> bool:
    """Whether a use of the counter works for a tensor as well: it counts, or it is computed with.

    Tests, indices, text and arguments of functions may need a Python number.
    """
    for it in source.above(node):
        match it:
            case cst.BinaryOperation(operator=cst.FloorDivide() | cst.Modulo()):
                return False
            case cst.BinaryOperation() | cst.UnaryOperation():
                continue
            case cst.AugAssign(target=target):
                return target is node
            case cst.AssignTarget():
                return True
            case cst.Return() | cst.Assign():
                return source.parents[node] is not it
            case _:
                return False
    return False
