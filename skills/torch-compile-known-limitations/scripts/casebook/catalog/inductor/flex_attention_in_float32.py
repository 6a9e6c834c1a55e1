import torch
from torch.nn.attention.flex_attention import flex_attention

from validators.probes import kernel_resources


def attend(q, k, v):
    return flex_attention(q, k, v)


@torch.no_grad()
def compiled(device, dtype):
    q, k, v = (torch.randn(2, 8, 1024, 256, device=device, dtype=dtype) for _ in range(3))
    return kernel_resources(attend, [(q, k, v)])


def symptom(device):
    return compiled(device, torch.float32)


def remedy(device):
    return compiled(device, torch.bfloat16)


def shows(report):
    assert report.exception is None, report.exception
    (spills,) = (
        count for name, count in report.facts["spills"].items() if "flex_attention" in name
    )
    return spills > 0
