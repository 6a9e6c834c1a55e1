import torch

from validators.probes import inductor_code


@torch.no_grad()
def convolved(device, memory_format):
    layer = torch.nn.Sequential(torch.nn.Conv2d(64, 64, 3, padding=1), torch.nn.ReLU())
    layer = layer.to(device, memory_format=memory_format)
    images = torch.randn(8, 64, 32, 32, device=device).to(memory_format=memory_format)
    return inductor_code(layer, [(images,)])


def symptom(device):
    return convolved(device, torch.contiguous_format)


def remedy(device):
    return convolved(device, torch.channels_last)


def shows(report):
    assert report.facts["externs"] == ["convolution"]
    return len(report.facts["kernels"]) == 3
