import torch
from torch._inductor import config

from validators.probes import observe


def accumulate(total, x):
    total.add_(x)
    return total * 2


def as_an_option(step):
    options = {"triton.cudagraphs": True, "triton.cudagraph_or_error": True}
    return torch.compile(step, options=options)


def around_the_calls(step):
    compiled = torch.compile(step, options={"triton.cudagraphs": True})

    def checked(total, x):
        with config.patch("triton.cudagraph_or_error", True):
            return compiled(total, x)

    return checked


def run(device, compile_):
    total, x = torch.zeros(8, device=device), torch.ones(8, device=device)
    return observe(accumulate, [(total, x)] * 3, compile=compile_)


def symptom(device):
    return run(device, as_an_option)


def remedy(device):
    return run(device, around_the_calls)


def shows(report):
    seen = report.cudagraphs
    if report.exception is not None:
        # What raises is the skipped graph.
        assert seen is not None and seen.skips, report.exception
        return False
    return seen is not None and len(seen.skips) > 0 and seen.recordings == 0
