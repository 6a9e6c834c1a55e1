import torch
from torch._dynamo.testing import CompileCounter

from validators.probes import captured_facts


def facts(device, in_closure):
    """Two steps that are noted by an object which each step makes, eager and compiled."""

    def run(backend):
        log = []

        class ByClosure:
            def note(self, value):
                log.append(value)

        class ByAttribute:
            def __init__(self, log):
                self.log = log

            def note(self, value):
                self.log.append(value)

        def step_by_closure(x):
            y = x * 2
            ByClosure().note(y)
            return y + 1

        def step_by_attribute(x):
            y = x * 2
            ByAttribute(log).note(y)
            return y + 1

        step = step_by_closure if in_closure else step_by_attribute
        run_step = torch.compile(step, backend=backend, fullgraph=True) if backend else step
        for _ in range(2):
            run_step(torch.ones(2, device=device))
        return len(log)

    def compiled():
        backend = CompileCounter()
        return {"kept": run(backend), "graphs": backend.frame_count}

    return captured_facts(eager=lambda: run(None), compiled=compiled)


def symptom(device):
    return facts(device, in_closure=True)


def remedy(device):
    return facts(device, in_closure=False)


def shows(report):
    compiled = report.facts["compiled"]
    assert report.facts["eager"] == 2, report.facts
    if compiled["kept"] == 2:
        assert compiled["graphs"] > 0, compiled
        return False
    return compiled == {"kept": 0, "graphs": 1}
