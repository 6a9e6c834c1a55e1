import gc

import torch

from validators.probes import observe

TRIALS = 4


def make_optimizer(device):
    weight = torch.nn.Parameter(torch.ones(8, device=device))
    weight.grad = torch.ones(8, device=device)
    return torch.optim.Adam([weight], lr=0.1)


def update(optimizer):
    optimizer.step()


def symptom(device):
    """A search that makes an optimizer for each trial and drops it."""

    def trials():
        for _ in range(TRIALS):
            yield (make_optimizer(device),)
            gc.collect()

    return observe(update, trials())


@torch.no_grad()
def start_again(optimizer):
    """Weights and averages as at first, in the tensors that are guarded."""
    optimizer.param_groups[0]["params"][0].fill_(1)
    for state in optimizer.state.values():
        for value in state.values():
            value.zero_()


def remedy(device):
    optimizer = make_optimizer(device)

    def trials():
        for _ in range(TRIALS):
            start_again(optimizer)
            yield (optimizer,)

    return observe(update, trials())


def shows(report):
    assert report.exception is None, report.exception
    if len(report.graphs) == 1:
        return False
    assert [call.compiled for call in report.calls] == [1] * TRIALS, report.calls
    return True
