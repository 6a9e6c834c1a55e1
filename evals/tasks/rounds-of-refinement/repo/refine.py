"""Refine with different numbers of rounds."""

import argparse

import torch

from plumb import build_plumb


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_plumb(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        depth = torch.rand(2, 1, 8, 8, generator=generator)
        for rounds in (2, 5, 3):
            print(f"rounds {rounds}: {model(depth, rounds).std().item():.5f}")


if __name__ == "__main__":
    main()
