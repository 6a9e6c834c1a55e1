"""Read melodies of different lengths."""

import argparse

import torch

from bars import build_bars


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_bars().requires_grad_(False), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    for length in (21, 30, 13, 43, 32, 19, 24):
        pitches = torch.randint(48, (2, length), generator=generator)
        print(f"{length} notes: {model(pitches).argmax(-1)[0].tolist()}")


if __name__ == "__main__":
    main()
