import torch
from torch.nn.attention.flex_attention import flex_attention

from validators.probes import captured_facts


def attend(device, blocks):
    """Whether the compiled attention agrees with the uncompiled one."""
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, 2, 1024, 256, device=device, dtype=torch.bfloat16)
    compiled = torch.compile(flex_attention)
    out = compiled(q, k, v, kernel_options=blocks)
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return bool((out - expected).abs().max() < 0.05)


def symptom(device):
    # 256 rows of K and of V in four stages take 1 MiB, more than any GPU has for a block.
    blocks = {"BLOCK_M": 64, "BLOCK_N": 256, "num_stages": 4}
    return captured_facts(right=lambda: attend(device, blocks))


def remedy(device):
    blocks = {"BLOCK_M": 32, "BLOCK_N": 32, "num_stages": 1}
    return captured_facts(right=lambda: attend(device, blocks))


def shows(report):
    if "right" in report.facts:
        assert report.facts["right"], report.facts
        return False
    said = report.facts["right.message"]
    assert "out of resource" in said, said
    return True
