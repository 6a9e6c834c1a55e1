from typing import Annotated

import torch
from torch import Tensor
from torch._dynamo import mark_dynamic

from validators.probes import observe


def attend(q, k_cache, v_cache):
    return torch.nn.functional.scaled_dot_product_attention(q, k_cache, v_cache)


def attend_hinted(
    q: Annotated[Tensor, "batch", "heads", 1, "width"],
    k_cache: Annotated[Tensor, "batch", "heads", "keys: 1..512, dynamic", "width"],
    v_cache: Annotated[Tensor, "batch", "heads", "keys: 1..512, dynamic", "width"],
) -> Annotated[Tensor, "batch", "heads", 1, "width"]:
    out: Tensor = torch.nn.functional.scaled_dot_product_attention(q, k_cache, v_cache)
    return out


def decode(device, mark=lambda *tensors: None):
    """Three lengths of the cache through the hinted function, then through the plain one."""
    calls = []
    for function in (0, 1):
        for keys in (4, 5, 6):
            q, k_cache, v_cache = (torch.randn(2, 4, n, 8, device=device) for n in (1, keys, keys))
            mark(k_cache, v_cache)
            calls.append((function, q, k_cache, v_cache))

    def compile_both(functions):
        compiled = [torch.compile(function, backend="eager") for function in functions]
        return lambda which, *tensors: compiled[which](*tensors)

    return observe([attend_hinted, attend], calls, compile=compile_both)


def symptom(device):
    return decode(device)


def remedy(device):
    def mark_keys(*tensors):
        for tensor in tensors:
            mark_dynamic(tensor, 2, min=2, max=512)

    return decode(device, mark_keys)


def shows(report):
    compiled = [call.compiled for call in report.calls]
    if not report.recompiles:
        return compiled != [1, 0, 0] * 2
    hinted, plain = compiled[:3], compiled[3:]
    return hinted == plain == [1, 1, 0] and len(report.recompiles) == 2
