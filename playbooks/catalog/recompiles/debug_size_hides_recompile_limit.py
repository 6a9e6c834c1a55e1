import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import compile_blocks, observe


class ScaledByDepth(torch.nn.Module):
    """A block whose contribution shrinks with its number."""

    def __init__(self, block, layer):
        super().__init__()
        self.block, self.layer = block, layer

    def forward(self, x_BTD):
        return x_BTD + (self.block(x_BTD) - x_BTD) / (self.layer + 1)


def step(device, n_blocks):
    config = GPTConfig.tiny(n_blocks=n_blocks)
    model = make_model(config, device=device)
    model.blocks = torch.nn.ModuleList(
        ScaledByDepth(block, layer) for layer, block in enumerate(model.blocks)
    )
    batch = make_batch(config, device=device)
    compile = lambda model: compile_blocks(model, "blocks.*", backend="eager")  # noqa: E731
    return observe(model, [batch, batch], compile=compile)


def symptom(device):
    return step(device, n_blocks=4)


def remedy(device):
    return step(device, n_blocks=12)


def shows(report):
    return len(report.recompiles) >= 3 and not report.recompile_limit_hit
