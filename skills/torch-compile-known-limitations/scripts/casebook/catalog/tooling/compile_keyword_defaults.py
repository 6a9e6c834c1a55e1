import torch

from validators.probes import captured_facts, inductor_code


def step(x):
    scores = x * 2
    torch._dynamo.graph_break()
    return torch.relu(scores)


def compiled(device, **options):
    """What is made of three batch sizes: by whom, when, and in how many pieces."""
    calls = [(torch.ones(size, 8, device=device),) for size in (4, 8, 6)]
    seen = inductor_code(step, calls, compile=lambda f: torch.compile(f, **options))
    raised = seen.exception is not None
    return captured_facts(
        made_by_inductor=lambda: not raised and len(seen.facts["kernels"]) == len(seen.graphs),
        compiled=lambda: [call.compiled for call in seen.calls],
        dynamic=lambda: [bool(graph.symbols) for graph in seen.graphs],
        breaks=lambda: len(seen.graph_breaks),
        raised=lambda: raised,
    )


def symptom(device):
    return compiled(device)


def remedy(device):
    return compiled(device, backend="eager", dynamic=False)


def shows(report):
    facts = report.facts
    if not facts["made_by_inductor"]:
        return facts["compiled"] != [2, 2, 2]
    whole = facts["raised"] or facts["breaks"] == 0
    automatic = facts["compiled"] == [2, 2, 0] and facts["dynamic"] == [False, False, True, True]
    return automatic and not whole
