import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from validators.probes import inductor_code


def causal(batch, head, query, key):
    return query >= key


def masked(x):
    return create_block_mask(causal, None, None, x.shape[2], x.shape[2], device=x.device)


def attend(q, k, v, mask=None):
    return flex_attention(q, k, v, block_mask=masked(q) if mask is None else mask)


@torch.no_grad()
def compiled(device, **given):
    q, k, v = (torch.randn(2, 8, 1024, 64, device=device).bfloat16() for _ in range(3))
    masks = [masked(q)] if given["once"] else []
    return inductor_code(attend, [(q, k, v, *masks)])


def symptom(device):
    return compiled(device, once=False)


def remedy(device):
    return compiled(device, once=True)


def shows(report):
    assert report.exception is None, report.exception
    return len(report.facts["kernels"]) > 1
