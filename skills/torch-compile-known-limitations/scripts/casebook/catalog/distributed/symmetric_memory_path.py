import importlib

import torch

from validators.probes import captured_facts


def by_version():
    """Where symmetric memory lives, told from torch's version."""
    if torch.__version__ >= (2, 9):
        return importlib.import_module("torch.distributed.nn").SymmetricMemory.__module__
    return importlib.import_module("torch.distributed._symmetric_memory").__name__


def by_capability():
    """Where symmetric memory lives: the first place that has what is going to be called."""
    for place in ("torch.distributed.symmetric_memory", "torch.distributed._symmetric_memory"):
        try:
            module = importlib.import_module(place)
        except ImportError:
            continue
        if all(callable(getattr(module, name, None)) for name in ("empty", "rendezvous")):
            return place
    raise ImportError("This torch has no symmetric memory.")


def symptom(device):
    return captured_facts(place=by_version)


def remedy(device):
    return captured_facts(place=by_capability)


def shows(report):
    return report.facts.get("place.exception") == "AttributeError"
