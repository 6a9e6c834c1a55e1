"""A generator's body runs when the generator is made instead of at the first `next`.

cause: unfaithful tracing
issue: pytorch/pytorch#134030
avoid: Call an ordinary function where the value is needed.
"""

import torch


def steps(x, log):
    log.append(1)
    yield x + len(log)


def inputs():
    return (torch.ones(1),)


def call(x):
    log = []
    g = steps(x, log)
    log.append(0)
    return next(g) * 10 + log[0]


def instead(x):
    log = [0]
    log.append(1)
    return (x + len(log)) * 10 + log[0]
