import torch
from torch.nn.attention.flex_attention import flex_attention

from validators.probes import kernel_resources

BLOCKS = {"BLOCK_M": 128, "BLOCK_N": 128, "num_warps": 8}


@torch.no_grad()
def compiled(device, asked):
    """The same attention with the stages asked for and with one."""

    def attend(q, k, v):
        options = ({**BLOCKS, "num_stages": stages} for stages in (asked, 1))
        return [flex_attention(q, k, v, kernel_options=it) for it in options]

    q, k, v = (torch.randn(2, 8, 1024, 128, device=device).bfloat16() for _ in range(3))
    return kernel_resources(attend, [(q, k, v)])


def symptom(device):
    return compiled(device, 5)


def remedy(device):
    return compiled(device, 2)


def shows(report):
    if report.exception is not None:
        # Before torch 2.13, Inductor had no second try.
        return False
    shared = report.facts["shared"]
    asked, one = (it for name, it in sorted(shared.items()) if "flex_attention" in name)
    return asked == one
