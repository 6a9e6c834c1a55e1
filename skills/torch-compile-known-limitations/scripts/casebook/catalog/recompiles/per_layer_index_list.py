import torch

from reference_models.toto import TotoConfig, make_model
from validators.probes import observe


@torch.no_grad()
def decode(cache, device):
    config = TotoConfig.tiny(cache=cache, blocks=9, variate_every=0)
    model = make_model(config, device=device)
    # One place more than is filled: the step that fills the tensors may compile anew.
    caches = model.new_caches(batch_size=1, variates=2, length=8)
    context_BVTD = torch.randn(1, 2, 4, config.dim, device=device)
    steps = [(context_BVTD[:, :, :1], caches)] * 3
    calls = [(context_BVTD, caches), *steps]
    return observe(model.decoder, calls, compare=("eager",))


def symptom(device):
    return decode("graph_break", device)


def remedy(device):
    return decode("index_list", device)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-4 for call in report.calls), report.calls
    if not report.recompile_limit_hit:
        return bool(report.graph_breaks) or [call.compiled for call in report.calls] != [1, 1, 0, 0]
    variants = {r.compile_id for r in report.recompiles if r.function == "positional_embedding"}
    first_pass = {graph.compile_id for graph in report.graphs[: report.calls[0].compiled]}
    return len(variants) == 7 and variants <= first_pass
