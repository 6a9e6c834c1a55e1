import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe


def decode(is_causal, device):
    model = make_model(VLMConfig.tiny(is_causal=is_causal), device=device).language_model
    # Not the width of a head: where two sizes are equal, duck shaping makes one of them static.
    inputs = [torch.randn(2, seq_len, 64, device=device) for seq_len in (12, 24)]
    return observe(model, [(x_BTD,) for x_BTD in inputs], dynamic=True)


def symptom(device):
    return decode("symbool", device)


def remedy(device):
    return decode("bool", device)


def shows(report):
    ops = {op for graph in report.graphs for op in graph.targets}
    outside = not any("scaled_dot_product_attention" in op for op in ops)
    return outside and bool(report.graph_breaks) and all(count > 1 for count in report.executions)
