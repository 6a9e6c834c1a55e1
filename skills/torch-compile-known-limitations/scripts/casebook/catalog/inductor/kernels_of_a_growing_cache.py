import torch
from torch.nn.functional import scaled_dot_product_attention

from validators.probes import inductor_code

STEPS = 4


def growing(q, k, v, keys, values):
    keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
    return scaled_dot_product_attention(q, keys, values), keys, values


def static(q, k, v, keys, values, at, mask):
    keys.index_copy_(2, at, k)
    values.index_copy_(2, at, v)
    return scaled_dot_product_attention(q, keys, values, attn_mask=mask)


def heads(device, length):
    return torch.randn(1, 8, length, 64, device=device, dtype=torch.bfloat16)


@torch.no_grad()
def symptom(device):
    new = [heads(device, 1) for _ in range(3)]
    caches = ([heads(device, 32 + step) for _ in range(2)] for step in range(STEPS))
    return inductor_code(growing, [(*new, *cache) for cache in caches])


@torch.no_grad()
def remedy(device):
    new, cache = [heads(device, 1) for _ in range(3)], [heads(device, 64) for _ in range(2)]
    positions = torch.arange(64, device=device)
    steps = [(positions[at : at + 1], (positions <= at)[None]) for at in range(32, 32 + STEPS)]
    return inductor_code(static, [(*new, *cache, *step) for step in steps])


def shows(report):
    assert report.exception is None, report.exception
    return sum(report.compiled) == 2 and any("cat" in it for it in report.facts["kernels"])
