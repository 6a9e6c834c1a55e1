import torch

from validators.probes import inductor_code


def by_multinomial(logits):
    return torch.multinomial(torch.softmax(logits / 0.8, dim=-1), 1)


def by_race(logits):
    probabilities = torch.softmax(logits / 0.8, dim=-1)
    waited = torch.empty_like(probabilities).exponential_(1)
    return (probabilities / waited).argmax(dim=-1, keepdim=True)


@torch.no_grad()
def compiled(device, sample):
    return inductor_code(sample, [(torch.randn(4, 1000, device=device),)])


def symptom(device):
    return compiled(device, by_multinomial)


def remedy(device):
    return compiled(device, by_race)


def shows(report):
    assert len(report.facts["kernels"]) == 1
    return report.facts["externs"] == ["aten.multinomial.default"]
