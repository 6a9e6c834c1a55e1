import torch

from validators.probes import observe


def divided_by_int(q, k, v):
    return (q @ k.transpose(-2, -1) / 2).softmax(-1) @ v


def divided_by_float(q, k, v):
    return (q @ k.transpose(-2, -1) / 2.0).softmax(-1) @ v


def train(device, attend):
    torch.manual_seed(0)
    # A GPU's attention is fused in half precision.
    dtype = torch.float32 if torch.device(device).type == "cpu" else torch.float16
    qkv = [
        torch.randn(1, 2, 8, 4, device=device, dtype=dtype, requires_grad=True) for _ in range(3)
    ]
    return observe(attend, [qkv], backend="inductor", compare=("eager", "gradients"))


def symptom(device):
    return train(device, divided_by_int)


def remedy(device):
    return train(device, divided_by_float)


def shows(report):
    if report.exception is None:
        (difference,) = (call.difference for call in report.calls)
        assert difference.eager < 0.01 and difference.gradients_eager < 0.01, difference
        return False
    return report.exception.call == 0
