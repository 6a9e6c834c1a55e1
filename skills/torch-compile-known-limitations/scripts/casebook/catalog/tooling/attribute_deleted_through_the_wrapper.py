import torch
from torch import nn

from validators.probes import captured_facts


def unhook(device, through_wrapper):
    """Take a hook off again that was put on before compiling, as offloading libraries do."""
    model = nn.Linear(4, 4).to(device)
    model._hf_hook = object()
    compiled = torch.compile(model, backend="eager")
    holder = compiled if through_wrapper else compiled._orig_mod

    def delete():
        delattr(holder, "_hf_hook")
        return hasattr(compiled, "_hf_hook")

    return captured_facts(found=lambda: hasattr(holder, "_hf_hook"), left=delete)


def symptom(device):
    return unhook(device, through_wrapper=True)


def remedy(device):
    return unhook(device, through_wrapper=False)


def shows(report):
    facts = report.facts
    assert facts["found"] is True, facts
    if "left" in facts:
        assert facts["left"] is False, facts
        return False
    # Python 3.10 says the name alone.
    said = ("_hf_hook", "'OptimizedModule' object has no attribute '_hf_hook'")
    return facts["left.exception"] == "AttributeError" and facts["left.message"] in said
