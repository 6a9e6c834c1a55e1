"""Score new events against known ones, and compare with the uncompiled model."""

import argparse

import torch

from pagekeep import build_scorer


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = build_scorer().requires_grad_(False)
    compiled = torch.compile(build_scorer().requires_grad_(False), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    for number in range(2):
        known = torch.randn(6, 12, generator=generator)
        new = known[:3] + 0.1 * torch.randn(3, 12, generator=generator)
        eager, fast = model(known, new), compiled(known, new)
        print(f"batch {number}: eager {eager.mean():.4f}, compiled {fast.mean():.4f}")


if __name__ == "__main__":
    main()
