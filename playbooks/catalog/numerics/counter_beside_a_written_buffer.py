import torch

from validators.probes import observe


class Tracked(torch.nn.Module):
    """Keeps the mean of what it has seen, and counts its calls with `+=`."""

    def __init__(self, detached):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("steps", torch.tensor(0))
        self.detached = detached

    def forward(self, x):
        y = x * self.weight
        self.mean.copy_(y.detach() if self.detached else y)
        self.steps += 1
        return y * 2


def one_call(device, detached):
    calls = [(torch.ones(3, device=device),)]
    return observe(Tracked(detached).to(device), calls, backend="aot_eager", compare=["eager"])


def symptom(device):
    return one_call(device, detached=False)


def remedy(device):
    return one_call(device, detached=True)


def shows(report):
    assert report.exception is None and not report.graph_breaks, report
    gaps = [call.difference.eager for call in report.calls]
    # The probe gives a tensor of another shape, such as the counter, the largest difference.
    wrong = [gap > 1e300 for gap in gaps]
    assert all(wrong) or gaps == [0.0], gaps
    return all(wrong)
