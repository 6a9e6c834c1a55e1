"""Where graphs broke and compiled again, in code that uses torch."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch._logging import structured

from validators.probes import trace
from validators.probes.occurrences import break_occurrences, recompile_occurrences

TORCH = Path(torch.__file__).parent
GEOMETRIC = TORCH.with_name("torch_geometric") / "nn" / "conv.py"
"""A file of a package that is installed beside torch, and whose name begins with torch's."""
BREAK = f"""Graph break in user code at {GEOMETRIC}:9
Graph Break Reason: Data-dependent branching

User code traceback:
  File "/work/model.py", line 3, in forward
    return self.conv(x)
  File "{TORCH}/nn/modules/module.py", line 5, in _call_impl
    return forward_call(*args, **kwargs)
  File "{GEOMETRIC}", line 9, in forward
    if x.sum() > 0:
"""


def events(*found: trace.Event) -> trace.Trace:
    """A trace of these events."""
    made = trace.Trace()
    made.events += found
    return made


def test_a_package_beside_torch_is_no_part_of_torch() -> None:
    """A break in it has its place, and so has the line that calls it; torch's own frame is none."""
    (found,) = break_occurrences(
        events(trace.Event("dynamo_graph_break_reason", "0/0", 0, {}, BREAK))
    )
    assert [(Path(it["file"]).name, it["line"]) for it in found["places"]] == [
        ("conv.py", 9),
        ("model.py", 3),
    ]


@pytest.mark.parametrize(
    ("file", "function"), [(GEOMETRIC, "forward"), (TORCH / "nn" / "modules" / "rnn.py", "outer")]
)
def test_a_function_beside_torch_compiles_again_under_its_own_name(
    monkeypatch: pytest.MonkeyPatch, file: Path, function: str
) -> None:
    """One of torch's own files stands for the function that was decorated."""
    monkeypatch.setattr(structured, "INTERN_TABLE", {str(file): 7})
    stack = [{"name": "forward", "filename": 7, "line": 4}]
    (found,) = recompile_occurrences(
        events(
            trace.Event("dynamo_start", "0/1", 0, {"stack": stack}, ""),
            trace.Event("recompile_reasons", "0/1", 0, {}, '["0/0: n == 2"]'),
        ),
        ("outer", "/work/model.py", 1),
    )
    assert found["function"] == function
