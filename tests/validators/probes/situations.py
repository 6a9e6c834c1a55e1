"""Arms whose reports are known, on every torch release that the project supports.

Run as a script, in any interpreter that has torch, this prints what each arm showed as JSON.
"""

# ruff: noqa: D103 -- the name of an arm says what it does.
from __future__ import annotations

import json
import linecache
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

import torch

from validators.probes import (
    Report,
    audit_agrees,
    audits,
    call,
    captured_facts,
    compile_blocks,
    guard_cost,
    observe,
    set_audit,
    training_step,
)

QUIET: dict[str, Any] = {
    "calls": [[1, 1]],
    "breaks": [],
    "lines": [],
    "recompiles": [],
    "limit": False,
    "mutated": [],
    "exception": None,
    "audit": [""],
    "disagreement": None,
}
EXPECTED: dict[str, dict[str, Any]] = {}
ARMS: dict[str, Callable[[], Report]] = {}
SLOW: set[str] = set()


def situation(slow: bool = False, **expected: Any) -> Callable[[Any], Any]:
    """Register an arm with what its report shows where that differs from `QUIET`."""

    def register(arm: Callable[[], Report]) -> Callable[[], Report]:
        name = arm.__name__
        ARMS[name] = arm
        EXPECTED[name] = {**QUIET, **expected}
        if slow:
            SLOW.add(name)
        return arm

    return register


def run(name: str) -> dict[str, Any]:
    """Run an arm, and again under audit, and say what both showed, keyed like `EXPECTED`."""
    set_audit(False)
    report = ARMS[name]()
    set_audit(True)
    ARMS[name]()
    seen = audits()
    set_audit(False)
    report = Report.from_json(json.loads(json.dumps(report.to_json())))
    every = {
        "calls": [[made.compiled, made.executions] for made in report.calls],
        "breaks": [[b.cause_id, b.id, b.skipped_frame] for b in report.graph_breaks],
        "types": [b.type for b in report.graph_breaks],
        "lines": [linecache.getline(__file__, b.line).strip() for b in report.graph_breaks],
        "files": sorted({b.file for b in report.graph_breaks}),
        "recompiles": [r.compile_id for r in report.recompiles],
        "functions": [r.function for r in report.recompiles],
        "limit": report.recompile_limit_hit,
        "mutated": [[m.graph, m.name, m.call] for m in report.mutated_inputs],
        "exception": report.exception and [report.exception.type, report.exception.break_id],
        "audit": [("break" if item["broke"] else "") + item["id"] for item in seen],
        "disagreement": audit_agrees(report.to_json(), seen),
        "targets": [graph.targets for graph in report.graphs],
        "shapes": [[len(g.symbols)] + [len(i.shape) for i in g.inputs] for g in report.graphs],
        "ops": report.ops,
        "backward": report.backward_executions,
        "differences": [_small(made.difference) for made in report.calls],
        "facts": report.facts,
        "times": {name: len(values) for name, values in report.times.items()},
        "cache": report.cache and sorted(report.to_json()["cache"].items()),
        "cudagraphs": report.cudagraphs and report.to_json()["cudagraphs"],
    }
    shown: dict[str, Any] = json.loads(json.dumps({key: every[key] for key in EXPECTED[name]}))
    return shown


def _small(difference: Any) -> Any:
    """Differences in words: exactly 0, below 1e-3, or more."""
    if difference is None:
        return None
    values = (
        difference.eager,
        difference.compiled_float64,
        difference.eager_float64,
        difference.gradients_eager,
    )
    return [v if not v else "small" if v < 1e-3 else "large" for v in values]


def ones(*shape: int) -> torch.Tensor:
    """A float32 tensor of ones."""
    return torch.ones(shape)


def add_relu(x: torch.Tensor) -> torch.Tensor:
    """Two ops, no break."""
    return (x + 1).relu()


@situation(calls=[[1, 1], [0, 1]], ops=2, targets=[{"add": 1, "relu": 1}], times={"compile": 1})
def nothing_breaks() -> Report:
    return observe(add_relu, [(ones(3),), (ones(3),)])


@situation(ops=2)
def keyword_arguments() -> Report:
    def f(x: Any, *, scale: float) -> Any:
        return (x + 1) * scale

    return observe(f, [call(ones(3), scale=2.0)])


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0170", False]],
    types=["Data-dependent branching"],
    lines=["if x.sum() > 0:"],
    files=["situations.py"],
    audit=["breakGB0170"],
)
def tensor_if() -> Report:
    def f(x: Any) -> Any:
        if x.sum() > 0:
            return x + 1
        return x - 1

    return observe(f, [(ones(3),)])


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0124", False]],
    types=["Unsupported Tensor.item() call with capture_scalar_outputs=False"],
    lines=["return observe(lambda x: x * x.sum().item(), [(ones(3),)])"],
    audit=["breakGB0124"],
)
def item() -> Report:
    return observe(lambda x: x * x.sum().item(), [(ones(3),)])


def _prints(x: torch.Tensor) -> torch.Tensor:
    x = x + 1
    print("", end="")
    return x * 2


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0059", False]],
    lines=['print("", end="")'],
    audit=["breakGB0059"],
)
def print_breaks() -> Report:
    return observe(_prints, [(ones(3),)])


@situation(
    calls=[[4, 4]],
    breaks=[["", "GB0059", False]] * 2,
    lines=['print("", end="")'] * 2,
    audit=["breakGB0059"],
)
def nested_break() -> Report:
    return observe(lambda x: _prints(x.sin()).cos(), [(ones(3),)])


@situation(
    calls=[[0, 0], [0, 0]],
    breaks=[["GB0170", "GB7000", True]],
    types=["graph break in loop"],
    lines=["if x.sum() > 0:"],
    audit=["breakGB0170"],
)
def loop_break() -> Report:
    def f(x: Any) -> Any:
        for _ in range(3):
            x = x + 1
            if x.sum() > 0:
                x = x * 2
        return x

    return observe(f, [(ones(3),), (ones(3),)])


@situation(
    calls=[[0, 0]],
    breaks=[["", "GB0059", True]],
    lines=['print("", end="")'],
    audit=["breakGB0059"],
    mutated=[],
)
def try_finally() -> Report:
    def f(x: Any) -> Any:
        try:
            y = x + 1
            print("", end="")
            return y * 2
        finally:
            x.add_(1)

    return observe(f, [(ones(3),)])


class Manager:
    """A context manager that torch does not know."""

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


@situation(
    calls=[[0, 0]],
    breaks=[["GB0025", "GB0066", True]],
    types=["Graph break under GenericContextWrappingVariable"],
    lines=["torch._dynamo.graph_break()"],
    audit=["breakGB0025"],
)
def context_manager() -> Report:
    def f(x: Any) -> Any:
        with Manager():
            x = x + 1
            torch._dynamo.graph_break()
            return x * 2

    return observe(f, [(ones(3),)])


@torch.compiler.disable
def _disabled(x: torch.Tensor) -> torch.Tensor:
    return x + 1


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0098", False]],
    lines=["return observe(lambda x: _disabled(x.sin()).cos(), [(ones(3),)])"],
    audit=["breakGB0098"],
)
def disabled_callee() -> Report:
    return observe(lambda x: _disabled(x.sin()).cos(), [(ones(3),)])


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0036", False]],
    lines=["return observe(lambda x: (x + 1).nonzero() * 2, [(ones(3),)])"],
    audit=["breakGB0036"],
)
def dynamic_output() -> Report:
    return observe(lambda x: (x + 1).nonzero() * 2, [(ones(3),)])


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0025", False]],
    lines=["torch._dynamo.graph_break()"],
    audit=["breakGB0025"],
)
def explicit_break() -> Report:
    def f(x: Any) -> Any:
        x = x + 1
        torch._dynamo.graph_break()
        return x * 2

    return observe(f, [(ones(3),)])


@situation(
    calls=[[1, 1], [1, 1], [0, 1]],
    recompiles=["0/1"],
    functions=["add_relu"],
    shapes=[[0, 1], [1, 1]],
    times={"compile": 2},
)
def recompiles_once_by_shape() -> Report:
    return observe(add_relu, [(ones(size),) for size in (2, 3, 5)])


@situation(calls=[[1, 1]] * 3, recompiles=["0/1", "0/2"], shapes=[[0, 1]] * 3)
def recompiles_each_shape_when_static() -> Report:
    return observe(add_relu, [(ones(size),) for size in (2, 3, 5)], dynamic=False)


@situation(calls=[[1, 1], [0, 1]], shapes=[[2, 2]])
def marked_dynamic() -> Report:
    x = ones(4, 6)
    torch._dynamo.mark_dynamic(x, 0)
    torch._dynamo.mark_dynamic(x, 1)
    return observe(add_relu, [(x,), (ones(5, 7),)])


class Counter(torch.nn.Module):
    """A step counter that a caller moves."""

    step = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add the step."""
        return x + self.step


def _steps(model: Counter, count: int) -> Iterator[tuple[torch.Tensor]]:
    for model.step in range(count):
        yield (ones(3),)


@situation(
    calls=[[1, 1]] * 8 + [[0, 0]] * 2,
    recompiles=[f"0/{variant}" for variant in range(1, 8)],
    functions=["forward"] * 7,
    limit=True,
    audit=["breakGB0039"],
)
def recompile_limit() -> Report:
    model = Counter()
    return observe(model, _steps(model, 10))


@situation(
    calls=[[1, 1]] * 8 + [[0, 0]],
    recompiles=[f"0/{variant}" for variant in range(1, 8)],
    limit=True,
    exception=["torch._dynamo.exc.FailOnRecompileLimitHit", ""],
    audit=[""],
)
def recompile_limit_under_fullgraph() -> Report:
    model = Counter()
    return observe(model, _steps(model, 10), fullgraph=True)


@situation(calls=[[1, 1], [1, 1]], recompiles=["0/1"])
def other_backend_is_a_recompile() -> Report:
    backends = ("eager", "aot_eager")
    return observe(
        add_relu,
        [(0,), (1,)],
        compile=lambda it: _pick([torch.compile(it, backend=name) for name in backends]),
    )


def _pick(compiled: list[Any]) -> Callable[[int], Any]:
    return lambda index: compiled[index](ones(2, 3))


@situation(
    calls=[[0, 0]],
    exception=["torch._dynamo.exc.Unsupported", "GB0170"],
    audit=["breakGB0170"],
)
def fullgraph_raises() -> Report:
    return observe(lambda x: x + 1 if x.sum() > 0 else x, [(ones(3),), (ones(3),)], fullgraph=True)


@situation(targets=[{"sum": 1, "item": 1, "mul": 1}])
def fullgraph_captures_scalars() -> Report:
    return observe(lambda x: x * x.sum().item(), [(ones(3),)], fullgraph=True)


@situation(calls=[[1, 1], [0, 1]], mutated=[[0, "L_x_", 0], [0, "L_x_", 1]])
def mutates_its_input() -> Report:
    def f(x: Any, y: Any) -> Any:
        x.add_(1)
        return x * y

    return observe(f, [(ones(3), ones(3)), (ones(3), ones(3))])


@situation()
def inference_tensors_have_no_version() -> Report:
    def f(x: Any) -> Any:
        return x.add_(1) * 2

    with torch.inference_mode():
        return observe(f, [(ones(3),)])


@situation(
    calls=[[1, 1], [0, 1], [0, 0]],
    exception=["torch._dynamo.exc.TorchRuntimeError", ""],
    recompiles=["0/1"],
)
def exception_ends_the_run() -> Report:
    fitting, wrong = (ones(3), ones(3)), (ones(3), ones(4))
    return observe(torch.mul, [fitting, fitting, wrong, fitting], compile=_eagerly)


def _eagerly(function: Any) -> Any:
    return torch.compile(lambda x, y: function(x, y), backend="eager")


@situation(
    calls=[[0, 0], [0, 0]],
    breaks=[["", "GB0219", True]],
    types=["Backend compiler exception"],
    lines=["def add_relu(x: torch.Tensor) -> torch.Tensor:"],
)
def backend_refuses() -> Report:
    from torch._subclasses.fake_tensor import DataDependentOutputException

    def refuse(_gm: Any, _inputs: Any) -> Any:
        raise DataDependentOutputException(torch.ops.aten.item.default)

    return observe(add_relu, [(ones(3),), (ones(3),)], backend=refuse)


@situation(calls=[[0, 0]], exception=["torch._dynamo.exc.BackendCompilerFailed", ""])
def backend_fails() -> Report:
    def fail(_gm: Any, _inputs: Any) -> Any:
        raise RuntimeError("no")

    return observe(add_relu, [(ones(3),), (ones(3),)], backend=fail)


@situation(calls=[[2, 1], [1, 1], [0, 1]])
def specialized_sizes() -> Report:
    x = ones(8, 4)
    torch._dynamo.mark_dynamic(x, 0, specialize_on=[lambda n: n == 8, lambda n: n == 16])
    return observe(add_relu, [(x,), (ones(16, 4),), (ones(5, 4),)])


@situation(calls=[[1, 0]])
def exported_graphs_run_out_of_sight() -> Report:
    return observe(
        Block(0),
        [(ones(2, 3),)],
        compile=lambda it: lambda x: torch.export.export(it, (x,), strict=True).module()(x),
    )


@situation(
    calls=[[1, 1]] * 3 + [[0, 0]] * 2, recompiles=["0/1", "0/2"], limit=True, audit=["breakGB0039"]
)
def accumulated_limit() -> Report:
    shapes = [(4, 4), (2, 4), (4, 2), (4,), ()]
    with torch._dynamo.config.patch(accumulated_recompile_limit=3):
        return observe(add_relu, [(ones(*shape),) for shape in shapes])


@situation(calls=[[1, 1], [1, 1]])
def reset_between_calls() -> Report:
    def calls() -> Iterator[tuple[torch.Tensor]]:
        yield (ones(3),)
        torch._dynamo.reset()
        yield (ones(3),)

    return observe(add_relu, calls())


@situation(calls=[[1, 1], [0, 0]])
def eager_on_recompile() -> Report:
    def calls() -> Iterator[tuple[torch.Tensor]]:
        yield (ones(3),)
        with torch.compiler.set_stance("eager_on_recompile"):
            yield (ones(2),)

    return observe(add_relu, calls())


@situation(calls=[[1, 0]], ops=0)
def empty_graphs_prove_nothing() -> Report:
    return observe(lambda x: x, [(ones(3),)], fullgraph=True)


@situation(calls=[[0, 0]])
def nothing_to_compile() -> Report:
    return observe(lambda x: x, [(ones(3),)])


@situation(calls=[[1, 3]])
def compiled_blocks() -> Report:
    model = torch.nn.ModuleDict({"blocks": torch.nn.ModuleList(map(Block, range(3)))})
    with torch.no_grad():
        return observe(
            model,
            [(ones(2, 3),)],
            compile=lambda it: _through(compile_blocks(it, "blocks.*", backend="eager")),
        )


class Block(torch.nn.Module):
    """One linear layer."""

    def __init__(self, _index: int) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply it."""
        return self.linear(x).relu()


def _through(model: Any) -> Callable[[torch.Tensor], torch.Tensor]:
    def forward(x: torch.Tensor) -> torch.Tensor:
        for block in model["blocks"]:
            x = block(x)
        return x

    return forward


def sequential_is_compiled() -> Report:
    """Compiled on some releases only: `nn.Sequential(...).compile()` can do nothing, silently."""
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU())
    return observe(
        model, [(ones(2, 3),)], compile=lambda it: compile_blocks(it, "", backend="eager")
    )


@situation(
    calls=[[1, 1], [0, 1]],
    differences=[[0.0, "small", "small", None]] * 2,
)
def outputs_compared() -> Report:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Dropout(0.5))
    return observe(model, [(torch.randn(2, 3),)] * 2, compare=("eager", "float64"))


@situation(differences=[["large", None, None, None]])
def wrong_backend_is_seen() -> Report:
    def wrong(gm: Any, _inputs: Any) -> Any:
        return lambda *args: tuple(out + 1 for out in gm(*args))

    return observe(add_relu, [(ones(3),)], backend=wrong, compare=("eager",))


@situation(
    calls=[[1, 1], [0, 1]],
    backward=2,
    differences=[[0.0, None, None, 0.0]] * 2,
)
def training() -> Report:
    return _train("aot_eager")


@situation(
    calls=[[1, 1], [0, 1]],
    backward=0,
    differences=[[0.0, None, None, 0.0]] * 2,
)
def training_without_compiled_backward() -> Report:
    return _train("eager")


def _train(backend: Any) -> Report:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    step = training_step(model, optimizer, torch.nn.functional.mse_loss)
    data = [(torch.randn(5, 3), torch.randn(5, 2)) for _ in range(2)]
    return observe(step, data, backend=backend, compare=("eager", "gradients"))


@situation(
    calls=[[1, 1], [0, 1]], times={"compile": 1, "guards_per_call": 3}, facts={"compilations": 1}
)
def guards_timed() -> Report:
    report = guard_cost(add_relu, (ones(3),), samples=3, calls_per_sample=2)
    assert report.facts.pop("guards", 1), "a guard count of 0"
    return report


@situation(
    calls=[],
    audit=[],
    facts={"one": [1, 2], "two.exception": "ValueError", "two.message": "no"},
)
def facts_captured() -> Report:
    def no() -> None:
        raise ValueError("no")

    return captured_facts(one=lambda: (1, 2), two=no)


@situation(
    slow=True,
    calls=[[1, 1], [0, 1]],
    mutated=[[0, "L_x_", 0], [0, "L_x_", 1]],
    cache=[["aot_hits", 0], ["aot_misses", 1], ["fx_hits", 0], ["fx_misses", 1]],
    cudagraphs=None,
)
def inductor_cold() -> Report:
    return _inductor("a")


@situation(
    slow=True,
    audit=["", ""],
    cache=[["aot_hits", 1], ["aot_misses", 0], ["fx_hits", 1], ["fx_misses", 0]],
    calls=[[1, 1], [0, 1]],
    mutated=[[0, "L_x_", 0], [0, "L_x_", 1]],
)
def inductor_warm() -> Report:
    _inductor("b")
    return _inductor("b")


def _inductor(fresh: str) -> Report:
    # The caches on disk have not seen this process's graph.
    constant = os.getpid() / 7 + ord(fresh)

    def f(x: Any) -> Any:
        x.add_(1)
        return (x * constant).sin().sum(0)

    return observe(f, [(ones(4, 4),), (ones(4, 4),)], backend="inductor", dynamic=False)


@situation(
    slow=True,
    cudagraphs={
        "skips": ["no reason logged: no GPU among the graph's devices, or a policy"],
        "recordings": 0,
        "replays": 0,
        "overwritten_outputs": 0,
    },
)
def cudagraphs_skipped_on_cpu() -> Report:
    return observe(add_relu, [(ones(3),)], backend="inductor", mode="reduce-overhead")


def main(names: list[str]) -> None:
    """Print what each named arm showed, or all that are not slow, as one JSON object."""
    warnings.simplefilter("ignore")
    chosen = names or [name for name in ARMS if name not in SLOW]
    shown = {name: run(name) for name in chosen}
    shown["sequential_is_compiled"] = sequential_is_compiled().calls[0].executions
    print(json.dumps({"torch": torch.__version__, "shown": shown}))


if __name__ == "__main__":
    main(sys.argv[1:])
