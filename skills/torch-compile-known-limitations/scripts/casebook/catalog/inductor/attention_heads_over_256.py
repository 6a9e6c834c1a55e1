import torch
from torch.nn.functional import scaled_dot_product_attention

from validators.probes import inductor_code


@torch.no_grad()
def attend(device, width):
    q, k, v = (torch.randn(2, 4, 128, width, device=device, dtype=torch.bfloat16) for _ in range(3))
    return inductor_code(scaled_dot_product_attention, [(q, k, v)])


def symptom(device):
    return attend(device, 512)


def remedy(device):
    return attend(device, 256)


def shows(report):
    (called,) = report.facts["externs"]
    return "efficient_attention" in called
