"""From what a worker saw to findings: what only follows from graph breaks and limits."""

from __future__ import annotations

import math

import pytest

from validators.diagnose.parts import of_breaks, of_results, raised_at
from validators.inspector.values.distances import as_json

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
            "graphs": 2,
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
    assert found.because == "the graph break at m.py:7"
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


@pytest.fixture
def eager(explainer):
    """The findings of two calls in which no compiled graph runs."""

    def find(graphs: int, **told) -> dict:
        nothing = {"breaks": [], "recompiles": [], "limits": [], "raised": None}
        found = {
            "calls": 2,
            "rounds": 2,
            "eager_calls": [2, 3],
            **nothing,
            "graphs": graphs,
            **told,
        }
        return {it.kind: it for it in of_breaks(found, explainer)}

    return find


def test_calls_that_run_eagerly_follow_from_the_limit(eager):
    """And the limit from what compiles again."""
    again = recompile("forward", 5)
    text = "torch._dynamo hit config.recompile_limit (8)"
    limit = {"function": "forward", "file": "m.py", "line": 5, "code": "x", "text": text}
    found = eager(8, recompiles=[again], limits=[limit], breaks=[PRINT])
    assert found["recompile_limit"].because == "the recompiles at m.py:8"
    assert found["eager_call"].because == "the recompile limit at m.py:5"
    cases = {found[it].explanation.case for it in ("recompile", "recompile_limit", "eager_call")}
    assert cases == {"integer_module_attribute"}


def test_calls_that_run_eagerly_follow_from_the_break(eager):
    """If several may have done it, that is suspected; without any it is unknown."""
    said = eager(0, breaks=[PRINT])["eager_call"]
    assert (said.explanation.known, said.because) == ("explained", "the graph break at m.py:7")
    assert eager(0, breaks=[PRINT, {**PRINT, "places": []}])["eager_call"] == said
    other = {**PRINT, "id": "GB0001", "places": []}
    said = eager(0, breaks=[PRINT, other])["eager_call"]
    assert said.explanation.known == "suspected"
    skips = {**other, "text": f"{PRINT['text']}\nSkipping the function"}
    said = eager(0, breaks=[PRINT, skips])["eager_call"]
    assert said.because == "the graph break (graph break: Failed to trace builtin operator)"
    assert eager(0)["eager_call"].explanation.known == "unknown"


def test_calls_without_ops_have_nothing_to_compile(eager):
    """Only a profile of every call tells that."""
    told = {"compiled_share": None, "work": {"0": 0, "1": 0}}
    assert eager(0, **told) == {}
    assert "eager_call" in eager(0, **told | {"work": {"0": 0}})
    assert "eager_call" in eager(0, **told | {"compiled_share": 0.0})


def test_without_a_graph_no_guard_explains_a_recompile(eager):
    """Nothing is compiled, whatever the size is."""
    text = "Recompiling function forward in m.py:5\n    - 0/0: tensor 'x' size mismatch at index 0."
    again = {**recompile("forward", 5), "text": f"{text} expected 2, actual 3"}
    assert (
        "mark_dynamic" in eager(1, recompiles=[again], breaks=[PRINT])["recompile"].explanation.fix
    )
    said = eager(0, recompiles=[again], breaks=[PRINT])["recompile"]
    assert said.explanation.case == "print_in_forward"


def test_an_exception_of_the_compiler_has_the_users_line(explainer, tmp_path):
    """The innermost that is not torch's; the others led there."""
    model = tmp_path / "m.py"
    model.write_text("def f(x):\n    return g(x)\ndef g(x):\n    if x.sum() > 0: x = x + 1\n")
    message = (
        "Data-dependent branching\n"
        '        # File "elsewhere.py", line 1, in g, code: if x.sum() > 0: x = x + 1\n'
        "\nfrom user code:\n"
        f'   File "{model}", line 2, in f\n    return g(x)\n'
        f'  File "{model}", line 4, in g\n    if x.sum() > 0: x = x + 1\n'
        '  File "/env/site-packages/torch/_tensor.py", line 9, in h\n    pass\n'
    )
    nothing = {"breaks": [], "recompiles": [], "limits": [], "eager_calls": []}
    raised = {"type": "torch._dynamo.exc.Unsupported", "message": message, "call": 0}
    counted = {"calls": 1, "rounds": 2, "graphs": 0, "raised": {**raised, "break_id": "GB0170"}}
    (crash,) = of_breaks({**nothing, **counted}, explainer)
    assert (str(crash.place), crash.place.code) == (f"{model}:4", "if x.sum() > 0: x = x + 1")
    assert [str(it) for it in crash.stack] == [f"{model}:2"]
    assert raised_at("KeyError: 'x'") == []


def differing(**difference):
    """What the part `results` returns of one call."""
    call = {"call": 0, "eager": None, "noise": 0.0, **difference}
    return {"raised": None, "differences": [call]}


CAST = {"setting": "torch._inductor.config.emulate_precision_casts = True", "kernels": 1}
FOUND = {"backend": "inductor", "right": "aot_eager", "cached": False, "late": False, "wrong": 0}
FOUND |= {
    "ops": ["bfloat16", "float"],
    "program": "",
    "stack": "",
    "apart": None,
    "module": "",
    "kernels": 1,
}
FOUND |= {"subsystem": "", "application": 0, "detail": "", "avoided": [CAST], "tried": 1}
NEW = "the gradient of b.weight is new: it is float32[4, 4]"


@pytest.mark.parametrize(
    ("difference", "located", "case"),
    (
        ({"kind": f"{NEW}, all zero", "zeros": True}, {}, "zero_gradient_of_unused_output"),
        ({"kind": NEW}, {}, ""),
        ({"eager": 0.1}, FOUND, "explicit_cast_left_out"),
        ({"eager": 0.1}, {**FOUND, "avoided": []}, ""),
        ({"eager": 0.1}, {**FOUND, "avoided": [CAST, {**CAST, "setting": "cpp.simdlen = 1"}]}, ""),
        ({"eager": 0.1}, {**FOUND, "ops": ["mul", "add"]}, ""),
    ),
)
def test_what_torch_means_to_compute_is_explained(explainer, difference, located, case):
    """A difference without a known cause is not."""
    (finding,) = of_results({**differing(**difference), "located": located}, explainer)
    assert (finding.explanation.known == "explained") is bool(case)
    assert finding.explanation.case == case


def test_a_number_in_place_of_nan_is_told(explainer):
    """It has no distance that a reader could make use of."""
    (finding,) = of_results(differing(eager=as_json(math.inf), part="output"), explainer)
    assert finding.what == "call 0 differs from eager in NaN or infinity, in output"


def test_a_break_in_a_loop_is_the_break_that_it_follows(explainer):
    """Torch tells it again, as the reason to run the function eagerly."""
    loop = (
        f"{PRINT['text']}\n\n*** While handling this graph break, another graph break occurred: ***"
    )
    again = {
        **PRINT,
        "id": "GB7000",
        "type": "graph break in loop",
        "text": f"{loop}\n\ngraph break in loop\n  Explanation: frame skipped",
        "count": 2,
    }
    told = {"calls": 2, "rounds": 2, "recompiles": [], "limits": [], "eager_calls": []}
    told |= {"raised": None, "graphs": 2}
    (found,) = of_breaks({**told, "breaks": [again, PRINT]}, explainer)
    assert found.what == "graph break: Failed to trace builtin operator"
    assert found.cost == "3 times in 4 calls; 2 times in a loop, whose function then runs eagerly"
    assert found.explanation.case == "print_in_forward"
    elsewhere = {**again, "places": [{**PRINT["places"][0], "line": 9}]}
    assert len(list(of_breaks({**told, "breaks": [elsewhere, PRINT]}, explainer))) == 2
