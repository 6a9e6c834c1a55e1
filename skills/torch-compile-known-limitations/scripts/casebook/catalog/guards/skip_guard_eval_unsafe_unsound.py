import torch
from torch import nn

from validators.probes import observe


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 32)
        self.temperature = 1.0

    def forward(self, x):
        return (self.head(x) / self.temperature).softmax(-1)


def sample(device, **stance):
    model, x = Sampler().to(device), torch.randn(4, 8, device=device)
    compiled = torch.compile(model, backend="eager")

    def calls():
        yield (x,)
        with torch.compiler.set_stance("default", **stance):
            yield (x,)
            model.temperature = 0.2
            yield (x,)

    return observe(lambda x: compiled(x), calls(), compile=lambda step: step, compare=("eager",))


def symptom(device):
    return sample(device, skip_guard_eval_unsafe=True)


def remedy(device):
    return sample(device)


def shows(report):
    before, after = report.calls[1:]
    wrong = before.difference.eager < 1e-5 and after.difference.eager > 0.01
    return wrong and after.compiled == 0
