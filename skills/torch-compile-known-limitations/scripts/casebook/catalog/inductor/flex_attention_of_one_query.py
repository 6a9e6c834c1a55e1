import torch
from torch.nn.attention.flex_attention import flex_attention

from validators.probes import inductor_code


@torch.no_grad()
def compiled(device, **options):
    def attend(q, k, v):
        return flex_attention(q, k, v, kernel_options=options)

    q, k, v = (
        torch.randn(2, 8, rows, 64, device=device, dtype=torch.bfloat16) for rows in (1, 1024, 1024)
    )
    return inductor_code(attend, [(q, k, v)])


def symptom(device):
    return compiled(device)


def remedy(device):
    return compiled(device, FORCE_USE_FLEX_ATTENTION=True)


def shows(report):
    assert report.exception is None, report.exception
    return sum("flex_attention" in name for name in report.facts["kernels"]) == 3
