"""The part `shapes`: which dims vary between calls, and what marking them does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.calls.patience import Patience
from validators.inspector.graphs.causes import cause_of
from validators.inspector.graphs.messages import telling
from validators.inspector.graphs.shapes import changing, peers, tensors, varying
from validators.inspector.loading.target import (
    Target,
    compiled,
    copies,
    copy_of,
    without_mode,
)
from validators.probes import observe
from validators.probes.arguments import Arguments
from validators.probes.differences import copied
from validators.probes.switches import force_eager
from validators.worker.user_code import sentence

Found = dict[str, Any]
Dims = list[tuple[str, int]]

MARKS = ("mark_dynamic", "maybe_mark_dynamic", "mark_unbacked")
CORNER = (1, 0)
"""The sizes that Dynamo compiles by themselves."""


def shapes(target: Target, options: Found, seconds: float = 0.0) -> Found:
    """How many graphs the calls need as they are, and with dims that vary marked in each way.

    Dims that take the same sizes call by call, such as the batch of several inputs, are one group.
    "marks" has what each mark does: the graphs that the calls need, and what a call of size 1 and
    one of size 0 add. It is only of the mark "", none, if the calls need one graph anyway. "mark"
    is `mark_dynamic`, or the weaker mark where that one raises, "graphs" what it needs. "together"
    marks all groups. "changing" are the arguments that are None or have other dims in some calls.
    "form" says how the factory writes calls, "withheld" why no mark was tried, "late" that the
    `seconds` were too few for all marks; 0 sets no limit.
    """
    patience = Patience(seconds)
    options = {"backend": "eager", **without_mode(options)}
    found = varying(target)
    groups: dict[Any, list[Found]] = defaultdict(list)
    for it in found:
        groups[tuple(it["sizes"])].append(it)
    for sizes, its in groups.items():
        its += peers(target, sizes)
    as_it_is = _tried(target, options, "", [], []) if groups else {}
    plain, raised = as_it_is.get("graphs"), as_it_is.get("raised", "")
    groups = {} if raised else groups

    def marked(its: list[Found], special: Sequence[int]) -> Found:
        return _group(target, options, its, as_it_is, special, patience)

    every = [it for its in groups.values() for it in its]
    together = marked(every, ()) if _several(groups, plain) else None
    each = [marked(its, CORNER) for its in groups.values()]
    return {
        "form": target.form,
        "withheld": f"a call raises {raised}" if raised else "",
        "graphs": plain,
        "varying": each,
        "together": together,
        "changing": list(changing(target)),
        "late": any(it["late"] for it in (*each, together or {"late": False})),
    }


def _several(groups: dict[Any, list[Found]], plain: int | None) -> bool:
    return len(groups) > 1 and plain is not None and plain > 1


def _group(
    target: Target,
    options: Found,
    its: list[Found],
    as_it_is: Found,
    special: Sequence[int],
    patience: Patience,
) -> Found:
    plain = as_it_is["graphs"]
    dims: Dims = [(it["path"], it["dim"]) for it in its]
    known = {size for it in its for size in it["sizes"]}
    corner = [_corner(target, dims, size) for size in special if size not in known]
    marks: Found = {}
    late = False
    for mark in MARKS if plain is None or plain > 1 else ("",):
        # The weaker mark differs only where the other one raises.
        if mark == "maybe_mark_dynamic" and marks and not marks["mark_dynamic"]["raised"]:
            continue
        if not (late := late or not patience.lasts()):
            marks[mark] = _compiling_all(_tried(target, options, mark, dims, corner), as_it_is)
    able = [it for it in (*MARKS[:2], "") if it in marks and marks[it]["graphs"] is not None]
    mark = able[0] if able else ""
    return {
        "sizes": its[0]["sizes"],
        "late": late,
        "special": bool(known & {0, 1}),
        "dims": dims,
        "names": [(it["name"], it["dim"]) for it in its],
        "optional": [it["path"] for it in its if None in it["sizes"]],
        "mark": mark,
        "graphs": marks[mark]["graphs"] if able else None,
        "marks": marks,
        "refused": [it["refused"] for it in corner if it["refused"]],
    }


def _compiling_all(trial: Found, as_it_is: Found) -> Found:
    """A trial without its graphs, if it runs calls eagerly that are compiled as it is."""
    lost = sorted({*trial["eager"]} - {*as_it_is["eager"]})
    return {**trial, "eager": lost, "graphs": None if lost else trial["graphs"]}


def _corner(target: Target, dims: Dims, size: int) -> Found:
    """A call with some dims of a size that is special; "refused" says why eager mode raises."""
    path, dim = dims[0]
    able = [it for it in target.calls if {path for path, _ in dims} <= {*dict(tensors(it))}]
    item = max(able, key=lambda it: dict(tensors(it))[path].shape[dim], default=None)
    if item is None:
        return {"size": size, "item": None, "refused": ""}
    made = _resized(copy_of(item), dims, size)
    try:
        with force_eager():
            given = copy_of(made)
            target.again().run(*given.args, **given.kwargs)
    except Exception as error:
        return {"size": size, "item": None, "refused": f"size {size}: {sentence(error)}"}
    return {"size": size, "item": made, "refused": ""}


def _resized(item: Arguments, dims: Dims, size: int) -> Arguments:
    chosen = {id(dict(tensors(item))[path]): dim for path, dim in dims}

    def change(value: Any) -> Any:
        if id(value) not in chosen:
            return value
        made = value.detach().narrow(chosen[id(value)], 0, size).clone()
        return made.requires_grad_(value.requires_grad)

    return Arguments(*pytree.tree_map(change, (item.args, item.kwargs)))


def _tried(target: Target, options: Found, mark: str, dims: Dims, corner: Sequence[Found]) -> Found:
    """The graphs that the calls need if dims are marked, and those that other sizes add.

    "raised" says what ends the calls, "message" the whole of that, "eager" which calls then run no
    graph, "again" for which guards functions compile again, "corner" what each size adds, or what
    it raises.
    """
    extra = [it for it in corner if it["item"] is not None]
    calls = [*copies(target), *(copy_of(it["item"]) for it in extra)]
    own = len(target.calls)
    nothing: Found = {"graphs": None, "raised": "", "message": "", "eager": [], "again": []}
    nothing |= {"corner": {}}
    try:
        for item in calls:
            _mark(mark, item, dims)
    except Exception as error:
        return {**nothing, "raised": sentence(error)}
    messages: list[str] = []
    report = observe(
        copied(target.run),
        calls,
        compile=lambda run: telling(compiled(run, options), messages),
    )
    graphs, caught = list(report.compiled), report.exception
    raised = f"{caught.type.rpartition('.')[2]}: {_first(caught.message)}" if caught else ""
    ended = caught.call if caught else len(calls)
    added = {
        str(it["size"]): raised if own + number == ended else graphs[own + number]
        for number, it in enumerate(extra)
        if own + number <= ended
    }
    if ended < own:
        return {**nothing, "raised": raised, "message": messages[-1]}
    eager = [it for it in report.eager_calls if it < own]
    again = [cause_of(list(it.reasons)) for it in report.recompiles]
    counted = {"graphs": sum(graphs[:own]), "eager": eager, "again": again, "corner": added}
    return {**nothing, **counted}


def _mark(mark: str, item: Arguments, dims: Dims) -> None:
    known = dict(tensors(item))
    for path, dim in dims if mark else ():
        if path in known:
            _function(mark)(known[path], dim)


def _function(mark: str) -> Callable[[torch.Tensor, int], None]:
    place: Any = torch._dynamo.decorators if mark == "mark_unbacked" else torch._dynamo
    function: Callable[[torch.Tensor, int], None] = getattr(place, mark)
    return function


def _first(text: str) -> str:
    return text.strip().partition("\n")[0]
