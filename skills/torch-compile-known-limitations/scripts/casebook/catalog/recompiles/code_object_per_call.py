import functools

import torch

from validators.probes import observe

SCHEDULE = "lambda x, step: x * (0.5 + step)"


def scaled(x, step, schedule):
    return schedule(x.cos(), step).sum()


def run(device, parse, **options):
    x, step = torch.ones(4, device=device), torch.tensor(0.5, device=device)
    return observe(scaled, [(x, step, parse(SCHEDULE)) for _ in range(10)], **options)


def symptom(device):
    # `eager`: what is left after the recompile limit runs without a graph.
    return run(device, eval, eager=True)


def remedy(device):
    return run(device, functools.cache(eval))


def shows(report):
    by_code = [r for r in report.recompiles if "__code__" in r.reasons[0]]
    return report.recompile_limit_hit and len(by_code) == 7
