"""What marking a dim does, as findings and lines; tried on real models at the end."""

from __future__ import annotations

import json

import pytest

from tests.commands import call
from validators.cli import main
from validators.diagnose.explaining.marks import FIXED, STATIC, of_shapes, shape_lines
from validators.diagnose.explaining.tried_marks import with_marks
from validators.diagnose.findings.finding import Explanation, Finding

VARYING, ZERO_ONE = "automatic_dynamic_wastes_one_compile", "zero_one_specialization"


def tried(graphs: int | None, raised: str = "", **corner) -> dict:
    """What one mark does."""
    return {"graphs": graphs, "raised": raised, "corner": corner}


def group(dynamic: dict, unbacked: dict, names: list, **more) -> dict:
    """A group of dims, whose sizes are beyond 1 unless `special` says so."""
    marks = {"mark_dynamic": dynamic, "mark_unbacked": unbacked}
    mark = "" if dynamic["raised"] else "mark_dynamic"
    told = {"sizes": [4, 5], "special": False, "refused": [], **more}
    return {**told, "names": names, "mark": mark, "graphs": dynamic["graphs"], "marks": marks}


@pytest.fixture
def findings(explainer):
    """The findings about dims that vary, of calls that need three graphs."""

    def found(*groups: dict, together: dict | None = None, changing: list = ()) -> list[Finding]:
        told = {"graphs": 3, "varying": groups, "together": together, "changing": changing}
        return list(of_shapes(told, explainer))

    return found


def test_the_mark_that_saves_a_graph_is_the_fix(findings):
    """With the argument and the dim."""
    helps = group(tried(2), tried(2), [["cache", 1]])
    (found,) = findings(helps, group(tried(3), tried(3), [["x", 1]]))
    assert found.explanation.fix == "Call `torch._dynamo.mark_dynamic(cache, 1)` before each call."
    assert found.cost == "3 graphs as it is, 2 with mark_dynamic, 2 with mark_unbacked"


def test_an_argument_without_a_name_is_told_in_words(findings):
    """What stands in backquotes is code."""
    (found,) = findings(group(tried(2), tried(2), [["the second argument", 0], ['a["b c"]', 1]]))
    assert found.explanation.fix == (
        "Call `torch._dynamo.mark_dynamic(argument, 0)` for the second argument and "
        '`torch._dynamo.mark_dynamic(a["b c"], 1)` before each call.'
    )


def test_dims_that_help_only_together_are_marked_together(findings):
    """A batch and a length that both change from call to call."""
    alone = [group(tried(3), tried(3), [["x", dim]]) for dim in (0, 1)]
    both = group(tried(1), tried(1), [["x", 0], ["x", 1]])
    (found,) = findings(*alone, together=both)
    assert "`torch._dynamo.mark_dynamic(x, 0)` and `torch._dynamo.mark_dynamic(x, 1)`" in (
        found.explanation.fix
    )
    assert found.what == "dim 0 of x and dim 1 of x vary"


def test_a_mark_that_makes_it_worse_is_told_so(findings):
    """A number alone does not say that."""
    (found,) = findings(group(tried(2), tried(4), [["x", 0]]))
    assert found.cost.endswith("2 with mark_dynamic, 4 with mark_unbacked, which is worse")


def test_sizes_of_zero_and_one_need_another_mark(findings):
    """If that saves more."""
    (found,) = findings(group(tried(2), tried(1), [["x", 0]], special=True))
    assert found.explanation.case == ZERO_ONE
    assert "decorators.mark_unbacked(x, 0)" in found.explanation.fix
    (found,) = findings(group(tried(2), tried(None, "E: no"), [["x", 0]], special=True))
    assert found.explanation.case == VARYING


def test_an_unbacked_size_is_suspected_to_help_where_code_fixes_it(findings):
    """No case says so."""
    (found,) = findings(group(tried(None, "E: no"), tried(1), [["x", 0]]))
    assert found.explanation.known == "suspected"
    assert "mark_unbacked(x, 0)" in found.explanation.fix
    assert findings(group(tried(None, "E: no"), tried(3), [["x", 0]])) == []


def test_arguments_of_several_kinds_are_told(findings):
    """None in some calls, or another number of dims."""
    none, ranks = findings(
        changing=[
            {"name": "cache", "without": [0], "dims": [3]},
            {"name": "x", "without": [], "dims": [2, 3]},
        ]
    )
    assert none.what == "cache is None in call 0 and is a tensor in others"
    assert (none.explanation.known, none.explanation.case) == ("suspected", "mask_in_some_calls")
    assert none.explanation.fix == "Pass a tensor for `cache` in every call."
    assert ranks.what == "x has 2 and 3 dims"


def test_every_trial_is_told():
    """The sizes 0 and 1, too, and what eager mode refuses."""
    told = group(
        tried(2, **{"1": 1, "0": 1}),
        tried(2, **{"1": 0, "0": "AssertionError: long"}),
        [["x", 0]],
        refused=["size 0: ValueError: it is empty"],
    )
    found = {"graphs": 3, "varying": [told], "together": None, "withheld": "", "changing": []}
    (line,) = shape_lines(found)
    assert line == (
        "dim 0 of x (4, 5): 3 graphs as it is; 2 with mark_dynamic; 2 with mark_unbacked; "
        "size 1 adds 1 with mark_dynamic; size 0 adds 1 with mark_dynamic; "
        "size 0 raises AssertionError with mark_unbacked; eager mode refuses size 0: ValueError"
    )


def test_arguments_without_a_mark_are_told():
    """Nothing can mark None or another number of dims."""
    changing = [
        {"name": "mask", "without": [0, 1], "dims": [2, 3]},
        {"name": "x", "without": [], "dims": [2, 3]},
    ]
    found = {"graphs": 3, "varying": [], "together": None, "withheld": "", "changing": changing}
    assert list(shape_lines(found)) == [
        "mask is None in calls 0, 1 and has 2 and 3 dims in others; no mark was tried for that",
        "x has 2 and 3 dims; no mark was tried for that",
    ]


NO_GAIN = {"graphs": 3, "varying": [], "together": None}
"""What the part `shapes` measured, where no mark saved a graph."""


def sized(case: str) -> Finding:
    """A function that compiles again for a size."""
    known = Explanation("explained", case=case, fix="Call `mark_dynamic`.")
    return Finding("recompile", "f compiles again", "once", known)


def test_a_recompile_gets_the_fix_that_was_tried(findings, explainer):
    """And the part `shapes` adds nothing beside it."""
    dims = findings(group(tried(2), tried(2), [["cache", 1]]))
    (found,) = with_marks([sized(VARYING), *dims], [NO_GAIN], explainer)
    assert "mark_dynamic(cache, 1)" in found.explanation.fix
    assert found.cost.startswith("once; dim 1 of cache varies: 3 graphs as it is")


def test_dynamic_false_stays_the_cause_and_gets_the_mark_that_was_tried(findings, explainer):
    """One finding, not two that say the same with different dims."""
    dims = findings(group(tried(1), tried(1), [["x", 1]]))
    (found,) = with_marks([sized(STATIC), *dims], [NO_GAIN], explainer)
    assert found.explanation.case == STATIC
    assert found.explanation.fix == "Call `torch._dynamo.mark_dynamic(x, 1)` before each call."


def test_a_size_is_only_suspected_if_no_mark_helps(explainer):
    """Something else differs between those calls."""
    (found,) = with_marks([sized(ZERO_ONE)], [NO_GAIN], explainer)
    assert (found.explanation.known, found.explanation.fix) == ("suspected", "")
    assert with_marks([sized(ZERO_ONE)], [], explainer) == [sized(ZERO_ONE)]


def test_a_line_that_makes_the_size_a_constant_is_named(tmp_path, explainer):
    """As torch names it, where it refuses the mark."""
    file = tmp_path / "m.py"
    file.write_text("def forward(x):\n    return f'{len(x)}'\n")
    said = (
        "Constraints violated (L['x'].size()[0])!\n"
        "  - You marked L['x'].size()[0] as dynamic but your code specialized it to be a constant "
        f'(4). Use less.\n\nUser stack:\n  File "{file}", line 2, in forward\n'
    )
    refused = {**tried(None, "ConstraintViolationError: Constraints violated"), "message": said}
    shapes = {**NO_GAIN, "varying": [group(refused, tried(3), [["x", 0]])]}
    (found,) = with_marks([sized(VARYING)], [shapes], explainer)
    assert found.explanation.known == "unknown"
    assert (found.place.file, found.place.line) == (str(file), 2)
    assert found.tried == [f"tried mark_dynamic: {file}:2 makes dim 0 of x a constant"]


def test_an_untried_mark_beside_a_break_is_only_suspected(explainer):
    """What follows the break may have lost the mark."""
    broke = Finding("graph_break", "b", "once", Explanation("unknown"))
    found, _ = with_marks([sized(VARYING), broke], [], explainer)
    assert (found.explanation.known, found.cost) == ("suspected", "once; the mark was not tried")
    assert found.explanation.fix


def test_a_mark_that_nobody_could_try_is_not_told(explainer):
    """The calls raise without it, and may with it."""
    told = {**NO_GAIN, "withheld": "a call raises KeyError"}
    (found,) = with_marks([sized(VARYING)], [told], explainer)
    assert (found.explanation.known, found.explanation.fix) == ("suspected", "")
    assert found.cost == "once; no mark was tried, because a call raises KeyError"


def test_all_dims_are_marked_where_a_part_of_them_saves_as_much(findings):
    """The others vary as well, and were tried with them."""
    one, both = group(tried(2), tried(2), [["x", 0]]), [["x", 0], ["x", 1]]
    (found,) = findings(one, together=group(tried(2), tried(2), both))
    assert "mark_dynamic(x, 1)" in found.explanation.fix


def test_a_mark_beside_a_constant_is_told_there(findings, explainer):
    """One finding says what the code does, and what the weaker mark saves."""
    fixed = Finding("recompile", "f compiles again", "once", Explanation("unknown", FIXED))
    dims = findings(group(tried(2), tried(3), [["x", 0]]))
    (found,) = with_marks([fixed, *dims], [NO_GAIN], explainer)
    assert found.explanation == fixed.explanation
    assert "2 with mark_dynamic" in found.cost


def test_a_guard_that_marks_leave_is_the_cause(explainer):
    """The size is only what torch checks first."""
    left = {**tried(3), "again": ["0/0: mask is None", "0/1: 2 <= x.size()[0]"]}
    shapes = {**NO_GAIN, "varying": [group(left, tried(3), [["x", 0]])]}
    (found,) = with_marks([sized(VARYING)], [shapes], explainer)
    assert found.explanation.case == "mask_in_some_calls"
    assert found.tried == ["tried mark_dynamic: compiles again for mask is None"]


def test_the_marks_that_were_tried_together_are_told_together(findings):
    """Two groups, each of which saves a graph, may not be marked at once."""
    one, two = group(tried(2), tried(2), [["x", 0]]), group(tried(2), tried(2), [["y", 0]])
    refused = group(tried(None, "E: no"), tried(None, "E: no"), [["x", 0], ["y", 0]])
    (found,) = findings(one, two, together=refused)
    assert "y, 0" not in found.explanation.fix


def test_a_mark_that_sends_calls_to_eager_mode_saves_nothing(findings):
    """Fewer graphs are no gain if a call runs none."""
    lost = {**tried(None), "eager": [1]}
    assert findings(group(tried(3), lost, [["x", 0]], special=True)) == []
    (found,) = findings(group(tried(2), lost, [["x", 0]], special=True))
    assert "with mark_unbacked, no graph runs in call 1" in found.cost


def test_a_plain_mark_goes_before_an_unbacked_one(findings):
    """If it saves as many graphs, even for more dims."""
    special = group(tried(3), tried(2), [["x", 0]], special=True)
    both = group(tried(2), tried(3), [["x", 0], ["x", 1]], special=True)
    (found,) = findings(special, together=both)
    assert "unbacked" not in found.explanation.fix


MODELS = """import torch
from torch import nn


class Cached(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x, cache=None):
        keys = self.layer(x)
        keys = keys if cache is None else torch.cat([cache, keys], 1)
        return x.sum(1, keepdim=True) + keys.sum(1, keepdim=True), keys


def decodes():
    first = [(torch.randn(1, 4, 4), None)]
    return Cached(), first + [(torch.randn(1, 1, 4), torch.randn(1, n, 4)) for n in (4, 5, 6)]


def batches():
    return nn.Linear(4, 4), [(torch.randn(n, m, 4),) for n, m in ((2, 5), (3, 7))]


def special():
    return nn.Linear(4, 4), [(torch.randn(n, 4),) for n in (1, 0)]


class Grows(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen, self.rows = [], {}

    def forward(self, x):
        self.seen.append(x.detach())
        if len(x) not in self.rows:
            self.rows[len(x)] = torch.arange(len(x))[:, None]
        return x + len(self.seen) + self.rows[len(x)]


def grows():
    return Grows(), [(torch.randn(n, 4),) for n in (2, 3, 4)]


class Unsized(nn.Module):
    @torch._dynamo.disable
    def forward(self, x):
        return x.sin()


def marks_itself():
    def run(x):
        torch._dynamo.mark_dynamic(x, 0)
        return x + 1

    return run, [(torch.randn(n, 4),) for n in (2, 3)]


def disabled():
    return Unsized(), [(torch.randn(n, 4),) for n in (2, 3)]
"""


@pytest.fixture
def diagnose(tmp_path, diagnosing):
    """The findings of the parts `breaks` and `shapes`, and what `shapes` measured."""

    def run(factory: str, *switches: str) -> tuple[list[dict], dict]:
        (tmp_path / "model.py").write_text(MODELS)
        words = (f"model.py:{factory}", "--json", "--only", "breaks", "--only", "shapes")
        done = call(main, "diagnose", *words, *switches, cwd=tmp_path)
        report = json.loads(done.stdout)
        measured = {it["name"]: it["measured"] for it in report["parts"]}
        return report["findings"], measured["shapes"]

    return run


def fixes(findings: list[dict]) -> dict[str, str]:
    """The fix of each case."""
    return {it["explanation"]["case"]: it["explanation"]["fix"] for it in findings}


@pytest.mark.slow
def test_a_cache_that_grows_is_marked_and_not_the_batch(diagnose):
    """None in the first call is told, too."""
    found, shapes = diagnose("decodes")
    assert fixes(found)[VARYING] == "Call `torch._dynamo.mark_dynamic(cache, 1)` before each call."
    assert [it["name"] for it in shapes["changing"]] == ["cache"]
    (cache,) = [it for it in shapes["varying"] if it["names"] == [["cache", 1]]]
    assert cache["marks"]["mark_dynamic"]["corner"]["1"] == 1
    assert cache["graphs"] == shapes["graphs"] - 1


@pytest.mark.slow
def test_a_batch_and_a_length_are_marked_together(diagnose):
    """Neither mark saves a graph by itself."""
    found, shapes = diagnose("batches")
    assert (
        "mark_dynamic(input, 0)` and `torch._dynamo.mark_dynamic(input, 1)"
        in (fixes(found)[VARYING])
    )
    assert [it["graphs"] for it in shapes["varying"]] == [2, 2]
    assert shapes["together"]["graphs"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("factory", "switches"), [("special", []), ("batches", ["--vary-batch", "1,0,4"])]
)
def test_batches_of_zero_and_one_lead_to_their_case(diagnose, factory, switches):
    """`mark_unbacked` was tried."""
    found, shapes = diagnose(factory, *switches)
    assert "mark_unbacked(input, 0)" in fixes(found)[ZERO_ONE]
    assert shapes["varying"][0]["marks"]["mark_unbacked"]["graphs"] == 1


@pytest.mark.slow
def test_a_list_that_grows_is_not_told_as_a_size(diagnose):
    """The model fixes its sizes, and a mark would raise."""
    found, shapes = diagnose("grows")
    assert "list_attribute_that_grows" in fixes(found)
    assert VARYING not in fixes(found)
    raised = shapes["varying"][0]["marks"]["mark_dynamic"]["raised"]
    assert raised.startswith("ConstraintViolationError")


@pytest.mark.slow
def test_marks_are_not_tried_where_a_call_raises(diagnose):
    """A mark in `forward` raises; nothing can be counted."""
    found, shapes = diagnose("marks_itself")
    assert (shapes["varying"], shapes["together"]) == ([], None)
    assert "raises" in shapes["withheld"]
    assert [it["kind"] for it in found] == ["crash"]
    assert found[0]["place"]["code"] == "torch._dynamo.mark_dynamic(x, 0)"


@pytest.mark.slow
def test_no_mark_is_the_fix_of_a_disabled_model(diagnose):
    """It compiles nothing."""
    found, _ = diagnose("disabled")
    assert {it["explanation"]["case"] for it in found} == {"disabled_callee"}
