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


def train(device, name, wrap):
    config = VLMConfig.tiny(vit_blocks=0)
    model = make_model(config, device=device)
    model.language_model.blocks = torch.nn.ModuleList(map(wrap, model.language_model.blocks))
    calls = []
    for batch_size, seq_len in ((4, 16), (8, 24), (6, 32)):
        batch = make_batch(config, batch_size, seq_len, device=device)
        torch._dynamo.mark_dynamic(batch.input_ids, (0, 1))
        torch._dynamo.mark_dynamic(batch.images, 0)
        calls.append(batch[:2])
    return observe(model, calls, compile=lambda m: compile_blocks(m, name, backend="eager"))


def symptom(device):
    return train(device, "language_model.blocks.*", wrap=lambda block: block)


def remedy(device):
    return train(device, "language_model.blocks.*.block", wrap=Marking)


def shows(report):
    if report.graphs[0].symbols:
        return sum(call.compiled for call in report.calls) != 1
    return report.calls[1].compiled > 0
