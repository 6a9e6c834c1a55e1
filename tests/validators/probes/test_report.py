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
