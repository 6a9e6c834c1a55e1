"""An attribute that is set later does not hide what `__getattr__` returned.

cause: stale reuse
avoid: Give the attribute a value before the first call.
"""

import torch


class Options:
    def __getattr__(self, name):
        return 3.0


class Plain:
    scale = 3.0


options, plain = Options(), Plain()


def inputs():
    options.__dict__.clear(), plain.__dict__.clear()
    return [(torch.ones(2), None), (torch.ones(2), 9.0)]


@torch.compiler.disable
def change(target, value):
    if value is not None:
        target.scale = value


def call(x, value):
    change(options, value)
    return x * options.scale


def instead(x, value):
    change(plain, value)
    return x * plain.scale
