"""Parts of rules: blocks of statements, and the comments in them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import libcst as cst

from validators.patch.editing.source import Source, walk

SmallLine = cst.SimpleStatementLine


def lines_of(block: cst.BaseSuite) -> list[cst.BaseSmallStatement | cst.BaseCompoundStatement]:
    """The statements of a block, those that share a line one by one."""
    found: list[cst.BaseSmallStatement | cst.BaseCompoundStatement] = []
    for it in block.body:
        match it:
            case cst.SimpleStatementLine():
                found += it.body
            case cst.BaseSmallStatement() | cst.BaseCompoundStatement():
                found.append(it)
    return found


def only_statement(source: Source, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
    """The line that holds a small statement and nothing else."""
    line = source.parents.get(node)
    alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    return line if isinstance(line, cst.SimpleStatementLine) and alone else None


def following(source: Source, node: cst.CSTNode) -> cst.CSTNode | None:
    """The statement after a statement in its block."""
    block = source.parents.get(node)
    if not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return None
    siblings: Sequence[cst.CSTNode] = block.body
    place = next(number for number, it in enumerate(siblings) if it is node)
    return siblings[place + 1] if place + 1 < len(siblings) else None


def comments(node: cst.CSTNode, but: Sequence[cst.EmptyLine] = ()) -> list[cst.EmptyLine]:
    """The comments in a statement as lines of their own, without those of the lines `but`."""
    known = {it.comment for it in but if it.comment}
    found = [it for it in walk(node) if isinstance(it, cst.Comment)]
    return [cst.EmptyLine(comment=it) for it in found if it not in known]


def bound_before(source: Source, node: cst.CSTNode, name: str) -> bool:
    """Whether a name has a value when a statement begins, whatever ran before in its function."""
    for child, parent in _upwards(source, node):
        if isinstance(parent, (cst.IndentedBlock, cst.Module)):
            for it in parent.body:
                if it is child:
                    break
                if isinstance(it, cst.SimpleStatementLine) and name in _assigned(it):
                    return True
        if isinstance(parent, cst.FunctionDef):
            kinds = parent.params
            params = [*kinds.params, *kinds.kwonly_params, *kinds.posonly_params]
            return name in {it.name.value for it in params}
    return False


def changed_in_place(source: Source, node: cst.CSTNode, name: str) -> bool:
    """Whether the function around a node writes into the tensor that a name stands for."""
    function = source.enclosing(node, cst.FunctionDef) or source.module
    return any(_writes(it, name) for it in walk(function))


def _writes(node: cst.CSTNode, name: str) -> bool:
    match node:
        case cst.AugAssign(target=target) | cst.AssignTarget(target=cst.Subscript(value=target)):
            owner = target.value if isinstance(target, cst.Subscript) else target
            return isinstance(owner, cst.Name) and owner.value == name
        case cst.Call(func=cst.Attribute(value=cst.Name(owner), attr=cst.Name(method))):
            return owner == name and in_place(method)
    return False


def in_place(method: str) -> bool:
    """Whether a method of tensors writes into its tensor, as its name tells."""
    return method.endswith("_") and not method.endswith("__")


def _upwards(source: Source, node: cst.CSTNode) -> list[tuple[cst.CSTNode, cst.CSTNode]]:
    chain = [node, *source.above(node)]
    return list(itertools.pairwise(chain))


def _assigned(line: cst.SimpleStatementLine) -> set[str]:
    assigns = [it for it in line.body if isinstance(it, cst.Assign)]
    targets = [at.target for it in assigns for at in it.targets]
    found = set()
    for it in targets:
        parts = [el.value for el in it.elements] if isinstance(it, (cst.Tuple, cst.List)) else [it]
        found |= {part.value for part in parts if isinstance(part, cst.Name)}
    return found
