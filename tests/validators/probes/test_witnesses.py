"""The witnesses contradict each other loudly, and leave nothing behind."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch._dynamo import output_graph

from tests.validators.probes.arms import add_relu, ones
from validators.probes import WitnessError, compile_blocks, observe
from validators.probes.backend import Recorder
from validators.probes.trace import Event, Trace


def _recompile() -> None:
    observe(add_relu, [(ones(2),), (ones(3),)])


def _deafen(monkeypatch: pytest.MonkeyPatch, event: str) -> None:
    """Have the trace miss every event of one name."""

    def named(self: Trace, name: str) -> list[Event]:
        return [] if name == event else [found for found in self.events if found.name == name]

    monkeypatch.setattr(Trace, "named", named)


def test_agreement_is_silent() -> None:
    """A recompilation seen by both witnesses raises nothing."""
    _recompile()


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("dynamo_output_graph", "as output graphs"),
        ("recompile_reasons", "holds no reasons"),
        ("dynamo_start", "holds no start"),
    ],
)
def test_a_deaf_trace_is_noticed(monkeypatch: pytest.MonkeyPatch, event: str, said: str) -> None:
    """A trace that misses one kind of event contradicts the backend calls."""
    _deafen(monkeypatch, event)
    with pytest.raises(WitnessError, match=said):
        _recompile()


def test_a_blind_backend_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recorder that misses backend calls contradicts the trace."""

    def blind(self: Recorder, output: Any, gm: Any, inputs: Any, real: Callable[..., Any]) -> Any:
        return real(output, gm, inputs)

    monkeypatch.setattr(Recorder, "compile", blind)
    with pytest.raises(WitnessError, match="The backend was given"):
        _recompile()


def test_reasons_without_a_variant_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recompile reasons for a first variant, which cannot be, contradict the compilations."""
    real = Trace.emit

    def emit(self: Trace, record: logging.LogRecord) -> None:
        real(self, record)
        if self.events and self.events[-1].name == "dynamo_start":
            self.events.append(Event("recompile_reasons", "0/0", 0, {}, "invented"))

    monkeypatch.setattr(Trace, "emit", emit)
    with pytest.raises(WitnessError, match="first variant"):
        observe(add_relu, [(ones(2),)])


def _state() -> list[Any]:
    loggers = [
        logging.getLogger(name)
        for name in (
            "torch.__trace",
            "torch._dynamo.convert_frame.__graph_breaks",
            "torch._inductor.cudagraph_utils.__cudagraphs",
        )
    ]
    return [
        output_graph.OutputGraph.call_user_compiler,
        getattr(output_graph, "is_noop_graph", None),
        [(logger.level, logger.propagate, list(logger.handlers)) for logger in loggers],
        torch._dynamo.config.get_config_copy(),
        torch._dynamo.eval_frame._stance.stance,
        torch.get_rng_state().tolist(),
        torch.is_grad_enabled(),
    ]


def _raise(*_: Any) -> Any:
    raise RuntimeError("the compiler of the arm fails")


def test_nothing_is_left_behind() -> None:
    """Patches, handlers, configuration, stance and random state are as before."""
    before = _state()
    observe(torch.nn.Dropout(), [(ones(3),)], compare=("eager", "float64", "gradients"))
    assert _state() == before


def test_nothing_is_left_behind_by_a_failure() -> None:
    """The same holds where the arm's own code raises in the middle."""
    before = _state()
    with pytest.raises(RuntimeError, match="compiler of the arm"):
        observe(add_relu, [(ones(3),)], compile=_raise, compare=("eager",))
    assert _state() == before


def test_what_was_compiled_still_runs_afterwards() -> None:
    """A compiled function outlives its observation, uncounted."""
    made: list[Any] = []

    def keep(target: Any) -> Any:
        made.append(torch.compile(target, backend="eager"))
        return made[0]

    report = observe(add_relu, [(ones(3),)], compile=keep)
    assert torch.equal(made[0](ones(3)), add_relu(ones(3)))
    assert report.graphs[0].executions == 1


def test_a_function_decorated_long_before_is_seen() -> None:
    """Backend calls are witnessed wherever and whenever `torch.compile` was called."""
    decorated = torch.compile(add_relu, backend="eager")
    report = observe(decorated, [(ones(3),)], compile=lambda it: it)
    assert report.ops == 2


def test_equal_inductor_settings_share_cache_entries() -> None:
    """Watching does not make two equal `torch.compile` calls look different to Dynamo."""
    report = observe(
        add_relu,
        [(0,), (1,)],
        compile=lambda it: _alternate([torch.compile(it, backend=_same) for _ in range(2)]),
    )
    assert [call.compiled for call in report.calls] == [1, 0]


def _same(gm: Any, _inputs: Any) -> Any:
    return gm.forward


def _alternate(compiled: list[Any]) -> Callable[[int], Any]:
    return lambda index: compiled[index](ones(3))


def test_compile_blocks_refuses_to_match_nothing() -> None:
    """A pattern without a match is an error, as it would prove nothing."""
    with pytest.raises(ValueError, match="No submodule matches 'layers"):
        compile_blocks(torch.nn.Sequential(torch.nn.ReLU()), "layers.*")
