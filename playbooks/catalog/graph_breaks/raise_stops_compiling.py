import torch

from validators.probes import observe


def scale(x):
    return x.sin() * 2


def check(x):
    if x.shape[-1] != 8:
        raise ValueError(f"width {x.shape[-1]} instead of 8")


def check_and_scale(x):
    # Written out, since functions that it calls compile on their own.
    if x.shape[-1] != 8:
        raise ValueError(f"width {x.shape[-1]} instead of 8")
    return x.sin() * 2


def compiled_with_the_check(target):
    return caught(torch.compile(target, backend="eager"))


def compiled_behind_the_check(target):
    compiled = torch.compile(target, backend="eager")

    def call(x):
        check(x)
        return compiled(x)

    return caught(call)


def caught(function):
    def call(x):
        try:
            return function(x)
        except ValueError:
            return None

    return call


def serve(device, target, compile):
    """One request of a wrong width, then two good ones."""
    calls = [(torch.ones(4, width, device=device),) for width in (12, 8, 8)]
    return observe(target, calls, compile=compile, eager=True)


def symptom(device):
    return serve(device, check_and_scale, compiled_with_the_check)


def remedy(device):
    return serve(device, scale, compiled_behind_the_check)


def shows(report):
    assert report.exception is None and report.executions in ((0, 0, 0), (0, 1, 1)), report
    return report.executions == (0, 0, 0)
