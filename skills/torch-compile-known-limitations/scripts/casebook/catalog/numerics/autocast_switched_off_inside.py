import torch
from torch import nn
from torch._functorch import config

from validators.probes import captured_facts


class Router(nn.Module):
    """The router of a mixture of experts, whose logits are wanted in float32."""

    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(64, 16, bias=False)

    def forward(self, tokens_ND):
        with torch.autocast(tokens_ND.device.type, enabled=False):
            return tokens_ND.float() @ self.gate.weight.T


def gradient(model, route, tokens_ND):
    model.zero_grad()
    with torch.autocast(tokens_ND.device.type, dtype=torch.bfloat16):
        logits = route(tokens_ND)
    logits.softmax(-1)[:, 0].sum().backward()
    return logits.detach(), model.gate.weight.grad


def compare(device, options):
    torch.manual_seed(0)
    model = Router().to(device)
    tokens_ND = torch.randn(32, 64, device=device)
    eager_logits, eager = gradient(model, model, tokens_ND)
    eager = eager.clone()
    with config.patch(options):
        compiled = torch.compile(model, backend="aot_eager", fullgraph=True)
        logits, grad = gradient(model, compiled, tokens_ND)
    return {
        "forward": (logits - eager_logits).abs().max().item(),
        "error": ((grad - eager).abs().max() / eager.abs().max()).item(),
        "rounded": torch.equal(grad, grad.bfloat16().float()),
        "eager_rounded": torch.equal(eager, eager.bfloat16().float()),
        "dtype": str(grad.dtype),
    }


def symptom(device):
    return captured_facts(compiled=lambda: compare(device, {}))


def remedy(device):
    return captured_facts(compiled=lambda: compare(device, {"backward_pass_autocast": "off"}))


def shows(report):
    facts = report.facts["compiled"]
    assert facts["forward"] < 1e-5 and not facts["eager_rounded"], facts
    assert facts["dtype"] == "torch.float32", facts
    if facts["rounded"]:
        return facts["error"] > 1e-4
    assert facts["error"] < 1e-5, facts
    return False
