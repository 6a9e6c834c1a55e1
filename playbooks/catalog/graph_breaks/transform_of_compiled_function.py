import functools

import torch

from validators.probes import captured_facts


def loss(weight_D, sample_D):
    return (weight_D * sample_D).sum().tanh()


TRANSFORMS = {
    "vmap": functools.partial(torch.func.vmap, in_dims=(None, 0)),
    "grad": lambda function: lambda weight_D, x_ND: torch.func.grad(function)(weight_D, x_ND[0]),
}


def outside(transform, compile_):
    return transform(compile_(loss))


def inside(transform, compile_):
    return compile_(transform(loss))


def arm(device, order):
    torch.manual_seed(0)
    weight_D, x_ND = torch.randn(4, device=device), torch.randn(3, 4, device=device)

    def run(transform, fullgraph):
        runs = []

        def backend(module, _):
            return lambda *inputs: (runs.append(1), module(*inputs))[1]

        compile_ = functools.partial(torch.compile, backend=backend, fullgraph=fullgraph)
        result = order(transform, compile_)(weight_D, x_ND)
        exact = transform(loss)(weight_D, x_ND)
        return [len(runs), torch.allclose(result, exact)]

    return captured_facts(
        **{
            f"{name}_{fullgraph}": functools.partial(run, transform, fullgraph)
            for name, transform in TRANSFORMS.items()
            for fullgraph in (False, True)
        }
    )


def symptom(device):
    return arm(device, outside)


def remedy(device):
    return arm(device, inside)


def shows(report):
    facts = report.facts
    refused = [facts.get(f"{name}_True.exception") for name in TRANSFORMS]
    if any(refused):
        assert set(refused) == {"torch._dynamo.exc.Unsupported"}, refused
        return all(facts[f"{name}_False"] == [0, True] for name in TRANSFORMS)
    assert all(found == [1, True] for found in facts.values()), facts
    return False
