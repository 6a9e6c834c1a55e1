"""A model that repeats a block is compiled block by block, where the source compiles it whole.

The blocks share one graph, so there is less to trace; `block.compile` keeps the model's names.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from validators.patch.editing.changes import Change, Left, NotMechanicalError, Replacement, Scene
from validators.patch.editing.source import Source
from validators.patch.editing.statements import comments, only_statement

CASE = "regional_compilation_traces_fewer_ops"


def regions(scene: Scene) -> Iterator[Change | Left]:
    """A change for each `model = torch.compile(model)` of a model that repeats a block."""
    source = scene.source
    lists = {name: it for other in scene.sources for name, it in block_lists(other)}
    made = dict(_made(source))
    for call in source.all(cst.Call):
        if source.code(call.func) != "torch.compile" or not call.args:
            continue
        blocks = lists.get(made.get(source.code(call.args[0].value), ""))
        if blocks is None:
            continue
        line = source.line(call)
        try:
            replaced = _by_blocks(scene, call, *blocks)
        except NotMechanicalError as error:
            yield Left("regions", source.file, line, str(error))
            continue
        what = f"compile {blocks[0]} one by one"
        yield Change("regions", CASE, source, line, what, replaced, proof="regions")


def block_lists(source: Source) -> Iterator[tuple[str, tuple[str, str]]]:
    """Classes that make a ModuleList by a comprehension: the attribute, and the block's class."""
    for it in source.all(cst.Assign):
        match it:
            case cst.Assign(
                targets=[cst.AssignTarget(cst.Attribute(cst.Name("self"), cst.Name(name)))],
                value=cst.Call(
                    func=function,
                    args=[cst.Arg((cst.ListComp() | cst.GeneratorExp()) as comprehension)],
                ),
            ) if source.code(function).endswith("ModuleList"):
                owner = source.enclosing(it, cst.ClassDef)
                element = comprehension.elt
                block = source.code(element.func) if isinstance(element, cst.Call) else ""
                if owner is not None:
                    yield owner.name.value, (name, block)


def _made(source: Source) -> Iterator[tuple[str, str]]:
    """Names that hold an object, and its class."""
    for it in source.all(cst.Assign):
        match it:
            case cst.Assign(
                targets=[cst.AssignTarget(cst.Name(name))],
                value=cst.Call(func=cst.Name(kind)),
            ):
                yield name, kind


def _by_blocks(
    scene: Scene, call: cst.Call, attribute: str, block: str
) -> dict[cst.CSTNode, Replacement]:
    source = scene.source
    parent = source.parents[call]
    line = only_statement(source, parent)
    match parent:
        case cst.Assign(targets=[cst.AssignTarget(cst.Name(target))]) if line is not None:
            pass
        case _:
            raise NotMechanicalError("the compiled model gets no name in a line of its own")
    classes = {it.name.value for other in scene.sources for it in other.all(cst.ClassDef)}
    if block not in classes:
        raise NotMechanicalError(
            f"{block or 'the block'} is no class of these files, and compile() of a torch.nn "
            "module compiles nothing on some releases"
        )
    model = source.code(call.args[0].value)
    options = ", ".join(source.code(it).rstrip(", ") for it in call.args[1:])
    text = f"for block in {model}.{attribute}:\n    block.compile({options})\n"
    text += "" if target == model else f"{target} = {model}\n"
    made = list(cst.parse_module(text).body)
    kept = [*line.leading_lines, *comments(line, but=line.leading_lines)]
    made[0] = made[0].with_changes(leading_lines=kept)
    return {line: cst.FlattenSentinel(made)}
