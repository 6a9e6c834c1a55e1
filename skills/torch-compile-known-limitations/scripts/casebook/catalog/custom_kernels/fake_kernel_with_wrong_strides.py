import torch

from validators.probes import observe


def scan(x_BLD):
    """Stands for a kernel that keeps its result channels first, as many scans do."""
    return x_BLD.mT.contiguous().cumsum(-1).mT


wrong = torch.library.custom_op(
    "casebook::scan_wrong_strides", scan, mutates_args=(), schema="(Tensor x) -> Tensor"
)
right = torch.library.custom_op(
    "casebook::scan_right_strides", scan, mutates_args=(), schema="(Tensor x) -> Tensor"
)


@wrong.register_fake
def _(x):
    return torch.empty_like(x)


@right.register_fake
def _(x):
    return torch.empty_like(x.mT, memory_format=torch.contiguous_format).mT


def run(op, device):
    x_BLD = torch.randn(2, 8, 4, device=device)
    return observe(lambda x: op(x), [(x_BLD,)], backend="inductor", compare=("eager",))


def symptom(device):
    return run(wrong, device)


def remedy(device):
    return run(right, device)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert caught.type.endswith("AssertionError"), caught.type
        assert "stride 1==4" in caught.message, caught.message
        return True
    return not report.calls[0].difference.eager < 1e-5
