"""Predict from readings, some of them broken."""

import argparse

import torch

from kiln import build_kiln


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_kiln(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for number in range(4):
            readings = torch.randn(5, 8, generator=generator) * 30
            if number == 2:
                readings[1, 3] = float("nan")
            print(f"batch {number}: {model(readings).mean().item():.4f}")


if __name__ == "__main__":
    main()
