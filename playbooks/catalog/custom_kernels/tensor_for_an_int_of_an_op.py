import torch
from torch.nn import functional as F

from validators.probes import observe


def padding_op():
    op = torch.library.custom_op(
        "casebook::widen",
        lambda x, columns: F.pad(x, (0, columns)),
        mutates_args=(),
        schema="(Tensor x, SymInt columns) -> Tensor",
    )
    op.register_fake(lambda x, columns: x.new_empty(x.shape[0], x.shape[1] + columns))
    return op


def widen(device, number):
    op = padding_op()
    lengths = [torch.tensor([longest, 2], device=device) for longest in (3, 4, 5)]
    x = torch.ones(3, 4, device=device)
    with torch._dynamo.config.patch(capture_scalar_outputs=True):
        return observe(
            lambda x, lengths: op(x * 2, number(lengths.max())) + 1,
            [(x, it) for it in lengths],
            fullgraph=True,
            compare=("eager",),
        )


def symptom(device):
    return widen(device, lambda longest: longest)


def remedy(device):
    return widen(device, lambda longest: longest.item())


def shows(report):
    if report.exception is None:
        assert all(call.difference.eager == 0 for call in report.calls), report.calls
        return False
    return not report.graphs
