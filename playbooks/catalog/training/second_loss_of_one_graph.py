import functools

import torch
from torch import nn

from validators.probes import observe


class ActorCritic(nn.Module):
    """Two networks in one module, with nothing in common but their input."""

    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
        self.critic = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, states):
        return self.actor(states), self.critic(states)


def apart(policy_loss, value_loss):
    policy_loss.backward()
    value_loss.backward()


def together(policy_loss, value_loss):
    (policy_loss + value_loss).backward()


def gradients(states, model, forward, backward):
    model.zero_grad()
    policy, value = forward(states)
    backward(policy.logsumexp(-1).mean(), value.square().mean())
    return [parameter.grad.clone() for parameter in model.parameters()]


def train(device, backward):
    torch.manual_seed(0)
    model, states = ActorCritic().to(device), torch.randn(6, 4, device=device)
    # Eager mode gets what the code says: two passes in both arms.
    eager = functools.partial(gradients, model=model, forward=model, backward=apart)
    compiled = torch.compile(model, backend="aot_eager", fullgraph=True)
    return observe(
        eager,
        [(states,), (states,)],
        compile=lambda step: functools.partial(step, forward=compiled, backward=backward),
        compare=("eager",),
    )


def symptom(device):
    return train(device, apart)


def remedy(device):
    return train(device, together)


def shows(report):
    caught = report.exception
    if caught is not None:
        # The one node of the graph was run and then entered once more.
        assert (report.backward_executions, caught.call) == (2, 0), report.backward_executions
        return True
    far = max(call.difference.eager for call in report.calls)
    assert far < 1e-6 and report.backward_executions == 2, (far, report.backward_executions)
    return False
