import functools

import torch
from torch import nn

from validators.probes import observe


def by_autograd(x, net):
    """The residual of u' = -u: its gradient needs the derivative of a derivative."""
    u = net(x)
    (u_x,) = torch.autograd.grad(u.sum(), x, create_graph=True)
    return (u_x + u).square().mean()


def by_func(x, net):
    u_x = torch.func.grad(lambda points: net(points).sum())(x)
    return (u_x + net(x)).square().mean()


def gradients(x, loss, net):
    net.zero_grad()
    loss(x, net).backward()
    return [parameter.grad.clone() for parameter in net.parameters()]


def solve(device, loss, compiled):
    net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1)).to(device)
    x = torch.linspace(0, 1, 8, device=device)[:, None].requires_grad_()
    target = functools.partial(gradients, loss=loss, net=net)
    # What is compiled is the network, or the loss with the inner derivative in it.
    compile_ = functools.partial(torch.compile, backend="aot_eager", fullgraph=True)
    return observe(
        target,
        [(x,), (x,)],
        compile=lambda step: functools.partial(step, **compiled(compile_, net)),
        compare=("eager",),
    )


def whole_loss(compile_, net):
    return {"loss": compile_(by_func)}


def network_only(compile_, net):
    compiled = compile_(net)
    return {"loss": lambda x, _: by_autograd(x, compiled)}


def symptom(device):
    return solve(device, by_autograd, network_only)


def remedy(device):
    return solve(device, by_func, whole_loss)


def shows(report):
    if report.exception is not None:
        # The network had run: its backward pass raises.
        assert [graph.executions for graph in report.graphs] == [1], report.graphs
        return True
    far = max(call.difference.eager for call in report.calls)
    return not far < 1e-5 or len(report.graphs) != 1
