import torch
import torch._dynamo

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import captured_facts, observe


def in_the_middle(x):
    x = x * 2
    torch._dynamo.graph_break()
    return x + 1


def at_the_end(x):
    return (x * 2).mean().item()


def in_a_loop(x):
    for _ in range(3):
        x = x * 2
        torch._dynamo.graph_break()
    return x


def by_explain(function, *args):
    return torch._dynamo.explain(function)(*args).graph_break_count


def by_trace(function, *args):
    return len(observe(function, [args], eager=True).graph_breaks)


def count(by, device):
    x = torch.ones(4, device=device)
    config = VLMConfig.tiny(rotary="branch")
    model, batch = make_model(config, device=device), make_batch(config, device=device)
    return captured_facts(
        in_the_middle=lambda: by(in_the_middle, x),
        at_the_end=lambda: by(at_the_end, x),
        in_a_loop=lambda: by(in_a_loop, x),
        three_calls_deep=lambda: by(model, *batch),
    )


def symptom(device):
    return count(by_explain, device)


def remedy(device):
    return count(by_trace, device)


def shows(report):
    facts = report.facts
    return facts["in_the_middle"] == 1 and facts["at_the_end"] == 0 and facts["in_a_loop"] == -1
