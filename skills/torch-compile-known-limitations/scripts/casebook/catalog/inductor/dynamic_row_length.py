import torch
from torch.nn.functional import layer_norm

from validators.probes import inductor_code


def normalize(x):
    return layer_norm(x, x.shape[-1:])


@torch.no_grad()
def compiled(device, dim):
    x = torch.randn(64, 1024, device=device)
    torch._dynamo.mark_dynamic(x, dim)
    return inductor_code(normalize, [(x,)])


def symptom(device):
    return compiled(device, dim=1)


def remedy(device):
    return compiled(device, dim=0)


def shows(report):
    (kernel,) = report.facts["kernels"]
    return kernel.startswith("triton_red_")
