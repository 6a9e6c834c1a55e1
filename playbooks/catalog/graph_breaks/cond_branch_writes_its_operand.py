import torch

from validators.probes import observe


class Quantizer(torch.nn.Module):
    """Follows the largest input, and starts over when that has become much smaller."""

    def __init__(self, choose):
        super().__init__()
        self.register_buffer("peak", torch.ones(()))
        self.choose = choose

    def forward(self, x):
        self.choose(self.peak, x.abs().max())
        return (x / self.peak).round()


def writes_in_branches(peak, seen):
    def follow(peak, seen):
        peak.copy_(torch.maximum(peak, seen))
        return seen.clone()

    def start_over(peak, seen):
        peak.copy_(seen)
        return seen.clone()

    torch.cond(seen > peak / 8, follow, start_over, (peak, seen))


def writes_behind(peak, seen):
    def follow(peak, seen):
        return torch.maximum(peak, seen)

    def start_over(peak, seen):
        return seen.clone()

    peak.copy_(torch.cond(seen > peak / 8, follow, start_over, (peak, seen)))


def quantized(choose, device):
    calls = [(torch.full((3,), value, device=device),) for value in (4.0, 0.25)]
    return observe(Quantizer(choose).to(device), calls, backend="aot_eager", compare=["eager"])


def symptom(device):
    return quantized(writes_in_branches, device)


def remedy(device):
    return quantized(writes_behind, device)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert all(call.difference.eager == 0 for call in report.calls), report
    return False
