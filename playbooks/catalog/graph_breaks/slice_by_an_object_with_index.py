import torch

from validators.probes import observe


class Limit:
    def __init__(self, size):
        self.size = size

    def __index__(self):
        return self.size


LIMIT = Limit(3)


def head(x):
    return x[:LIMIT] + 1


def head_by_int(x):
    return x[: LIMIT.__index__()] + 1


def call(function, device):
    return observe(function, [(torch.arange(5.0, device=device),)])


def symptom(device):
    return call(head, device)


def remedy(device):
    return call(head_by_int, device)


def shows(report):
    return report.exception is not None
