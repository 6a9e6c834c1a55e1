import torch
from torch import nn
from torch.export import Dim, export

from validators.probes import captured_facts


def exported_batch(device, example_size):
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten()).to(device)
    images = torch.randn(example_size, 3, 16, 16, device=device)

    def served_sizes():
        program = export(model, (images,), dynamic_shapes=({0: Dim("batch", max=32)},)).module()
        return [len(program(images.new_zeros(size, 3, 16, 16))) for size in (2, 32)]

    return captured_facts(served_sizes=served_sizes)


def symptom(device):
    return exported_batch(device, example_size=1)


def remedy(device):
    return exported_batch(device, example_size=2)


def shows(report):
    message = report.facts.get("served_sizes.message")
    if message is not None:
        assert "Constraints violated (batch)" in message and "constant (1)" in message, message
        return True
    return report.facts["served_sizes"] != [2, 32]
