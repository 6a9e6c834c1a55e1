import torch
from torch.nn.functional import scaled_dot_product_attention

from validators.probes import inductor_code


def repeated(q, k, v):
    k, v = (it.repeat_interleave(4, dim=1) for it in (k, v))
    return scaled_dot_product_attention(q, k, v)


def grouped(q, k, v):
    return scaled_dot_product_attention(q, k, v, enable_gqa=True)


@torch.no_grad()
def compiled(device, attend):
    q, k, v = (
        torch.randn(2, heads, 128, 64, device=device, dtype=torch.bfloat16) for heads in (8, 2, 2)
    )
    return inductor_code(attend, [(q, k, v)])


def symptom(device):
    return compiled(device, repeated)


def remedy(device):
    return compiled(device, grouped)


def shows(report):
    (called,) = report.facts["externs"]
    assert "attention" in called, called
    return len(report.facts["kernels"]) == 2
