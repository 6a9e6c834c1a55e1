import tempfile
import warnings
from pathlib import Path

import torch
from torch import nn

from validators.probes import captured_facts


def load_program(path):
    return torch.export.load(path).module()


def load_package(path):
    return torch._inductor.aoti_load_package(path)


def serve(device, load):
    """What `torch.export.save` wrote, opened by another program."""
    warnings.simplefilter("ignore")
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU()).to(device).eval()
    x = torch.randn(2, 4, device=device)
    program = torch.export.export(model, (x,))

    def answer():
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder, "model.pt2"))
            torch.export.save(program, path)
            loaded = load(path)
            torch.testing.assert_close(loaded(x), model(x))
        return "as the model"

    return captured_facts(answer=answer)


def symptom(device):
    return serve(device, load_package)


def remedy(device):
    return serve(device, load_program)


def shows(report):
    facts = report.facts
    if facts.get("answer") == "as the model":
        return False
    message = facts["answer.message"]
    if "no attribute 'aoti_load_package'" in message:
        return False
    assert "Failed to find a generated cpp file or so file" in message, facts
    # The archive was read: the program is in it, and no model that was compiled.
    assert "models/model.json" in message and "aotinductor" not in message, facts
    return True
