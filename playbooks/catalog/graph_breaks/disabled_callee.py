import torch

from validators.probes import observe

VOCABULARY = ("0", "1", "2", "a", "b", "{", "}", "end")


@torch.compiler.disable
def allowed_after(text, device):
    """What a grammar library would say: here, digits follow digits."""
    digits = text[-1].isdigit()
    return torch.tensor([token.isdigit() == digits for token in VOCABULARY], device=device)


def next_token_asking(hidden_D, head_VD, text):
    logits_V = head_VD @ hidden_D
    allowed_V = allowed_after(text, logits_V.device)
    return logits_V.masked_fill(~allowed_V, -torch.inf).softmax(-1)


def next_token_told(hidden_D, head_VD, allowed_V):
    logits_V = head_VD @ hidden_D
    return logits_V.masked_fill(~allowed_V, -torch.inf).softmax(-1)


def weights(device):
    return torch.ones(4, device=device), torch.ones(len(VOCABULARY), 4, device=device)


def symptom(device):
    return observe(next_token_asking, [(*weights(device), "12")] * 2)


def remedy(device):
    allowed_V = allowed_after("12", device)
    return observe(next_token_told, [(*weights(device), allowed_V)] * 2)


def shows(report):
    return bool(report.graph_breaks) and report.executions == (2, 2)
