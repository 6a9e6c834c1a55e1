import torch
from torch._dynamo import config
from torch._dynamo.testing import CompileCounter

CLAIM = (
    "A module that counts its calls in an int is compiled again at every call,"
    " up to the recompile limit; with the count in a buffer it is compiled once."
)
CALLS = 12


class IntHead(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        return self.layer(x) * self.steps


class BufferHead(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.register_buffer("steps", torch.ones(()))

    def forward(self, x):
        return self.layer(x) * self.steps


def report(head):
    counter = CompileCounter()
    compiled = torch.compile(head, backend=counter)
    outputs, graphs = [], []
    for _ in range(CALLS):
        outputs.append(compiled(torch.ones(2, 4)).tolist())
        graphs.append(counter.frame_count)
    return {"graphs": graphs, "limit": config.recompile_limit, "outputs": outputs}


def before():
    return report(IntHead())


def after():
    return report(BufferHead())


def shows(report):
    limit = report["limit"]
    each = [min(n, limit) for n in range(1, CALLS + 1)]
    return limit < CALLS and report["graphs"] == each
