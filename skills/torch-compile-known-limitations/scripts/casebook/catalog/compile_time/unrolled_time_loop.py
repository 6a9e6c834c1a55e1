import logging

import torch
from torch import nn

from validators.probes import captured_facts


class Instructions(logging.Handler):
    """Counts the bytecode instructions that Dynamo executes, by the lines that it logs."""

    count = 0

    def emit(self, record):
        self.count += record.getMessage().startswith("TRACE ")


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.update = nn.Linear(32, 16)

    def forward(self, x_BC, state_BC):
        return state_BC + torch.tanh(self.update(torch.cat((x_BC, state_BC), dim=1)))


def scan(cell, x_BTC):
    state_BC = torch.zeros_like(x_BTC[:, 0])
    for x_BC in x_BTC.unbind(1):
        state_BC = cell(x_BC, state_BC)
    return state_BC


def whole(cell, **options):
    return torch.compile(lambda x_BTC: scan(cell, x_BTC), **options)


def body(cell, **options):
    step = torch.compile(cell, **options)
    return lambda x_BTC: scan(step, x_BTC)


@torch.no_grad()
def cost(device, compile_scan, steps):
    """What compiling costs for so many steps, under a backend that does nothing."""
    torch._dynamo.reset()
    torch.manual_seed(0)
    cell, ops, ran = Cell().to(device), [], []

    def backend(graph, inputs):
        ops.append(sum(node.op.startswith("call") for node in graph.graph.nodes))

        def run(*args):
            ran.append(graph)
            return graph.forward(*args)

        return run

    instructions = Instructions(logging.DEBUG)
    log = logging.getLogger("torch._dynamo.symbolic_convert.__trace_bytecode")
    log.addHandler(instructions)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    x_BTC = torch.randn(2, steps, 16, device=device)
    result = compile_scan(cell, backend=backend)(x_BTC)
    torch.testing.assert_close(result, scan(cell, x_BTC))
    log.removeHandler(instructions)
    return {"instructions": instructions.count, "ops": sum(ops), "runs": len(ran)}


def growth(device, compile_scan):
    return captured_facts(
        steps_16=lambda: cost(device, compile_scan, 16),
        steps_64=lambda: cost(device, compile_scan, 64),
    )


def symptom(device):
    return growth(device, whole)


def remedy(device):
    return growth(device, body)


def shows(report):
    few, many = report.facts["steps_16"], report.facts["steps_64"]
    if (few["runs"], many["runs"]) == (16, 64):
        return (few["instructions"], few["ops"]) != (many["instructions"], many["ops"])
    assert (few["runs"], many["runs"]) == (1, 1)
    return all(3.5 < many[what] / few[what] <= 4 for what in ("instructions", "ops"))
