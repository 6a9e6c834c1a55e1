import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import compile_work

FEW, MANY = 1, 3


class Region(torch.nn.Module):
    def __init__(self, block):
        super().__init__()
        self.block = block

    @torch.compiler.nested_compile_region
    def forward(self, x_BTD):
        return self.block(x_BTD)


def compile_all(models):
    compiled = [torch.compile(m, backend="aot_eager", fullgraph=True) for m in models]
    return lambda which, batch: compiled[which](*batch)


def train(device, wrap):
    configs = [GPTConfig.tiny(n_blocks=blocks) for blocks in (FEW, MANY)]
    models = [make_model(config, device=device) for config in configs]
    for model in models:
        model.blocks = torch.nn.ModuleList(map(wrap, model.blocks))
    batch = make_batch(configs[0], device=device)
    return compile_work(models, [(0, batch), (1, batch)], compile=compile_all)


def symptom(device):
    return train(device, wrap=lambda block: block)


def remedy(device):
    return train(device, wrap=Region)


def shows(report):
    # One graph for each model in either arm; the unpacking is the check.
    _few_blocks, _many_blocks = report.graphs
    forward, backward = report.facts["forward_ops"], report.facts["backward_ops"]
    few, many = (sum(ops) for ops in zip(forward, backward, strict=True))
    return many > 2 * few
