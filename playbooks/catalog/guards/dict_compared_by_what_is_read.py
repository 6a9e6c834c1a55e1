import torch

from validators.probes import observe

NAMES = ("depth", "edges", "focal", "gamma", "gain", "iso", "pose", "tint", "zoom")


def masked_image(data_dict):
    image = data_dict["image"] / 255
    if "mask" in data_dict:
        image = image * data_dict["mask"]
    return image


def run(device, extras):
    image = torch.ones(3, 8, 8, device=device)
    calls = [({**extra, "image": image},) for extra in extras]
    # `eager`: past a recompile limit a call runs without a graph, which is for `shows` to judge.
    return observe(masked_image, calls, eager=True, compare=["eager"])


def symptom(device):
    """Ten samples, each with one more entry, none of which the compiled function looks for."""
    return run(device, [dict.fromkeys(NAMES[:n], "") for n in range(10)])


def remedy(device):
    """Ten samples of two entries, every other one with the entry that it does look for."""
    mask = torch.zeros(3, 8, 8, device=device)
    return run(device, [{"depth": ""}, {"mask": mask}] * 5)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls)
    executions = [graph.executions for graph in report.graphs]
    if executions == [10]:
        return True
    # A graph with and one without the mask, or what was believed: one per length, up to the limit.
    assert executions in ([5, 5], [1] * 8), executions
    return False
