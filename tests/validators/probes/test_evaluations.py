"""The guards that a call evaluates: which are counted, and which changes leave some out."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
import torch
import torch._dynamo

from tests.validators.probes.arms import add_relu, ones
from validators.probes import Report, WitnessError, guard_evaluations


def counts(**changes: Any) -> Report:
    """What is counted for a stack of eight layers."""
    blocks = torch.nn.Sequential(*(torch.nn.Linear(2, 2) for _ in range(8)))
    report = guard_evaluations(blocks, (ones(2, 2),), **changes)
    assert report.eager_calls == ()
    return report


def number(report: Report, name: str) -> int:
    """A fact that is a number."""
    fact = report.facts[name]
    assert isinstance(fact, int)
    return fact


def test_no_change_evaluates_the_same_guards() -> None:
    """Without a change one variant compiles, and each call evaluates at most what it holds."""
    report = counts()
    assert [call.compiled for call in report.calls] == [1, 0, 0, 0]
    assert 8 < number(report, "plain") == number(report, "changed") <= number(report, "guards")


def test_filtered_guards_are_not_evaluated() -> None:
    """A filter that drops every guard leaves a call nothing to evaluate; two variants compile."""
    report = counts(options={"guard_filter_fn": torch.compiler.skip_all_guards_unsafe})
    assert [call.compiled for call in report.calls] == [1, 0, 1, 0]
    assert number(report, "changed") == 0 < number(report, "plain")


def test_guards_that_the_stance_skips_are_not_counted() -> None:
    """The stance evaluates another tree of the same variant, and that is the one counted."""
    report = counts(running=lambda: torch.compiler.set_stance(skip_guard_eval_unsafe=True))
    assert [call.compiled for call in report.calls] == [1, 0, 0, 0]
    assert 0 < number(report, "changed") < number(report, "plain")


def test_guards_below_unchanged_dicts_are_not_counted() -> None:
    """Recursive dict tags skip guards of a tree that holds as many."""

    def tags(on: bool) -> Any:
        return torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=on)

    with tags(False):
        report = counts(compiling=lambda: tags(True))
    assert 0 < number(report, "changed") < number(report, "plain") / 2


def test_conditions_in_python_are_counted() -> None:
    """`dynamic=True` writes a condition for the size; a static compile writes none."""
    report = guard_evaluations(add_relu, (ones(3),), dynamic=True)
    assert number(report, "plain_in_python") == 0 < number(report, "changed_in_python")


def test_contexts_are_entered_where_they_belong() -> None:
    """`compiling` surrounds the changed warm-ups, `running` the call that is counted."""
    entered: list[str] = []

    def context(name: str) -> Any:
        def enter() -> Any:
            entered.append(name)
            return contextlib.nullcontext()

        return enter

    guard_evaluations(
        add_relu, (ones(3),), compiling=context("compiling"), running=context("running")
    )
    assert entered == ["compiling"] * 2 + ["running"]


def test_what_raises_has_no_counts() -> None:
    """A target that raises gives its exception and no facts."""
    report = guard_evaluations(lambda x: x @ x, (ones(2, 3),))
    assert report.exception is not None
    assert report.facts == {}


def test_several_frames_are_refused() -> None:
    """The guards behind a graph break belong to another frame, so they would go uncounted."""

    def broken(x: torch.Tensor) -> torch.Tensor:
        y = x + 1
        torch._dynamo.graph_break()
        return y.relu()

    with pytest.raises(WitnessError, match="breaks its graph"):
        guard_evaluations(broken, (ones(3),))
