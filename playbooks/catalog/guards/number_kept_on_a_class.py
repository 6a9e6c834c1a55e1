import torch

from validators.probes import observe

WEIGHTS = (0.1, 0.2, 0.3)


class Schedule:
    """What the training loop raises from step to step, read in the loss by name."""

    kl_weight = WEIGHTS[0]


def loss_with(schedule):
    def loss(reconstruction, kl):
        return reconstruction.mean() + schedule.kl_weight * kl.mean()

    return loss


def train(device, schedule):
    reconstruction, kl = torch.zeros(4, device=device), torch.ones(4, device=device)

    def steps():
        for weight in WEIGHTS:
            schedule.kl_weight = weight
            yield reconstruction, kl

    return observe(loss_with(schedule), steps(), compare=["eager"])


def symptom(device):
    return train(device, Schedule)


def remedy(device):
    return train(device, Schedule())


def shows(report):
    assert report.exception is None, report.exception
    off = [call.difference.eager for call in report.calls]
    if max(off) < 1e-5:
        # What made it right is another graph, and no run outside of the graphs.
        assert len(report.graphs) > 1 and not report.eager_calls, report.calls
        return False
    # All steps have the first step's weight.
    assert all(abs(d - (w - WEIGHTS[0])) < 1e-5 for d, w in zip(off, WEIGHTS, strict=True)), off
    return [graph.executions for graph in report.graphs] == [3]
