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
    # Past the limit, a release may still compile what `eval` made as a frame of its own.
    of_caller = [graph for graph in report.graphs if "cos" in graph.targets]
    return len(of_caller) == 8
