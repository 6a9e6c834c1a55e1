import torch
from torch.nn.functional import scaled_dot_product_attention

from validators.probes import inductor_code


def by_hand(q, k, v):
    scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    later = torch.ones(scores.shape[-2:], device=q.device, dtype=torch.bool).triu(1)
    return torch.softmax(scores.masked_fill(later, float("-inf")), dim=-1) @ v


def by_call(q, k, v):
    return scaled_dot_product_attention(q, k, v, is_causal=True)


@torch.no_grad()
def compiled(device, attend):
    q, k, v = (torch.randn(2, 4, 128, 64, device=device, dtype=torch.bfloat16) for _ in range(3))
    return inductor_code(attend, [(q, k, v)])


def symptom(device):
    return compiled(device, by_hand)


def remedy(device):
    return compiled(device, by_call)


def shows(report):
    kernels, externs = report.facts["kernels"], report.facts["externs"]
    return externs == ["bmm", "bmm"] and len(kernels) == 1
