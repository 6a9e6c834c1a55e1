import contextlib

import torch
from torch._dynamo.utils import counters
from torch._functorch import config

from validators.probes import captured_facts


def function(factor):
    """A product whose backward multiplies by `factor`: another one is another backward."""

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x_BC, weight_CC):
            ctx.save_for_backward(x_BC)
            return x_BC @ weight_CC

        @staticmethod
        def backward(ctx, dy_BC):
            (x_BC,) = ctx.saved_tensors
            return None, x_BC.mT @ dy_BC * factor

    return lambda x_BC, weight_CC: Product.apply(x_BC, weight_CC)


def starts(setting, device):
    """What the cache of AOTAutograd did in starts that share a cache on disk."""
    torch.manual_seed(0)
    x_BC, weight_CC = torch.randn(4, 8, device=device), torch.randn(8, 8, device=device)
    weight_CC.requires_grad_()

    def result(product):
        y_BC = product(x_BC, weight_CC)
        return y_BC, *torch.autograd.grad(y_BC.sum(), weight_CC)

    def start(factor):
        torch._dynamo.reset()
        counters.clear()
        product = function(factor)
        with setting:
            compiled = result(torch.compile(product))
        pairs = zip(compiled, result(product), strict=True)
        cache = counters["aot_autograd"]
        return {
            "right": all(torch.allclose(ours, eager) for ours, eager in pairs),
            "bypassed": cache["autograd_cache_bypass"],
            "hits": cache["autograd_cache_hit"],
        }

    return captured_facts(
        first=lambda: start(1.0), second=lambda: start(1.0), corrected=lambda: start(2.0)
    )


def symptom(device):
    return starts(contextlib.nullcontext(), device)


def remedy(device):
    return starts(config.patch(autograd_cache_allow_custom_autograd_functions=True), device)


def shows(report):
    first, second, corrected = (report.facts[it] for it in ("first", "second", "corrected"))
    assert first["right"] and second["right"] and corrected["right"], report.facts
    assert first["hits"] == corrected["hits"] == 0, report.facts
    if second["bypassed"]:
        assert first["bypassed"] == second["bypassed"] == 1 and second["hits"] == 0, report.facts
        return True
    return False
