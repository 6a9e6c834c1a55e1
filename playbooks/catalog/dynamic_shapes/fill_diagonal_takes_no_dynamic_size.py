import torch

from validators.probes import observe


def filled(x_BD):
    scores_BB = x_BD @ x_BD.T
    return scores_BB.fill_diagonal_(float("-inf")).softmax(-1)


def masked(x_BD):
    scores_BB = x_BD @ x_BD.T
    itself_BB = torch.eye(len(x_BD), dtype=torch.bool, device=x_BD.device)
    return scores_BB.masked_fill(itself_BB, float("-inf")).softmax(-1)


def similarities(device, function):
    """Batches of three sizes; the second makes the number of samples dynamic."""
    torch.manual_seed(0)
    calls = [(torch.randn(samples, 3, device=device),) for samples in (4, 6, 8)]
    return observe(function, calls, backend="eager", compare=["eager"])


def symptom(device):
    return similarities(device, filled)


def remedy(device):
    return similarities(device, masked)


def shows(report):
    if report.exception is not None:
        assert report.exception.call == 1, report.exception.call
        return True
    assert all(call.difference.eager < 1e-6 for call in report.calls)
    return len(report.graphs) == len(report.calls) == 3
