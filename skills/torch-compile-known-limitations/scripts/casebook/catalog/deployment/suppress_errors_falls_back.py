import torch
from torch._dynamo import config

from validators.probes import observe


def compiler_without_kernels(graph, inputs):
    raise NotImplementedError("no kernel for this shape")


def first_steps(device):
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU()).to(device)
    x = torch.ones(4, 16, device=device)
    return observe(
        model,
        [(x,), (x,)],
        backend=compiler_without_kernels,
        eager=True,
        compare=["eager"],
    )


def symptom(device):
    return first_steps(device)


def remedy(device):
    with config.patch(suppress_errors=True):
        return first_steps(device)


def shows(report):
    if report.exception is None:
        return any(call.difference.eager != 0 for call in report.calls)
    return report.exception.type.endswith("BackendCompilerFailed")
