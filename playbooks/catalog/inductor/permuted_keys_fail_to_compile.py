import torch

from validators.probes import observe

TOKENS, HEADS = 12, 8


def by_permute(q_BTHD, k_BTHD, v_BTHD):
    q, v = q_BTHD.permute(0, 2, 1, 3), v_BTHD.permute(0, 2, 1, 3)
    return (q @ k_BTHD.permute(0, 2, 3, 1) * 0.25).softmax(-1) @ v


def by_transpose(q_BTHD, k_BTHD, v_BTHD):
    q, k, v = (x.transpose(1, 2) for x in (q_BTHD, k_BTHD, v_BTHD))
    return (q @ k.transpose(-2, -1) * 0.25).softmax(-1) @ v


def attention(device, attend):
    torch.manual_seed(0)
    # A GPU's attention is fused in half precision.
    dtype = torch.float32 if torch.device(device).type == "cpu" else torch.float16
    qkv = [torch.randn(1, TOKENS, HEADS, 16, device=device, dtype=dtype) for _ in range(3)]
    return observe(attend, [qkv], backend="inductor", compare=("eager",))


def symptom(device):
    return attention(device, by_permute)


def remedy(device):
    return attention(device, by_transpose)


def shows(report):
    if report.exception is None:
        (far,) = (call.difference.eager for call in report.calls)
        assert far < 0.01, far
        return False
    return report.exception.call == 0
