import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import captured_facts, guard_evaluations


def evaluated(model, args):
    report = guard_evaluations(model, args)
    assert report.exception is None and not report.eager_calls
    return report.facts["plain"]


def floating_point_operations(model, args):
    with FlopCounterMode(display=False) as counter:
        model(*args)
    return counter.get_total_flops()


@torch.no_grad()
def of_a_call(model, *args):
    return captured_facts(
        guards=lambda: evaluated(model, args),
        operations=lambda: floating_point_operations(model, args),
    )


def symptom(device):
    layers = [layer for _ in range(4) for layer in (nn.Linear(32, 32), nn.Tanh())]
    return of_a_call(nn.Sequential(*layers).to(device), torch.randn(1, 32, device=device))


def remedy(device):
    config = GPTConfig.debug()
    model = make_model(config, device=device)
    return of_a_call(model, make_batch(config, device=device).input_ids)


def shows(report):
    facts = report.facts
    if facts["operations"] < 1_000 * facts["guards"]:
        return True
    assert facts["operations"] > 1_000_000 * facts["guards"], facts
    return False
