"""A language model with rotary positions and gated feed-forward layers, of x-transformers."""

import torch
from x_transformers import Decoder, TransformerWrapper


def example():
    """Two lengths of the text."""
    torch.manual_seed(0)
    model = TransformerWrapper(
        num_tokens=100,
        max_seq_len=64,
        attn_layers=Decoder(dim=64, depth=2, heads=4, rotary_pos_emb=True, ff_glu=True),
    )
    return model.eval(), [(torch.randint(0, 100, (2, length)),) for length in (16, 24)]
