import torch
import torch._dynamo
from torch import nn

from validators.probes import captured_facts


class Damped(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(3, 3)

    def forward(self, x):
        y = self.proj(x)
        return y / 2 if y.max() > 10 else y * 2


def raises(call, x):
    """Whether the call stops at the graph break, as a check is meant to."""
    try:
        call(x)
    except torch._dynamo.exc.Unsupported:
        return True
    return False


def checks(device, between):
    """Which checks of a model find its graph break after it ran compiled by default."""
    x = torch.ones(2, 3, device=device)

    def after_a_plain_call(check):
        def run():
            model = Damped().to(device)
            plain = torch.compile(model, backend="eager")
            plain(x)
            between()
            return check(model, plain)

        return run

    def fullgraph(model, _plain):
        return raises(torch.compile(model, backend="eager", fullgraph=True), x)

    def another_object(_model, _plain):
        return fullgraph(Damped().to(device), None)

    def error_on_graph_break(_model, plain):
        with torch._dynamo.error_on_graph_break(True):
            return raises(plain, x)

    asked = {"fullgraph": fullgraph, "another_object": another_object}
    # Torch 2.9 brings the other check.
    if hasattr(torch._dynamo, "error_on_graph_break"):
        asked["error_on_graph_break"] = error_on_graph_break
    return captured_facts(**{name: after_a_plain_call(check) for name, check in asked.items()})


def symptom(device):
    return checks(device, between=lambda: None)


def remedy(device):
    return checks(device, between=torch._dynamo.reset)


def shows(report):
    """The check passes, so it misses the break; both checks agree where torch has both."""
    noticed = report.facts["fullgraph"]
    assert report.facts.get("error_on_graph_break", noticed) == noticed, report.facts
    return not noticed
