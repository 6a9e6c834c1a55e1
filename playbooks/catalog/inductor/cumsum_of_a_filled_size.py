import torch

from validators.probes import observe


def packed_by_cumsum(x_BSD):
    batch, length = x_BSD.shape[:2]
    lengths = torch.full((batch,), length, dtype=torch.int32, device=x_BSD.device)
    offsets = torch.zeros(batch + 1, dtype=torch.int32, device=x_BSD.device)
    offsets[1:] = torch.cumsum(lengths, 0)
    return x_BSD.flatten(0, 1) * 2, offsets


def packed_by_arange(x_BSD):
    batch, length = x_BSD.shape[:2]
    offsets = torch.arange(batch + 1, dtype=torch.int32, device=x_BSD.device) * length
    return x_BSD.flatten(0, 1) * 2, offsets


def pack(device, function):
    # Both arms are held to the cumsum in eager mode.
    def compiled(_):
        return torch.compile(function, backend="inductor", dynamic=True)

    calls = [(torch.ones(*size, 4, device=device),) for size in ((2, 8), (3, 16), (5, 12))]
    return observe(packed_by_cumsum, calls, compile=compiled, compare=("eager",))


def symptom(device):
    return pack(device, packed_by_cumsum)


def remedy(device):
    return pack(device, packed_by_arange)


def shows(report):
    if report.exception is None:
        assert [call.difference.eager for call in report.calls] == [0, 0, 0], report.calls
        return False
    # Dynamo has its graph; Inductor raises before the first run.
    (call,) = report.calls
    assert not report.graph_breaks, report.graph_breaks
    return call.executions == 0
