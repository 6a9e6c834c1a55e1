import torch
from torch._dynamo.testing import CompileCounter

from validators.probes import captured_facts


def facts(device, by_default):
    """Two steps that note a value by a helper, eager and compiled."""

    def run(backend):
        notes = []

        def note(value, into=notes):
            into.append(value)

        def step(x):
            y = x * 2
            if by_default:
                note(y)
            else:
                note(y, notes)
            return y + 1

        run_step = torch.compile(step, backend=backend, fullgraph=True) if backend else step
        for _ in range(2):
            run_step(torch.ones(2, device=device))
        return len(notes)

    def compiled():
        backend = CompileCounter()
        return {"kept": run(backend), "graphs": backend.frame_count}

    return captured_facts(eager=lambda: run(None), compiled=compiled)


def symptom(device):
    return facts(device, by_default=True)


def remedy(device):
    return facts(device, by_default=False)


def shows(report):
    compiled = report.facts["compiled"]
    assert report.facts["eager"] == 2, report.facts
    if compiled["kept"] == 2:
        assert compiled["graphs"] > 0, compiled
        return False
    return compiled == {"kept": 0, "graphs": 1}
