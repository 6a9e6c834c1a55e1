import functools
import gc
import weakref

import torch
from torch.nn.attention.flex_attention import flex_attention
from torch.nn.functional import scaled_dot_product_attention

from validators.probes import captured_facts

LENGTHS = (16, 24, 32)


def gated(q, k, v):
    return torch.cond(q.sum() > 0, torch.sin, torch.cos, (q,))


def serve(attend, device, collect):
    """How many queries are still there after their last reference is gone."""
    compiles, queries = [], []

    def counting(graph_module, _inputs):
        compiles.append(len(compiles))
        return graph_module

    attention = torch.compile(attend, backend=counting, dynamic=False)
    # Without this it is chance at which call a full collection comes by itself.
    gc.disable()
    for length in LENGTHS:
        q, k, v = torch.randn(3, 1, 2, length, 16, device=device).unbind()
        queries.append(weakref.ref(q))
        attention(q, k, v)
    del q, k, v
    collect()
    return {"kept": sum(query() is not None for query in queries), "compiles": len(compiles)}


def arm(device, collect):
    attentions = {"flex": flex_attention, "cond": gated, "plain": scaled_dot_product_attention}
    return captured_facts(
        **{
            name: functools.partial(serve, attend, device, collect)
            for name, attend in attentions.items()
        }
    )


def symptom(device):
    return arm(device, functools.partial(gc.collect, 1))


def remedy(device):
    return arm(device, gc.collect)


def shows(report):
    flex, cond, plain = (report.facts[name] for name in ("flex", "cond", "plain"))
    assert flex["compiles"] == cond["compiles"] == plain["compiles"] == len(LENGTHS), report.facts
    assert plain["kept"] == 0, plain
    return flex["kept"] == cond["kept"] == len(LENGTHS)
