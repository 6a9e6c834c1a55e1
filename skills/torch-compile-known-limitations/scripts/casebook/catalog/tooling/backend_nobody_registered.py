import torch
from torch._dynamo.backends import registry

from validators.probes import captured_facts

NAME = "vendor_accelerator"
graphs = []


def accelerator(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def import_the_package():
    """Does what importing a vendor's package does, once per process."""
    if NAME not in registry._COMPILER_FNS:
        torch._dynamo.register_backend(accelerator, name=NAME)


def compiled(device):
    x = torch.ones(3, device=device)
    return captured_facts(
        outputs=lambda: torch.compile(lambda x: x + 1, backend=NAME)(x).tolist(),
        graphs=lambda: len(graphs),
    )


def symptom(device):
    return compiled(device)


def remedy(device):
    import_the_package()
    return compiled(device)


def shows(report):
    facts = report.facts
    if facts.get("outputs") == [2.0, 2.0, 2.0] and facts["graphs"] == 1:
        return False
    refused = facts["outputs.exception"].endswith("InvalidBackend")
    assert refused and facts["graphs"] == 0, facts
    return True
