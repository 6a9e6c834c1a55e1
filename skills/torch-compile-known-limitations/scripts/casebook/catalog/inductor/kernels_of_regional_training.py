import torch
from torch import nn

from validators.probes import compile_blocks, inductor_code, training_step

BLOCKS = 6


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))


class Stack(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width) for _ in range(BLOCKS))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def trained(device, region):
    model = nn.Sequential(nn.Embedding(100, 256), Stack(256)).to(device, torch.bfloat16)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    tokens = torch.zeros(4, 128, device=device, dtype=torch.long)
    target = torch.zeros(4, 128, 256, device=device, dtype=torch.bfloat16)

    def compile_regions(step):
        compile_blocks(step.model, region)
        return step

    step = training_step(model, optimizer, nn.functional.mse_loss)
    return inductor_code(step, [(tokens, target)] * 2, compile=compile_regions)


def symptom(device):
    return trained(device, "1.blocks.*")


def remedy(device):
    return trained(device, "1")


def shows(report):
    (graph,) = report.graphs
    # A graph that runs for each block launches its kernels as often in a step.
    blocks, calls = report.executions[-1], len(report.calls)
    assert graph.executions == calls * blocks, report.executions
    return blocks == BLOCKS and BLOCKS * len(report.facts["kernels"]) == 66
