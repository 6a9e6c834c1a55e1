import torch

from validators.probes import observe


def normalize(x):
    return (x - x.mean()) / x.std()


def run_as_traced(gm, inputs):
    return gm.forward


def with_a_backend_per_call(function):
    def step(x):
        def backend(gm, inputs):
            return run_as_traced(gm, inputs)

        return torch.compile(function, backend=backend)(x)

    return step


def with_one_backend(function):
    def step(x):
        return torch.compile(function, backend=run_as_traced)(x)

    return step


def run(device, compile, **options):
    x = torch.arange(8.0, device=device)
    return observe(normalize, [(x,)] * 10, compile=compile, **options)


def symptom(device):
    # `eager`: what is left after the recompile limit runs without a graph.
    return run(device, with_a_backend_per_call, eager=True)


def remedy(device):
    return run(device, with_one_backend)


def shows(report):
    return report.compiled == (1,) * 8 + (0, 0) and report.eager_calls == (8, 9)
