"""A set that holds `True` reuses what was compiled for a set that holds `1`.

cause: stale reuse
avoid: Take the element out in a function outside the compiled region.
"""

import torch


def inputs():
    return [(torch.ones(2), {k}) for k in (1, True)]


def call(x, s):
    return x * (3 if isinstance(next(iter(s)), bool) else 4)


@torch.compiler.disable
def element(s):
    return next(iter(s))


def instead(x, s):
    return x * (3 if isinstance(element(s), bool) else 4)
