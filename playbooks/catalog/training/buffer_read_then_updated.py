import torch

from validators.probes import observe


class Decay(torch.nn.Module):
    """Scales by a rate, and halves the rate for the next call."""

    def __init__(self, in_place):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4))
        self.register_buffer("rate", torch.tensor(0.5))
        self.in_place = in_place

    def forward(self, x):
        y = (x * self.weight * (1 - self.rate)).sin()
        if self.in_place:
            self.rate.mul_(0.5)
        else:
            self.rate = self.rate * 0.5
        return y


def train(device, in_place):
    return observe(
        Decay(in_place).to(device),
        [(torch.ones(4, device=device),)] * 3,
        backend="inductor",
        compare=["eager", "gradients"],
    )


def symptom(device):
    return train(device, in_place=True)


def remedy(device):
    return train(device, in_place=False)


def shows(report):
    assert report.exception is None and report.backward_executions == 3, report.exception
    gaps = [call.difference for call in report.calls]
    # The first call has eager's output, so nothing but its gradient is wrong.
    assert gaps[0].eager < 1e-6, gaps
    wrong = gaps[0].gradients_eager > 0.05
    assert wrong or max(max(it.eager, it.gradients_eager) for it in gaps) < 1e-6, gaps
    return wrong
