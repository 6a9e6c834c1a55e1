"""Predict made-up batches."""

import argparse

import torch

from molly import build_molly


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_molly(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for number, sizes in enumerate(([3, 4, 5], [6, 2, 4], [1, 10, 1])):
            elements = torch.randint(0, 20, (12,), generator=generator)
            values = model(elements, torch.tensor(sizes))
            print(f"batch {number}: {values.mean().item():.5f}")


if __name__ == "__main__":
    main()
