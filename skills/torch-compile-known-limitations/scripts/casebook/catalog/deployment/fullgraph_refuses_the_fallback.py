import torch
from torch._dynamo import config

from validators.probes import observe


def compiler_without_kernels(graph, inputs):
    raise NotImplementedError("no kernel for this shape")


def first_step(device, **options):
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU()).to(device)
    x = torch.ones(4, 16, device=device)
    with config.patch(suppress_errors=True):
        return observe(model, [(x,)], backend=compiler_without_kernels, eager=True, **options)


def symptom(device):
    return first_step(device, fullgraph=True)


def remedy(device):
    return first_step(device)


def shows(report):
    return report.exception is not None and report.exception.type.endswith("BackendCompilerFailed")
