import functools

import torch
from torch import nn
from torch._dynamo import config

from validators.probes import observe


class Clipped(nn.Module):
    """Two layers; the gradient is clipped on its way from the second to the first."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        hidden = self.first(x).relu()
        hidden.register_hook(lambda gradient: gradient.clamp(-0.01, 0.01))
        return self.second(hidden).square().sum()


def forward_backward(model, x):
    loss = model(x)
    loss.backward()


def gradients(x, model, step):
    model.zero_grad()
    step(model, x)
    return [parameter.grad.clone() for parameter in model.parameters()]


def train(device, compile_parts):
    torch.manual_seed(0)
    model, x = Clipped().to(device), torch.randn(4, 8, device=device)
    target = functools.partial(gradients, model=model, step=forward_backward)
    with config.patch(compiled_autograd=True):
        return observe(
            target,
            [(x,)],
            compile=lambda step: functools.partial(step, **compile_parts(model)),
            compare=("eager",),
        )


def model_only(model):
    return {"model": torch.compile(model, backend="aot_eager")}


def with_backward(_):
    return {"step": torch.compile(forward_backward, backend="aot_eager")}


def symptom(device):
    return train(device, model_only)


def remedy(device):
    return train(device, with_backward)


def shows(report):
    if report.exception is not None:
        # The forward pass had run, as one graph.
        assert [graph.executions for graph in report.graphs] == [1], report.graphs
        return True
    # One graph of the forward pass, one of the backward pass, which has what the hook does.
    clips = [graph.targets.get("clamp", 0) for graph in report.graphs]
    assert clips == [0, 1] and report.calls[0].difference.eager < 1e-6, (clips, report.calls)
    return False
