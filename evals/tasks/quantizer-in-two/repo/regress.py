"""Predict for made-up batches."""

import argparse

import torch

from octet import build_octet


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_octet(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for number in range(3):
            features = torch.randn(5, 10, generator=generator)
            print(f"batch {number}: {model(features).mean().item():.3f}")


if __name__ == "__main__":
    main()
