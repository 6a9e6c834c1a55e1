import torch

from validators.probes import observe


def pad_to(x_BT, length):
    """Positions as rows, at least `length` of them; `length` is an int or a tensor of one."""
    return torch.zeros(length, x_BT.shape[1], device=x_BT.device) + x_BT.sum(0).tanh()


def padded(device, length, **options):
    torch.manual_seed(0)
    inputs = torch.randn(3, 4, device=device), length
    return observe(pad_to, [inputs] * 2, backend="aot_eager", compare=["eager"], **options)


def symptom(device):
    return padded(device, torch.tensor(5), eager=True)


def remedy(device):
    return padded(device, 5)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    if report.graph_breaks:
        return not report.graphs
    assert len(report.graphs) == 1, report.graphs
    return False
