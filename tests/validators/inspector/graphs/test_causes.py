"""Which of several guards caused a recompilation."""

from __future__ import annotations

import pytest

from validators.inspector.graphs.causes import cause_of, kind_of, reasons_in, size_in
from validators.inspector.graphs.recompiles import grouped


def size(graph: int, expected: int, actual: int, tensor: str = "x", dim: int = 0) -> str:
    """A reason about a size, as torch tells it."""
    told = f"size mismatch at index {dim}. expected {expected}, actual {actual}"
    return f"0/{graph}: tensor '{tensor}' {told}"


GROWN = "0/1: len(self.seen) == 1      # self.seen.append(x)  # m.py:5 in forward"
GRAD = "0/0: tensor 'x' requires_grad mismatch. expected requires_grad=0"
OTHER = "0/2: ___check_type_id(self, 0), type=<class 'm.Other'>  # self.n += 1  # m.py:5 in forward"
COUNTER = "0/1: self.n == 1      # self.n += 1  # m.py:5 in forward"


@pytest.mark.parametrize(
    ("reasons", "cause"),
    [
        ([], ""),
        ([size(0, 2, 3)], size(0, 2, 3)),
        # The graph that was used last counts, and not the older static one.
        ([COUNTER, size(0, 2, 3)], COUNTER),
        ([size(1, 8, 4), GRAD], size(1, 8, 4)),
        # Code fixes the size: the only graph for this size fails for the list.
        ([size(3, 2, 3), size(2, 4, 3), GROWN, size(0, 2, 3)], GROWN),
        ([size(2, 4, 5), size(1, 3, 5), GRAD], size(2, 4, 5)),
        # A counter takes ever new values, and a tensor requires gradients or does not.
        ([GRAD, COUNTER, GRAD, COUNTER.replace("== 1", "== 0")], COUNTER),
        ([GRAD, COUNTER], GRAD),
        ([GRAD, COUNTER, COUNTER], GRAD),
        # A graph of a module of another class tells nothing of this one.
        ([OTHER, COUNTER, OTHER], COUNTER),
        ([OTHER, "0/0: len(self.seen) == 1"], "0/0: len(self.seen) == 1"),
        ([OTHER, "0/0: selfish == 1"], OTHER),
        ([COUNTER, OTHER], COUNTER),
    ],
)
def test_the_cause_is_of_the_nearest_graph(reasons, cause):
    """A graph for another size tells nothing where each size has one."""
    assert cause_of(reasons) == cause


@pytest.mark.parametrize(
    ("reasons", "kind"),
    [
        ([size(0, 4, 6)], "varies"),
        ([size(0, 4, 1)], "zero_one"),
        ([size(0, 1, 4)], "zero_one"),
        ([size(1, 1, 6), size(0, 4, 6)], "varies"),
        (["0/1: 2 <= x.size()[0]  # (unknown)", size(0, 4, 1)], "zero_one"),
        (["0/1: Ne(L['x'].size()[0], 1)"], "zero_one"),
        ([size(1, 3, 4), size(0, 2, 4)], "fixed"),
        # Two graphs for one size differ in something else.
        ([size(1, 8, 12), size(0, 8, 12)], "varies"),
        ([size(1, 8, 12, "x", 0), size(0, 4, 6, "x", 1)], "varies"),
        ([COUNTER], ""),
        (["0/0: x.size()[2] == 8 + max(0, 8*n)"], ""),
        ([f"{size(0, 2, 3)}. Guard failed on a parameter, consider using torch._dynamo"], ""),
    ],
)
def test_kinds_of_sizes(reasons, kind):
    """Only the first kind needs one more graph and then none."""
    assert kind_of(reasons) == kind


def test_what_one_recompile_tells_holds_for_another():
    """The first one of a fixed size looks like any other."""
    assert kind_of([size(0, 2, 3)], {("x", 0)}) == "fixed"


def test_older_releases_name_locals_in_another_way():
    """The argument is the same."""
    assert size_in(size(0, 4, 1, "L['cache']", 1)).where == ("cache", 1)


def test_a_function_has_one_entry_for_each_cause():
    """With the text that tells most; a count of what else failed would be lost."""
    place = {"function": "forward", "file": "m.py", "line": 3}
    told = [[size(0, 2, 3)], [size(1, 3, 4), size(0, 2, 4)], [size(2, 4, 3), size(0, 2, 3), GROWN]]
    more = [[GROWN.replace("1", "2"), *told[2]], [COUNTER]]
    found = grouped({**place, "reasons": it} for it in [*told, *more])
    assert [(it["guard"].split(" ")[0], it["count"]) for it in found] == [
        ("tensor", 1),
        ("tensor", 1),
        ("len(self.seen)", 2),
        ("self.n", 1),
    ]
    assert reasons_in(found[2]["text"]) == more[0]
