import torch

from validators.probes import observe


def device_by_question(tensors):
    for tensor in tensors:
        if tensor is not None:
            return tensor.device
    return torch.get_default_device()


def device_of_empty_tensor(tensors):
    for tensor in tensors:
        if tensor is not None:
            return tensor.device
    return torch.empty(0).device


def shifted(device_of):
    def forward(image, low=None, high=None):
        device = device_of((low, high))
        angles = torch.linspace(-1.0, 1.0, image.shape[-1], device=device)
        return (image * 2).to(device) + angles

    return forward


def arm(device_of, device):
    image = torch.rand(3, 8, device=device)
    # Whether the default was set or is the one that torch starts with makes no difference.
    torch.set_default_device(device)
    try:
        return observe(shifted(device_of), [(image,)] * 2, fullgraph=True, compare=["eager"])
    finally:
        torch.set_default_device(None)


def symptom(device):
    return arm(device_by_question, device)


def remedy(device):
    return arm(device_of_empty_tensor, device)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert [call.executions for call in report.calls] == [1, 1], report.calls
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    return False
