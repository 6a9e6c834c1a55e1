import torch

from validators.probes import observe


class Denoiser(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x):
        return torch.tanh(self.linear(x))


def guided(keep):
    """Two passes whose results are both needed, as in classifier-free guidance."""

    def compile_(model):
        compiled = torch.compile(model, mode="reduce-overhead")

        def step(x, guidance):
            torch.compiler.cudagraph_mark_step_begin()
            with_prompt = keep(compiled(x))
            torch.compiler.cudagraph_mark_step_begin()
            without = compiled(x * 0.5)
            return without + guidance * (with_prompt - without)

        return step

    return compile_


@torch.no_grad()
def denoise(device, keep):
    x = torch.randn(2, 8, device=device)
    return observe(Denoiser().to(device), [(x, 3.0)] * 4, compile=guided(keep))


def symptom(device):
    return denoise(device, keep=lambda output: output)


def remedy(device):
    return denoise(device, keep=torch.clone)


def shows(report):
    seen = report.cudagraphs
    if report.exception is None:
        return seen is None or seen.replays == 0
    return seen is not None and seen.overwritten_outputs > 0
