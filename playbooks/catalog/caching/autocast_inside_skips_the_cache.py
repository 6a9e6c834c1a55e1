import torch
from torch._dynamo.utils import counters

from validators.probes import captured_facts


def autocast_inside(x_BC, weight_CC):
    with torch.autocast(x_BC.device.type, torch.bfloat16):
        y_BC = x_BC @ weight_CC
    return y_BC  # noqa: RET504


def product(x_BC, weight_CC):
    return x_BC @ weight_CC


def autocast_around(step):
    def run(x_BC, weight_CC):
        with torch.autocast(x_BC.device.type, torch.bfloat16):
            return step(x_BC, weight_CC)

    return run


def two_starts(make, device):
    """What the cache of AOTAutograd did in the second of two starts that share a cache on disk."""
    torch.manual_seed(0)
    # Of the type that autocast asks for: then no kernel is generated, only products are called.
    x_BC, weight_CC = (torch.randn(8, 8, device=device, dtype=torch.bfloat16) for _ in range(2))
    weight_CC.requires_grad_()

    def result(function):
        y_BC = function(x_BC, weight_CC)
        return y_BC, *torch.autograd.grad(y_BC.float().sum(), weight_CC)

    def start():
        torch._dynamo.reset()
        counters.clear()
        pairs = zip(result(make()), result(autocast_inside), strict=True)
        right = all(torch.allclose(compiled, eager) for compiled, eager in pairs)
        cache = counters["aot_autograd"]
        return {
            "right": right,
            "bypassed": cache["autograd_cache_bypass"],
            "hits": cache["autograd_cache_hit"],
        }

    return captured_facts(first=start, second=start)


def symptom(device):
    return two_starts(lambda: torch.compile(autocast_inside), device)


def remedy(device):
    return two_starts(lambda: autocast_around(torch.compile(product)), device)


def shows(report):
    first, second = report.facts["first"], report.facts["second"]
    assert first["right"] and second["right"] and first["hits"] == 0, report.facts
    if second["bypassed"]:
        assert first["bypassed"] == second["bypassed"] == 1 and second["hits"] == 0, report.facts
        return True
    return False
