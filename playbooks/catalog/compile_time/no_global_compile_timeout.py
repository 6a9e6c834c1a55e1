import contextlib
import signal
import time

import torch

from validators.probes import observe

LIMIT = 1


def compiler_that_hangs(graph, inputs):
    time.sleep(3 * LIMIT)
    return graph


@contextlib.contextmanager
def alarm(limit):
    def stop(number, frame):
        raise TimeoutError(f"no first step within {limit} s")

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(limit)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def first_step(device, watchdog):
    model = torch.nn.Linear(16, 16).to(device)
    with watchdog:
        return observe(model, [(torch.ones(4, 16, device=device),)], backend=compiler_that_hangs)


def symptom(device):
    return first_step(device, contextlib.nullcontext())


def remedy(device):
    return first_step(device, alarm(LIMIT))


def shows(report):
    if report.exception is not None:
        return "TimeoutError" not in report.exception.message
    return report.calls[0].executions == 1
