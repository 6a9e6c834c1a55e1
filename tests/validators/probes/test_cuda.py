"""CUDA graph activity: what is parsed and counted, without a GPU and with one."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import torch
from torch._dynamo.utils import counters

from tests.validators.probes.arms import add_relu, ones
from tests.validators.probes.fake_gpu import FakeGpu
from validators.probes import cuda as probe
from validators.probes import observe
from validators.probes.counters import UNLOGGED, counting


def _skip(message: str) -> None:
    logging.getLogger("torch._inductor.cudagraph_utils.__cudagraphs").warning(message)
    counters["inductor"]["cudagraph_skips"] += 1


def test_skips_carry_their_reasons() -> None:
    """A logged skip has torch's reason without directories, an unlogged one says so."""
    with counting() as counts:
        _skip("skipping cudagraphs due to mutated inputs (1 instances). Found from /a/b/arm.py:3")
        counters["inductor"]["cudagraph_skips"] += 1
    assert counts.cudagraph_skips() == (
        "skipping cudagraphs due to mutated inputs (1 instances). Found from arm.py:3",
        UNLOGGED,
    )


def test_other_warnings_are_no_skips() -> None:
    """What else Inductor warns of, and skips before the block, do not count."""
    _skip("skipping cudagraphs due to something earlier")
    with counting() as counts:
        logging.getLogger("torch._inductor.cudagraph_utils.__cudagraphs").warning("9 sizes seen")
    assert counts.cudagraph_skips() == ()
    assert counts.cache() is None


def test_cleared_counters_do_not_go_negative() -> None:
    """An arm that clears torch's counters leaves what was counted since."""
    counters["inductor"]["fxgraph_cache_hit"] += 5
    with counting() as counts:
        counters.clear()
    assert counts.cache() is None


def test_calls_are_counted_and_patches_removed() -> None:
    """Counting a method keeps its result and ends with the block."""

    class Manager:
        def record(self, value: int) -> int:
            return value + 1

    real, watch = Manager.record, probe.Watch()
    with probe.counted_calls(Manager, "record", watch, "recordings"):
        assert [Manager().record(value) for value in range(3)] == [1, 2, 3]
    assert watch.recordings == 3
    assert Manager.record is real


def test_the_methods_that_are_counted_exist() -> None:
    """Torch's CUDA graph manager has the methods that stand for recording and replay."""
    from torch._inductor.cudagraph_trees import CUDAGraphTreeManager

    real = CUDAGraphTreeManager.execute_node
    with probe.watching() as watch:
        assert CUDAGraphTreeManager.execute_node is not real
    assert CUDAGraphTreeManager.execute_node is real
    assert (watch.recordings, watch.replays, watch.memory) == (0, 0, {})


def test_an_overwritten_output_is_recognized() -> None:
    """The message that torch raises for an overwritten output is known."""
    from torch._inductor.cudagraph_trees import CUDAGraphTreeManager

    assert probe.overwritten(CUDAGraphTreeManager.format_dealloc_msg("a stack"))
    assert not probe.overwritten("CUDA error: an illegal memory access was encountered")


def test_observe_watches_once_cuda_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """With CUDA initialized, a report has CUDA graph counts and memory."""
    FakeGpu(monkeypatch)
    report = observe(add_relu, [(ones(3),)])
    assert report.cudagraphs is not None
    assert report.cudagraphs.skips == ()
    assert report.memory == {
        "cuda_allocated_peak": 7,
        "cuda_reserved_peak": 9,
        "cuda_device_used": 40,
    }


def test_observe_names_an_overwritten_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that dies of an overwritten output is counted as such."""
    from torch._inductor.cudagraph_trees import CUDAGraphTreeManager

    def raises(_x: Any) -> Any:
        raise RuntimeError(CUDAGraphTreeManager.format_dealloc_msg(None))

    FakeGpu(monkeypatch)
    report = observe(raises, [(ones(3),)], compile=lambda it: it, eager=True)
    assert report.cudagraphs is not None
    assert report.cudagraphs.overwritten_outputs == 1


def test_without_cuda_there_is_no_activity() -> None:
    """On the CPU a report has neither CUDA graphs nor memory."""
    if torch.cuda.is_initialized():
        pytest.skip("CUDA is in use in this process.")
    report = observe(add_relu, [(ones(3),)])
    assert report.cudagraphs is None
    assert report.memory == {}


@pytest.mark.cuda
@pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no NVIDIA GPU.")
def test_a_gpu_records_and_replays() -> None:
    """The first call warms up, the second records, later ones replay."""
    x = torch.ones(8, device="cuda")
    report = observe(add_relu, [(x,)] * 5, backend="inductor", mode="reduce-overhead")
    assert report.cudagraphs is not None
    assert report.cudagraphs.skips == ()
    assert report.cudagraphs.recordings == 1
    assert report.cudagraphs.replays == 3
    assert report.memory["cuda_allocated_peak"] > 0


@pytest.mark.cuda
@pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no NVIDIA GPU.")
def test_a_gpu_skips_mutated_inputs() -> None:
    """An input changed in place is skipped with a reason, and shows as mutated."""

    def f(x: torch.Tensor) -> torch.Tensor:
        return x.add_(1) * 2

    x = torch.ones(8, device="cuda")
    report = observe(f, [(x,)] * 3, backend="inductor", mode="reduce-overhead")
    assert report.cudagraphs is not None
    assert any("mutated inputs" in reason for reason in report.cudagraphs.skips)
    assert report.mutated_inputs


@pytest.mark.cuda
@pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no NVIDIA GPU.")
def test_a_gpu_overwrites_outputs() -> None:
    """An output kept over the next replay cannot be used."""

    def twice(compiled: Any) -> Any:
        def call(x: torch.Tensor) -> torch.Tensor:
            first = compiled(x)
            compiled(x)
            result: torch.Tensor = first + 1
            return result

        return call

    x = torch.ones(8, device="cuda")
    report = observe(
        add_relu,
        [(x,)] * 3,
        compile=lambda it: twice(torch.compile(it, mode="reduce-overhead")),
    )
    assert report.cudagraphs is not None
    assert report.cudagraphs.overwritten_outputs == 1
