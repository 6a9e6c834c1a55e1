import torch
from torch._dynamo import config

from validators.probes import observe


def mean_loss(loss, wanted):
    return loss[wanted].mean()


def mean_loss_in_double(loss, wanted):
    return loss[wanted].mean(dtype=torch.float64)


def measured(device, mean):
    """The mean of four million equal losses, all of them wanted."""
    # Each thread adds a part, so the error depends on their number.
    torch.set_num_threads(1)
    loss = torch.full((4_000_000,), 0.1, device=device)
    with config.patch(capture_dynamic_output_shape_ops=True):
        return observe(mean, [(loss, loss > 0)], backend="inductor", compare=("eager",))


def symptom(device):
    return measured(device, mean_loss)


def remedy(device):
    return measured(device, mean_loss_in_double)


def shows(report):
    far = report.calls[0].difference.eager
    assert far < 1e-5 or far > 1e-4, far
    return far > 1e-4
