import torch

from validators.probes import observe


def positions_of_ones(x_BSD):
    ones_BS = torch.ones(x_BSD.shape[:2], dtype=torch.bool, device=x_BSD.device)
    return ones_BS.cumsum(1, dtype=x_BSD.dtype) / x_BSD.shape[1]


def positions_in_their_dtype(x_BSD):
    ones_BS = torch.ones(x_BSD.shape[:2], dtype=x_BSD.dtype, device=x_BSD.device)
    return ones_BS.cumsum(1) / x_BSD.shape[1]


def positions(device, function):
    # Both arms are held to eager mode's positions.
    def compiled(_):
        return torch.compile(function, backend="inductor")

    x_BSD = torch.ones(2, 6, 4, device=device, dtype=torch.bfloat16)
    return observe(positions_of_ones, [(x_BSD,), (x_BSD,)], compile=compiled, compare=("eager",))


def symptom(device):
    return positions(device, positions_of_ones)


def remedy(device):
    return positions(device, positions_in_their_dtype)


def shows(report):
    assert report.exception is None and len(report.graphs) == 1, report.exception
    far = {call.difference.eager for call in report.calls}
    # Tensors of two dtypes are as far apart as a report can say.
    assert far == {0} or min(far) > 1e300, far
    return far != {0}
