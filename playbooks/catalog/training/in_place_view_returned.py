import functools

import torch
from torch import nn

from validators.probes import observe


def scores_in_place(x_BD, layer):
    return layer(x_BD).squeeze_(-1)


def scores(x_BD, layer):
    return layer(x_BD).squeeze(-1)


def gradients(x_BD, layer, forward):
    layer.zero_grad()
    logits_B = forward(x_BD, layer)
    logits_B /= 0.5
    loss = logits_B.sigmoid().square().sum()
    loss.backward()
    return loss.detach(), layer.weight.grad.clone()


def train(device, forward):
    torch.manual_seed(0)
    layer, x_BD = nn.Linear(4, 1).to(device), torch.randn(6, 4, device=device)
    # Eager mode runs what the symptom compiles, in both arms.
    eager = functools.partial(gradients, layer=layer, forward=scores_in_place)
    compiled = torch.compile(forward, backend="aot_eager", fullgraph=True)
    return observe(
        eager,
        [(x_BD,), (x_BD,)],
        compile=lambda step: functools.partial(step, forward=compiled),
        compare=("eager",),
    )


def symptom(device):
    return train(device, scores_in_place)


def remedy(device):
    return train(device, scores)


def shows(report):
    if report.exception is not None:
        # The forward pass had run, and no backward pass: what lies between them raises.
        ran = [graph.executions for graph in report.graphs]
        assert (ran, report.backward_executions) == ([1], 0), report
        return True
    far = max(call.difference.eager for call in report.calls)
    assert far < 1e-6 and report.backward_executions == 2, (far, report.backward_executions)
    return False
