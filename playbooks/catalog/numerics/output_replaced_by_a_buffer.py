import torch

from validators.probes import observe


class Statistics(torch.nn.Module):
    """Doubles its input; adds up what it saw, and counts its calls."""

    def __init__(self, detach):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4))
        self.register_buffer("total", torch.zeros(()))
        self.register_buffer("steps", torch.zeros(()))
        self.detach = detach

    def forward(self, x):
        h = x * self.weight
        self.total.add_((h.detach() if self.detach else h).sum())
        self.steps += 1
        return h * 2


def called(device, detach):
    calls = [(torch.ones(3, 4, device=device),)] * 3
    return observe(Statistics(detach).to(device), calls, backend="aot_eager", compare=["eager"])


def symptom(device):
    return called(device, detach=False)


def remedy(device):
    return called(device, detach=True)


def shows(report):
    assert report.exception is None, report.exception
    gaps = [call.difference.eager for call in report.calls]
    wrong = [gap is None or gap > 0.5 for gap in gaps]
    assert all(wrong) or max(gaps) < 1e-6, gaps
    return all(wrong)
