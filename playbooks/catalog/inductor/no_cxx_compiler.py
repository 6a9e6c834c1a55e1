import torch

from validators.probes import observe


def first_request(device):
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU()).to(device)
    x = torch.ones(4, 16, device=device)
    return observe(model, [(x,)], backend="inductor")


def symptom(device):
    return first_request(device)


def remedy(device):
    return first_request(device)


def shows(report):
    if report.exception is None:
        return False
    assert "InvalidCxxCompiler: No working C++ compiler" in report.exception.message
    # That Inductor was asked for code: torch.compile returned, and Dynamo traced the first call.
    return report.cache.fx_misses == 1
