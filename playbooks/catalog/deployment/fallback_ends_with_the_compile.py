import torch
from torch._dynamo import config

from validators.probes import observe


class OutOfKernels(RuntimeError):
    pass


def fails_while_compiling(graph, inputs):
    raise OutOfKernels("no kernel for this shape")


def fails_while_running(graph, inputs):
    def run(*inputs):
        graph(*inputs)
        raise OutOfKernels("no kernel for this shape")

    return run


def first_step(device, backend):
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU()).to(device)
    x = torch.ones(4, 16, device=device)
    with config.patch(suppress_errors=True):
        return observe(model, [(x,)], backend=backend, eager=True, compare=["eager"])


def symptom(device):
    return first_step(device, fails_while_running)


def remedy(device):
    return first_step(device, fails_while_compiling)


def shows(report):
    if report.exception is None:
        return not report.eager_calls or report.calls[0].difference.eager != 0
    return report.exception.type.endswith("OutOfKernels")
