"""Speak made-up utterances."""

import argparse

import torch

from lento import build_lento


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_lento(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for number in range(3):
            phonemes = torch.randint(0, 40, (7,), generator=generator)
            durations = torch.randint(1, 5, (7,), generator=generator)
            speaker = torch.randn(4, generator=generator)
            spectrum = model(phonemes, durations, int(durations.sum()), speaker)
            print(f"utterance {number}: {len(spectrum)} frames")


if __name__ == "__main__":
    main()
