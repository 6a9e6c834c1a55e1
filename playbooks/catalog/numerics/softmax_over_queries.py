import torch

from validators.probes import observe


def over_queries(q, k, v):
    return (q @ k.transpose(-2, -1) * 0.25).softmax(-2) @ v


def over_last_dim(q, k, v):
    scores = q @ k.transpose(-2, -1) * 0.25
    return scores.transpose(-2, -1).softmax(-1).transpose(-2, -1) @ v


def attention(device, attend):
    torch.manual_seed(0)
    # A GPU's attention is fused in half precision.
    dtype = torch.float32 if torch.device(device).type == "cpu" else torch.float16
    q, k, v = (torch.randn(1, 2, tokens, 16, device=device, dtype=dtype) for tokens in (3, 8, 8))
    return observe(attend, [(q, k, v)], backend="inductor", compare=("eager",))


def symptom(device):
    return attention(device, over_queries)


def remedy(device):
    return attention(device, over_last_dim)


def shows(report):
    assert report.exception is None and len(report.graphs) == 1, report.exception
    (far,) = (call.difference.eager for call in report.calls)
    assert far < 0.01 or far > 0.1, far
    return far > 0.1
