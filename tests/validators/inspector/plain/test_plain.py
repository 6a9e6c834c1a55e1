"""What is said of a plain program, with backends that compute something else."""

from __future__ import annotations

import types

import torch

from validators.inspector.plain.compared import found_in

PROGRAM = types.SimpleNamespace(
    build=lambda: torch.nn.Linear(2, 2), inputs=lambda batch: (torch.randn(batch, 2),)
)


def planted(wrong):
    """A backend whose graphs run `wrong` on their own list of results."""

    def backend(graph, _inputs):
        def run(*args):
            results = graph.forward(*args)
            return wrong(results) or results

        return run

    return backend


def test_a_planted_difference_is_seen():
    """A wrong gradient behind a right result; of eager mode's own code, none is."""
    right = found_in(PROGRAM, "training", "eager")
    assert (right["differs"], right["breaks"], right["raised"]) == ([], [], "")
    assert right["graphs"] >= 2
    assert right["eager_calls"] == []
    half = planted(lambda it: (it[0] * 0.5 + (it[0] * 0.5).detach(), *it[1:]))
    assert found_in(PROGRAM, "training", half)["differs"][0] > 1e-4


def test_what_else_is_seen():
    """A program's own step, an exception of the backend, and one of eager mode."""

    def raising(_results):
        raise IndexError("list index out of range")

    other = types.SimpleNamespace(**vars(PROGRAM), inference=lambda model, compile: model)
    assert found_in(other, "inference_mode", "eager")["eager_calls"] == [*range(6)]
    raised = found_in(PROGRAM, "no_grad", planted(raising))
    assert raised["raised"] == "IndexError: list index out of range"
    broken = types.SimpleNamespace(build=PROGRAM.build, inputs=lambda batch: (torch.ones(batch),))
    assert set(found_in(broken, "no_grad", "eager")) == {"eager"}
