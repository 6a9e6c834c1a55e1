import torch
from torch.nn.functional import rms_norm, scaled_dot_product_attention

from validators.probes import inductor_code


def attention(q, k, v):
    return scaled_dot_product_attention(q, k, v, is_causal=True)


def normed_attention(q, k, v):
    q, k = rms_norm(q, q.shape[-1:]), rms_norm(k, k.shape[-1:])
    return scaled_dot_product_attention(q, k, v, is_causal=True)


@torch.no_grad()
def tuned(device, model):
    heads = [torch.randn(2, 4, 16, 8, device=device) for _ in range(3)]
    return inductor_code(model, [heads], options={"coordinate_descent_tuning": True})


def symptom(device):
    return tuned(device, attention)


def remedy(device):
    return tuned(device, normed_attention)


def shows(report):
    called = [*report.facts["externs"], *report.facts["dispatched"]]
    by_library = any("scaled_dot_product" in name for name in called)
    return by_library and report.facts["kernels"] == []
