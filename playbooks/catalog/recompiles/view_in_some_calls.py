import torch

from validators.probes import observe


def scale(x_BTD):
    return x_BTD * 2 + 1


def calls(device, handed):
    """The output of a linear layer, then other tensors of the same sizes."""
    torch.manual_seed(0)
    linear = torch.nn.Linear(8, 8).to(device)
    for length in (3, 5, 7):
        h_BTD = linear(torch.randn(2, length, 8, device=device))
        yield (handed(h_BTD),)
        yield (h_BTD + 1,)


def scaled(device, handed):
    return observe(scale, calls(device, handed), compare=["eager"])


def symptom(device):
    return scaled(device, lambda h_BTD: h_BTD)


def remedy(device):
    return scaled(device, lambda h_BTD: h_BTD.clone())


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    # One graph for the first size and one for all others; a third for what is no view.
    assert sum(report.compiled) in (2, 3), report.compiled
    return sum(report.compiled) == 3
