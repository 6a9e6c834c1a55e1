"""`list(d)` gives the keys of an earlier dict of the same length, such as `1` for `True`.

cause: stale reuse
avoid: Pass the key beside the dict.
"""

import torch


def inputs():
    return [(torch.ones(2), {k: 3}) for k in (1, True)]


def call(x, d):
    return x * (3 if isinstance(list(d)[0], bool) else 4)


@torch.compiler.disable
def key(d):
    return next(iter(d))


def instead(x, d):
    return x * (3 if isinstance(key(d), bool) else 4)
