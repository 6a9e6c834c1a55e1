import torch

from validators.probes import observe


class TripleInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(3)
        return x

    @staticmethod
    def backward(ctx, grad):
        return 3 * grad


class Layer(torch.nn.Module):
    def __init__(self, take_the_result):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(1.0, 5.0))
        self.take_the_result = take_the_result

    def forward(self, x):
        y = x * self.weight
        if self.take_the_result:
            y = TripleInPlace.apply(y)
        else:
            TripleInPlace.apply(y)
        return y.sum()


def train(device, take_the_result):
    return observe(
        Layer(take_the_result).to(device),
        [(torch.ones(4, device=device),)] * 2,
        backend="aot_eager",
        fullgraph=True,
        compare=["eager", "gradients"],
    )


def symptom(device):
    return train(device, take_the_result=False)


def remedy(device):
    return train(device, take_the_result=True)


def shows(report):
    assert report.exception is None and len(report.graphs) == 1, report.exception
    far = [call.difference for call in report.calls]
    assert len(far) == 2 and max(it.eager for it in far) < 1e-6, far
    wrong = [it.gradients_eager > 0.5 for it in far]
    assert all(wrong) or max(it.gradients_eager for it in far) < 1e-6, far
    return all(wrong)
