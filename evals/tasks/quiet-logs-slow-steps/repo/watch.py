"""Score a stream of packets."""

import argparse

import torch

from sentry_net import build_detector


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_detector(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for number in range(3):
            packets = torch.randn(6, 20, generator=generator)
            print(f"batch {number}: {model(packets).max().item():.4f}")


if __name__ == "__main__":
    main()
