import gc
import weakref

import torch
import torch._inductor.config
from torch import nn

from validators.probes import captured_facts


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(64, 64)

    def forward(self, x):
        # A matrix product alone: no kernel is generated, so no compiler has to run.
        return self.layer(x)


def unload(device, freezing):
    """Serve a model once, delete and collect it, and look for its weight."""
    model = Model().to(device).eval()
    module, weight = weakref.ref(model), weakref.ref(model.layer.weight)
    x = torch.randn(2, 64, device=device)
    with torch._inductor.config.patch(freezing=freezing), torch.no_grad():
        compiled = torch.compile(model)
        torch.testing.assert_close(compiled(x), model(x))
    del model, compiled
    gc.collect()
    return {"module": module() is not None, "weight": weight() is not None}


def symptom(device):
    return captured_facts(kept=lambda: unload(device, freezing=True))


def remedy(device):
    return captured_facts(kept=lambda: unload(device, freezing=False))


def shows(report):
    kept = report.facts["kept"]
    assert not kept["module"], kept
    return kept["weight"]
