import torch
from torch import nn

from validators.probes import observe


class Processor:
    def __call__(self, attention, x):
        return attention.out(attention.value(x))


class Attention(nn.Module):
    def __init__(self, processor):
        super().__init__()
        self.value = nn.Linear(8, 8)
        self.out = nn.Linear(8, 8)
        self.processor = processor

    def forward(self, x):
        return self.processor(self, x)


class Block(nn.Module):
    def __init__(self, processor):
        super().__init__()
        self.attention = Attention(processor)

    def forward(self, x):
        return x + self.attention(x)


def compile_each(model):
    for block in model:
        block.compile(backend="eager")
    return model


@torch.no_grad()
def ten_blocks(device, processors):
    model = nn.Sequential(*map(Block, processors)).to(device)
    x = torch.ones(2, 4, 8, device=device)
    return observe(model, [(x,)], compile=compile_each)


def symptom(device):
    return ten_blocks(device, [Processor() for _ in range(10)])


def remedy(device):
    return ten_blocks(device, [Processor()] * 10)


def shows(report):
    assert report.exception is None, report.exception
    if not report.recompile_limit_hit:
        assert len(report.graphs) == 1, len(report.graphs)
        return False
    by_identity = [r for r in report.recompiles if "___check_obj_id(" in r.reasons[0]]
    return sum("].processor, " in r.reasons[0] for r in by_identity) == 7
