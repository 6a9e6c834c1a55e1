import warnings

import torch

from validators.probes import captured_facts


def probabilities(device, **options):
    torch.manual_seed(0)
    logits = torch.randn(4, 2**17, device=device)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        found = torch.compile(lambda x: x.softmax(-1), options=options)(logits)
    return {
        "warned": any("Online softmax is disabled" in str(it.message) for it in seen),
        "right": torch.allclose(found, logits.softmax(-1), atol=1e-7, rtol=1e-4),
    }


def symptom(device):
    return captured_facts(softmax=lambda: probabilities(device))


def remedy(device):
    return captured_facts(softmax=lambda: probabilities(device, split_reductions=False))


def shows(report):
    softmax = report.facts["softmax"]
    assert softmax["right"], softmax
    return softmax["warned"]
