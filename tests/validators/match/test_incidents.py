"""A log is told by causes: one for each place and reason, with its count, the costliest first."""

from __future__ import annotations

import pytest

from validators.match import Index, search_log
from validators.match.incidents import Cause, told_cases

DYNAMO = "V1122 00:41:00.1 7 site-packages/torch/_dynamo/guards.py:1] [0/1] [__recompiles] "
RECOMPILE = (
    "Recompiling function forward in /home/u/model.py:12\n"
    "    triggered by the following guard failure(s):\n"
    "    - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual {}"
)
BREAK = (
    "Graph break in user code at /env/site-packages/transformers/utils/hooks.py:332\n"
    "Graph Break Reason: Unsupported Tensor.item() call with capture_scalar_outputs=False\n"
    "  Explanation: Dynamo does not support tracing it\n"
    "User code traceback:\n"
    '  File "/home/u/train.py", line 40, in step\n'
    "    model(x)\n"
    '  File "/env/site-packages/transformers/utils/hooks.py", line 332, in wrapper'
)
LIMIT = (
    "torch._dynamo hit config.recompile_limit (8)\n"
    "   function: 'forward' (/home/u/model.py:12)\n"
    "   last reason: 0/7: tensor 'x' size mismatch at index 0. expected 4, actual 6"
)
SKIP = "skipping cudagraphs due to mutated inputs (1 instances)"
CONTEXT = (
    "Unsupported method call\n"
    "  Explanation: Dynamo does not know how to trace method `{}` of class `{}`\n"
    "  Developer debug context: call_method {}"
)


def causes(index: Index, *texts: str, front: str = DYNAMO) -> list[Cause]:
    """The causes of a log, each of whose lines stands behind `front`."""
    lines = [front + line for text in texts for line in text.split("\n")]
    return list(search_log(index, enumerate(lines, 1)).causes)


def told(index: Index, *texts: str) -> list[tuple[set[str], set[str], set[str]]]:
    """For each cause the cases that a line tells, the possible ones, and the families."""
    return [
        (
            *map(set, told_cases(index, it.first, {})),
            {index.families[n].key for n in it.first.families},
        )
        for it in causes(index, *texts, front="")
    ]


def test_each_cause_is_one_row_with_its_count(index: Index) -> None:
    """Incidents that differ in numbers alone are of one cause; the costliest comes first."""
    texts = [RECOMPILE.format(6), BREAK, SKIP, RECOMPILE.format(7), LIMIT, RECOMPILE.format(9)]
    rows = [(it.first.happened, it.count, it.first.line.number) for it in causes(index, *texts)]
    assert rows == [("limit", 1, 15), ("break", 1, 4), ("recompile", 3, 1), ("skip", 1, 11)]


def test_a_place_in_a_library_has_the_users_own_line(index: Index) -> None:
    """So that both are named."""
    (cause,) = causes(index, BREAK)
    assert cause.first.inner[:2] == ("/env/site-packages/transformers/utils/hooks.py", "332")
    assert cause.first.own == ("/home/u/train.py", "40", "step")


def test_places_and_reasons_make_causes(index: Index) -> None:
    """Two lines of code that break for one reason are two causes."""
    other = BREAK.replace("hooks.py:332", "hooks.py:99")
    assert len(causes(index, BREAK, other, BREAK)) == 2
    assert len(causes(index, BREAK, BREAK.replace("Tensor.item() call", "thing"))) == 2


def test_the_instruction_that_breaks_is_no_reason(index: Index) -> None:
    """Torch 2.13 names it first, and the type of the break after an empty line."""
    mark = "Graph Break Reason: "
    text = BREAK.replace(mark, f"{mark}Encountered graph break when attempting to trace CALL: \n\n")
    (cause,) = causes(index, text)
    assert cause.first.reason.startswith("Unsupported Tensor.item() call")


def test_ranks_that_say_the_same_share_a_cause(index: Index) -> None:
    """Also if their lines alternate."""
    lines = [f"[rank{n}]:{DYNAMO}{line}" for line in BREAK.split("\n") for n in (0, 1)]
    (cause,) = search_log(index, enumerate(lines, 1)).causes
    assert (cause.count, cause.ranks) == (2, {"rank0", "rank1"})
    assert cause.first.own[:2] == ("/home/u/train.py", "40")


@pytest.mark.parametrize(
    "front",
    [
        "2025-11-20T10:11:12.1234567Z ",
        "(EngineCore_DP0 pid=123) ",
        "(EngineCore_DP0 pid=123) ERROR 11-20 10:11:12 [core.py:718] ",
        "> > ",
        "web-1  | ",
        "E       ",
        "[1,0]<stderr>:",
        f"2025-11-20T10:11:12.1234567Z [rank0]:{DYNAMO}",
    ],
)
def test_what_trackers_write_in_front_does_not_hide_a_message(index: Index, front: str) -> None:
    """Timestamps, processes, quotation marks, names of containers."""
    (cause,) = causes(index, BREAK, front=front)
    assert cause.first.reason.startswith("Unsupported Tensor.item()")
    assert "GB0124" in {index.families[number].key for number in cause.first.families}


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("at_spaces", [False, True])
def test_a_wrapped_message_is_found(index: Index, width: int, at_spaces: bool) -> None:
    """A terminal wraps it anywhere, a tracker between words."""
    message = (
        "torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped, which is a"
        " long line: RuntimeError: accessing tensor output of CUDAGraphs that has been overwritten"
        " by a subsequent run. Stack trace: none"
    )
    lines, rest = [], message
    while len(rest) > width:
        cut = rest.rindex(" ", 0, width) if at_spaces else width
        lines.append(rest[:cut])
        rest = rest[cut + at_spaces :]
    named = {it for _, possible, _ in told(index, "\n".join([*lines, rest])) for it in possible}
    assert "overwritten_cudagraph_output" in named


def test_chained_exceptions_are_one_cause(index: Index) -> None:
    """The last of them, with the place and the evidence of all."""
    log = (
        "Traceback (most recent call last):\n"
        '  File "/home/u/train.py", line 3, in f\n'
        '  File "/env/site-packages/torch/_dynamo/x.py", line 7, in g\n'
        "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\n"
        "RuntimeError: Found it broken"
    )
    (cause,) = causes(index, log, front="")
    assert (cause.first.happened, cause.count) == ("exception", 1)
    assert cause.first.reason == "RuntimeError: Found it broken"
    assert cause.first.own == ("/home/u/train.py", "3", "f")


def test_other_programs_exceptions_are_no_causes(index: Index) -> None:
    """A log about something else has none."""
    assert not causes(
        index, 'Traceback (most recent call last):\n  File "a.py"\nKeyError: 1', front=""
    )


NINE = [
    ("tensor 'x' size mismatch at index 0. expected 4, actual 6", "tensor-size"),
    (CONTEXT.format("add", "Bag", "UserDefinedObjectVariable(Bag) add [] {}"), "GB0156"),
    (CONTEXT.format("add", "set", "SetVariable() add [x] {}"), "GB0156"),
    ("AssertionError: expected size 4==4, stride 8==16 at dim=1", "assert-size-stride"),
    ("tensor 'x' stride mismatch at index 0. expected 4, actual 6", "tensor-stride"),
    ("    - 0/0: x._base.size()[0] == 4", "shape-env-size"),
    ("[default0]:RuntimeError: Cannot call sizes() on tensor with symbolic sizes/strides", ""),
    ("RuntimeError when making fake tensor call", "GB4315"),
    ("skipping cudagraphs due to multiple devices: cuda:0, cuda:1", "multiple-devices"),
]


@pytest.mark.parametrize(("text", "family"), NINE)
def test_a_line_that_only_names_a_family_names_no_case(
    index: Index, text: str, family: str
) -> None:
    """It has several causes: the answer is the family with those that are known."""
    ((cases, possible, families), *rest) = told(index, text)
    assert not rest and not cases and possible
    assert not family or family in families
    found = search_log(index, enumerate(text.split("\n"), 1)).matches
    assert not [it.page.name for it in found if it.by == "line"]


def test_a_cpu_tensor_is_a_known_cause_of_multiple_devices(index: Index) -> None:
    """Its page is named though no signature of it says these words."""
    ((_, possible, _),) = told(index, NINE[-1][0])
    assert "cpu_tensor_skips_cudagraphs" in possible


def test_the_variable_part_tells_a_case_from_its_sisters(index: Index) -> None:
    """The class of the method's owner is what varies in this family."""
    ((cases, _, families),) = told(index, CONTEXT.format("get", "ContextVar", "x"))
    assert cases == {"context_variable_in_forward"} and "GB0156" in families
