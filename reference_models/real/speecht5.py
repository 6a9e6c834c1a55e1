"""SpeechT5 as text to speech, an encoder and decoder of spectrograms, of transformers."""

import torch
from transformers import SpeechT5Config, SpeechT5ForTextToSpeech


def example():
    """Two lengths of text and of the spectrogram."""
    torch.manual_seed(0)
    config = SpeechT5Config(
        vocab_size=60,
        hidden_size=32,
        encoder_layers=2,
        encoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_layers=2,
        decoder_attention_heads=4,
        decoder_ffn_dim=64,
        num_mel_bins=20,
        reduction_factor=2,
        speech_decoder_prenet_units=32,
        speech_decoder_postnet_units=32,
        speaker_embedding_dim=16,
    )
    calls = [
        {
            "input_ids": torch.randint(3, 60, (2, length)),
            "decoder_input_values": torch.randn(2, 2 * length, 20),
            "speaker_embeddings": torch.randn(2, 16),
        }
        for length in (8, 12)
    ]
    return SpeechT5ForTextToSpeech(config).eval(), calls
