import torch
from torch import nn

from validators.probes import captured_facts


def fit(device, after_validation):
    """Train the model, validate what was compiled of it, and look at both before training on."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 64), nn.Dropout(0.5)).to(device)
    compiled = torch.compile(model, backend="eager")
    x = torch.ones(4, 8, device=device)

    def dropped(run):
        return int((run(x) == 0).sum())

    before = {"model": dropped(model), "compiled": dropped(compiled)}
    compiled.eval()
    validated = dropped(compiled)
    after_validation(model)
    return {
        "before": min(before.values()),
        "validated": validated,
        "flag of the model": model.training,
        "flag of the wrapper": compiled.training,
        "flag of the dropout": model[1].training,
        "dropped by the model": dropped(model),
        "dropped by the wrapper": dropped(compiled),
    }


def symptom(device):
    return captured_facts(fit=lambda: fit(device, lambda model: None))


def remedy(device):
    return captured_facts(fit=lambda: fit(device, lambda model: model.train()))


def shows(report):
    fit = report.facts["fit"]
    assert fit["before"] > 0 and fit["validated"] == 0, fit
    flags = {fit[f"flag of the {name}"] for name in ("model", "wrapper", "dropout")}
    drops = [fit["dropped by the model"] > 0, fit["dropped by the wrapper"] > 0]
    # One mode for both: flags that differ from each other or from what is computed are neither.
    if flags == {True} and all(drops):
        return False
    assert flags == {False} and not any(drops), fit
    return True
