"""A conformer that recognizes speech, encoder and decoder, of speechbrain."""

import warnings

import torch
from speechbrain.lobes.models.transformer.TransformerASR import TransformerASR


class Recognizer(torch.nn.Module):
    """The encoder's and the decoder's output for features with padding."""

    def __init__(self):
        super().__init__()
        self.net = TransformerASR(
            tgt_vocab=30,
            input_size=40,
            d_model=32,
            nhead=4,
            num_encoder_layers=2,
            num_decoder_layers=2,
            d_ffn=64,
            dropout=0.0,
            encoder_module="conformer",
            attention_type="RelPosMHAXL",
            normalize_before=True,
            causal=False,
        )

    def forward(self, features, tokens, lengths):
        """Both outputs."""
        return self.net(features, tokens, lengths)


def example():
    """Two lengths of the utterance."""
    torch.manual_seed(0)
    tokens = torch.randint(1, 30, (2, 9))
    lengths = torch.tensor([1.0, 0.75])
    calls = [(torch.randn(2, frames, 40), tokens, lengths) for frames in (24, 32)]
    return Recognizer().eval(), calls


def fixed():
    """The recognizer without the warning that torch's attention gives for masks of two dtypes."""
    torch._dynamo.config.ignore_logging_functions.add(warnings.warn)
    return example()
