import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from validators.probes import captured_facts, inductor_code

# By the major compute capability: A100, H100, B200.
DEFAULT = {8: "flash", 9: "cudnn", 10: "cudnn"}


def portable(q, k, v):
    with sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION):
        return scaled_dot_product_attention(q, k, v)


@torch.no_grad()
def called(device, attend):
    q, k, v = (torch.randn(2, 4, 128, 64, device=device).bfloat16() for _ in range(3))
    (name,) = inductor_code(attend, [(q, k, v)]).facts["externs"]
    major, _ = torch.cuda.get_device_capability(device)
    return {"board": major, "kernel": name}


def symptom(device):
    return captured_facts(attention=lambda: called(device, scaled_dot_product_attention))


def remedy(device):
    return captured_facts(attention=lambda: called(device, portable))


def shows(report):
    attention = report.facts["attention"]
    return f"_{DEFAULT[attention['board']]}_attention" in attention["kernel"]
