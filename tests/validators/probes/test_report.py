"""Reports travel as JSON."""

from __future__ import annotations

import json

import pytest

from validators.probes.report import (
    Cache,
    Call,
    Caught,
    Cudagraphs,
    Difference,
    Graph,
    GraphBreak,
    GraphInput,
    MutatedInput,
    Recompile,
    Report,
)

FULL = Report(
    eager=True,
    calls=(Call(1, 2, Difference(0.5, None, 1e-9, 0.0)), Call(0, 0)),
    graphs=(Graph("0/0", 1, {"add": 1}, (GraphInput("x", (2, "s0"), "f"),), ("s0",), 2, "a", 3),),
    ops=1,
    graph_breaks=(GraphBreak("GB7000", "GB0170", "t", "r", "a.py", 3, True),),
    recompiles=(Recompile("0/1", "f", ("why",)),),
    recompile_limit_hit=True,
    mutated_inputs=(MutatedInput(0, "x", 1),),
    cudagraphs=Cudagraphs(("why",), 1, 2, 0),
    cache=Cache(1, 2, 3, 4),
    exception=Caught("ValueError", "no", 1, "GB0170"),
    backward_executions=1,
    observation=0,
    facts={"a": 1, "b": [1, None], "c": {"d": "e"}, "f": None},
    times={"compile": [0.5]},
    memory={"cuda_device_used": 4},
)


@pytest.mark.parametrize("report", [FULL, Report()])
def test_a_report_survives_json(report: Report) -> None:
    """A report read back from JSON text equals the one that was written."""
    assert Report.from_json(json.loads(json.dumps(report.to_json(), allow_nan=False))) == report


def test_what_is_no_report_is_refused() -> None:
    """An unknown field is an error, not silently dropped."""
    with pytest.raises((TypeError, KeyError)):
        Report.from_json({"nothing": 1})


def test_what_a_report_says_of_itself() -> None:
    """Break ids come causes first, each once; calls without execution are eager."""
    assert FULL.break_ids == ("GB0170", "GB7000")
    assert FULL.eager_calls == (1,)


def test_calls_in_one_line() -> None:
    """Executions and compilations come as a tuple with an entry for each call."""
    assert FULL.executions == (2, 0)
    assert FULL.compiled == (1, 0)
    assert Report().executions == Report().compiled == ()


def test_the_worst_difference_is_over_calls_outputs_and_gradients() -> None:
    """A gradient counts like an output, float64 references do not, and a call that raised not."""

    def worst(*differences: Difference | None) -> float:
        return Report(calls=tuple(Call(1, 1, it) for it in differences)).worst_difference

    assert FULL.worst_difference == 0.5
    assert worst(Difference(eager=0.1), Difference(eager=0.3), None) == 0.3
    assert worst(Difference(eager=0.0, gradients_eager=2.0)) == 2.0
    assert worst(Difference(eager=0.0, compiled_float64=9.0, eager_float64=9.0)) == 0.0
    for nothing in ((), (None,), (Difference(compiled_float64=1.0),)):
        with pytest.raises(ValueError, match="Nothing was compared"):
            worst(*nothing)
