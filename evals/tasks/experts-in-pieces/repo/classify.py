"""Sort made-up tickets."""

import argparse

import torch

from triage import build_triage


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    args = parser.parse_args()
    model = torch.compile(build_triage(), backend=args.backend)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for number in range(3):
            tokens = torch.randint(0, 50, (3, 12), generator=generator)
            print(f"batch {number}: {model(tokens).argmax(-1).tolist()}")


if __name__ == "__main__":
    main()
