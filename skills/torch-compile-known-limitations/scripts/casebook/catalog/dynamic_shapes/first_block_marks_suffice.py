import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import compile_blocks, observe


class Marking(torch.nn.Module):
    """Marks what a block is given, outside of the block's compiled region."""

    def __init__(self, block):
        super().__init__()
        self.block = block

    def forward(self, x_BTD, cos_BTH, sin_BTH, *rest):
        for tensor in (x_BTD, cos_BTH, sin_BTH):
            torch._dynamo.mark_dynamic(tensor, (0, 1))
        return self.block(x_BTD, cos_BTH, sin_BTH, *rest)


def decode(device, marked):
    config = VLMConfig.tiny(vit_blocks=0, lm_blocks=3)
    model = make_model(config, device=device)
    compile_blocks(model, "language_model.blocks.*", backend="eager")
    blocks = model.language_model.blocks
    for i in marked:
        blocks[i] = Marking(blocks[i])
    batches = [
        make_batch(config, batch_size, seq_len, device=device)
        for batch_size, seq_len in ((4, 16), (8, 24), (6, 32))
    ]
    return observe(model, [batch[:2] for batch in batches], compile=lambda model: model)


def symptom(device):
    return decode(device, marked=(1, 2))


def remedy(device):
    return decode(device, marked=(0,))


def shows(report):
    first, *more = report.graphs
    if first.symbols:
        return bool(more) or any(call.executions != 3 for call in report.calls)
    return bool(more)
