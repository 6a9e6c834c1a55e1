import threading

import torch

from validators.probes import captured_facts


def serve(device, call_in):
    """How the first call of a model with CUDA graphs ends, and those that `call_in` makes."""
    torch.manual_seed(0)
    model = torch.nn.Linear(64, 64).to(device)
    compiled = torch.compile(model, mode="reduce-overhead")
    outcomes = []

    @torch.no_grad()
    def call():
        x = torch.randn(8, 64, device=device)
        try:
            outcomes.append(
                "right" if torch.allclose(compiled(x), model(x), atol=1e-2) else "wrong"
            )
        except AssertionError:
            outcomes.append("AssertionError")

    call()
    for _ in range(3):
        call_in(call)
    return outcomes


def another_thread(call):
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()


def symptom(device):
    return captured_facts(outcomes=lambda: serve(device, another_thread))


def remedy(device):
    return captured_facts(outcomes=lambda: serve(device, lambda call: call()))


def shows(report):
    first, *others = report.facts["outcomes"]
    assert first == "right" and len(set(others)) == 1, report.facts
    assert others[0] in ("right", "AssertionError"), report.facts
    return others[0] == "AssertionError"
