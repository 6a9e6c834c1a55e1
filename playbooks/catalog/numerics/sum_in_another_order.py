import torch

from validators.probes import captured_facts

LENGTH = 1 << 18


def total(x):
    return x.sum(-1)


def dropping(graph, _inputs):
    """A backend that leaves out the last 1,024 numbers."""
    return lambda x: (x[:, :-1024].sum(-1),)


def excess(device, bound):
    """How many times what `bound` allows Inductor's sums are off, and wrong ones."""
    torch.manual_seed(0)
    kinds = torch.randn(4, LENGTH), torch.rand(4, LENGTH), torch.full((4, LENGTH), 0.1)
    x = torch.cat(kinds).to(device)
    exact = x.double().sum(-1)
    allowed = bound(x, exact)

    def times(backend):
        torch._dynamo.reset()
        errors = (torch.compile(total, backend=backend)(x) - exact).abs()
        return float((errors / allowed).max())

    return captured_facts(
        inductor=lambda: times("inductor"),
        defective=lambda: times(dropping),
    )


def symptom(device):
    return excess(device, lambda x, exact: 10 * (x.sum(-1) - exact).abs().max())


def remedy(device):
    unit = 4 * LENGTH**0.5 * torch.finfo(torch.float32).eps
    return excess(device, lambda x, _: unit * x.double().abs().sum(-1))


def shows(report):
    assert report.facts["defective"] > 1, report.facts
    return report.facts["inductor"] > 1
