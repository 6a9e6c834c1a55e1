"""What would help and has no mechanical fix: marks at the call, blocks one by one, fixed caches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import libcst as cst

from validators.diagnose.explaining.marks import (
    VARYING,
    ZERO_ONE,
    best_mark,
    dims_of,
    mark_call,
    marked_best,
)
from validators.diagnose.findings.finding import Diagnosis
from validators.diagnose.findings.words import place_of
from validators.diagnose.target.spec import Spec
from validators.patch.editing.source import Source
from validators.patch.results import Advice
from validators.patch.rules.regions import block_lists

_REGIONAL = "regional_compilation_traces_fewer_ops"
_GROWN = "kv_cache_grown_by_cat"


def advised(diagnosis: Diagnosis, sources: Sequence[Source], spec: Spec) -> list[Advice]:
    """All advice on a target."""
    shapes: dict[str, Any] = next(
        (it.measured for it in diagnosis.parts if it.name == "shapes" and not it.failure), {}
    )
    return [*_marks(shapes), *_regions(sources, spec), *_caches(diagnosis)]


def _marks(shapes: dict[str, Any]) -> Iterator[Advice]:
    """Marks that save graphs; they belong where the compiled model is called."""
    for it in marked_best(shapes) if shapes.get("varying") else ():
        mark, graphs = best_mark(it, shapes["graphs"])
        saved = f"{shapes['graphs']} graphs, {graphs:.0f} with {mark}"
        calls = "; ".join(mark_call(mark, name, dim) for name, dim in it["names"])
        verb = "varies" if len(it["names"]) == 1 else "vary"
        text = (
            f"{dims_of(it)} {verb} ({saved}): where your code calls the compiled model, run {calls}"
        )
        yield Advice(case=ZERO_ONE if it["special"] else VARYING, place=None, text=text)


def _regions(sources: Sequence[Source], spec: Spec) -> Iterator[Advice]:
    """A factory's model that repeats a block, if no source compiles a model."""
    compiled = any(
        source.code(it.func) == "torch.compile" for source in sources for it in source.all(cst.Call)
    )
    lists = {name: it for source in sources for name, it in block_lists(source)}
    for source in sources:
        for function in () if compiled else source.all(cst.FunctionDef):
            if function.name.value != spec.factory:
                continue
            made = next((it for it in source.all(cst.Call, function) if _name(it) in lists), None)
            if made is not None:
                blocks = lists[_name(made)][0]
                text = (
                    f"compile its blocks one by one: for block in model.{blocks}: block.compile()"
                )
                place = place_of(str(source.file), source.line(made))
                yield Advice(case=_REGIONAL, place=place, text=text)


def _name(call: cst.Call) -> str:
    return call.func.value if isinstance(call.func, cst.Name) else ""


def _caches(diagnosis: Diagnosis) -> Iterator[Advice]:
    """Caches that grow.

    What reads such a cache takes its size for the number of tokens: attention would see the rows
    that are still empty. A fixed cache so needs a mask wherever it is read, and a length that calls
    do not tell: they are examples. The one that `generate` makes is changed by a rule.
    """
    for it in diagnosis.findings:
        if it.explanation.case == _GROWN:
            text = (
                f"{it.explanation.fix} What reads the cache then needs a mask for the rows that are"
                " still empty, and the source tells neither that nor the greatest length: the"
                f" example of the case {_GROWN} shows both."
            )
            yield Advice(case=_GROWN, place=it.place, text=text)
