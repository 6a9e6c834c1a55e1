import torch
from torch.nn.functional import dropout

from validators.probes import inductor_code


def block(x):
    return dropout(x.sin(), 0.1, training=True) + 1


@torch.no_grad()
def compiled(device, fallback):
    x = torch.randn(64, 1024, device=device)
    return inductor_code(block, [(x,)], options={"fallback_random": fallback})


def symptom(device):
    return compiled(device, fallback=True)


def remedy(device):
    return compiled(device, fallback=False)


def shows(report):
    kernels, externs = report.facts["kernels"], report.facts["externs"]
    return len(kernels) == 2 and externs == ["aten.native_dropout.default"]
