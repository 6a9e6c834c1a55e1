"""Read photos of both kinds, compiled and not."""

import argparse

import torch

from meterman import build_meter


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = build_meter().requires_grad_(False)
    compiled = torch.compile(build_meter().requires_grad_(False), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    for kind, channels in (("color", 3), ("gray", 1)):
        photos = torch.rand(2, channels, 8, 8, generator=generator)
        eager, fast = model(photos), compiled(photos)
        print(f"{kind}: eager {eager[0, 0]:.4f}, compiled {fast[0, 0]:.4f}")


if __name__ == "__main__":
    main()
