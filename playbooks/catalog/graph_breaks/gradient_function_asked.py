import torch

from validators.probes import observe


class Block(torch.nn.Module):
    """A layer that lets half of the gradient through."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        hidden = self.layer(x).relu()
        if hidden.grad_fn is not None:
            hidden = hidden * 0.5 + hidden.detach() * 0.5
        return hidden.tanh()


class BlockByLeaf(Block):
    def forward(self, x):
        hidden = self.layer(x).relu()
        if not hidden.is_leaf:
            hidden = hidden * 0.5 + hidden.detach() * 0.5
        return hidden.tanh()


def run(block, device):
    torch.manual_seed(0)
    x = torch.randn(2, 4, device=device)

    def compiled(eager):
        return torch.compile(block(eager.layer), backend="eager", fullgraph=True)

    # Both are held to the block that asks for `grad_fn`: which way was taken only gradients show.
    eager = Block(torch.nn.Linear(4, 4).to(device))
    return observe(eager, [(x,)] * 2, compile=compiled, compare=["eager", "gradients"])


def symptom(device):
    return run(Block, device)


def remedy(device):
    return run(BlockByLeaf, device)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert [call.executions for call in report.calls] == [1, 1], report.calls
    assert len(report.graphs) == 1, report.graphs
    for call in report.calls:
        assert max(call.difference.eager, call.difference.gradients_eager) < 1e-6, report.calls
    return False
