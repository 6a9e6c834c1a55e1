import torch

from validators.probes import observe

FLAGS = ("num_threads", "deterministic_algorithms", "default_dtype")


def scaled(x):
    return x * x.amax()


def change():
    """Changes a flag of the process at a time, and sets all of them back at the end."""
    threads, dtype = torch.get_num_threads(), torch.get_default_dtype()
    try:
        torch.set_num_threads(threads + 1)
        yield
        torch.use_deterministic_algorithms(True)
        yield
        torch.set_default_dtype(torch.float64)
        yield
    finally:
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(False)
        torch.set_default_dtype(dtype)


def changed_between(x):
    yield (x,)
    for _ in change():
        yield (x,)


def changed_before(x):
    changes = change()
    for _ in FLAGS:
        next(changes)
    for _ in range(4):
        yield (x,)
    changes.close()


def symptom(device):
    return observe(scaled, changed_between(torch.randn(4, 8, device=device)))


def remedy(device):
    return observe(scaled, changed_before(torch.randn(4, 8, device=device)))


def shows(report):
    assert report.exception is None, report.exception
    if len(report.graphs) == 1:
        return False
    reasons = [it.reasons[0].partition(": ")[2] for it in report.recompiles]
    assert reasons == [f"GLOBAL_STATE changed: {flag}" for flag in FLAGS], reasons
    return True
