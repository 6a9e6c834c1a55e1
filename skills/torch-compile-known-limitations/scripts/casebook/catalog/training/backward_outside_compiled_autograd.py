import copy
from collections import Counter

import torch
from torch import nn
from torch._dynamo import config
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.utils import counters
from torch._functorch.aot_autograd import make_boxed_func

from validators.probes import captured_facts

STEPS, PIECES = 3, 3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = (nn.Linear(8, 8) for _ in range(PIECES))

    def forward(self, x):
        x = self.first(x).relu()
        torch._dynamo.graph_break()
        x = self.second(x).relu()
        torch._dynamo.graph_break()
        return self.third(x).square().mean()


def counting_backend(ran):
    """AOTAutograd, with a count of the graphs that ran: what is no pair is an "inference" graph."""

    def compiler(kind):
        def compile_graph(graph, _):
            def run(*args):
                ran[kind] += 1
                return graph(*args)

            return make_boxed_func(run)

        return compile_graph

    kinds = ("fw_compiler", "bw_compiler", "inference_compiler")
    return aot_autograd(**{kind: compiler(kind) for kind in kinds})


def model_only(model, backend):
    compiled = torch.compile(model, backend=backend)
    return lambda x: compiled(x).backward()


def with_backward(model, backend):
    return torch.compile(lambda x: model(x).backward(), backend=backend)


def train(device, compiled_step):
    model, x, ran = Net().to(device), torch.randn(4, 8, device=device), Counter()
    reference = copy.deepcopy(model)
    reference(x).backward()
    counters.clear()
    step = compiled_step(model, counting_backend(ran))
    for _ in range(STEPS):
        model.zero_grad()
        step(x)
    pairs = zip(model.parameters(), reference.parameters(), strict=True)
    return {
        "forward": ran["fw_compiler"],
        "backward": ran["bw_compiler"],
        "whole": ran["inference_compiler"],
        "captures": counters["compiled_autograd"]["captures"],
        "right": all(torch.allclose(p.grad, q.grad, atol=1e-6) for p, q in pairs),
    }


def run(device, compiled_step):
    with config.patch(compiled_autograd=True):
        return captured_facts(step=lambda: train(device, compiled_step))


def symptom(device):
    return run(device, model_only)


def remedy(device):
    return run(device, with_backward)


def shows(report):
    step = report.facts["step"]
    pieces = {"forward": STEPS * PIECES, "right": True}
    alone = pieces | {"backward": STEPS * PIECES, "whole": 0, "captures": 0}
    joined = pieces | {"backward": 0, "whole": STEPS, "captures": 1}
    assert step in (alone, joined), step
    return step == alone
