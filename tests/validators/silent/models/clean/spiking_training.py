"""Leaky integrate-and-fire network trained with a surrogate gradient."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def spike(v):
    surrogate = torch.sigmoid(4.0 * v)
    hard = (v >= 0.0).to(v.dtype)
    return hard.detach() + surrogate - surrogate.detach()


class LIFLayer(nn.Module):
    def __init__(self, cin, cout, beta=0.9):
        super().__init__()
        self.fc = nn.Linear(cin, cout)
        self.beta = beta
        self.threshold = 1.0

    def forward(self, x, v):
        v = self.beta * v + (1.0 - self.beta) * self.fc(x)
        s = spike(v - self.threshold)
        return s, v - s.detach() * self.threshold


class SpikingNet(nn.Module):
    def __init__(self, features=50, hidden=32, classes=4, steps=8):
        super().__init__()
        self.steps, self.hidden, self.classes = steps, hidden, classes
        self.layer1 = LIFLayer(features, hidden)
        self.layer2 = LIFLayer(hidden, classes)
        with torch.no_grad():
            self.layer1.fc.weight[: hidden // 2].fill_(1.0 / (1.0 - self.layer1.beta))
            self.layer1.fc.weight[hidden // 2 :].mul_(60.0)
            self.layer1.fc.bias.fill_(0.0)
            self.layer2.fc.weight.mul_(20.0)

    def forward(self, x):
        x = x / x.sum(-1, keepdim=True)
        v1 = x.new_zeros(x.shape[0], self.hidden)
        v2 = x.new_zeros(x.shape[0], self.classes)
        count, first = 0.0, 0.0
        for _ in range(self.steps):
            s1, v1 = self.layer1(x, v1)
            s2, v2 = self.layer2(s1, v2)
            count, first = count + s2, first + s1
        return count / self.steps, v2, first


def example():
    torch.manual_seed(61)
    model = SpikingNet().train()
    x = torch.rand(64, 50)
    target = torch.randint(0, 4, (64,))

    def loss(output):
        rate, v2, first = output
        return F.cross_entropy(rate * 5.0 + 0.1 * v2, target) + 1e-3 * first.mean()

    return model, [(x,)], loss
