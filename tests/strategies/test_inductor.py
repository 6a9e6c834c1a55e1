"""`safe_compile` with Inductor: compiled once, in a fork or in a new interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch._dynamo.utils import counters

from strategies.safe_compile import safe_compile
from tests.strategies.models import Matrices, Net, Reads, Record, Wide

ROOT = Path(__file__).parents[2]
CALLS = [(torch.ones(4, 16),), (torch.ones(6, 16),)]
Reasons = Callable[[Callable[[], Any]], list[str]]


def caches() -> tuple[int, int]:
    """Hits and misses of Inductor's cache of graphs in this process."""
    found = counters["inductor"]
    return found["fxgraph_cache_hit"], found["fxgraph_cache_miss"]


@pytest.mark.slow
def test_fork_compiles_the_kernels_once(reasons: Reasons, cache: Path) -> None:
    """This process finds in the cache all that the child compiled, C++ included."""
    model = Net().eval()
    with torch.no_grad():
        expected = model(*CALLS[0])
        assert reasons(lambda: safe_compile(model, CALLS[:1], start="fork")) == []
        kernels = set(cache.rglob("*.so"))
        assert kernels
        assert caches() == (0, 0)
        torch.testing.assert_close(model(*CALLS[0]), expected)
    assert caches() == (2, 0)
    assert set(cache.rglob("*.so")) == kernels


class Scale(torch.nn.Module):
    """One C++ kernel, of its own for each factor."""

    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """`x` and the result: of any shape."""
        return x.sin() * self.factor


@pytest.mark.slow
def test_fork_compiles_after_a_compilation_in_this_process(reasons: Reasons) -> None:
    """Inductor's threads compiled C++ here; the child does not wait for them."""
    here, child = Scale(3.0), Scale(5.0)
    torch.compile(here)(*CALLS[0])
    assert reasons(lambda: safe_compile(child, CALLS[:1], start="fork", timeout=120)) == []


def run_script(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a script as users do, in a process that runs nothing else."""
    script = folder / "script.py"
    script.write_text(text)
    # A measured process computes other cache keys than the child, which is not measured.
    unmeasured = {name: it for name, it in os.environ.items() if not name.startswith("COVERAGE_")}
    return subprocess.run(
        [sys.executable, str(script)],
        env={**unmeasured, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
    )


COUNTED = """
import torch
from torch._dynamo.utils import counters
from strategies.safe_compile import safe_compile
from tests.strategies.models import Matrices
def hits_and_misses():
    found = counters["inductor"]
    return found["fxgraph_cache_hit"], found["fxgraph_cache_miss"]
def main():
    model, calls = Matrices(), [(torch.ones(4, 16),), (torch.ones(6, 16),)]
    model(*calls[0]).sum().backward()
    safe_compile(model, calls, start="spawn", loss=torch.sum)
    for call in calls:
        model(*call).sum().backward()
    print(*hits_and_misses())
    counters.clear()
    torch._dynamo.reset()
    with torch.no_grad(), torch.autocast("cpu"):
        model = safe_compile(Matrices(), calls[:1], start="spawn")
        model(*calls[0])
    print(*hits_and_misses())
if __name__ == "__main__":
    main()
"""


@pytest.mark.slow
@pytest.mark.skipif(
    torch.__version__ < "2.11", reason="Inductor compiles from fake tensors from torch 2.11 on"
)
def test_new_interpreter_compiles_once(cache: Path, tmp_path: Path) -> None:
    """All graphs are in the cache, under the settings of this process.

    Two graphs, static and then dynamic, each forward and backward; then two under autocast.
    """
    assert run_script(COUNTED, tmp_path).stdout == "8 0\n2 0\n"


@pytest.mark.slow
def test_marks_reach_the_child(reasons: Reasons) -> None:
    """What is marked dynamic is compiled so there, too."""
    model, call = Matrices(), torch.ones(4, 16)
    torch._dynamo.mark_dynamic(call, 0)
    with torch.no_grad():
        assert reasons(lambda: safe_compile(model, [call], start="fork")) == []
        model(call)
    assert caches() == (2, 0)


@pytest.mark.slow
def test_model_that_reads_values_compiles_in_a_fork_only(reasons: Reasons) -> None:
    """A new interpreter has no values; the warning names torch's reason."""
    model = Reads()
    with torch.no_grad():
        found = reasons(lambda: safe_compile(model, CALLS[:1], start="spawn", backend="eager"))
        assert len(found) == 1
        assert "compiling it raised" in found[0]
        assert reasons(lambda: safe_compile(model, CALLS[:1], start="fork")) == []
        model(*CALLS[0])
    assert caches() == (2, 0)


@pytest.mark.slow
def test_new_interpreter_has_no_weights(reasons: Reasons, tmp_path: Path) -> None:
    """Its peak memory is below the weights' alone."""
    file = tmp_path / "memory"
    call = (torch.ones(2, 2**14, requires_grad=True),)
    model = Wide().requires_grad_(False)
    loss = Record(file)
    made = reasons(lambda: safe_compile(model, [call], start="spawn", loss=loss, backend="eager"))
    assert made == []
    *_, peak = file.read_text().splitlines()[0].split()
    assert int(peak) < 1024, "MiB, torch's own included; the weights alone are 1024"


def test_what_cannot_be_pickled_says_so(reasons: Reasons) -> None:
    """A lambda, for example."""
    model = torch.nn.Sequential()
    model.made = lambda: None
    found = reasons(lambda: safe_compile(model, CALLS, start="spawn"))
    assert len(found) == 1
    assert "pickling it raised" in found[0]


SCRIPT = """
import torch, warnings
from strategies.safe_compile import safe_compile
class Mine(torch.nn.Module):
    def forward(self, x): return x.sin()
def main():
    model = safe_compile(Mine(), [torch.ones(3)], start="spawn", backend="eager")
    print("ran", model._compiled_call_impl is not None)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "printed"),
    [("if __name__ == '__main__':\n    main()\n", "ran True\n"), ("main()\n", "ran False\n")],
)
def test_script_that_defines_the_model(end: str, printed: str, tmp_path: Path) -> None:
    """It is compiled only if the script can be imported."""
    done = run_script(SCRIPT + end, tmp_path)
    assert done.stdout == printed
    assert done.stderr.count("Mine stays uncompiled") == ("False" in printed)
