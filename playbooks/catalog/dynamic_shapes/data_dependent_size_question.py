import torch
import torch.nn.functional as F
from torch._dynamo import config

from validators.probes import observe

HEADS = 2


def attend(x_TC, keep_T, qkv_CD, least):
    kept_UC = x_TC[keep_T]
    torch._check(kept_UC.shape[0] >= least)
    q, k, v = (kept_UC @ qkv_CD).unflatten(1, (3, HEADS, -1)).permute(1, 2, 0, 3)[:, None].unbind()
    return F.scaled_dot_product_attention(q, k, v)


@torch.no_grad()
def prune(device, least):
    """Attention among the tokens that a mask keeps, another number of them in each call."""
    torch.manual_seed(0)
    x_TC, qkv_CD = torch.randn(16, 16, device=device), torch.randn(16, 48, device=device)
    keeps = [torch.arange(16, device=device) < kept for kept in (7, 3, 1)]
    calls = [(x_TC, keep_T, qkv_CD, least) for keep_T in keeps]
    with config.patch(capture_dynamic_output_shape_ops=True):
        return observe(attend, calls, backend="inductor", fullgraph=True, compare=["eager"])


def symptom(device):
    return prune(device, least=0)


def remedy(device):
    return prune(device, least=1)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert caught.call == 0, caught
        assert "Could not guard on data-dependent expression" in caught.message, caught
        return True
    assert len(report.graphs) == 1 and len(report.calls) == 3, report.graphs
    return max(call.difference.eager for call in report.calls) > 1e-5
