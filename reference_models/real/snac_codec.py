"""SNAC, an audio codec that quantizes at several rates, of snac."""

import torch
from snac import SNAC


def example():
    """Two lengths of audio, encoded and decoded."""
    torch.manual_seed(0)
    model = SNAC(
        sampling_rate=24000,
        encoder_dim=32,
        encoder_rates=[4],
        decoder_dim=64,
        decoder_rates=[4],
        attn_window_size=8,
        codebook_size=64,
        codebook_dim=8,
        vq_strides=[2, 1],
    )
    return model.eval(), [(torch.randn(2, 1, length),) for length in (900, 1500)]


def fixed():
    """The factor between samples and frames as an int, which was NumPy's."""
    model, calls = example()
    model.hop_length = int(model.hop_length)
    return model, calls
