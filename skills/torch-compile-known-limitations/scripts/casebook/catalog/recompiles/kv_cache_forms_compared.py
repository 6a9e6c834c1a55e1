import torch

from reference_models.toto import TotoConfig, make_model
from validators.probes import captured_facts, observe

PATCHES = 4


@torch.no_grad()
def generation(cache, device):
    """A context and four patches after it, through a decoder with two cached layers."""
    config = TotoConfig.tiny(cache=cache, blocks=2, variate_every=0)
    model = make_model(config, device=device)
    # One place more than is filled: the step that fills a cache may compile anew.
    caches = model.new_caches(batch_size=1, variates=2, length=4 + PATCHES + 1)
    context_BVTD = torch.randn(1, 2, 4, config.dim, device=device)
    steps = [(context_BVTD[:, :, :1], caches)] * PATCHES
    report = observe(model.decoder, [(context_BVTD, caches), *steps], compare=("eager",))
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-4 for call in report.calls), report.calls
    return {
        "graphs": len(report.graphs),
        "graph_breaks": len(report.graph_breaks),
        "recompiles": len(report.recompiles),
        "compiled_after_third_call": sum(call.compiled for call in report.calls[3:]),
        "graphs_per_step": report.calls[-1].executions,
        "mutated_per_step": sum(found.call == PATCHES for found in report.mutated_inputs),
    }


def symptom(device):
    return captured_facts(
        item_index=lambda: generation("item_index", device),
        graph_break=lambda: generation("graph_break", device),
        disabled=lambda: generation("disabled", device),
    )


def remedy(device):
    return captured_facts(
        static=lambda: generation("static", device),
        index_list=lambda: generation("index_list", device),
        cat=lambda: generation("cat", device),
    )


def shows(report):
    pieces = [seen["graphs_per_step"] for seen in report.facts.values()]
    if "static" in report.facts:
        return any(count != 1 for count in pieces)
    warm = all(seen["compiled_after_third_call"] == 0 for seen in report.facts.values())
    return warm and all(count > 10 for count in pieces)
