from typing import ClassVar

import torch
from torch import nn
from torch._dynamo.testing import CompileCounter
from torch._dynamo.utils import counters

from validators.probes import captured_facts


class Router(nn.Module):
    """Keeps the load of each step in a list that all routers share."""

    loads: ClassVar = []

    def __init__(self, by_class):
        super().__init__()
        self.by_class = by_class

    def forward(self, gates):
        load = gates.softmax(-1).mean(0)
        if self.by_class:
            Router.loads.append(load)
        else:
            self.loads.append(load)
        return load + 1


def facts(device, by_class):
    def run(router):
        Router.loads.clear()
        for _ in range(2):
            router(torch.zeros(2, 4, device=device))
        return len(Router.loads)

    def compiled():
        counters.clear()
        backend = CompileCounter()
        kept = run(torch.compile(Router(by_class).to(device), backend=backend))
        appends = [reason for reason in counters["graph_break"] if "append" in reason]
        return {"kept": kept, "graphs": backend.frame_count, "breaks": len(appends)}

    return captured_facts(eager=lambda: run(Router(by_class).to(device)), compiled=compiled)


def symptom(device):
    return facts(device, by_class=True)


def remedy(device):
    return facts(device, by_class=False)


def shows(report):
    compiled = report.facts["compiled"]
    assert report.facts["eager"] == 2, report.facts
    if compiled["kept"] == 2:
        assert compiled["graphs"] and not compiled["breaks"], compiled
        return False
    # One graph before and one after the append, which adds to another list.
    return compiled == {"kept": 0, "graphs": 2, "breaks": 1}
