import torch
from torch.nn.functional import adaptive_avg_pool2d

from validators.probes import inductor_code


def pooled(images):
    return adaptive_avg_pool2d(images, 7).relu()


@torch.no_grad()
def compiled(device, size):
    return inductor_code(pooled, [(torch.randn(2, 16, size, size, device=device),)])


def symptom(device):
    return compiled(device, 30)


def remedy(device):
    return compiled(device, 28)


def shows(report):
    assert len(report.facts["kernels"]) == 1
    return report.facts["externs"] == ["aten._adaptive_avg_pool2d.default"]
