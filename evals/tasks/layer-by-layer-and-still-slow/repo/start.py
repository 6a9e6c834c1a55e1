"""Compile the layers one by one, tag two lines, and say how long it took."""

import argparse
import time

import torch

from tagger import TaggerConfig, build_tagger


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    parser.add_argument("--layers", type=int, default=12)
    args = parser.parse_args()
    model = build_tagger(TaggerConfig(layers=args.layers)).requires_grad_(False)
    for layer in model.layers:
        layer.compile(backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    for number in range(2):
        tokens = torch.randint(40, (2, 9), generator=generator)
        begun = time.perf_counter()
        tags = model(tokens).argmax(-1)[0].tolist()
        print(f"line {number}: {tags} in {time.perf_counter() - begun:.2f} s")


if __name__ == "__main__":
    main()
