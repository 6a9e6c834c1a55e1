import copy
import functools
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch._dynamo import config
from torch.nn.parallel import DistributedDataParallel

from validators.probes import observe


def forward_backward(model, x):
    loss = model(x).square().mean()
    loss.backward()


def gradients(x, model, step):
    model.zero_grad()
    step(model, x)
    return [parameter.grad.clone() for parameter in model.parameters()]


def train(optimize_ddp):
    """Two steps, in a group of one process."""
    model, x = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8)), torch.randn(4, 8)
    target = functools.partial(gradients, model=model, step=forward_backward)

    def compile_step(step):
        wrapped = DistributedDataParallel(copy.deepcopy(model))
        compiled = torch.compile(forward_backward, backend="eager")
        return functools.partial(step, model=wrapped, step=compiled)

    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        try:
            with config.patch(compiled_autograd=True, optimize_ddp=optimize_ddp):
                return observe(target, [(x,), (x,)], compile=compile_step, compare=("eager",))
        finally:
            dist.destroy_process_group()


def symptom(device):
    return train(True)


def remedy(device):
    return train("python_reducer")


def shows(report):
    caught = report.exception
    if caught is not None:
        # The forward pass had begun.
        assert caught.call == 0 and report.graphs, caught
        return True
    targets = "_c10d_functional.all_reduce", "torch._dynamo.compiled_autograd.ops.AccumulateGrad"
    graphs = [[graph.targets.get(target, 0) for target in targets] for graph in report.graphs]
    far = max(call.difference.eager for call in report.calls)
    # Four weights and biases, and the graph that accumulates their gradients reduces them.
    assert graphs == [[0, 0], [4, 4]] and far < 1e-6, (graphs, far)
    return False
