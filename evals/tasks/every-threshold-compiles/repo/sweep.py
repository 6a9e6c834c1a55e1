"""Try a row of bounds."""

import argparse

import torch

from sturdy import build_sturdy


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_sturdy(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        features = torch.randn(8, 10, generator=generator)
        for number in range(4):
            bound = 0.1 + 0.07 * number
            print(f"bound {bound:.2f}: {model(features, bound).abs().mean().item():.5f}")


if __name__ == "__main__":
    main()
