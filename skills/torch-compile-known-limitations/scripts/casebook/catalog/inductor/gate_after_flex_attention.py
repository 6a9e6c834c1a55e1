import torch
from torch.nn.attention.flex_attention import flex_attention

from validators.probes import inductor_code


def gated(q, k, v, gate):
    return flex_attention(q, k, v) * torch.sigmoid(gate)


@torch.no_grad()
def compiled(device, fuse):
    shape = (2, 8, 256, 64)
    heads = [torch.randn(shape, device=device, dtype=torch.bfloat16) for _ in range(4)]
    return inductor_code(gated, [heads], options={"epilogue_fusion": fuse})


def symptom(device):
    return compiled(device, fuse=False)


def remedy(device):
    return compiled(device, fuse=True)


def shows(report):
    """Whether the gate has a kernel of its own."""
    (gate,) = (it for it in report.facts["kernels"] if "sigmoid" in it)
    return "flex_attention" not in gate
