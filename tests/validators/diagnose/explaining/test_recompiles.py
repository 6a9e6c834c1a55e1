"""From functions that compile again to findings: sizes, and the fix that names the argument."""

from __future__ import annotations

import pytest

from tests.validators.inspector.graphs.test_causes import GROWN, size
from validators.diagnose.parts import of_breaks
from validators.probes.told import recompilation

NOTHING = {"breaks": [], "limits": [], "eager_calls": [], "raised": None, "graphs": 3}

RESUMED = "torch_dynamo_resume_in_forward_at_9"
"""What follows the break of `PRINTS`."""
PRINTS = {
    "id": "GB0059",
    "type": "Failed to trace",
    "text": "Failed to trace builtin operator\n Dynamo does not know how to trace builtin `print`",
    "places": [{"file": "m.py", "line": 9, "code": 'print("x")'}],
    "count": 1,
}


def recompile(*reasons: str, function: str = "forward", line: int = 3, count: int = 1) -> dict:
    """A function that compiles again for these reasons."""
    place = {"file": "m.py", "line": line}
    text = recompilation(function, "m.py", line, list(reasons))
    return {
        "function": function,
        **place,
        "code": "def f",
        "guard": "",
        "text": text,
        "count": count,
    }


@pytest.fixture
def findings(explainer):
    """The findings of recompiles; `more` is what else the part found."""

    def found(*recompiles: dict, **more) -> list:
        told = {"calls": 2, "rounds": 2, **NOTHING, "recompiles": list(recompiles), **more}
        return [it for it in of_breaks(told, explainer) if it.kind == "recompile"]

    return found


def varies(name: str, dim: int, sizes: list) -> dict:
    """A dim of an argument whose size differs between calls."""
    return {"name": name, "dim": dim, "sizes": sizes}


def test_the_fix_names_the_argument_and_the_dim(findings):
    """Those of the calls; the compiled function's own name if they are not known."""
    grows = recompile(size(0, 4, 5, "cache", 1))
    (found,) = findings(grows, varying=[varies("kv", 1, [None, 4, 5, 6]), varies("x", 1, [4, 1])])
    assert found.explanation.known == "explained"
    assert found.explanation.fix == "Call `torch._dynamo.mark_dynamic(kv, 1)` before each call."
    (found,) = findings(grows)
    assert "mark_dynamic(cache, 1)" in found.explanation.fix
    (found,) = findings(recompile(size(0, 4, 5, "___stack0", 1)))
    assert "___stack0" not in found.explanation.fix


def test_two_guards_of_one_cause_are_one_finding(findings):
    """A reader could not tell two findings with the same line, case and fix apart."""
    tail = '# mp/m.py:38 in forward\nUser stack trace:\n  File "m.py", line 38, in forward'
    found_none = "' but found <class 'NoneType'>"
    reasons = (
        f"0/1: mask is None                       # return h if mask is None else h {tail}",
        f"0/3: expected type of 'mask' to be a tensor type, {found_none}",
    )
    (found,) = findings(*(recompile(it) for it in reasons))
    assert found.explanation.case == "mask_in_some_calls"
    assert (found.count, found.cost) == (2, "2 times in 4 calls")
    assert all(it in found.text for it in reasons)


def test_a_size_of_one_is_another_case(findings):
    """`mark_dynamic` does not help there."""
    (found,) = findings(recompile(size(0, 4, 1, "x", 1)), varying=[varies("x", 1, [4, 1])])
    assert found.explanation.case == "zero_one_specialization"
    assert "mark_unbacked(x, 1)" in found.explanation.fix
    assert found.what == "forward compiles again for a size of 0 or 1"


def test_a_size_that_code_fixes_is_not_explained_by_a_missing_mark(findings):
    """`mark_dynamic` would raise; one recompile tells about the other."""
    fixed = [recompile(size(0, 2, 3)), recompile(size(1, 3, 4), size(0, 2, 4), count=2)]
    (found,) = findings(*fixed)
    assert (found.explanation.known, found.explanation.fix) == ("unknown", "")
    assert found.what == "forward compiles again for every size"
    assert "its code makes dim 0 of x a constant" in found.cost
    assert found.count == 3
    (found,) = findings(*fixed, dynamic=False)
    assert found.explanation.case == "dynamic_false_compiles_every_size"
    assert "`dynamic=False` makes dim 0 of x a constant" in found.cost


def test_a_fixed_size_after_a_graph_break_follows_from_it(findings):
    """What follows the break is compiled apart, for what the break took apart."""
    fixed = recompile(size(1, 3, 4), size(0, 2, 4), function=RESUMED, line=9)
    (found,) = findings(fixed, breaks=[PRINTS])
    assert found.because == "the graph break at m.py:9"


def test_no_mark_reaches_a_value_that_a_graph_break_left(findings):
    """Its size follows from the break; that of a named tensor may be marked."""
    left, named = (
        recompile(size(0, 4, 5, name), function=RESUMED, line=9) for name in ("___stack0", "x")
    )
    (found,) = findings(left, breaks=[PRINTS])
    assert found.because == "the graph break at m.py:9"
    assert found.explanation.case == "print_in_forward"
    (found,) = findings(named, breaks=[PRINTS])
    assert found.explanation.case == "automatic_dynamic_wastes_one_compile"


def test_no_graph_break_asks_which_code_a_function_has(findings):
    """What follows the break inherits that guard from the wrapper, whose page explains it."""
    line = "# return fn(self, *args, **kwargs)  # m.py:9 in g"
    guard = f"___check_obj_id(method.__code__, 0), type=<class 'code'>  {line}"
    shared = {**recompile(f"0/0: {guard}", function=RESUMED, line=9), "guard": guard}
    (found,) = findings(shared, breaks=[PRINTS])
    assert (found.explanation.case, found.because) == ("decorated_methods_share_one_code", "")
    other = {**recompile("0/0: flag == True", function=RESUMED, line=9), "guard": "flag == True"}
    (found,) = findings(other, breaks=[PRINTS])
    assert (found.explanation.case, found.because) == (
        "print_in_forward",
        "the graph break at m.py:9",
    )


def test_an_argument_that_differs_explains_what_follows_a_break(findings):
    """It would compile again without the break as well."""
    guard = "0/0: expected type of 'mask' to be a tensor type, but found <class 'NoneType'>"
    again = recompile(guard, function=RESUMED, line=9)
    (found,) = findings({**again, "argument": "mask", "own": True}, breaks=[PRINTS])
    assert (found.explanation.case, found.because) == ("mask_in_some_calls", "")
    for other in ({"argument": "", "own": True}, {"argument": "mask", "own": False}):
        (found,) = findings({**again, **other}, breaks=[PRINTS])
        assert found.because == "the graph break at m.py:9"


def test_what_a_caller_gives_that_broke_is_no_argument_of_the_users(findings):
    """Without the break the function would be part of the caller's graph."""
    again = {**recompile("0/0: mask is None"), "argument": "mask", "own": False}
    broke = {"file": "m.py", "first": 8, "last": 12}
    (found,) = findings({**again, "callers": [broke]}, breaks=[PRINTS])
    assert found.because == "the graph break at m.py:9"
    (found,) = findings({**again, "callers": [{**broke, "first": 10}]}, breaks=[PRINTS])
    assert (found.explanation.case, found.because) == ("mask_in_some_calls", "")


@pytest.mark.parametrize("reason", ["0/0: mask is None", size(0, 2, 3, "mask")])
def test_two_callers_in_one_call_are_no_argument_that_changes(findings, reason):
    """A break in the caller compiles the function by itself, once for each."""
    again = {**recompile(reason), "argument": "mask", "same_call": True}
    (found,) = findings({**again, "callers": []}, breaks=[PRINTS])
    assert (found.explanation.known, found.explanation.fix) == ("unknown", "")
    broke = {"file": "m.py", "first": 8, "last": 12}
    (found,) = findings({**again, "callers": [broke]}, breaks=[PRINTS])
    assert (found.explanation.case, found.because) == (
        "print_in_forward",
        "the graph break at m.py:9",
    )
    blocks = {**recompile(GROWN), "argument": "self", "same_call": True, "callers": [broke]}
    (found,) = findings(blocks, breaks=[PRINTS])
    assert found.explanation.case == "list_attribute_that_grows"


def test_the_callers_own_break_goes_before_one_that_it_calls(findings):
    """Both end the caller's graph; the nearer one decides."""
    inner = {**PRINTS, "type": "Other", "places": [{"file": "n.py", "line": 2, "code": "x"}]}
    inner["places"] += [{"file": "m.py", "line": 9, "code": "f(x)"}]
    own = {**PRINTS, "places": [{"file": "m.py", "line": 11, "code": 'print("x")'}]}
    again = {**recompile("0/0: mask is None"), "argument": "mask", "own": False}
    again["callers"] = [{"file": "m.py", "first": 8, "last": 12}]
    (found,) = findings(again, breaks=[inner, own])
    assert found.because == "the graph break at m.py:11"


def test_a_list_that_grows_is_found_behind_sizes(findings):
    """The graph for this size fails for the list alone."""
    (found,) = findings(recompile(size(3, 2, 3), size(2, 4, 3), GROWN, size(0, 2, 3)))
    said = found.explanation
    assert (said.known, said.case) == ("explained", "list_attribute_that_grows")


def test_functions_are_counted_once(findings):
    """One of them may compile again for two dims."""
    told = [recompile(size(0, 4, 5, "x", dim)) for dim in (0, 1)]
    (found,) = findings(*told, recompile(size(0, 4, 5), line=9))
    assert found.what == "forward and 1 other compile again for another size"


def test_a_wrapper_that_compiled_objects_share_is_not_a_check_of_an_argument(findings):
    """The guard on an argument of the user's own that has the same name is one."""
    guard = "0/0: ___check_type_id(fn, 94646053463936), type=<class 'LayerNorm'>"
    stack = '\nUser stack trace:\n  File "site-packages/torch/_dynamo/external_utils.py", line 69'
    (shared,) = findings(recompile(guard + stack))
    (own,) = findings(recompile(guard))
    assert not shared.explanation.case
    assert "several compiled objects share" in shared.explanation.family
    assert own.explanation.case == "none_check_and_isinstance"
