import torch
import torch._dynamo

from reference_models.toto import GraphBreakCache, StaticCache, TotoConfig, make_model
from validators.probes import observe


class StaticBehindBreak(StaticCache):
    """Buffers and a length in a tensor, with the same graph break ahead of the mutation."""

    def append(self, k_NQTH, v_NQTH):
        torch._dynamo.graph_break()
        return super().append(k_NQTH, v_NQTH)


@torch.no_grad()
def decode(cache, device):
    config = TotoConfig.tiny(blocks=9, variate_every=0)
    decoder = make_model(config, device=device).decoder
    empty_NQSH = torch.zeros(2, config.heads, 9, config.dim // config.heads, device=device)
    index = [0] * config.blocks  # which StaticCache has no use for
    caches = [cache(empty_NQSH, layer, index) for layer in range(config.blocks)]
    context_BVTD = torch.randn(1, 2, 4, config.dim, device=device)
    return observe(decoder, [(context_BVTD, caches), *[(context_BVTD[:, :, :1], caches)] * 3])


def symptom(device):
    return decode(GraphBreakCache, device)


def remedy(device):
    return decode(StaticBehindBreak, device)


def shows(report):
    assert report.exception is None and len(report.calls) == 4, report.exception
    assert report.graph_breaks, report.graph_breaks
    shared = report.compiled[0] < 9  # the first layer's graphs serve all nine layers
    settled = not any(report.compiled[2:])
    return report.recompile_limit_hit or not (shared and settled)
