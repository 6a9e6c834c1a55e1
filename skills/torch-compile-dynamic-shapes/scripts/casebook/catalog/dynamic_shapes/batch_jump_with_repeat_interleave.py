import torch
import torch.nn.functional as F

from validators.probes import observe


def attend(q_BQTH, k_BGTH, v_BGTH):
    """Grouped-query attention, which repeats its keys for the queries that share them."""
    k_BQTH, v_BQTH = (x_BGTH.repeat_interleave(2, dim=1) for x_BGTH in (k_BGTH, v_BGTH))
    return F.scaled_dot_product_attention(q_BQTH, k_BQTH, v_BQTH, is_causal=True)


def attend_to_batches(device, **options):
    calls = []
    for batch_size in (2, 16, 32, 4, 32):
        shapes = [(batch_size, heads, 16, 16) for heads in (4, 2, 2)]
        calls.append([torch.randn(shape, device=device) for shape in shapes])
    return observe(attend, calls, backend="inductor", compare=("eager",), **options)


def symptom(device):
    def none(guards):
        return [False] * len(guards)

    return attend_to_batches(device, options={"guard_filter_fn": none})


def remedy(device):
    return attend_to_batches(device)


def shows(report):
    error = report.exception
    if error is not None:
        if report.recompiles:  # guards were asked: by default nothing may raise
            return True
        return error.call == 1 and "expected size 16==2" in error.message
    repeats = all("repeat_interleave" in graph.targets for graph in report.graphs)
    return not repeats or max(call.difference.eager for call in report.calls) > 1e-4
