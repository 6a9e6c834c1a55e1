import torch

from validators.probes import observe


class Parts(tuple):
    """A tuple of widths whose length would be ambiguous, as in e3nn."""

    def __len__(self):
        raise NotImplementedError


def split(x_BC, parts):
    for width in parts:
        x_BC = x_BC[:, :width] * 2
    return x_BC


def run(device, kind):
    torch.manual_seed(0)
    parts = kind((4, 2))
    return observe(split, [(torch.randn(3, 6, device=device), parts)] * 2, compare=["eager"])


def symptom(device):
    return run(device, Parts)


def remedy(device):
    return run(device, tuple)


def shows(report):
    if report.exception is None:
        assert len(report.graphs) == 1 and not report.graph_breaks, report
        return False
    return report.exception.type.endswith("InternalTorchDynamoError")
