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


def pool_all(device, prepare):
    calls = [(prepare(torch.randn(length, 4, device=device)),) for length in LENGTHS]
    return observe(pool, calls, backend="aot_eager", dynamic=True, compare=("eager",))


def symptom(device):
    return pool_all(device, lambda x: x)


def remedy(device):
    return pool_all(device, padded)


def shows(report):
    assert report.exception is None and not report.graph_breaks, report
    assert all(call.difference.eager < 1e-5 for call in report.calls), report.calls
    return report.compiled == (1, 1, 0, 0, 0)
