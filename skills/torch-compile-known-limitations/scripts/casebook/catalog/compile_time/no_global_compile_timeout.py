import signal
import time

import torch

from validators.probes import observe

LIMIT = 1


def compiler_that_hangs(graph, inputs):
    time.sleep(3 * LIMIT)
    return graph


def patient(model):
    return torch.compile(model, backend=compiler_that_hangs)


def watched(model):
    """Its first step, and any other, within `LIMIT`."""
    compiled = torch.compile(model, backend=compiler_that_hangs)

    def stop(number, frame):
        raise TimeoutError(f"no step within {LIMIT} s")

    def step(x):
        previous = signal.signal(signal.SIGALRM, stop)
        signal.alarm(LIMIT)
        try:
            return compiled(x)
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, previous)

    return step


def first_step(device, compiling):
    model, x = torch.nn.Linear(16, 16).to(device), torch.ones(4, 16, device=device)
    # So that the alarm meets the compiler, and not what Dynamo imports for the first trace.
    torch.compile(model, backend="eager")(x)
    return observe(model, [(x,)], compile=compiling)


def symptom(device):
    return first_step(device, patient)


def remedy(device):
    return first_step(device, watched)


def shows(report):
    if report.exception is not None:
        return "TimeoutError" not in report.exception.message
    return report.calls[0].executions == 1
