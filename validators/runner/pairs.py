"""Compare what both sides of an example compute without compiling, in each grad mode."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from validators.catalog import Case
from validators.catalog.example import Example
from validators.probes.modes import UNCOMPILED
from validators.runner.examples import run_side
from validators.runner.programs import ExampleJob, Programs, run_programs

GRAD_MODES = ("", "no_grad", "inference_mode")
"""What a user may have set around a call; "" is the default, in which autograd records."""


@dataclass(frozen=True)
class Pair:
    """How *before* and *after* differ in each grad mode where they do; empty if they agree."""

    case: Case
    differences: dict[str, str]


def compare_pairs(
    jobs: Sequence[ExampleJob], width: int, isolation: str, listener: Callable[[Pair], None]
) -> None:
    """Run both sides of each example uncompiled, `width` pairs at a time; tell `listener` each."""
    run_programs(jobs, _pair, width, isolation, None, listener)


async def _pair(programs: Programs) -> Pair:
    found = {}
    for grad in GRAD_MODES:
        if difference := await _compare(programs, grad):
            found[grad or "grad"] = difference
    return Pair(programs.job.case, found)


async def _compare(programs: Programs, grad: str) -> str:
    """How *after* differs from *before* in one grad mode, in words; "" if it does not.

    What *before* cannot do in this mode is no difference.
    """
    example, results = programs.job.case.example, programs.results
    assert example is not None
    names = common_names(example)
    before = await run_side(programs, "before", UNCOMPILED, save=results, names=names, grad=grad)
    if before.failure or before.result["raised"]:
        return ""
    compare = results if results.exists() else None
    after = await run_side(programs, "after", UNCOMPILED, compare=compare, names=names, grad=grad)
    results.unlink(missing_ok=True)
    if end := after.failure or after.result["raised"]:
        return f"after raises {end}"
    # The comparison calls the second run eager's.
    return str(after.result["compared"]["difference"]).replace("eager", "after")


def common_names(example: Example) -> list[str]:
    """The variables that the top level of both programs assigns, in order."""
    before, after = (_assigned(it.code) for it in (example.before, example.after))
    return sorted(before & after)


def _assigned(code: str) -> set[str]:
    """The names that are stored outside of functions and classes."""
    names: set[str] = set()
    nodes: list[ast.AST] = [*ast.parse(code).body]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            nodes += ast.iter_child_nodes(node)
    return names
