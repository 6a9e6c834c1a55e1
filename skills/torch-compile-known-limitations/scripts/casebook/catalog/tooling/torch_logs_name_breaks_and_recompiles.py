import os
import re
import sys
import tempfile

import torch
from torch._dynamo import mark_dynamic

from reference_models.vlm import VLMConfig, make_model
from validators.probes import captured_facts, observe


def steps(device, rotary, mark):
    """Two batch sizes through the language model."""
    model = make_model(VLMConfig.tiny(rotary=rotary, lm_blocks=1), device=device).language_model
    inputs = [torch.randn(size, 16, 64, device=device) for size in (2, 3)]
    for x_BTD in inputs:
        mark(x_BTD)
    return observe(model, [(x_BTD,) for x_BTD in inputs])


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


def logged(run):
    seen, text = printed_by(run)
    places = re.findall(r"Graph break.* in user code at \S*?([^/\s]+):(\d+)", text)
    return captured_facts(
        breaks=lambda: len(places),
        all_places=lambda: places == [(b.file, str(b.line)) for b in seen.graph_breaks],
        why_they_broke=lambda: text.count("Data-dependent branching"),
        recompiles=lambda: text.count("Recompiling function"),
        all_recompiles=lambda: text.count("Recompiling function") == len(seen.recompiles),
        failed_guards=lambda: re.findall(r"\] +- \d+/\d+: (.*)", text),
        lines_with_rotary=lambda: sum("rotary" in line.lower() for line in text.splitlines()),
    )


def symptom(device):
    return logged(lambda: steps(device, "branch", mark=lambda x_BTD: None))


def remedy(device):
    return logged(lambda: steps(device, "where", mark=lambda x_BTD: mark_dynamic(x_BTD, 0)))


def shows(report):
    facts = report.facts
    if not facts["breaks"]:
        return facts["recompiles"] > 0
    told = facts["all_places"] and facts["all_recompiles"]
    each_break = facts["why_they_broke"] == facts["breaks"] > 0
    each_recompile = len(facts["failed_guards"]) == facts["recompiles"] > 0
    return told and each_break and each_recompile
