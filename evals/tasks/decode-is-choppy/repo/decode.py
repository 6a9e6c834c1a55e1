"""Decode two prompts greedily."""

import argparse

import torch

from scribe import build_decoder


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="inductor")
    parser.add_argument("--tokens", type=int, default=16)
    args = parser.parse_args()
    decoder = build_decoder()
    step = torch.compile(decoder, backend=args.backend)
    for prompt in ([3, 1, 4, 1, 5], [2, 7, 1, 8, 2]):
        decoder.reset()
        token = torch.tensor([prompt])
        said = []
        with torch.no_grad():
            for _ in range(args.tokens):
                token = step(token).argmax(-1, keepdim=True)
                said.append(token.item())
        print("said", said)


if __name__ == "__main__":
    main()
