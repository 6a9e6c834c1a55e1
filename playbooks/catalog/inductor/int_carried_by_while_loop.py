import torch
from torch._higher_order_ops.while_loop import while_loop

from validators.probes import observe


def averaged(v_N):
    return (v_N + v_N.flip(0)) * 0.5


def counted_by_int(v_N):
    def cond(left, v_N):
        return left > 0

    def body(left, v_N):
        return left - 1, averaged(v_N) * 0.5

    return while_loop(cond, body, (3, v_N))[1]


def counted_by_tensor(v_N):
    def cond(left, v_N):
        return left > 0

    def body(left, v_N):
        return left - 1, averaged(v_N) * 0.5

    return while_loop(cond, body, (torch.tensor(3, device=v_N.device), v_N))[1]


def in_python(v_N):
    for _ in range(3):
        v_N = averaged(v_N) * 0.5
    return v_N


def run(forward, device):
    torch.manual_seed(0)

    def compiled(_):
        return torch.compile(forward, backend="inductor")

    # Both are held to a loop in Python.
    v_N = torch.randn(4, device=device)
    return observe(in_python, [(v_N,)] * 2, compile=compiled, compare=["eager"])


def symptom(device):
    return run(counted_by_int, device)


def remedy(device):
    return run(counted_by_tensor, device)


def shows(report):
    if report.exception is not None:
        return True
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    assert all(call.executions == 1 for call in report.calls), report.calls
    return False
