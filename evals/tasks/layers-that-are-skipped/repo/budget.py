"""Classify with different budgets."""

import argparse

import torch

from elastic import build_elastic


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_elastic(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        features = torch.randn(6, 12, generator=generator)
        for layers in ([1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 1]):
            keep = torch.tensor(layers, dtype=torch.bool)
            print(f"keep {layers}: {model(features, keep).argmax(-1).tolist()}")


if __name__ == "__main__":
    main()
