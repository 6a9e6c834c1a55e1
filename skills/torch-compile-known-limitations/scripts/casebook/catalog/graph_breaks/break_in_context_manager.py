import torch

from validators.probes import observe


class Range:
    """A project's own marker, which may take times or write to a profile."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


def block_marked_inside(x, scale):
    y = x.relu() * 2
    with Range("scale"):
        if scale > 1:
            y = y / scale
        y = y.sigmoid()
    return (y + x).tanh()


def block(x, scale):
    y = x.relu() * 2
    if scale > 1:
        y = y / scale
    y = y.sigmoid()
    return (y + x).tanh()


def marked_outside(block):
    compiled = torch.compile(block, backend="eager")

    def run(x, scale):
        with Range("block"):
            return compiled(x, scale)

    return run


def inputs(device):
    return torch.ones(4, device=device), torch.tensor(2.0, device=device)


def symptom(device):
    return observe(block_marked_inside, [inputs(device)])


def remedy(device):
    return observe(block, [inputs(device)], compile=marked_outside)


def shows(report):
    compiled = {target for graph in report.graphs for target in graph.targets}
    return bool(report.graph_breaks) and "relu" in compiled and not {"sigmoid", "tanh"} & compiled
