import os
import sys
import tempfile

import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import captured_facts, observe

# Named here, since the log quotes the lines of code that led to the break.
NAME_OF_THE_MODULE, ID = "rotary", "gb0170"


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


def grep_in_a_broken_model(device, word):
    """A model with an `if` in its rotary embedding, and the lines of its log that hold a word."""
    model = make_model(VLMConfig.tiny(rotary="branch", lm_blocks=1), device=device).language_model
    x_BTD = torch.randn(2, 16, 64, device=device)
    seen, text = printed_by(lambda: observe(model, [(x_BTD,)]))
    lines = [line for line in text.splitlines() if word in line.lower()]
    return captured_facts(breaks=lambda: len(seen.graph_breaks), lines=lambda: len(lines))


def symptom(device):
    return grep_in_a_broken_model(device, NAME_OF_THE_MODULE)


def remedy(device):
    return grep_in_a_broken_model(device, ID)


def shows(report):
    return report.facts["breaks"] > 0 and report.facts["lines"] == 0
