import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import compile_blocks, compile_work

FEW, MANY = 2, 6


@torch.no_grad()
def trace(device, compile_model):
    configs = [GPTConfig.tiny(n_blocks=blocks) for blocks in (FEW, MANY)]

    def compile_all(models):
        compiled = [compile_model(model) for model in models]
        return lambda which, input_ids: compiled[which](input_ids)

    models = [make_model(config, device=device) for config in configs]
    input_ids = make_batch(configs[0], device=device).input_ids
    return compile_work(models, [(0, input_ids), (1, input_ids)], compile=compile_all)


def symptom(device):
    return trace(device, lambda model: torch.compile(model, backend="cudagraphs"))


def remedy(device):
    return trace(device, lambda model: compile_blocks(model, "blocks.*"))


def shows(report):
    ops = report.facts["forward_ops"]
    return len(ops) == 2 and ops[1] > 2 * ops[0]
