"""Train on made-up records; print both losses."""

import argparse

import torch

from sluice import build_sluice


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    parser.add_argument("--steps", type=int, default=20)
    args = parser.parse_args()
    model = build_sluice()
    step = torch.compile(model, backend=args.backend)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    generator = torch.Generator().manual_seed(1)
    for number in range(args.steps):
        clean = torch.randn(16, 6, generator=generator)
        output, balance = step(clean + 0.1 * torch.randn(16, 6, generator=generator))
        loss = (output - clean).square().mean()
        (loss + 0.01 * balance).backward()
        optimizer.step()
        optimizer.zero_grad()
        print(f"step {number}: loss {loss.item():.4f} balance {balance.item():.4f}")


if __name__ == "__main__":
    main()
