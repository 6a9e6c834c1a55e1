"""ECAPA-TDNN, an embedding of speakers, of speechbrain."""

import torch
from speechbrain.lobes.models.ECAPA_TDNN import ECAPA_TDNN


def example():
    """Two lengths of the utterance, each batch with padding."""
    torch.manual_seed(0)
    model = ECAPA_TDNN(
        input_size=20,
        lin_neurons=32,
        channels=[32, 32, 32, 32, 96],
        attention_channels=16,
        res2net_scale=4,
        se_channels=16,
    )
    lengths = torch.tensor([1.0, 0.75])
    return model.eval(), [(torch.randn(2, frames, 20), lengths) for frames in (60, 80)]
