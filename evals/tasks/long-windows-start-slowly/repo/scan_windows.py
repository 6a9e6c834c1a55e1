"""Score windows, and say how long the first call took."""

import argparse
import time

import torch

from drift import build_drift


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_drift().requires_grad_(False), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    for number in range(3):
        windows = torch.randn(4, 96, 6, generator=generator).cumsum(1) / 8
        begun = time.perf_counter()
        score = model(windows).max().item()
        print(f"windows {number}: {score:.4f} in {time.perf_counter() - begun:.2f} s")


if __name__ == "__main__":
    main()
