import torch

from reference_models.toto import TotoConfig, make_model
from validators.probes import captured_facts, observe


@torch.no_grad()
def generation(cache, device):
    """A context and three patches after it, through a decoder with five cached layers."""
    config = TotoConfig.tiny(cache=cache, blocks=5, variate_every=0)
    model = make_model(config, device=device)
    # One place more than is filled: the step that fills a list's tensors compiles anew.
    caches = model.new_caches(batch_size=1, variates=2, length=8)
    context_BVTD = torch.randn(1, 2, 4, config.dim, device=device)
    steps = [(context_BVTD[:, :, :1], caches)] * 3
    report = observe(model.decoder, [(context_BVTD, caches), *steps], compare=("eager",))
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-4 for call in report.calls), report.calls
    return {
        "graphs": len(report.graphs),
        "ops": report.ops,
        "recompiles": len(report.recompiles),
        "limit_hit": report.recompile_limit_hit,
        "graphs_per_step": report.calls[-1].executions,
        "mutated_per_step": sum(found.call == 3 for found in report.mutated_inputs),
    }


def symptom(device):
    return captured_facts(
        graph_break=lambda: generation("graph_break", device),
        disabled=lambda: generation("disabled", device),
    )


def remedy(device):
    return captured_facts(
        as_it_was=lambda: generation("index_list", device),
        static=lambda: generation("static", device),
    )


def shows(report):
    caches = report.facts.values()
    if "graph_break" in report.facts:
        return all(seen["limit_hit"] and seen["graphs_per_step"] > 10 for seen in caches)
    whole = {"limit_hit": False, "graphs_per_step": 1, "graphs": 2}
    return any(seen[name] != value for seen in caches for name, value in whole.items())
