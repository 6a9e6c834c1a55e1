"""Read lines of different lengths."""

import argparse

import torch

from gist import build_gist


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_gist(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for length in (12, 9, 17):
            tokens = torch.randint(0, 64, (2, length), generator=generator)
            print(f"length {length}: {model(tokens).abs().mean().item():.5f}")


if __name__ == "__main__":
    main()
