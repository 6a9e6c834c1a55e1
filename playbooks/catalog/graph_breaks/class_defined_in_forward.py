import torch

from validators.probes import observe


class SizesAtModuleLevel:
    def __init__(self, rows, columns):
        self.rows = rows
        self.columns = columns


def defined_inside(x):
    y = x.relu() + 1

    class Sizes:
        def __init__(self, rows, columns):
            self.rows = rows
            self.columns = columns

    sizes = Sizes(*y.shape)
    return (y * sizes.columns).tanh() / sizes.rows


def defined_outside(x):
    y = x.relu() + 1
    sizes = SizesAtModuleLevel(*y.shape)
    return (y * sizes.columns).tanh() / sizes.rows


def run(step, device):
    return observe(step, [(torch.ones(2, 4, device=device),)] * 10, compare=["eager"])


def symptom(device):
    return run(defined_inside, device)


def remedy(device):
    return run(defined_outside, device)


def shows(report):
    assert report.exception is None, report.exception
    assert not any(call.difference.eager for call in report.calls), report.calls
    if not report.graph_breaks:
        assert report.compiled == (1, *[0] * 9), report.compiled
        assert report.executions == (1,) * 10, report.executions
        return False
    return report.compiled == (2, *[1] * 7, 0, 0) and report.executions == (*[2] * 8, 1, 1)
