import contextlib

import torch
import torch._dynamo
from torch._dynamo.utils import counters

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import captured_facts, observe


def printed(x):
    x = x * 2
    print(end="")
    return x + 1


def branch(x):
    if x.sum() > 0:
        return x * 2
    return x + 1


def in_a_loop(x):
    for _ in range(3):
        x = x * 2
        print(end="")
    return x


def in_a_context(x):
    with contextlib.suppress(ZeroDivisionError):
        x = x * 2
        print(end="")
    return x + 1


def by_counter(function, *args):
    torch._dynamo.reset()
    counters.clear()
    torch.compile(function, backend="eager")(*args)
    return sum(counters["graph_break"].values())


def by_trace(function, *args):
    return len(observe(function, [args], eager=True).graph_breaks)


def count(by, device):
    x = torch.ones(4, device=device)
    config = VLMConfig.tiny(rotary="branch", vit_blocks=0, lm_blocks=1)
    model, batch = make_model(config, device=device), make_batch(config, device=device)
    return captured_facts(
        printed=lambda: by(printed, x),
        branch=lambda: by(branch, x),
        in_a_loop=lambda: by(in_a_loop, x),
        in_a_context=lambda: by(in_a_context, x),
        in_the_model=lambda: by(model, *batch),
    )


def symptom(device):
    return count(by_counter, device)


def remedy(device):
    return count(by_trace, device)


def shows(report):
    facts = report.facts
    found = [facts[name] for name in ("branch", "in_a_loop", "in_a_context")]
    assert facts["printed"] == 1 and found in ([0, 0, 0], [1, 1, 1])
    return found == [0, 0, 0]
