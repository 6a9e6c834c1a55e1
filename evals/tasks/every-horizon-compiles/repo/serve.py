"""Answer requests for single hours."""

import argparse

import torch

from meterbox import build_curve


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    parser.add_argument("--hours", type=int, default=24)
    args = parser.parse_args()
    curve = torch.compile(build_curve(), backend=args.backend, dynamic=True)
    load = torch.rand(5, 7, 24, generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        for request in range(args.hours):
            hour = (7 + 5 * request) % 24
            print(f"hour {hour}: {curve(load, hour).sum().item():.4f}")


if __name__ == "__main__":
    main()
