"""Forecast from a stream of readings."""

import argparse

import torch

from tideline import build_forecaster


def readings(steps: int):
    """Batches of 96 hours; a calendar comes with every third one."""
    generator = torch.Generator().manual_seed(7)
    for _ in range(steps):
        yield torch.randn(6, 96, 4, generator=generator)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    parser.add_argument("--steps", type=int, default=20)
    args = parser.parse_args()
    model = torch.compile(build_forecaster(), backend=args.backend)
    with torch.no_grad():
        for step, series in enumerate(readings(args.steps)):
            print(f"step {step}: {model(series).mean().item():.5f}")


if __name__ == "__main__":
    main()
