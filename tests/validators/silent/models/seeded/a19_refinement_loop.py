import torch
import torch.nn as nn

context = None

torch.manual_seed(89)
mixer = torch.randn(8, 8) * 0.4
offset = torch.randn(8)


@torch.compiler.nested_compile_region
def refine(state):
    hidden = torch.tanh(state @ mixer + offset)
    return state + context["step"] * hidden


class KeypointRefiner(nn.Module):
    """Lifts keypoints to a state, refines the state a few times, reads it out."""

    def __init__(self, points=5, dim=8, rounds=3):
        super().__init__()
        self.rounds = rounds
        self.lift = nn.Linear(points * 2, dim)
        self.norm = nn.LayerNorm(dim)
        self.readout = nn.Linear(dim, points * 2)
        self.steps = nn.ParameterList([torch.full((dim,), 0.9 / 3**i) for i in range(rounds)])
        self.confidence = nn.Linear(dim, points)

    def forward(self, keypoints):
        global context
        centre = keypoints.mean(1, keepdim=True)
        local = (keypoints - centre).flatten(1)
        state = torch.relu(self.lift(local))
        for i in range(self.rounds):
            context = {"step": self.steps[i]}
            state = refine(state)
        state = self.norm(state)
        shift = self.readout(state).view_as(keypoints)
        sure = torch.sigmoid(self.confidence(state))
        return centre + local.view_as(keypoints) + sure.unsqueeze(-1) * shift, sure


def example():
    torch.manual_seed(97)
    model = KeypointRefiner().eval().requires_grad_(False)
    return model, [(torch.randn(3, 5, 2),)]
