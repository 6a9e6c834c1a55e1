"""What a target's own code asks of the compiler."""

from __future__ import annotations

import pytest
import torch

from validators.inspector.loading import own_settings
from validators.inspector.loading.target import Step, Target


def target(make, trains=False):
    """The target that a factory makes."""
    model = make()
    module = model if isinstance(model, torch.nn.Module) else None
    run = Step(model, torch.sum) if trains else model
    return Target(run, module, (), trains, again=lambda: target(make, trains))


def in_place():
    """A module that compiles itself."""
    model = torch.nn.Linear(2, 2)
    model.compile(dynamic=True, backend="eager")
    return model


def around():
    """A module within what torch.compile returns."""
    return torch.compile(torch.nn.Linear(2, 2), dynamic=True, fullgraph=True, backend="eager")


def block():
    """A module of which a part is compiled."""
    model = torch.nn.Sequential(torch.nn.Linear(2, 2))
    model[0].compile(dynamic=True, backend="eager")
    return model


def twice(x):
    """Compute something."""
    return x * 2


def function():
    """A compiled function."""
    return torch.compile(twice, dynamic=True, backend="eager")


@pytest.mark.parametrize(
    ("make", "applied"),
    [
        (in_place, {"dynamic": True}),
        (around, {"dynamic": True, "fullgraph": True}),
        (block, {}),
        (function, {"dynamic": True}),
    ],
)
def test_options_for_the_whole_target_hold(make, applied):
    """Those for a part are told of, and do not hold for the rest."""
    with own_settings.noting() as asked:
        made = target(make)
    assert own_settings.applied(asked, made) == applied
    assert own_settings.told(asked) == ["backend='eager'", "dynamic=True"]
    assert torch.compile.__module__ == "torch"


@pytest.mark.parametrize("make", [in_place, around])
@pytest.mark.parametrize("trains", [False, True])
def test_a_target_is_compiled_by_whoever_measures_it(make, trains):
    """What the factory compiled as a whole is taken off, from its training step as well."""
    made = own_settings.uncompiled(target(make, trains))
    for it in (made, made.again()):
        assert type(it.model) is torch.nn.Linear
        assert it.model._compiled_call_impl is None
        assert (it.run.model if trains else it.run) is it.model
