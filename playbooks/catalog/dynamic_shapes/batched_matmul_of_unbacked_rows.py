import torch
import torch.nn.functional as F
from torch._dynamo.decorators import mark_unbacked

from validators.probes import observe


def similarity(x_BTC, least):
    torch._check(x_BTC.shape[1] >= least)
    unit_BTC = F.normalize(x_BTC, dim=-1)
    return unit_BTC @ unit_BTC.mT


def compare_tokens(device, least):
    """Three numbers of tokens, all unbacked, to one compiled function."""
    torch.manual_seed(0)
    calls = []
    for tokens in (4, 6, 2):
        x_BTC = torch.randn(2, tokens, 8, device=device)
        mark_unbacked(x_BTC, 1)
        calls.append((x_BTC, least))
    return observe(similarity, calls, backend="inductor", compare=("eager",))


def symptom(device):
    return compare_tokens(device, least=0)


def remedy(device):
    return compare_tokens(device, least=2)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert caught.call == 0, caught
        assert "Could not guard on data-dependent expression" in caught.message, caught
        return True
    assert len(report.graphs) == 1 and len(report.calls) == 3, report.graphs
    return max(call.difference.eager for call in report.calls) > 1e-5
