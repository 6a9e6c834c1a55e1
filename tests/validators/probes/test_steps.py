"""Variants compared: what is timed, what is refused, and that differences are seen and none is."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import pytest
import torch

from tests.validators.probes.arms import add_relu, ones
from tests.validators.probes.fake_gpu import FakeGpu
from validators.probes import (
    WitnessError,
    call,
    compare_first_steps,
    compare_steps,
    gain_below,
    gain_within,
    training_step,
)
from validators.probes.report import Report

Built = tuple[Callable[..., Any], Any]


def compiled(size: int = 3, **options: Any) -> Callable[[], Built]:
    """A variant that runs compiled."""
    return lambda: (torch.compile(add_relu, backend="eager", **options), (ones(size),))


def eager() -> Built:
    """A variant that does not."""
    return add_relu, call(ones(3))


def slow() -> Built:
    """A variant that sleeps between two graphs' worth of work."""
    inner = torch.compile(add_relu, backend="aot_eager")

    def step(x: torch.Tensor) -> Any:
        time.sleep(0.005)
        return inner(x)

    return step, (ones(3),)


def test_a_slower_variant_is_seen() -> None:
    """Medians are per variant and gains over the first one; eager runs no graph."""
    report = compare_steps(
        {"slow": slow, "compiled": compiled(), "eager": eager},
        eager=["eager"],
        warmups=2,
        samples=5,
    )
    assert [made.compiled for made in report.calls] == [1, 0, 1, 0, 0, 0]
    assert [made.executions for made in report.calls] == [1, 1, 1, 1, 0, 0]
    assert {name: len(taken) for name, taken in report.times.items() if name != "compile"} == {
        "slow": 5,
        "compiled": 5,
        "eager": 5,
    }
    seconds, gain = report.facts["seconds"], report.facts["gain"]
    assert isinstance(seconds, dict) and isinstance(gain, dict)
    assert float(str(seconds["slow"])) >= 0.005
    assert gain.keys() == {"compiled", "eager"}
    assert float(str(gain["compiled"])) > 2
    assert "peak_bytes" not in report.facts


@pytest.mark.slow
def test_equal_variants_gain_nothing() -> None:
    """A variant against its like is neither faster nor slower; `against` names the other."""
    report = compare_steps(
        {"a": slow, "b": compiled(), "c": compiled()},
        against={"c": "b"},
        warmups=1,
        samples=100,
    )
    gain = report.facts["gain"]
    assert isinstance(gain, dict)
    assert gain.keys() == {"c"}
    assert 0.3 < float(str(gain["c"])) < 3
    low, high = report.facts["gain_low"], report.facts["gain_high"]
    assert isinstance(low, dict) and isinstance(high, dict)
    assert low["c"] <= gain["c"] <= high["c"]
    assert gain_below(report, 2) is True
    assert gain_within(report, 3) is True


def bounded(**bounds: tuple[float, float]) -> Report:
    """A report whose gains lie between these bounds."""
    low, high = ({name: ends[end] for name, ends in bounds.items()} for end in (0, 1))
    return Report(facts={"gain_low": low, "gain_high": high})


@pytest.mark.parametrize(
    ("bounds", "below", "within"),
    [
        ({"a": (0.99, 1.01)}, True, True),
        ({"a": (1.06, 1.2)}, False, False),
        ({"a": (1.02, 1.07)}, None, None),
        ({"a": (0.8, 0.9)}, True, False),
        ({"a": (0.94, 1.0)}, True, None),
        ({"a": (1.06, 1.2), "b": (1.02, 1.07)}, None, False),
        ({"a": (1.06, 1.2), "b": (0.99, 1.01)}, True, False),
    ],
)
def test_an_interval_that_holds_the_limit_is_too_close_to_call(bounds, below, within) -> None:
    """Neither answer is given for it, whatever the median says."""
    report = bounded(**bounds)
    assert gain_below(report, 1.05) is below
    assert gain_within(report, 1.05) is within


def test_only_the_named_gains_count() -> None:
    """A proof may time more than what it claims."""
    report = bounded(a=(1.06, 1.2), b=(0.9, 1.0))
    assert gain_below(report, 1.05, "a") is False
    assert gain_below(report, 1.05) is True


def test_variants_train_models_of_their_own() -> None:
    """Each variant is built once and makes the same steps as the others, backward included."""
    built: list[Any] = []

    def train() -> Built:
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        built.append(model)
        step = training_step(model, optimizer, torch.nn.functional.mse_loss)
        return step, (ones(2, 3), ones(2, 4))

    def train_compiled() -> Built:
        step, given = train()
        return step.compile_in_place(backend="aot_eager"), given  # type: ignore[attr-defined]

    report = compare_steps(
        {"eager": train, "compiled": train_compiled}, eager=["eager"], warmups=2, samples=2
    )
    assert report.backward_executions == 2
    weights = [model[0].weight for model in built]
    assert len(weights) == 2
    assert torch.equal(*weights)


def test_what_does_not_run_as_named_is_refused() -> None:
    """A variant that runs eagerly unasked, or compiled where eager was meant, decides nothing."""
    with pytest.raises(WitnessError, match="'eager' ran 0 compiled graphs"):
        compare_steps({"compiled": compiled(), "eager": eager}, samples=1)
    with pytest.raises(WitnessError, match="'compiled' ran 1 compiled graphs"):
        compare_first_steps({"compiled": compiled(), "eager": eager}, eager=["compiled", "eager"])


def test_what_raises_has_no_gain() -> None:
    """A variant that raises gives its exception, and neither times nor facts."""

    def raises() -> Built:
        return torch.compile(lambda x: x @ x, backend="eager"), (ones(2, 3),)

    for compare in (compare_steps, compare_first_steps):
        report = compare({"raises": raises, "compiled": compiled()})
        assert report.exception is not None
        assert report.facts == {}
        assert report.times.keys() <= {"compile"}


def test_unknown_variants_are_named() -> None:
    """A misspelt name and a lone variant are refused before anything runs."""
    with pytest.raises(ValueError, match="There is no variant 'egaer'; there are a, b"):
        compare_steps({"a": compiled(), "b": compiled()}, eager=["egaer"])
    with pytest.raises(ValueError, match="two or more"):
        compare_first_steps({"a": compiled()})


def test_first_steps_compile_each_time() -> None:
    """Every turn builds anew and compiles anew: a slow backend is paid in each of them."""
    compilations: list[str] = []

    def backend(gm: torch.fx.GraphModule, _inputs: Any) -> Any:
        compilations.append("slow")
        time.sleep(0.3)
        return gm.forward

    def patient() -> Built:
        return torch.compile(add_relu, backend=backend), (ones(3),)

    report = compare_first_steps({"patient": patient, "quick": compiled()}, turns=2)
    assert [made.compiled for made in report.calls] == [1, 1]
    assert len(compilations) == 3
    assert len(report.times["patient"]) == len(report.times["quick"]) == 2
    assert min(report.times["patient"]) >= 0.3
    gain = report.facts["gain"]
    assert isinstance(gain, dict)
    assert float(str(gain["quick"])) > 1


@pytest.mark.slow
def test_first_steps_find_nothing_in_a_cache() -> None:
    """Inductor's cache on disk is empty at each timed first step, and is the old one afterwards."""
    from torch._dynamo.utils import counters

    def hits_and_misses() -> tuple[int, int]:
        found = counters["inductor"]
        return found["fxgraph_cache_hit"], found["fxgraph_cache_miss"]

    def inductor() -> Built:
        return torch.compile(add_relu), (ones(3),)

    before, place = hits_and_misses(), os.environ.get("TORCHINDUCTOR_CACHE_DIR")
    report = compare_first_steps({"a": inductor, "b": inductor})
    assert report.exception is None
    hits, misses = (b - a for a, b in zip(before, hits_and_misses(), strict=True))
    assert misses >= 2
    assert hits <= 1
    assert os.environ.get("TORCHINDUCTOR_CACHE_DIR") == place


def segment(pool: tuple[int, int], *, total: int, allocated: int) -> dict[str, object]:
    """A part of the GPU's memory, as torch describes it."""
    return {"segment_pool_id": pool, "total_size": total, "allocated_size": allocated}


def test_memory_on_a_gpu_is_per_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a variant keeps and what its step allocates is its peak; events time it."""
    FakeGpu(monkeypatch)
    first = segment((0, 0), total=900, allocated=100)
    second = segment((0, 0), total=900, allocated=120)
    graph = segment((0, 1), total=280, allocated=0)
    snapshots = iter([[], [first], [first], [second, graph]])
    monkeypatch.setattr(torch.cuda, "memory_snapshot", lambda: next(snapshots))
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda: 390)
    peaks = iter([395, 450])
    monkeypatch.setattr(torch._C, "_cuda_clearCublasWorkspaces", lambda: None, raising=False)
    monkeypatch.setattr("validators.probes.cuda.memory", dict)
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda: next(peaks))
    report = compare_steps({"a": compiled(), "b": compiled()}, warmups=1, samples=2)
    assert report.times["a"] == report.times["b"] == [0.0025] * 2
    assert report.facts["peak_bytes"] == {"a": 105, "b": 360}
    assert report.facts["bytes_of"] == {"b": 360 / 105}


@pytest.mark.cuda
@pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no NVIDIA GPU.")
def test_a_gpu_tells_variants_apart() -> None:
    """A step on four times the elements takes longer and has the larger peak."""

    def step(elements: int) -> Callable[[], Built]:
        def build() -> Built:
            x = torch.ones(elements, device="cuda")
            return torch.compile(add_relu, backend="eager", dynamic=False), (x,)

        return build

    report = compare_steps({"large": step(1 << 28), "small": step(1 << 26)}, samples=5)
    gain, of = report.facts["gain"], report.facts["bytes_of"]
    assert isinstance(gain, dict) and isinstance(of, dict)
    assert float(str(gain["small"])) > 2
    assert 0.2 < float(str(of["small"])) < 0.3


@pytest.mark.cuda
@pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no NVIDIA GPU.")
def test_a_gpu_gives_equal_models_equal_peaks() -> None:
    """The second of two equal models fills the gaps that the first one left in reserved memory."""

    def training() -> Built:
        model = torch.nn.Sequential(*(torch.nn.Linear(700 + i, 701 + i) for i in range(40))).cuda()
        optimizer = torch.optim.AdamW(model.parameters())

        def step(x: torch.Tensor) -> None:
            model(x).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()

        return step, (torch.ones(64, 700, device="cuda"),)

    variants = {"one": training, "other": training}
    of = compare_steps(variants, eager=variants, samples=2).facts["bytes_of"]
    assert isinstance(of, dict)
    assert float(str(of["other"])) == pytest.approx(1, abs=0.01)
