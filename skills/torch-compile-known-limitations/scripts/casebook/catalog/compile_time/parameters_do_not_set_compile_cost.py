from math import prod

import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import observe

FULL = GPTConfig.tiny(n_blocks=8, dim=128)
FEWER_PARAMETERS = GPTConfig.tiny(n_blocks=8, dim=32)
FEWER_BLOCKS = GPTConfig.tiny(n_blocks=2, dim=256)


def compile_all(models):
    compiled = [torch.compile(model, backend="eager") for model in models]
    return lambda which, input_ids: compiled[which](input_ids)


def full_and(cut, device):
    models = [make_model(config, device=device) for config in (FULL, cut)]
    input_ids = make_batch(FULL, device=device).input_ids
    return observe(models, [(0, input_ids), (1, input_ids)], compile=compile_all)


def symptom(device):
    return full_and(FEWER_PARAMETERS, device)


def remedy(device):
    return full_and(FEWER_BLOCKS, device)


def parameters(graph):
    floats = (tensor for tensor in graph.inputs if tensor.dtype == "float32")
    return sum(prod(tensor.shape) for tensor in floats)


def shows(report):
    full, cut = report.graphs
    if parameters(cut) < parameters(full):
        return parameters(full) > 10 * parameters(cut) and full.ops == cut.ops
    return 3 * cut.ops >= full.ops
