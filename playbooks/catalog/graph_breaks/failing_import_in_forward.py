import torch

from validators.probes import observe

try:
    import torch.fast_kernels as fast_kernels
except ImportError:
    fast_kernels = None


def imports_in_each_call(x):
    hidden = x.relu() + 1
    try:
        import torch.fast_kernels as found
    except ImportError:
        found = None
    return (found.scale(hidden) if found else hidden * 2).tanh()


def imported_before(x):
    hidden = x.relu() + 1
    return (fast_kernels.scale(hidden) if fast_kernels else hidden * 2).tanh()


def run(step, device):
    return observe(step, [(torch.ones(4, device=device),)] * 2, fullgraph=True, compare=["eager"])


def symptom(device):
    return run(imports_in_each_call, device)


def remedy(device):
    return run(imported_before, device)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert [call.executions for call in report.calls] == [1, 1], report.calls
    assert len(report.graphs) == 1, report.graphs
    assert all(call.difference.eager == 0 for call in report.calls), report.calls
    return False
