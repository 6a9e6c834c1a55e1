"""Feed frames with a steady hum, and print how much of it is left."""

import argparse

import torch

from hush import build_hush


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = build_hush().requires_grad_(False)
    other = build_hush().requires_grad_(False)
    compiled = torch.compile(other, backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    for number in range(6):
        frame = 1.0 + 0.1 * torch.randn(3, 10, generator=generator)
        eager, fast = model(frame), compiled(frame)
        print(f"frame {number}: eager {eager.mean():.4f}, compiled {fast.mean():.4f}")
    model.floor.reset()
    print(f"reset: eager {model(frame).mean():.4f}")


if __name__ == "__main__":
    main()
