import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe

VARYING = {"input_ids": (0, 1), "images": (0,), "attention_mask": (0, 1), "targets": (0, 1)}


def train(device, mark, **options):
    config = VLMConfig.tiny(vit_blocks=0, lm_blocks=1)
    calls = []
    for batch_size, seq_len in ((4, 24), (6, 40)):
        batch = make_batch(config, batch_size, seq_len, device=device)
        for name, dims in VARYING.items():
            mark(getattr(batch, name), dims)
        calls.append(batch)
    return observe(make_model(config, device=device), calls, **options)


def symptom(device):
    return train(device, mark=lambda tensor, dims: None, dynamic=True)


def remedy(device):
    return train(device, mark=torch._dynamo.mark_dynamic)


def shows(report):
    """One graph for both calls, in which dims are symbolic that do not vary."""
    symbolic = {
        (graph_input.name, dim)
        for graph in report.graphs
        for graph_input in graph.inputs
        for dim, size in enumerate(graph_input.shape)
        if isinstance(size, str)
    }
    varying = {(f"L_{name}_", dim) for name, dims in VARYING.items() for dim in dims}
    if symbolic == varying:
        return len(report.graphs) != 1
    sides = {("L_images_", 2), ("L_images_", 3)}
    return len(report.graphs) == 1 and symbolic >= varying | sides
