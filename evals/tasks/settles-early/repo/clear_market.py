"""Clear markets with small and large demand."""

import argparse

import torch

from tatonne import build_market


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_market(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for number, scale in enumerate((1.0, 0.1, 5.0)):
            demand = scale * torch.randn(4, 6, generator=generator)
            print(f"market {number}: {model(demand).mean().item():.5f}")


if __name__ == "__main__":
    main()
