import torch

from validators.probes import observe

SIZES = (4, 6, 8, 10)


def doubling_op(rows):
    op = torch.library.custom_op(
        "casebook::double",
        lambda x: x * 2,
        mutates_args=(),
        schema="(Tensor x) -> Tensor",
    )
    op.register_fake(lambda x: x.new_empty(rows(x), x.shape[1]))
    return op


def double(device, rows):
    op = doubling_op(rows)
    calls = [(torch.ones(size, 3, device=device),) for size in SIZES]
    return observe(lambda x: op(x) + 1, calls, compare=("eager",))


def symptom(device):
    return double(device, len)


def remedy(device):
    return double(device, lambda x: x.shape[0])


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager == 0 for call in report.calls), report.calls
    compiled = [call.compiled for call in report.calls]
    if compiled == [1, 1, 0, 0]:
        return False
    return compiled == [1] * len(SIZES)
