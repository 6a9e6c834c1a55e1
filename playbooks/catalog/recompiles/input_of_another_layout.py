import torch

from validators.probes import observe


def scale_shift(x_BTC):
    return torch.nn.functional.silu(x_BTC * 2 + 1)


def layouts(device):
    """Of equal sizes: contiguous, transposed, and a slice of something larger."""
    yield torch.randn(2, 5, 8, device=device)
    yield torch.randn(2, 8, 5, device=device).transpose(1, 2)
    yield torch.randn(2, 5, 12, device=device)[:, :, :8]


def forward(device, prepare):
    torch.manual_seed(0)
    inputs = [(prepare(x_BTC),) for x_BTC in layouts(device)]
    return observe(scale_shift, inputs, compare=["eager"])


def symptom(device):
    return forward(device, lambda x_BTC: x_BTC)


def remedy(device):
    return forward(device, torch.Tensor.contiguous)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    return report.compiled == (1, 1, 1)
