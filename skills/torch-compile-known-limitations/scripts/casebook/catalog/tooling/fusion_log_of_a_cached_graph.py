import logging

import torch
import torch._inductor.config as config

from validators.probes import captured_facts


class Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.seen = 0

    def emit(self, record):
        self.seen += 1


def gram(x):
    # Matrix products only: the scheduler looks at them, and no kernel is generated.
    return (x @ x.mT) @ x


def lines_of_two_compiles(device, caches):
    """How many lines the scheduler logs in each of two compiles of one function."""
    torch._logging.set_logs(fusion=True)
    handler, counts = Lines(), {}
    logging.getLogger("torch._inductor.scheduler.__fusion").addHandler(handler)
    x = torch.randn(8, 64, device=device)
    with config.patch(force_disable_caches=not caches):
        for run in ("first", "second"):
            torch._dynamo.reset()
            handler.seen = 0
            out = torch.compile(gram)(x)
            assert torch.allclose(out, gram(x), atol=1e-3)
            counts[run] = handler.seen
    return counts


def symptom(device):
    return captured_facts(lines=lambda: lines_of_two_compiles(device, caches=True))


def remedy(device):
    return captured_facts(lines=lambda: lines_of_two_compiles(device, caches=False))


def shows(report):
    first, second = report.facts["lines"].values()
    assert first > 0, report.facts
    assert second in (0, first), report.facts
    return second == 0
