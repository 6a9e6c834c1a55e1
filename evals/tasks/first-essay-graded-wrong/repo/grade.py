"""Grade essays of several lengths, each twice, compiled and not."""

import argparse

import torch

from essay import build_essay


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="eager")
    args = parser.parse_args()
    model = build_essay().requires_grad_(False)
    compiled = torch.compile(build_essay().requires_grad_(False), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    essays = [torch.randn(1, length, 10, generator=generator) + 1 for length in (4, 9, 13)]
    for essay in essays:
        for number in range(2):
            eager, fast = model(essay).item(), compiled(essay).item()
            print(f"{essay.shape[1]} sentences, {number}: eager {eager:.4f}, compiled {fast:.4f}")


if __name__ == "__main__":
    main()
