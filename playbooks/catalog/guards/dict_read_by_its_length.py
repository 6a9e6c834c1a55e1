import torch

from validators.probes import observe

NAMES = ("depth", "edges", "focal", "gamma", "gain", "iso", "mask", "pose", "tint", "zoom")


def scale_image(data_dict):
    return data_dict["image"] / 255


def scale(image):
    return image / 255


def samples(device):
    """Ten samples, each with one more entry, none of which the compiled function looks at."""
    image = torch.ones(3, 8, 8, device=device)
    return [{"image": image, **dict.fromkeys(NAMES[:n], "")} for n in range(10)]


def symptom(device):
    # `eager`: what is left after the recompile limit runs without a graph.
    return observe(scale_image, [(sample,) for sample in samples(device)], eager=True)


def remedy(device):
    return observe(scale, [(sample["image"],) for sample in samples(device)])


def shows(report):
    assert report.exception is None, report.exception
    if not report.recompile_limit_hit:
        assert len(report.graphs) == 1, len(report.graphs)
        return False
    return sum("len(L['data_dict']) == " in r.reasons[0] for r in report.recompiles) == 7
