import torch

from validators.probes import captured_facts


def by_python(candidates):
    """Rows in the order of their sums."""
    rows = sorted(candidates.tanh().unbind(), key=lambda row: row.sum())
    return torch.stack(rows) + 1


def by_torch(candidates):
    rows = candidates.tanh()
    return rows[rows.sum(1).argsort()] + 1


def compiled(function, device, fullgraph):
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph)
        return graph.forward

    x = torch.tensor([[3.0, 2.0], [1.0, 1.0], [0.0, 5.0]], device=device)
    result = torch.compile(function, backend=backend, fullgraph=fullgraph)(x)
    return {"graphs": len(graphs), "right": torch.allclose(result, function(x))}


def both(function, device):
    return captured_facts(
        default=lambda: compiled(function, device, fullgraph=False),
        fullgraph=lambda: compiled(function, device, fullgraph=True),
    )


def symptom(device):
    return both(by_python, device)


def remedy(device):
    return both(by_torch, device)


def shows(report):
    whole = {"graphs": 1, "right": True}
    if report.facts["default"] == whole:
        assert report.facts["fullgraph"] == whole, report.facts
        return False
    assert report.facts["default"] == {"graphs": 3, "right": True}, report.facts
    said = report.facts["fullgraph.message"]
    assert "sort with non-constant keys" in said, said
    return True
