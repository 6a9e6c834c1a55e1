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
    reasons = [reason for recompile in report.recompiles for reason in recompile.reasons]
    executions = [graph.executions for graph in report.graphs]
    if not reasons:
        assert executions == [10], executions
        return True
    # What was believed: the dict is compared as a whole.
    if not all("len(" in reason or "KeyError" in reason for reason in reasons):
        assert executions == [5, 5], executions
        assert len(reasons) == 1 and "mask" in reasons[0], reasons
    return False
