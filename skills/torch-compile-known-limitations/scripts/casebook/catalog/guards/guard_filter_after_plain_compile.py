import torch
import torch._dynamo
from torch import nn

from validators.probes import observe


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)
        self.scale = 1.0

    def forward(self, x):
        return self.proj(x) * self.scale


def plain_then_filtered(device, between):
    block, x = Block().to(device), torch.randn(4, 8, device=device)
    unguarded = {"guard_filter_fn": torch.compiler.skip_guard_on_all_nn_modules_unsafe}

    def compile_both(block):
        plain = torch.compile(block, backend="eager")
        filtered = torch.compile(block, backend="eager", options=unguarded)
        return lambda name, x: {"plain": plain, "filtered": filtered}[name](x)

    def calls():
        yield "plain", x
        between()
        yield "filtered", x
        block.scale = 2.0
        yield "filtered", x

    return observe(block, calls(), compile=compile_both)


def symptom(device):
    return plain_then_filtered(device, between=lambda: None)


def remedy(device):
    return plain_then_filtered(device, between=torch._dynamo.reset)


def shows(report):
    _, filtered, changed = (call.compiled for call in report.calls)
    # A filter that is applied costs a compile, and hides the change.
    return changed == 1 if filtered == 0 else changed != 0
