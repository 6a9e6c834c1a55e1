"""What would help and has no mechanical fix: marks at the call, and blocks compiled one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import libcst as cst

from validators.diagnose.findings import Diagnosis
from validators.diagnose.words import place_of
from validators.patch.results import Advice
from validators.patch.source import Source

_VARYING = "automatic_dynamic_wastes_one_compile"
_REGIONAL = "regional_compilation_traces_fewer_ops"
_GROWN = "kv_cache_grown_by_cat"


def advised(diagnosis: Diagnosis, sources: Sequence[Source]) -> list[Advice]:
    """All advice on a target."""
    shapes: dict[str, Any] = next(
        (it.measured for it in diagnosis.parts if it.name == "shapes" and not it.failure), {}
    )
    return [*_marks(shapes), *_regions(sources), *_caches(diagnosis)]


def _marks(shapes: dict[str, Any]) -> Iterator[Advice]:
    """Marks that save graphs; they belong where the compiled model is called."""
    for it in shapes.get("varying", []):
        if it["graphs"] < shapes["graphs"]:
            dims = " and ".join(f"dim {dim} of argument {path}" for path, dim in it["dims"])
            marks = "; ".join(
                f"torch._dynamo.maybe_mark_dynamic(ARGUMENT_{path}, {dim})"
                for path, dim in it["dims"]
            )
            saved = f"{shapes['graphs']} graphs, {it['graphs']} with marks"
            text = f"{dims} varies ({saved}): before each call of the compiled model, run {marks}"
            yield Advice(case=_VARYING, place=None, text=text)


def _regions(sources: Sequence[Source]) -> Iterator[Advice]:
    """Calls of `torch.compile` on a model that repeats a block."""
    lists = {name: it for source in sources for name, it in _block_lists(source)}
    for source in sources:
        made = {
            it.targets[0].target.value: it.value.func.value
            for it in source.all(cst.Assign)
            if isinstance(it.targets[0].target, cst.Name)
            and isinstance(it.value, cst.Call)
            and isinstance(it.value.func, cst.Name)
        }
        for call in source.all(cst.Call):
            if source.code(call.func) != "torch.compile" or not call.args:
                continue
            model = source.code(call.args[0].value)
            if made.get(model) in lists:
                options = ", ".join(source.code(it).rstrip(", ") for it in call.args[1:])
                text = (
                    f"instead of the whole model, compile its blocks: "
                    f"for block in {model}.{lists[made[model]]}: block.compile({options})"
                )
                place = place_of(str(source.file), source.line(call))
                yield Advice(case=_REGIONAL, place=place, text=text)


def _block_lists(source: Source) -> Iterator[tuple[str, str]]:
    """Classes that make a ModuleList by a comprehension, and the name of the attribute."""
    for it in source.all(cst.Assign):
        match it:
            case cst.Assign(
                targets=[cst.AssignTarget(cst.Attribute(cst.Name("self"), cst.Name(name)))],
                value=cst.Call(func=function, args=[cst.Arg(cst.ListComp() | cst.GeneratorExp())]),
            ) if source.code(function).endswith("ModuleList"):
                owner = source.enclosing(it, cst.ClassDef)
                if owner is not None:
                    yield owner.name.value, name


def _caches(diagnosis: Diagnosis) -> Iterator[Advice]:
    """Caches that grow: a fixed one needs a length and a mask, which the source does not tell."""
    for it in diagnosis.findings:
        if it.explanation.case == _GROWN:
            yield Advice(case=_GROWN, place=it.place, text=it.explanation.fix)
