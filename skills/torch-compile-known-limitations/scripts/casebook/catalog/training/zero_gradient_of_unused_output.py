import torch
from torch import nn

from validators.probes import captured_facts


class TwoTasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.depth, self.normals = nn.Linear(8, 1), nn.Linear(8, 3)

    def forward(self, image):
        features = self.body(image).tanh()
        return self.depth(features), self.normals(features)


def train_depth(device, compile_):
    """Three steps on one task; what became of the other task's head?"""
    torch.manual_seed(0)
    model = TwoTasks().to(device)
    image, depth = torch.randn(6, 4, device=device), torch.randn(6, 1, device=device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.5)
    forward, graphs = model, []

    def backend(module, inputs):
        graphs.append(len(module.graph.nodes))
        return torch._dynamo.lookup_backend("aot_eager")(module, inputs)

    if compile_ is not None:
        forward = compile_(model, backend)
    before = model.normals.weight.detach().clone()
    for _ in range(3):
        optimizer.zero_grad()
        nn.functional.mse_loss(forward(image)[0], depth).backward()
        without = [name for name, p in model.named_parameters() if p.grad is None]
        optimizer.step()
    idle = model.normals.weight
    return {
        "graphs": len(graphs),
        "without": len(without),
        "largest": None if idle.grad is None else idle.grad.abs().max().item(),
        "moved": (idle - before).abs().max().item(),
        "depth": model.depth.weight.detach().double().sum().item(),
    }


def whole(model, backend):
    return torch.compile(model, backend=backend, fullgraph=True)


def heads_apart(model, backend):
    for part in model.body, model.depth, model.normals:
        part.forward = torch.compile(part.forward, backend=backend, fullgraph=True)
    return model


def arm(device, compile_):
    return captured_facts(
        step=lambda: train_depth(device, compile_), eager=lambda: train_depth(device, None)
    )


def symptom(device):
    return arm(device, whole)


def remedy(device):
    return arm(device, heads_apart)


def shows(report):
    step, eager = report.facts["step"], report.facts["eager"]
    # The head that is trained fares as in eager mode, whatever becomes of the idle one.
    assert abs(step["depth"] - eager["depth"]) < 1e-5, (step, eager)
    assert (eager["graphs"], eager["without"], eager["moved"]) == (0, 2, 0), eager
    if step["largest"] is None:
        assert step["graphs"] == 3 and step["without"] == 2 and step["moved"] == 0, step
        return False
    assert step["graphs"] == 1 and step["without"] == 0 and step["largest"] == 0, step
    assert step["moved"] > 0.01, step
    return True
