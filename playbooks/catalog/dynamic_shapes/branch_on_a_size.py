import torch

from validators.probes import observe

# Beyond eight rows there are two sums and more: one alone would be a graph of its own.
LENGTHS = (16, 17, 24, 30, 40)


def padded(x):
    missing = -len(x) % 8
    return torch.nn.functional.pad(x, (0, 0, 0, missing))


def pool(x):
    """Sums of eight rows each."""
    if len(x) % 8 == 0:
        return x.view(-1, 8, x.shape[1]).sum(1)
    return padded(x).view(-1, 8, x.shape[1]).sum(1)


def inputs(device, prepare):
    return [(prepare(torch.randn(length, 4, device=device)),) for length in LENGTHS]


def symptom(device):
    return observe(pool, inputs(device, lambda x: x), backend="aot_eager", dynamic=True)


def remedy(device):
    return observe(pool, inputs(device, padded), backend="aot_eager", dynamic=True)


def shows(report):
    assert report.exception is None, report.exception
    if len(report.graphs) == 1:
        return False
    assert all("(x.size()[0] % 8) == 0" in it.reasons[0] for it in report.recompiles), (
        report.recompiles
    )
    return [call.compiled for call in report.calls] == [1, 1, 0, 0, 0]
