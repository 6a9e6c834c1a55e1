import warnings

import torch

from validators.probes import captured_facts, inductor_code


def probabilities(logits):
    return torch.softmax(logits, dim=-1)


@torch.no_grad()
def compiled(device, rows):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        report = inductor_code(probabilities, [(torch.randn(rows, 2**17, device=device),)])
    return captured_facts(
        warned=lambda: any("Online softmax is disabled" in str(it.message) for it in seen),
        kernels=lambda: report.facts["kernels"],
    )


def symptom(device):
    return compiled(device, rows=4)


def remedy(device):
    return compiled(device, rows=1024)


def shows(report):
    return report.facts["warned"] and len(report.facts["kernels"]) > 1
