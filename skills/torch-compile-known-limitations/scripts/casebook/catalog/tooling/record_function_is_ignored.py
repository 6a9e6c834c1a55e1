import torch
from torch.profiler import record_function

from validators.probes import captured_facts


class Block(torch.nn.Module):
    def __init__(self, marked):
        super().__init__()
        self.layer, self.marked = torch.nn.Linear(8, 8), marked

    def forward(self, x):
        if self.marked:
            with record_function("attention"):
                return self.layer(x).relu()
        return self.layer(x).relu()


def marked_inside(model, x):
    return model(x)


def marked_outside(model, x):
    with record_function("attention"):
        return model(x)


def ranges(device, marked, call):
    model, x = Block(marked).to(device), torch.randn(4, 8, device=device)
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph)
        return graph

    def seen(called):
        call(called, x)
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
            call(called, x)
        counts = {event.key: event.count for event in profile.key_averages()}
        return counts.get("attention", 0)

    return captured_facts(
        eager=lambda: seen(model),
        compiled=lambda: seen(torch.compile(model, backend=backend, fullgraph=True)),
        graphs=lambda: len(graphs),
    )


def symptom(device):
    return ranges(device, marked=True, call=marked_inside)


def remedy(device):
    return ranges(device, marked=False, call=marked_outside)


def shows(report):
    facts = report.facts
    assert facts.get("eager") == facts.get("graphs") == 1, facts
    assert facts.get("compiled") in (0, 1), facts
    return facts["compiled"] == 0
