"""Compare sketches with others and with themselves."""

import argparse

import torch

from pairwise import build_matcher


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_matcher(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for number in range(2):
            first = torch.randn(3, 16, 2, generator=generator)
            second = torch.randn(3, 16, 2, generator=generator)
            print(f"pair {number}: {model(first, second).mean().item():.4f}")
            print(f"same {number}: {model(first, first.clone()).mean().item():.4f}")


if __name__ == "__main__":
    main()
