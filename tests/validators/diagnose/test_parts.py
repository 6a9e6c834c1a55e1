"""From what a worker saw to findings: recompiles that only follow from graph breaks."""

from __future__ import annotations

import pytest

from validators.diagnose.parts import of_breaks

PRINT = {
    "id": "GB0059",
    "type": "Failed to trace builtin operator",
    "text": "Failed to trace builtin operator\n"
    "  Explanation: Dynamo does not know how to trace builtin operator `print` with argument types",
    "places": [{"file": "m.py", "line": 7, "code": 'print("x")'}],
    "count": 1,
}
GUARD = (
    "self.i == 2  # return x * self.i  # m.py:8 in forward (HINT: torch.compile considers integer"
    " attributes of the nn.Module to be static. If you are observing recompilation, you might want"
    " to make this integer dynamic using torch._dynamo.config.allow_unspec_int_on_nn_module = True)"
)


def recompile(function: str, line: int) -> dict:
    """A function that compiles again for another int attribute."""
    text = f"Recompiling function {function} in m.py:{line}\n    - 0/0: {GUARD}"
    place = {"file": "m.py", "line": line, "code": "x"}
    return {"function": function, **place, "guard": GUARD, "text": text, "count": 1}


@pytest.fixture
def explained(explainer):
    """The finding of a recompile beside `breaks`, of a target whose own function is at `own`."""

    def find(told: dict, breaks: list[dict], own: list | None):
        found = {
            "calls": 2,
            "rounds": 2,
            "breaks": breaks,
            "recompiles": [told],
            "limits": [],
            "eager_calls": [],
            "raised": None,
        }
        if own:
            found["own"] = own
        (finding,) = (it for it in of_breaks(found, explainer) if it.kind == "recompile")
        return finding

    return find


def test_a_function_of_its_own_is_explained_by_its_guard(explained):
    """A break elsewhere does not matter."""
    found = explained(recompile("forward", 5), [PRINT], ["m.py", 5])
    said = found.explanation
    assert (said.known, said.case) == ("explained", "integer_module_attribute")
    assert found.what == "forward compiles again"


def test_a_function_that_resumes_is_explained_by_its_graph_break(explained):
    """Without the break it would not be there, so its guard's case would be the wrong fix."""
    told = recompile("torch_dynamo_resume_in_forward_at_7", 7)
    found = explained(told, [PRINT], ["m.py", 5])
    said = found.explanation
    assert (said.known, said.case) == ("explained", "print_in_forward")
    assert str(found.follows) == "m.py:7"
    assert found.what == "forward, after its graph break in line 7, compiles again"


def test_a_function_that_resumes_after_an_unknown_break_is_only_suspected(explained):
    """A recording may lack the break."""
    found = explained(recompile("torch_dynamo_resume_in_forward_at_9", 9), [PRINT], None)
    said = found.explanation
    assert (said.known, said.case) == ("suspected", "integer_module_attribute")


@pytest.mark.parametrize(
    ("breaks", "own", "known"),
    [
        ([PRINT], ["m.py", 12], "suspected"),
        ([], ["m.py", 12], "explained"),
        ([PRINT], None, "explained"),
    ],
)
def test_a_function_compiled_apart_may_be_so_for_a_break(explained, breaks, own, known):
    """Its caller's break may be why it has guards of its own; a recording does not tell."""
    said = explained(recompile("forward", 5), breaks, own).explanation
    assert (said.known, said.case) == (known, "integer_module_attribute")
