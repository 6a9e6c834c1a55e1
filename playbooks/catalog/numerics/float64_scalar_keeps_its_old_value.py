import torch

from validators.probes import observe


class RunningTotal(torch.nn.Module):
    """Scales its output by the sum of all that it has seen."""

    def __init__(self, shape):
        super().__init__()
        self.register_buffer("total", torch.zeros(shape, dtype=torch.float64))

    def forward(self, x):
        self.total.add_(x.sum())
        return x * self.total


def three_calls(device, shape):
    model = RunningTotal(shape).to(device)
    calls = [(torch.ones(3, device=device),)] * 3
    return observe(model, calls, backend="aot_eager", compare=["eager"])


def symptom(device):
    return three_calls(device, ())


def remedy(device):
    return three_calls(device, (1,))


def shows(report):
    assert report.exception is None and not report.graph_breaks, report
    gaps = [call.difference.eager for call in report.calls]
    # Eager's totals are 3, 6 and 9; where the write is lost, all are 0.
    assert gaps in ([3.0, 6.0, 9.0], [0.0, 0.0, 0.0]), gaps
    return gaps[-1] > 0
