"""Known silent errors: the compiler that makes each, and what was seen to avoid it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import call
from validators.cli import main
from validators.diagnose.explaining.located import located_lines, stack_of
from validators.diagnose.findings.finding import Avoided, Located

PROGRAMS = Path(__file__).with_name("silent_errors.py")
MATCHER = "torch._inductor.config.pattern_matcher = False"
BY_PATTERN = ("inductor", "joint_graph_passes", "softmax", MATCHER)
FOUND = Located(
    backend="inductor",
    right="aot_eager_decomp_partition",
    cached=False,
    subsystem="lowerings",
    application=3,
    detail="cumsum",
    ops=["cumsum"],
    program="",
    apart=True,
    module="",
    kernels=2,
    avoided=[Avoided("torch._inductor.config.cpp.simdlen = 1", 3)],
    tried=7,
    late=False,
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "backend", "subsystem", "op", "avoided"),
    [
        ("softmax_over_queries", *BY_PATTERN),
        ("permuted_keys", *BY_PATTERN),
        ("random_uniform", "inductor", "lowerings", "", ""),
        ("float_bound", "inductor", "", "", "torch._inductor.config.fx_graph_cache = False"),
        ("buffer_updated_then_read", "aot_eager", "", "mul", "apart"),
        ("buffer_read_then_updated", "aot_eager", "", "mul", ""),
        ("float64_scalar", "aot_eager", "", "add_", "apart"),
        ("decorator_dropped", "eager", "", "", ""),
    ],
)
def test_a_silent_error_is_traced(tmp_path, warm, name, backend, subsystem, op, avoided):
    """To a compiler, a part of it, and ops; what avoids it was tried."""
    target = f"{PROGRAMS}:{name}"
    done = call(main, "diagnose", target, "--only", "results", "--json", cwd=tmp_path)
    (found,) = json.loads(done.stdout)["findings"]
    located = found["located"]
    assert (found["kind"], located["backend"]) == ("wrong_results", backend)
    assert located["subsystem"] == subsystem
    assert located["cached"] is (name == "float_bound")
    assert op in located["ops"] if op else not located["ops"]
    known = [it["setting"] for it in located["avoided"]]
    assert avoided in [*known, *(["apart"] if located["apart"] else [])] if avoided else not known


def test_what_is_located_is_told_in_words():
    """What decides first, then what avoids it, then what is missing."""
    *lines, last = located_lines(FOUND)
    assert last.endswith("scan` says whether the error is known, and on which releases it is right")
    assert lines == [
        'right with backend="aot_eager_decomp_partition", wrong with "inductor";'
        " torch's bisector: the lowering of an op, number 3 (cumsum)",
        "wrong where only this op is compiled: cumsum",
        "tried, results equal: torch.compiler.disable on what does that, the rest compiled",
        "tried, results equal: torch._inductor.config.cpp.simdlen = 1 (3 kernels, 2 without)",
    ]


def test_a_wrong_op_is_at_its_own_line():
    """Not at the line of its caller, which comes next."""
    stack = """  File "model.py", line 6, in forward
    y = inner(x * 2)
  File "model.py", line 3, in inner
    return x.cumsum(0)
"""
    assert [str(it) for it in stack_of({"stack": stack})] == ["model.py:3", "model.py:6"]
