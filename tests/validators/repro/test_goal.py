"""When two failures are the same."""

from __future__ import annotations

import re

import pytest

from tests.validators.diagnose.measured import report
from validators.diagnose.findings.finding import Diagnosis, Explanation, Finding, Place
from validators.errors import CasebookError
from validators.repro.goal import goal_of, pattern_of

FAKE = (
    "torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\n"
    "  Explanation: Dynamo failed to run FX node with fake tensors: call_function lib.op"
    "(*(FakeTensor(..., size=({size}, 8){grad}),), **{{}}): got ValueError('{why}')\n"
)


def found(*findings: tuple[str, str, str, str]) -> Diagnosis:
    """A diagnosis with findings of these kinds, names, texts and lines of code."""
    return report(
        [
            Finding(
                kind,
                what,
                "",
                Explanation("unknown"),
                text=text,
                place=Place("m.py", 1, code) if code else None,
            )
            for kind, what, text, code in findings
        ]
    )


def goal(*finding: str):
    """The goal of a diagnosis with one finding."""
    return goal_of(found(finding), None, None)


def test_a_crash_is_known_with_other_sizes_and_gradients():
    """A submodule alone gets inputs without the history that they have in the whole."""
    wanted = goal("crash", "", FAKE.format(size=2, grad="", why="no shape for 2"), "")
    other = FAKE.format(size="s77", grad=", grad_fn=<ReluBackward0>", why="no shape for 31")
    assert wanted.shown_by([other])


def test_a_crash_with_the_same_first_line_is_another():
    """The first line of many crashes only says that a fake tensor call failed."""
    wanted = goal("crash", "", FAKE.format(size=2, grad="", why="no shape"), "")
    assert not wanted.shown_by([FAKE.format(size=2, grad="", why="another reason")])
    assert not wanted.shown_by(["torch._inductor.exc.InductorError: RuntimeError: no shape"])


def test_a_backend_is_no_part_of_a_crash():
    """The line below "raised:" is."""
    text = "torch._dynamo.exc.BackendCompilerFailed: backend='{}' raised:\nKeyError: '{}'"
    wanted = goal("crash", "", text.format("inductor", "a"), "")
    assert wanted.shown_by([text.format("aot_eager", "a")])
    assert not wanted.shown_by([text.format("inductor", "b")])


def test_a_break_is_known_by_its_type_and_line_of_code():
    """Not by the number of the line, which differs in a script."""
    wanted = goal("graph_break", "graph break: Tensor.item()", "", "n = x.item()")
    said = 'Graph Break Reason: Tensor.item()\n  File "{}", line {}, in f\n    {}'
    assert wanted.shown_by([said.format("repro.py", 9, "n = x.item()")])
    assert not wanted.shown_by([said.format("repro.py", 9, "m = y.item()")])


def test_a_break_in_a_loop_is_known_by_its_reason():
    """The submodule that the loop calls breaks for the same reason, but in no loop."""
    reason = "Data-dependent branching\n  Explanation: a branch"
    wanted = goal("graph_break", "graph break: graph break in loop", reason, "if x.sum() > 0:")
    said = "Graph Break Reason: {}\n  File 'repro.py', line 9, in f\n    if x.sum() > 0:"
    assert wanted.shown_by([said.format("Data-dependent branching")])
    assert wanted.shown_by([said.format("graph break in loop")])
    assert not wanted.shown_by([said.format("Dynamic shape operator")])


@pytest.mark.parametrize(
    ("guard", "alone", "same"),
    [
        ("tensor 'x' size mismatch at index 0. expected 2, actual 3", None, True),
        ("tensor 'x' size mismatch at index 0", "tensor 'L['y']' size mismatch at index 0", True),
        ("tensor 'x' size mismatch at index 0", "tensor 'x' dtype mismatch", False),
        ("L['self'].two.step == 1", "L['self'].step == 4", True),
        ("self._modules['two'].step == 1", "self.step == 4", True),
        ("L['self'].two.step == 1", "L['self'].other == 1", False),
    ],
)
def test_a_recompile_is_known_by_its_guard(guard, alone, same):
    """Whatever the module is called from which the guard is seen."""
    text = f"Recompiling function forward\n    - 0/0: {guard}  # comment"
    wanted = goal("recompile", "", text, "")
    assert wanted.shown_by([f"0/1: {alone or guard}"]) is same


def test_results_that_differ_in_shapes_are_another_failure():
    """Only the kind of a difference is compared."""
    wanted = goal("wrong_results", "call 0 differs from eager by 0.5", "", "")
    assert wanted.shown_by(["call 2: compiled differs from eager by 0.1, eager by 0"])
    assert not wanted.shown_by(["call 0: compiled differs from eager in kind, eager by 0"])


def test_the_first_failure_that_matters_is_chosen():
    """A crash before a graph break; another by its number or kind."""
    diagnosis = found(("graph_break", "graph break: A", "", ""), ("crash", "", "E: x", ""))
    assert goal_of(diagnosis, None, None).kind == "crash"
    assert goal_of(diagnosis, 1, None).kind == "graph_break"
    assert goal_of(diagnosis, None, "recompile") is None


@pytest.mark.parametrize(
    ("number", "said"), [(3, "there are 2"), (0, "there are 2"), (2, "static")]
)
def test_a_finding_that_cannot_be_reproduced_is_refused(number, said):
    """In one sentence."""
    diagnosis = found(("crash", "", "E: x", ""), ("static", "", "", ""))
    with pytest.raises(CasebookError, match=said):
        goal_of(diagnosis, number, None)


def test_paths_and_addresses_do_not_matter():
    """A masked text fits the one that it was made of."""
    wanted = pattern_of("cannot open ~/data/a.txt at 0x7f00 in model.py")
    assert re.search(wanted, "cannot open /home/me/data/a.txt at 0x1f in /tmp/q/repro.py")
