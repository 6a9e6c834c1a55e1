import torch
from torch import nn

from validators.probes import observe


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)
        self.scale = 1.0

    def forward(self, x):
        return self.proj(x) * self.scale


def compile_twice(options_for):
    # One function for each: the cache of compiled code belongs to the code object.
    def compile_(blocks):
        def first(x):
            return blocks[0](x)

        def second(x):
            return blocks[1](x)

        compiled = [
            torch.compile(f, backend="eager", options=options_for()) for f in (first, second)
        ]
        return lambda which, x: compiled[which](x)

    return compile_


def filter_both(device, options_for):
    """Two blocks compiled with a filter; each is changed after its first call."""
    blocks, x = [Block().to(device) for _ in range(2)], torch.randn(4, 8, device=device)

    def calls():
        for which, block in enumerate(blocks):
            yield which, x
            block.scale = 2.0
            yield which, x

    return observe(blocks, calls(), compile=compile_twice(options_for))


def unguarded():
    return {"guard_filter_fn": torch.compiler.skip_guard_on_all_nn_modules_unsafe}


def symptom(device):
    shared = unguarded()
    return filter_both(device, lambda: shared)


def remedy(device):
    return filter_both(device, unguarded)


def shows(report):
    return [call.compiled for call in report.calls] == [1, 0, 1, 1]
