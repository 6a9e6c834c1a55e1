import torch

from validators.probes import observe


class WarmUp(torch.nn.Module):
    """Scales its output by the number of its calls, which a buffer counts."""

    def __init__(self, in_place):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4))
        self.register_buffer("steps", torch.zeros(()))
        self.in_place = in_place

    def forward(self, x):
        if self.in_place:
            self.steps += 1
        else:
            self.steps = self.steps + 1
        return x * self.weight * self.steps


def train(device, in_place):
    return observe(
        WarmUp(in_place).to(device),
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
    # The loss of the first call has eager's value, so nothing but its gradient is wrong.
    assert gaps[0].eager < 1e-6, gaps
    wrong = [gap.gradients_eager > 0.25 for gap in gaps]
    right = [max(gap.eager, gap.gradients_eager) < 1e-6 for gap in gaps]
    assert all(wrong) or all(right), gaps
    return all(wrong)
