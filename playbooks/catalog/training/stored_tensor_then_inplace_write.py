import torch
from torch import nn
from torch.nn.functional import mse_loss

from validators.probes import observe, training_step


class Refiner(nn.Module):
    """Refines some tokens in place, and keeps a statistic of all of them for the log."""

    def __init__(self, detached):
        super().__init__()
        self.mix, self.refine = nn.Linear(8, 8), nn.Linear(8, 8)
        self.detached = detached

    def forward(self, x_TC, chosen):
        h_TC = self.mix(x_TC)
        self.spread = (h_TC.detach() if self.detached else h_TC).std()
        h_TC[chosen] = self.refine(h_TC[chosen])
        return h_TC


def train(device, detached):
    torch.manual_seed(0)
    model = Refiner(detached).to(device)
    x_TC, chosen = torch.randn(6, 8, device=device), torch.tensor([1, 4], device=device)
    step = training_step(model, torch.optim.SGD(model.parameters(), lr=0.1), mse_loss)
    # Eager mode takes the step in either case.
    step(x_TC, chosen, x_TC)
    model.spread = None
    return observe(step, [(x_TC, chosen, x_TC)], backend="aot_eager", compare=("gradients",))


def symptom(device):
    return train(device, detached=False)


def remedy(device):
    return train(device, detached=True)


def shows(report):
    if report.exception is not None:
        # It is not the step's own backward pass that raises: no graph has run.
        assert report.calls[0].executions == report.backward_executions == 0, report.calls
        return True
    far = report.calls[0].difference.gradients_eager
    assert far < 1e-5, far
    return False
