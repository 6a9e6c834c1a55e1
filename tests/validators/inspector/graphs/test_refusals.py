"""The op for which a backend refuses a graph."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from torch._subclasses.fake_tensor import DynamicOutputShapeException

from validators.inspector.graphs.refusals import Refusals
from validators.probes import trace
from validators.probes.occurrences import break_occurrences

HERE = Path(__file__).name


def refusal():
    """An exception that Dynamo makes a graph break of; others end the call."""
    return DynamicOutputShapeException(torch.ops.aten.nonzero.default)


def several(x):
    """Have a sine between other ops."""
    y = x + 1
    y = torch.sin(y)
    y = y * 2
    return torch.relu(y)


SINE = several.__code__.co_firstlineno + 3


class Picky(torch.fx.Interpreter):
    def call_function(self, target, args, kwargs):
        """Refuse sines."""
        if target is torch.sin:
            raise refusal()
        return super().call_function(target, args, kwargs)


def by_interpreter(graph, inputs):
    """Refuse the graph at an op of it."""
    return Picky(graph).run(*inputs)


def by_autograd(_graph, _inputs):
    """Refuse the graph as autograd does, which warns of the op."""
    told = f'  File "{__file__}", line {SINE}, in several'
    warnings.warn(f"Traceback of forward call that caused the error:\n{told}", stacklevel=1)
    raise refusal()


def places_of(backend):
    """The lines of this file that the break names, innermost first."""
    torch._dynamo.reset()
    refusals = Refusals()
    with trace.tracing() as events:
        torch.compile(several, backend=refusals.noting(backend))(torch.ones(2))
    (found,) = refusals.placed(break_occurrences(events), events)
    return [it["line"] for it in found["places"] if Path(it["file"]).name == HERE]


def test_the_break_is_at_the_op_that_is_refused():
    """And not where the graph ends."""
    assert places_of(by_interpreter)[0] == SINE


def test_an_op_that_is_refused_in_the_backward_pass_is_named_by_autograd():
    """Which warns of the line in the forward pass."""
    assert places_of(by_autograd)[0] == SINE


def test_a_refusal_that_names_no_op_stays_where_the_graph_ends():
    """As torch tells it."""

    def refuse(_graph, _inputs):
        raise refusal()

    assert places_of(refuse)[0] != SINE
