import os
import sys
import tempfile

import torch

from validators.probes import captured_facts, observe


def printed_by(run):
    """What `run` returns, and what it writes to standard error."""
    sys.stderr.flush()
    terminal = os.dup(2)
    with tempfile.TemporaryFile("w+") as file:
        os.dup2(file.fileno(), 2)
        try:
            result = run()
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)
        file.seek(0)
        return result, file.read()


@torch.no_grad()
def infer(device):
    model = torch.nn.Linear(8, 8).to(device)
    x = torch.randn(2, 8, device=device)
    calls = [(x,)] * 4
    seen, text = printed_by(
        lambda: observe(model, calls, backend="inductor", mode="reduce-overhead")
    )
    return captured_facts(
        recorded=lambda: seen.cudagraphs is not None and seen.cudagraphs.recordings > 0,
        lines=lambda: text.count("[__cudagraphs]"),
    )


def symptom(device):
    return infer(device)


def remedy(device):
    return infer(device)


def shows(report):
    assert report.facts["recorded"]
    return report.facts["lines"] == 0
