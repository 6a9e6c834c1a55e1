"""Enhance a recording with pauses."""

import argparse

import torch

from hush import build_hush


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_hush(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for number in range(8):
            block = torch.randn(4, 160, generator=generator)
            speech = block.abs() > 0.5 if number % 4 != 3 else None
            print(f"block {number}: {model(block, speech).mean().item():.5f}")


if __name__ == "__main__":
    main()
