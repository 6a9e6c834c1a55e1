import torch

from validators.probes import observe

GAMMAS = (1.25, 1.5, 1.75, 2.25, 2.5, 2.75)


def focal(p_N, gamma):
    """A focal loss, whose focus is turned up as the training goes on."""
    return -((1 - p_N) ** gamma * p_N.log()).mean()


def scheduled(device, as_argument):
    p_N = torch.linspace(0.1, 0.9, 16, device=device)
    calls = [(p_N, as_argument(gamma)) for gamma in GAMMAS]
    return observe(focal, calls, backend="aot_eager", compare=("eager",))


def symptom(device):
    return scheduled(device, float)


def remedy(device):
    return scheduled(device, lambda gamma: torch.tensor(gamma, device=device))


def shows(report):
    assert report.exception is None, report.exception
    assert max(call.difference.eager for call in report.calls) < 1e-6
    compiled = [call.compiled > 0 for call in report.calls]
    assert all(compiled) or compiled == [True] + [False] * (len(GAMMAS) - 1), compiled
    return all(compiled)
