import tempfile

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

from validators.probes import observe


class MLP(torch.nn.Module):
    def __init__(self, width=16, layers=3):
        super().__init__()
        linears = (torch.nn.Linear(width, width) for _ in range(layers))
        self.layers = torch.nn.ModuleList(linears)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x


def train(device, report_options, **options):
    """Two training steps of a wrapped model, in a group of one process."""
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        try:

            def compile_wrapped(model):
                wrapped = FSDP(model, device_id=torch.device(device), **options)
                compiled = torch.compile(wrapped, backend="aot_eager")

                def step(x):
                    loss = compiled(x).square().mean()
                    loss.backward()
                    return loss.detach()

                return step

            calls = [(torch.randn(4, 16, device=device),)] * 2
            return observe(MLP(), calls, compile=compile_wrapped, **report_options)
        finally:
            dist.destroy_process_group()


def symptom(device):
    # `eager`: it is the claim that nothing is compiled.
    return train(device, {"eager": True})


def remedy(device):
    return train(device, {}, use_orig_params=True)


def shows(report):
    assert report.exception is None, report.exception
    gave_up = any(it.skipped_frame for it in report.graph_breaks)
    return gave_up and report.eager_calls == (0, 1) and not report.graphs
