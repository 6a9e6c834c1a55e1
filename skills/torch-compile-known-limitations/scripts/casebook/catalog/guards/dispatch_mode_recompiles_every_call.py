import torch
from torch.utils._python_dispatch import TorchDispatchMode

from validators.probes import observe


class Watch(TorchDispatchMode):
    """Looks at every op and changes none, as a profiler or a debug mode does."""

    @classmethod
    def is_infra_mode(cls):
        # Under any other mode torch.compile runs the function eagerly.
        return True

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        return op(*args, **(kwargs or {}))


def normalize(x):
    return (x - x.mean()) / x.std()


def watched(function):
    compiled = torch.compile(function, backend="eager")

    def step(x):
        with Watch():
            return compiled(x)

    return step


def symptom(device):
    x = torch.arange(8.0, device=device)
    # `eager`: what is left after the recompile limit runs without a graph.
    return observe(normalize, [(x,)] * 10, compile=watched, eager=True)


def remedy(device):
    return observe(normalize, [(torch.arange(8.0, device=device),)] * 10)


def what_failed(reason):
    return reason.partition(":")[2].strip()


def shows(report):
    assert report.exception is None, report.exception
    if not report.recompile_limit_hit:
        assert len(report.graphs) == 1, len(report.graphs)
        return False
    silent = [r for r in report.recompiles if r.reasons and not any(map(what_failed, r.reasons))]
    return len(report.graphs) == 8 and len(silent) == 7
