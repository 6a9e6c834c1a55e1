import logging

import torch
from torch._inductor.compile_fx import compile_fx

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import captured_facts, observe


class Lines(logging.Handler):
    """What a log would hold, counted."""

    count = 0

    def emit(self, record):
        self.count += 1


def lines_while_inductor_works(device, *loggers):
    """How many lines these loggers write at their most talkative before and during Inductor."""
    lines, before, during = Lines(logging.DEBUG), [], []
    for name in loggers:
        logging.getLogger(name).addHandler(lines)
        logging.getLogger(name).setLevel(logging.DEBUG)

    def inductor(graph, inputs):
        before.append(lines.count)
        compiled = compile_fx(graph, inputs)
        during.append(lines.count - before[-1])
        return compiled

    config = GPTConfig.tiny(n_blocks=1)
    model = make_model(config, device=device)
    with torch.no_grad():
        report = observe(model, [make_batch(config, device=device)[:1]], backend=inductor)
    return captured_facts(
        before=lambda: before, during=lambda: during, steps=lambda: report.calls[0].executions
    )


def symptom(device):
    return lines_while_inductor_works(device, "torch._dynamo")


def remedy(device):
    return lines_while_inductor_works(
        device, "torch._dynamo", "torch._functorch", "torch._inductor"
    )


def shows(report):
    assert report.facts["steps"] == 1
    return report.facts["before"][0] > 0 and report.facts["during"] == [0]
