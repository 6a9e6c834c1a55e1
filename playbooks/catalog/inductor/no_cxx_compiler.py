import torch
from torch._inductor import config

from validators.probes import observe


def first_request(device, **found):
    model = torch.nn.GELU().to(device)
    with config.patch(found):
        return observe(model, [(torch.ones(4, 16, device=device),)], backend="inductor")


def symptom(device):
    # What the variable CXX sets where it names a compiler that is not there.
    return first_request(device, **{"cpp.cxx": (None, "/nonexistent/bin/g++")})


def remedy(device):
    return first_request(device)


def shows(report):
    if report.exception is None:
        return False
    assert "InvalidCxxCompiler" in report.exception.message
    # That Inductor was asked for code: torch.compile returned, and Dynamo traced the first call.
    return report.cache.fx_misses == 1
