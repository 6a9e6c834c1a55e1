import torch
from torch import nn
from torch._dynamo.decorators import mark_unbacked

from validators.probes import observe


def convolve(device, mark):
    images_NCHW = torch.randn(4, 3, 8, 8, device=device)
    mark(images_NCHW, 0)
    convolution = nn.Conv2d(3, 8, 3).to(device)
    return observe(convolution, [(images_NCHW,)], backend="inductor", compare=("eager",))


def symptom(device):
    return convolve(device, mark_unbacked)


def remedy(device):
    return convolve(device, torch._dynamo.mark_dynamic)


def shows(report):
    if report.exception is None:
        assert report.calls[0].difference.eager < 1e-4, report.calls[0].difference
        return False
    assert "aten.convolution" in report.exception.message, report.exception
    return report.exception.type == "AssertionError"
