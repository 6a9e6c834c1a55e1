from math import prod

import torch

from reference_models.gpt import GPT, GPTConfig
from validators.probes import compile_blocks, compile_work

BLOCKS = 3
LARGE = GPTConfig.tiny(n_blocks=BLOCKS, dim=33792)
SMALL = GPTConfig.tiny(n_blocks=BLOCKS, dim=32)


def whole(model):
    return torch.compile(model, backend="aot_eager")


def by_block(model):
    return compile_blocks(model, "blocks.*", backend="aot_eager")


def large_then_small(compile_large):
    def compile_both(models):
        compiled = [compile_large(models[0]), whole(models[1])]
        return lambda which, input_ids: compiled[which](input_ids)

    # Tensors on this device have a shape and no bytes: 41 billion weights fit everywhere.
    with torch.device("meta"):
        models = [GPT(LARGE), GPT(SMALL)]
    input_ids = torch.zeros(2, 8, dtype=torch.long, device="meta")
    with torch.no_grad():
        return compile_work(models, [(0, input_ids), (1, input_ids)], compile=compile_both)


def symptom(device):
    return large_then_small(whole)


def remedy(device):
    return large_then_small(by_block)


def parameters_used(graph):
    floats = (tensor for tensor in graph.inputs if tensor.dtype == "float32")
    return graph.executions * sum(prod(tensor.shape) for tensor in floats)


def shows(report):
    *large, small = report.graphs
    *large_ops, small_ops = report.facts["forward_ops"]
    much = sum(map(parameters_used, large)) > 40e9 > 10_000 * parameters_used(small)
    return much and sum(graph.ops for graph in large) == small.ops and sum(large_ops) == small_ops
