"""Soaks: what the fixed program compiles is called again, with other arguments."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from tests.world import page_with_example
from validators.catalog import load_catalog
from validators.environment import describe
from validators.evidence.stored.soaks import Soak
from validators.runner.programs import ExampleJob
from validators.runner.soaks import Soaked, run_soaks

needs_torch = pytest.mark.skipif(
    not importlib.util.find_spec("torch"), reason="the programs need torch"
)
HOLDS = """import torch

@torch.compile(backend="eager")
def step(x):
    return x.relu() * 2

y = step(torch.ones(4, 3))"""
ASSERTS = (
    HOLDS
    + """
assert torch._dynamo.utils.counters["frames"]["ok"] == 1"""
)
EXPANDED = HOLDS.replace("torch.ones(4, 3)", "x := torch.ones(3).expand(4, 3)")
NESTED = HOLDS.replace("torch.ones(4, 3)", "torch.nested.nested_tensor([torch.ones(2)])")
OTHER_CALL = (
    HOLDS
    + """
if torch._dynamo.utils.counters["frames"]["ok"] == 0:
    step(torch.ones(5, 3))"""
)
RAISES = """import torch

seen = []

@torch.compile(backend="eager", fullgraph=True)
def step(x):
    seen.append(x.sum())
    return x * 2

y = step(torch.ones(4))"""
ITEMS = """import torch

@torch.compile(backend="eager")
def total(parts):
    return sum(part.sum() for part in parts)

y = total([torch.ones(4), torch.ones(4)])"""
PARTS = """import torch

@torch.compile(backend="eager")
def means(x, sizes):
    return torch.stack([part.mean(0) for part in x.split(sizes)])

y = means(torch.ones(6, 2), [2, 4])"""
BACKWARD = """import torch

@torch.compile(backend="eager")
def step(x):
    if torch.compiler.is_compiling():
        return x.detach() * 3 + x - x.detach()
    return x * 3

y = step(torch.ones(4) * 0.5) - 1"""
WRONG_BACKWARD = BACKWARD.replace("+ x - x.detach()", "+ (x - x.detach()) * 2")
MODULE = """import torch

class Counting(torch.nn.Linear):
    known = set()

    def forward(self, x):
        self.known.add(self)
        if torch.compiler.is_compiling() and len(self.known) > 1:
            return super().forward(x) + 1
        return super().forward(x)

model = Counting(3, 3)
with torch.no_grad():
    model.compile(backend="eager")
    y = model(torch.ones(4, 3))"""


@pytest.fixture
def soaked(tmp_path, write_case, warm):
    """A function that soaks examples, given as the programs after the fix, by name."""

    def run(budget: float | None = None, **programs: str) -> dict[str, Soak]:
        for name, program in programs.items():
            write_case(tmp_path, "guards", name, body=page_with_example("import torch", program))
        env = describe(sys.executable, "cpu")
        seen: dict[str, Soak] = {}

        def listen(event: Soaked) -> None:
            seen[event.job.case.name] = event.soak

        jobs = [ExampleJob(case, env) for case in load_catalog(tmp_path).cases]
        run_soaks(jobs, 2, "fork", budget, listen)
        return seen

    return run


@needs_torch
@pytest.mark.slow
def test_what_users_vary_finds_what_one_call_hides(soaked):
    """An exception in the ninth call, a compile for each length, gradients that are wrong."""
    seen = soaked(
        holds=HOLDS,
        raises=RAISES,
        items=ITEMS,
        parts=PARTS,
        number=PARTS.replace("x.split(sizes)", "[x[sizes[0] :]]").replace("[2, 4]", "[2]"),
        backward=WRONG_BACKWARD,
        asserts=ASSERTS,
        expanded=EXPANDED,
        nested=NESTED,
        other=OTHER_CALL,
        ends="import torch\nraise KeyError",
        eager="import torch\ny = torch.ones(3)",
    )
    limits = {name: it.limits for name, it in seen.items()}
    assert limits["holds"] == {}
    assert seen["holds"].held == ["calls", "sizes", "dtype", "grad", "no_grad", "inference_mode"]
    assert limits["raises"] == {"calls": "raises FailOnRecompileLimitHit in call 9"}
    assert limits["items"] == {"items": "each new number of items compiles"}
    assert "sizes" in seen["items"].held
    assert limits["parts"] == limits["items"]
    assert limits["number"] == {}
    assert list(limits["backward"]) == ["grad"]
    assert limits["backward"]["grad"].startswith("values differ by")
    assert "no_grad" in seen["backward"].held
    assert seen["asserts"].held == seen["holds"].held
    assert seen["expanded"].error == ""
    for name in ("nested", "other"):
        assert (seen[name].held, limits[name], seen[name].error) == ([], {}, "")
    assert seen["ends"].error == "the program raises KeyError"
    assert (seen["eager"].held, limits["eager"], seen["eager"].error) == ([], {}, "")


@needs_torch
@pytest.mark.slow
def test_a_copy_of_a_module_is_compiled_anew(soaked):
    """And the calls keep the setting in which the program made its own."""
    (found,) = soaked(module=MODULE).values()
    assert list(found.limits) == ["instance"]
    assert found.held == ["calls", "sizes", "dtype", "grad"]


@needs_torch
@pytest.mark.slow
def test_a_cache_that_gets_full_is_emptied_for_each_call(soaked):
    """Its users would do so, too."""
    program = """import torch

class Cache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(8, 2))
        self.register_buffer("length", torch.tensor(0))

    def forward(self, k):
        self.keys.index_copy_(0, self.length + torch.arange(3), k)
        self.length += 3
        return self.keys * 2

y = torch.compile(Cache(), backend="eager")(torch.ones(3, 2))"""
    (found,) = soaked(cache=program).values()
    assert found.held == ["calls", "no_grad", "inference_mode"]
    assert found.limits == {}


@needs_torch
@pytest.mark.slow
def test_what_eager_mode_cannot_do_does_not_apply(soaked):
    """Sizes that do not fit, and dtypes that do not multiply; state is put back in between."""
    fixed = HOLDS.replace("x.relu()", "x.relu() * torch.ones(4, 3)").replace("return", "return 1 *")
    fills = """import torch

seen = []

@torch.compiler.disable
def note():
    seen.append(1)
    if len(seen) > 21:
        raise ValueError

@torch.compile(backend="eager")
def step(x):
    note()
    return x @ torch.ones(3, 3)

y = step(torch.ones(4, 3))"""
    seen = soaked(fixed=fixed, fills=fills)
    assert "sizes" not in {*seen["fixed"].held, *seen["fixed"].limits}
    assert seen["fills"].held == ["calls", "sizes", "grad", "no_grad", "inference_mode"]
    assert seen["fills"].limits == {}


def test_none_begins_when_the_budget_is_spent(soaked):
    """What is left is left, and no worker is started for it."""
    assert soaked(budget=0, holds=HOLDS) == {}
