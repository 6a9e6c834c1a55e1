import torch
from torch.nn import functional as F

from validators.probes import observe

ROWS = (3, 4, 5, 6)


def op_with(number):
    schema = f"(Tensor x, {number} columns) -> Tensor"
    op = torch.library.custom_op(
        "casebook::widen", lambda x, columns: F.pad(x, (0, columns)), mutates_args=(), schema=schema
    )
    op.register_fake(lambda x, columns: x.new_empty(x.shape[0], x.shape[1] + columns))
    return op


def widen(device, number):
    op = op_with(number)
    inputs = [(torch.ones(rows, 4, device=device),) for rows in ROWS]
    return observe(lambda x: op(x * 2, x.shape[0]) + 1, inputs, dynamic=True)


def symptom(device):
    return widen(device, "int")


def remedy(device):
    return widen(device, "SymInt")


def shows(report):
    assert report.exception is None, report.exception
    compiled = [call.compiled for call in report.calls]
    assert compiled in ([1] * len(ROWS), [1, 0, 0, 0]), compiled
    return sum(compiled) == len(ROWS)
