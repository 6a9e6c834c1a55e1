"""FastSpeech2Conformer, a text-to-speech model, of transformers."""

import torch
from transformers import FastSpeech2ConformerConfig, FastSpeech2ConformerModel


def example():
    """Two lengths of text."""
    torch.manual_seed(0)
    config = FastSpeech2ConformerConfig(
        vocab_size=40,
        hidden_size=32,
        num_mel_bins=20,
        encoder_layers=2,
        decoder_layers=2,
        encoder_linear_units=64,
        decoder_linear_units=64,
        speech_decoder_postnet_units=32,
        duration_predictor_channels=32,
        energy_predictor_channels=32,
        pitch_predictor_channels=32,
    )
    calls = [{"input_ids": torch.randint(1, 40, (2, length))} for length in (12, 17)]
    return FastSpeech2ConformerModel(config).eval(), calls
