import math

import numpy as np
import torch

from validators.probes import observe

CHUNKS = (4, 6)


def padded_by(least_common_multiple, x):
    """Rows padded to whole chunks of two lengths, as Reformer pads its input."""
    multiple = least_common_multiple(*CHUNKS)
    missing = -x.shape[0] % multiple
    if missing != 0:
        x = torch.nn.functional.pad(x, (0, 0, 0, int(missing)))
    return x.tanh()


def by_numpy(x):
    return padded_by(np.lcm, x)


def by_math(x):
    return padded_by(math.lcm, x)


def padded(function):
    return observe(function, [(torch.randn(10, 3),)] * 2, compare=["eager"])


def symptom(device):
    return padded(by_numpy)


def remedy(device):
    return padded(by_math)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return bool(report.graph_breaks)
