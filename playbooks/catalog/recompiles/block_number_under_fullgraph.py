import torch
from torch import nn

from validators.probes import observe

LAYERS = 10


class Block(nn.Module):
    def __init__(self, number):
        super().__init__()
        self.number = number
        self.query = nn.Linear(8, 8)

    def attend(self, x_BTD, memory_BSD):
        scores_BTS = self.query(x_BTD) @ memory_BSD.mT
        return x_BTD + scores_BTS.softmax(-1) @ memory_BSD


class ReadsTheList(Block):
    def forward(self, x_BTD, memories):
        return self.attend(x_BTD, memories[self.number])


class TakesItsEntry(Block):
    def forward(self, x_BTD, memory_BSD):
        return self.attend(x_BTD, memory_BSD)


class Stack(nn.Module):
    def __init__(self, block):
        super().__init__()
        self.blocks = nn.ModuleList(block(number) for number in range(LAYERS))

    def forward(self, number, *args):
        return self.blocks[number](*args)


def run(block, device, given):
    torch.manual_seed(0)
    model = Stack(block).to(device)
    memories = [torch.randn(2, 5, 8, device=device) for _ in range(LAYERS)]
    x_BTD = torch.randn(2, 3, 8, device=device)

    def compiled(stack):
        blocks = [torch.compile(it, backend="eager", fullgraph=True) for it in stack.blocks]
        return lambda number, *args: blocks[number](*args)

    calls = [(number, x_BTD, given(memories, number)) for number in range(LAYERS)]
    return observe(model, calls, compile=compiled, compare=("eager",))


def symptom(device):
    return run(ReadsTheList, device, lambda memories, number: memories)


def remedy(device):
    return run(TakesItsEntry, device, lambda memories, number: memories[number])


def shows(report):
    if report.exception is None:
        assert [call.compiled for call in report.calls] == [1] + [0] * 9, report.calls
        assert all(call.difference.eager < 1e-5 for call in report.calls), report.calls
        return False
    return report.exception.call == 8 and len(report.graphs) == 8
