"""Encode tables with different numbers of rows."""

import argparse

import torch

from tabvec import build_encoder


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_encoder(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for number in range(2):
            tables = torch.randn(3, 10, 6, generator=generator)
            valid = torch.rand(3, 10, generator=generator) > 0.4
            print(f"batch {number}: {model(tables, valid).norm().item():.4f}")


if __name__ == "__main__":
    main()
