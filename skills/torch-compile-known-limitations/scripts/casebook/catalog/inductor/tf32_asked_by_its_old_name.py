import torch

from validators.probes import captured_facts


def asked(device):
    return captured_facts(
        old=lambda: torch.backends.cuda.matmul.allow_tf32,
        new=lambda: torch.backends.cuda.matmul.fp32_precision,
        overall=torch.get_float32_matmul_precision,
    )


def symptom(device):
    torch.backends.cuda.matmul.fp32_precision = "tf32"
    return asked(device)


def remedy(device):
    torch.set_float32_matmul_precision("high")
    return asked(device)


def shows(report):
    facts = report.facts
    assert facts["new"] == "tf32", facts
    if "old.message" not in facts:
        assert facts["old"] is True and facts["overall"] == "high", facts
        return False
    mixed = "mix of the legacy and new APIs"
    assert mixed in facts["old.message"] and mixed in facts["overall.message"], facts
    return True
