import torch

from validators.probes import inductor_code

# Neither has a template for a product in float64 whose weights are no constants.
TEMPLATES = {"cpu": "CPP", "cuda": "TRITON"}


@torch.no_grad()
def solve(device, backends):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.Tanh())
    model = model.to(device, torch.float64)
    x = torch.randn(32, 64, device=device, dtype=torch.float64)
    options = {"max_autotune": True, "max_autotune_gemm_backends": backends}
    return inductor_code(model, [(x,)], compare=["eager"], options=options)


def symptom(device):
    return solve(device, TEMPLATES[torch.device(device).type])


def remedy(device):
    return solve(device, "ATEN," + TEMPLATES[torch.device(device).type])


def shows(report):
    caught = report.exception
    if caught is not None:
        assert "NoValidChoicesError" in caught.message, caught.message
        return True
    # With ATEN among them the product is a library call, and right.
    return report.calls[0].difference.eager > 1e-12 or len(report.facts["externs"]) != 1
