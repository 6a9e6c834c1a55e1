"""Kalman filter of a constant-acceleration target seen by redundant sensors."""

import torch
import torch.nn as nn


class KalmanTracker(nn.Module):
    def __init__(self, dt=0.05):
        super().__init__()
        F = torch.tensor([[1.0, dt, 0.5 * dt * dt], [0.0, 1.0, dt], [0.0, 0.0, 1.0]])
        H = torch.tensor([[1.0, 0.0, 0.0], [1.0, 1e-3, 0.0], [1.0, 0.0, 1e-3]])
        self.register_buffer("F", F)
        self.register_buffer("H", H)
        self.register_buffer("eye", torch.eye(3))
        self.log_q = nn.Parameter(torch.tensor([-9.3, -9.1, -9.2]))
        self.log_r = nn.Parameter(torch.tensor([-12.7, -13.1, -13.3]))

    def step(self, x, P, z, Q, R):
        x = x @ self.F.t()
        P = self.F @ P @ self.F.t() + Q
        S = self.H @ P @ self.H.t() + R
        gain = torch.linalg.solve(S, self.H @ P).transpose(-1, -2)
        resid = z - x @ self.H.t()
        x = x + (gain @ resid[..., None]).squeeze(-1)
        P = (self.eye - gain @ self.H) @ P
        P = 0.5 * (P + P.transpose(-1, -2))
        nis = (resid * torch.linalg.solve(S, resid)).sum(-1)
        return x, P, nis

    def forward(self, z):
        z = z - z.mean((1, 2), keepdim=True)
        spread = z.square().mean((1, 2)).sqrt()[:, None, None]
        Q, R = torch.diag(self.log_q.exp()), torch.diag(self.log_r.exp())
        x = z.new_zeros(z.shape[0], 3)
        P = self.eye * spread * 2.0
        track, score = [], []
        for t in range(z.shape[1]):
            x, P, nis = self.step(x, P, z[:, t], Q, R)
            track.append(x)
            score.append(nis)
        return torch.stack(track, 1), torch.stack(score, 1), P


def example():
    torch.manual_seed(29)
    model = KalmanTracker()
    t = torch.arange(5) * 0.05
    pos = 1.0 + 0.5 * t + 0.2 * t * t
    z = pos[None, :, None] + 2e-3 * torch.randn(4, 5, 3)
    return model, [(z,)]
