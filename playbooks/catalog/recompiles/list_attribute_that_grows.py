import torch
from torch import nn

from validators.probes import observe

CALLS = 12


class Probe(nn.Module):
    """Collects what passed through it."""

    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)
        self.seen = []

    def forward(self, x):
        x = self.proj(x)
        self.seen.append(x.mean())
        return x


class Returning(Probe):
    def forward(self, x):
        x = self.proj(x)
        return x, x.mean()


def symptom(device):
    x = torch.randn(4, 8, device=device)
    return observe(Probe().to(device), [(x,)] * CALLS, eager=True)


def remedy(device):
    model = Returning().to(device)
    x = torch.randn(4, 8, device=device)

    def collecting(compiled):
        def run(x):
            x, mean = compiled(x)
            model.seen.append(mean)
            return x

        return run

    return observe(
        model,
        [(x,)] * CALLS,
        compile=lambda module: collecting(torch.compile(module, backend="eager")),
    )


def shows(report):
    assert report.exception is None, report.exception
    return len(report.graphs) == 8 and report.eager_calls == tuple(range(8, CALLS))
