import torch
from torch.nn.functional import scaled_dot_product_attention

from validators.probes import inductor_code


def attend(q, k, v, mask):
    return scaled_dot_product_attention(q, k, v, attn_mask=mask)


@torch.no_grad()
def compiled(device, boolean):
    q, k, v = (torch.randn(2, 4, 128, 64, device=device, dtype=torch.bfloat16) for _ in range(3))
    allowed = torch.ones(128, 128, device=device, dtype=torch.bool).tril()
    added = torch.zeros_like(allowed, dtype=q.dtype).masked_fill(~allowed, float("-inf"))
    return inductor_code(attend, [(q, k, v, allowed if boolean else added)])


def symptom(device):
    return compiled(device, boolean=True)


def remedy(device):
    return compiled(device, boolean=False)


def shows(report):
    (called,) = report.facts["externs"]
    assert "attention" in called, called
    return len(report.facts["kernels"]) == 1
