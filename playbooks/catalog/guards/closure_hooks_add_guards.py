import functools
from dataclasses import dataclass

import torch
from torch import nn

from validators.probes import captured_facts, guard_cost


@dataclass(frozen=True)
class Layout:
    dim: int


@dataclass(frozen=True)
class Mesh:
    ndim: int


HAVE, WANT, MESH = Layout(0), Layout(1), Mesh(1)


def prepare_input(have, want, module, args, mesh):
    return (args[0] * 2,) if have.dim != want.dim and mesh.ndim == 1 else args


def prepare_output(local, module, output, mesh):
    return output + 1 if local and mesh.ndim == 1 else output


def bare():
    return nn.Linear(8, 8)


def hooked():
    """As `distribute_module` does: hooks that hold the mesh and a function with its settings."""
    layer = nn.Linear(8, 8)
    before = functools.partial(prepare_input, HAVE, WANT)
    after = functools.partial(prepare_output, True)
    mesh = MESH
    layer.register_forward_pre_hook(lambda module, args: before(module, args, mesh))
    layer.register_forward_hook(lambda module, args, output: after(module, output, mesh))
    return layer


def hooked_without_settings():
    layer = nn.Linear(8, 8)
    layer.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
    layer.register_forward_hook(lambda module, args, output: output + 1)
    return layer


class Parallel(nn.Linear):
    """The same settings and work in the layer's own `forward`."""

    def __init__(self):
        super().__init__(8, 8)
        self.have, self.want, self.local, self.mesh = HAVE, WANT, True, MESH

    def forward(self, x):
        if self.have.dim != self.want.dim and self.mesh.ndim == 1:
            x = x * 2
        x = super().forward(x)
        return x + 1 if self.local and self.mesh.ndim == 1 else x


class Stack(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def guards_of_a_layer(device, make):
    """What each further layer adds, so that the guards of torch and of the stack cancel out."""
    x = torch.randn(2, 8, device=device)
    one, three = (
        guard_cost(
            Stack([make() for _ in range(depth)]).to(device), (x,), samples=1, calls_per_sample=1
        )
        for depth in (1, 3)
    )
    assert one.exception is three.exception is None
    return (three.facts["guards"] - one.facts["guards"]) // 2


def answer(device, make):
    layer, x = make().to(device), torch.randn(2, 8, device=device)
    compiled = torch.compile(Stack([layer]), backend="eager")
    expected = nn.functional.linear(x * 2, layer.weight, layer.bias) + 1
    torch.testing.assert_close(compiled(x), expected)
    return "as meant"


def arm(device, make):
    return captured_facts(
        answer=lambda: answer(device, make),
        bare=lambda: guards_of_a_layer(device, bare),
        without_settings=lambda: guards_of_a_layer(device, hooked_without_settings),
        with_settings=lambda: guards_of_a_layer(device, make),
    )


def symptom(device):
    return arm(device, hooked)


def remedy(device):
    return arm(device, Parallel)


def shows(report):
    facts = report.facts
    assert facts.get("answer") == "as meant", facts
    if facts["with_settings"] < 3 * facts["bare"]:
        return False
    # More than hooks as such cost: what is left is for what these two have captured.
    assert facts["with_settings"] >= facts["without_settings"] + 10, facts
    return True
