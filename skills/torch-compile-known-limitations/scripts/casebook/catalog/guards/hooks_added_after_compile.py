import torch
import torch._dynamo
from torch import nn

from validators.probes import observe


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        return self.head(self.body(x).relu())


def steer(module, args, output):
    return output + 3


def hook_after_first_call(device, hooks_guarded):
    model, x = Model().to(device), torch.randn(4, 8, device=device)
    compiled = torch.compile(model, backend="eager")

    def calls():
        yield (x,)
        model.body.register_forward_hook(steer)
        yield (x,)

    with torch._dynamo.config.patch(skip_nnmodule_hook_guards=not hooks_guarded):
        return observe(
            lambda x: compiled(x), calls(), compile=lambda step: step, compare=("eager",)
        )


def symptom(device):
    return hook_after_first_call(device, hooks_guarded=False)


def remedy(device):
    return hook_after_first_call(device, hooks_guarded=True)


def shows(report):
    before, after = report.calls
    wrong = before.difference.eager == 0 and after.difference.eager > 0.01
    return wrong and after.compiled == 0
