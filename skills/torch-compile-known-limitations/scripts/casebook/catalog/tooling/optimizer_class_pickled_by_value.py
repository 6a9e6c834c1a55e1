import pickle
import types

import torch

from validators.probes import captured_facts


def refused_globals():
    """What pickle refuses among the globals that go with a method where it travels by value."""
    refused = []
    for name, value in torch.optim.AdamW._init_group.__globals__.items():
        # Pickling by value leaves the builtins out, and writes plain modules by name.
        if name == "__builtins__" or type(value) is types.ModuleType:
            continue
        try:
            pickle.dumps(value)
        except Exception:
            refused.append(name)
    return refused


def facts():
    return captured_facts(
        module=lambda: torch.optim.AdamW._init_group.__globals__["__name__"],
        refused=refused_globals,
        by_reference=lambda: pickle.loads(pickle.dumps(torch.optim.AdamW)) is torch.optim.AdamW,
    )


def symptom(device):
    torch.compile(torch.nn.Linear(4, 4), backend="eager")
    return facts()


def remedy(device):
    return facts()


def shows(report):
    assert report.facts["by_reference"] is True
    of_dynamo = report.facts["module"] == "torch._dynamo.eval_frame"
    assert of_dynamo or report.facts["refused"] == [], report.facts
    return of_dynamo and "config" in report.facts["refused"]
