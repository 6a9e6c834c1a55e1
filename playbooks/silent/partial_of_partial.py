"""`functools.partial` of a `partial` does not take over its keywords.

cause: unfaithful tracing
avoid: Give all keywords to one `partial`.
"""

from functools import partial

import torch


def scale(x, a=1, b=1):
    return x * a * b


def inputs():
    return (torch.ones(2),)


def call(x):
    p = partial(partial(scale, a=5), b=7)
    return p(x), x + len(p.keywords)


def instead(x):
    p = partial(scale, a=5, b=7)
    return p(x), x + len(p.keywords)
