import torch
from torch._dynamo import decorators

from validators.probes import captured_facts

MARKS = ("mark_dynamic", "maybe_mark_dynamic", "mark_unbacked")


def compiles(name, inside, fullgraph, device):
    """How often a function is compiled for batches of 4 and 8 that are marked dynamic."""
    graphs = []
    mark = getattr(decorators, name)

    def backend(graph, inputs):
        graphs.append(graph)
        return graph

    @torch.compile(backend=backend, fullgraph=fullgraph)
    def normalize(x):
        if inside:
            mark(x, 0)
        return x / x.norm(dim=-1, keepdim=True)

    for batch_size in (4, 8):
        x = torch.ones(batch_size, 16, device=device)
        if not inside:
            mark(x, 0)
        normalize(x)
    return len(graphs)


def marked(device, inside):
    return captured_facts(
        **{
            f"{name}_{'fullgraph' if fullgraph else 'default'}": (
                lambda name=name, fullgraph=fullgraph: compiles(name, inside, fullgraph, device)
            )
            for name in MARKS
            for fullgraph in (False, True)
        }
    )


def symptom(device):
    return marked(device, inside=True)


def remedy(device):
    return marked(device, inside=False)


def shows(report):
    ends = {
        report.facts.get(f"{name}_{how}.exception", report.facts.get(f"{name}_{how}"))
        for name in MARKS
        for how in ("default", "fullgraph")
    }
    ends.discard("AttributeError")  # a mark that the release lacks
    assert ends in ({1}, {"AssertionError"}), ends
    return ends != {1}
