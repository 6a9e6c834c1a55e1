import torch

from validators.probes import observe

NAMES = ("depth", "edges", "focal", "gamma", "gain", "iso", "mask", "pose", "tint", "zoom")


def writes(sample):
    sample["scaled"] = sample["image"] / 255


def reads(sample):
    return sample["image"] / 255


def run(device, scale, **options):
    """Ten samples, each with one more entry, none of which the compiled function looks at."""
    image = torch.ones(3, 8, 8, device=device)
    samples = [{"image": image, **dict.fromkeys(NAMES[:n], "")} for n in range(10)]
    return observe(scale, [(sample,) for sample in samples], **options)


def symptom(device):
    # `eager`: what is left after the recompile limit runs without a graph.
    return run(device, writes, eager=True)


def remedy(device):
    return run(device, reads)


def shows(report):
    assert report.exception is None, report.exception
    return len(report.graphs) == 8 and report.eager_calls == (8, 9)
