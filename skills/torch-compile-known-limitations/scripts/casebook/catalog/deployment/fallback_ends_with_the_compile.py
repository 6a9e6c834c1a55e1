import torch
from torch._dynamo import config

from validators.probes import observe


class OutOfKernels(RuntimeError):
    pass


def fails_while_running(graph, inputs):
    def run(*inputs):
        graph(*inputs)
        raise OutOfKernels("no kernel for this shape")

    return run


def compiled(model):
    return torch.compile(model, backend=fails_while_running)


def with_a_retry(model):
    fast = compiled(model)

    def served(x):
        try:
            return fast(x)
        except OutOfKernels:
            with torch.compiler.set_stance("force_eager"):
                return fast(x)

    return served


def first_step(device, compile):
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU()).to(device)
    x = torch.ones(4, 16, device=device)
    with config.patch(suppress_errors=True):
        return observe(model, [(x,)], compile=compile, eager=True, compare=["eager"])


def symptom(device):
    return first_step(device, compiled)


def remedy(device):
    return first_step(device, with_a_retry)


def shows(report):
    if report.exception is None:
        return report.calls[0].difference.eager != 0
    return report.exception.type.endswith("OutOfKernels")
