import torch
from torch import nn


class ActorUpdate(nn.Module):
    """Value head and advantage target of an actor-critic step with a growing trust region."""

    def __init__(self, observations=6, hidden=16, actions=3):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(observations, hidden), nn.Tanh(), nn.Linear(hidden, hidden)
        )
        self.policy = nn.Linear(hidden, actions)
        self.value = nn.Linear(hidden, 1)

    def forward(self, observation, old_logits, rewards, radius):
        hidden = torch.nn.functional.elu(self.body(observation))
        logits = self.policy(hidden)
        shift = (logits - old_logits).clamp(-radius, radius)
        log_probs = (old_logits + shift).log_softmax(-1)
        value = self.value(hidden).squeeze(-1)
        advantage = rewards - value
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        entropy = -(log_probs.exp() * log_probs).sum(-1)
        objective = log_probs[:, 0] * advantage + 0.01 * entropy
        return objective / radius, log_probs


def example():
    torch.manual_seed(19)
    model = ActorUpdate().eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    observation = torch.randn(8, 6)
    old = 3 * torch.randn(8, 3)
    rewards = torch.randn(8)
    return model, [(observation, old, rewards, radius) for radius in (0.1, 0.3, 0.9, 2.7)]
