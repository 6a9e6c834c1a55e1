import torch
from torch._dynamo.testing import CompileCounter

from validators.probes import captured_facts


def facts(device, handed_over):
    """Two steps that are noted by an object which each step makes, eager and compiled."""

    def run(backend):
        log = []

        class Recorder:
            def __init__(self, into=None):
                self.into = into

            def note(self, value):
                (log if self.into is None else self.into).append(value)

        def step_by_closure(x):
            y = x * 2
            Recorder().note(y)
            return y + 1

        def step_by_argument(x):
            y = x * 2
            Recorder(log).note(y)
            return y + 1

        step = step_by_argument if handed_over else step_by_closure
        run_step = torch.compile(step, backend=backend, fullgraph=True) if backend else step
        for _ in range(2):
            run_step(torch.ones(2, device=device))
        return len(log)

    def compiled():
        backend = CompileCounter()
        return {"kept": run(backend), "graphs": backend.frame_count}

    return captured_facts(eager=lambda: run(None), compiled=compiled)


def symptom(device):
    return facts(device, handed_over=False)


def remedy(device):
    return facts(device, handed_over=True)


def shows(report):
    compiled = report.facts["compiled"]
    assert report.facts["eager"] == 2, report.facts
    if compiled["kept"] == 2:
        assert compiled["graphs"] > 0, compiled
        return False
    return compiled == {"kept": 0, "graphs": 1}
