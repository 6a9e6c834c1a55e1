import torch

from validators.probes import captured_facts


def by_default(x):
    """As code does that takes arrays of other libraries, too."""
    mean = getattr(x, "mean", None)
    return x.sum() if mean is None else mean()


def by_hasattr(x):
    return x.mean() if hasattr(x, "mean") else x.sum()


def by_type(x):
    return x.mean() if isinstance(x, torch.Tensor) else x.sum()


def compiled(function, device):
    x = torch.arange(4.0, device=device)
    return torch.compile(function, fullgraph=True, backend="eager")(x).item()


def results(device, first, second):
    return captured_facts(
        first=lambda: compiled(first, device), second=lambda: compiled(second, device)
    )


def symptom(device):
    return results(device, by_default, by_hasattr)


def remedy(device):
    return results(device, by_type, by_type)


def shows(report):
    mean, total = 1.5, 6.0
    found = report.facts["first"], report.facts["second"]
    assert found in ((mean, mean), (total, total)), found
    return found == (total, total)
