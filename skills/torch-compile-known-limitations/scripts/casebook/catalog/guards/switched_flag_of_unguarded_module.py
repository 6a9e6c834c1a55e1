import torch
import torch._dynamo.config
from torch import nn

from validators.probes import observe


class Adapted(nn.Module):
    """A layer with an adapter that can be switched off, as LoRA implementations have it."""

    def __init__(self):
        super().__init__()
        self.base = nn.Linear(8, 8)
        self.adapter = nn.Linear(8, 8)
        self.disabled = False

    def forward(self, x):
        return self.base(x) if self.disabled else self.base(x) + self.adapter(x) + 3


def switch_off(device, guarded):
    model, x = Adapted().to(device), torch.randn(4, 8, device=device)
    compiled = torch.compile(model, backend="eager")

    def calls():
        yield (x,)
        model.disabled = True
        yield (x,)

    with torch._dynamo.config.patch(guard_nn_modules=guarded, inline_inbuilt_nn_modules=False):
        return observe(
            lambda x: compiled(x), calls(), compile=lambda step: step, compare=("eager",)
        )


def symptom(device):
    return switch_off(device, guarded=False)


def remedy(device):
    return switch_off(device, guarded=True)


def shows(report):
    assert report.exception is None, report.exception
    on, off = report.calls
    right = off.difference.eager < 1e-4 and off.compiled == 1
    stale = off.difference.eager > 1 and off.compiled == 0
    assert on.difference.eager < 1e-4 and (right or stale), report.calls
    return stale
