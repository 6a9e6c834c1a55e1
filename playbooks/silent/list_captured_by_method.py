"""`append` to an outer list in a method of a class defined in a function is lost.

cause: unfaithful tracing
issue: pytorch/pytorch#197896
avoid: Keep the list in an attribute of the object.
"""

import torch


def make():
    log = []

    class Recorder:
        def add(self, n):
            log.append(n)

    return Recorder, log


Recorder, log = make()


def inputs():
    log.clear()
    return [(torch.ones(2), 5), (torch.ones(2), 5)]


def call(x, n):
    Recorder().add(n)
    torch._dynamo.graph_break()
    return x * sum(log)


def instead(x, n):
    log.append(n)
    torch._dynamo.graph_break()
    return x * sum(log)
