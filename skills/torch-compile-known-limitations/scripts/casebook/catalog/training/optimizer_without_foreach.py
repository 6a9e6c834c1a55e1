import torch

from validators.probes import inductor_code


def step_of(device, **options):
    parameters = [torch.nn.Parameter(torch.randn(64, 64, device=device)) for _ in range(4)]
    for parameter in parameters:
        parameter.grad = torch.ones_like(parameter)
    optimizer = torch.optim.SGD(parameters, lr=0.1, **options)
    return inductor_code(lambda: optimizer.step(), [()])


def symptom(device):
    return step_of(device, foreach=False)


def remedy(device):
    return step_of(device)


def shows(report):
    return len(report.facts["kernels"]) == 4
