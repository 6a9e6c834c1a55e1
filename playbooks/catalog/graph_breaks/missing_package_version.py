import importlib.metadata

import torch
from torch._dynamo.testing import CompileCounter

from validators.probes import captured_facts

MISSING = "casebook-package-that-nobody-has"


def installed():
    """Whether the package is there; the exception is caught here, as libraries do."""
    try:
        importlib.metadata.version(MISSING)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def facts(device, asked_before):
    there = installed() if asked_before else None

    def scale(x_B):
        return x_B * 3 if (installed() if there is None else there) else x_B + 1

    def run(function):
        return function(torch.ones(1, device=device)).item()

    def compiled():
        torch._dynamo.reset()
        backend = CompileCounter()
        result = run(torch.compile(scale, backend=backend))
        return {"result": result, "graphs": backend.frame_count}

    return captured_facts(eager=lambda: run(scale), compiled=compiled)


def symptom(device):
    return facts(device, asked_before=False)


def remedy(device):
    return facts(device, asked_before=True)


def shows(report):
    facts = report.facts
    assert facts["eager"] == 2.0, facts
    if "compiled.exception" not in facts:
        # A graph break before the question is no crash: the result is right.
        assert facts["compiled"]["result"] == 2.0, facts
        return False
    return "PackageNotFoundError" in facts["compiled.message"]
