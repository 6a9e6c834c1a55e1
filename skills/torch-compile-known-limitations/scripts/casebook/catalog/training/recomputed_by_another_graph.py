import torch
from torch.utils.checkpoint import checkpoint

from validators.probes import observe


class Experts(torch.nn.Module):
    """Every expert sees every token, as a small mixture of experts does it."""

    def __init__(self, width=8, experts=3):
        super().__init__()
        self.weights = torch.nn.Parameter(torch.randn(experts, width, width))

    def forward(self, tokens):
        copies = tokens.repeat(len(self.weights), 1).view(len(self.weights), -1, tokens.shape[-1])
        return torch.bmm(copies, self.weights).sum(0)


def train(device, mark):
    torch.manual_seed(0)
    experts = Experts().to(device)
    batches = [torch.randn(n, 8, device=device, requires_grad=True) for n in (4, 6)]

    def compiled_step(step):
        block = torch.compile(experts, backend="aot_eager")
        return lambda batches: step(batches, block)

    def step(batches, block=experts):
        """One backward pass for batches of two lengths."""
        loss = 0
        for tokens in batches:
            if mark:
                torch._dynamo.mark_dynamic(tokens, 0)
            loss = loss + checkpoint(block, tokens, use_reentrant=False).square().mean()
        return torch.autograd.grad(loss, [experts.weights, *batches])

    return observe(step, [(batches,)], compile=compiled_step, compare=["eager"])


def symptom(device):
    return train(device, mark=False)


def remedy(device):
    return train(device, mark=True)


def shows(report):
    ran = [graph.executions for graph in report.graphs]
    if report.exception is None:
        # One graph for both forward passes and both recomputations, or each graph for its own.
        assert ran == ([4] if report.graphs[0].symbols else [2, 2]), report.graphs
        assert report.backward_executions == 2, report.backward_executions
        assert report.calls[0].difference.eager < 1e-5, report.calls
        return False
    static, dynamic = report.graphs
    assert (static.symbols, len(dynamic.symbols)) == ((), 1), report.graphs
    # The first batch went through the static graph, and the dynamic one recomputes it as well.
    return report.exception.type.endswith("CheckpointError") and ran == [1, 3]
